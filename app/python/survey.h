// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/raised.h"

namespace cutaway::python {

/// Declares survey(), and the functions that its part in Python, cutaway_remote, calls.
void bindSurvey(nb::module_ &module);

} // namespace cutaway::python
