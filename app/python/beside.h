// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/raised.h"

#include <string>

namespace cutaway::python {

/// Returns a module of a package beside this one: "cutaway_record", "cutaway_remote.files". Raises if it is missing.
nb::module_ moduleBeside(const std::string &name);

/// Declares record(), which calls the package cutaway_record.
void bindRecording(nb::module_ &module);

} // namespace cutaway::python
