// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <vector>

namespace cutaway::ir {

/// Whether an entry of the signature is a weight of which the file tells dtype and shape alone, as texts do. To be run,
/// the function must be given its elements.
bool isOpenWeight(const Model &model, const FunctionInput &input);

/// A weight and the input that stands in its place.
struct OpenedWeight {
    ValueId weight, input;
};

/// Makes inputs of a function's open weights, in the order of the signature and behind the inputs that there are.
std::vector<OpenedWeight> openWeights(Model &model, FunctionId function);

} // namespace cutaway::ir
