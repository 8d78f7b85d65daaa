// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ir/model.h"

namespace cutaway::convert {

/// A model whose list inputs are flattened, and the given values of the new inputs.
struct FlattenedInputs {
    ir::Model model;
    analysis::Given given;
};

/// Returns the model with an input for each tensor in inputs that are tuples, lists or dictionaries, if their items are
/// given or declared: "past.0.1" is at index 1 of the tuple at index 0 of "past". Nodes at the start put the containers
/// together again. An input stays as it is if nothing reads it, or if an item is not known, or is no tensor, number or
/// None.
FlattenedInputs withFlattenedInputs(const ir::Model &model, ir::FunctionId function, const analysis::Given &given);

} // namespace cutaway::convert
