// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <vector>

namespace cutaway::ir {

/// Whether an entry of the signature is a weight of which the file has only dtype and shape, as graphs in text form do.
/// A run needs the elements from elsewhere.
bool isOpenWeight(const Model &model, const FunctionInput &input);

/// A weight and the input that replaces it.
struct OpenedWeight {
    ValueId weight, input;
};

/// Makes inputs of a function's open weights, in the order of the signature, after the existing inputs.
std::vector<OpenedWeight> openWeights(Model &model, FunctionId function);

} // namespace cutaway::ir
