// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"

namespace cutaway::run {

/// The outputs that are tensors as the constants of a model without a graph, in their order and with their names, so
/// that they are looked at as weights are. A copy of all elements; texts that are malformed are no bytes, and why.
ir::Model resultsOf(const Outcome &outcome);

} // namespace cutaway::run
