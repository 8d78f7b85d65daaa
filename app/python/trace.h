// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/raised.h"

namespace cutaway::python {

/// Declares trace().
void bindTrace(nb::module_ &module);

} // namespace cutaway::python
