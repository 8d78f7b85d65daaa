// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/raised.h"

#include <string>

namespace cutaway::python {

/// A module of a Python package beside this one: "cutaway_record", "cutaway_remote.files". Raises if that is not there.
nb::module_ moduleBeside(const std::string &name);

/// Declares record(), which is cutaway_record's.
void bindRecording(nb::module_ &module);

} // namespace cutaway::python
