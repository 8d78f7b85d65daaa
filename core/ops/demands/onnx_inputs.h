// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops::demand {

/// Holds a call to the demand of its row, and an ONNX node to what its operator says of the ranks of its inputs and the
/// words of its attributes. Nothing is said if the call is wrong already.
void check(const Call &call, DemandRule demand);

// Demands of ONNX's operators alone, as those of demands.h.

void classTargets(const Call &call);   ///< losses of classes: a target for each place, a weight for each class
void boxesAndScores(const Call &call); ///< NonMaxSuppression

} // namespace cutaway::ops::demand
