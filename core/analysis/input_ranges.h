// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ir/tensors/random_numbers.h"

namespace cutaway::analysis {

/// The ranges that test data of the function's inputs is drawn from, so that the nodes that read it are defined and
/// their results mean something: indices of all rows that a table has, variances above 0. They follow from ops::Domain
/// of the nodes that read an input, also through nodes that give its elements another shape, dtype or position. An
/// input whose ranges contradict each other is left out. An input that is left out takes any numbers.
std::map<ir::ValueId, ir::NumberRange> inputRanges(const ir::Model &model, ir::FunctionId function,
                                                   const Shapes &shapes);

} // namespace cutaway::analysis
