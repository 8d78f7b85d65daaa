// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"

namespace cutaway::run {

/// Returns the outputs that are tensors as the constants of a model without a graph, in their order and with their
/// names, so that they are shown as weights are. Elements are copied; malformed texts have a reason in place of bytes.
ir::Model resultsOf(const Outcome &outcome);

} // namespace cutaway::run
