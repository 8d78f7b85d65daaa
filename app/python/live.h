// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/raised.h"

namespace cutaway::python {

/// Declares show(), compare(), profile() and ExportFailure, which come from the package cutaway_live.
void bindLive(nb::module_ &module);

} // namespace cutaway::python
