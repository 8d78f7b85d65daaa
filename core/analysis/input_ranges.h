// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ir/tensors/random_numbers.h"

namespace cutaway::analysis {

/// What test data of the function's inputs is drawn from, so that what reads it is defined and says something: indices
/// of all rows that a table has, variances above 0. It follows from ops::Domain of the nodes that read an input, also
/// through nodes that give its elements another shape, dtype or place; what contradicts itself is left out. An input
/// that is not there takes any numbers.
std::map<ir::ValueId, ir::NumberRange> inputRanges(const ir::Model &model, ir::FunctionId function,
                                                   const Shapes &shapes);

} // namespace cutaway::analysis
