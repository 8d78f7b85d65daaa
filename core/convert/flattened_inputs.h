// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ir/model.h"

namespace cutaway::convert {

/// A model whose lists of inputs are taken apart, and what is given of the new inputs.
struct FlattenedInputs {
    ir::Model model;
    analysis::Given given;
};

/// The model whose function has an input for each tensor in the given tuples, lists and dictionaries: "past.0.1" is at
/// index 1 of the tuple at index 0 of "past". Nodes at the start put them together again. An input stays as it is if an
/// item is not known, or is neither tensor nor number.
FlattenedInputs withFlattenedInputs(const ir::Model &model, ir::FunctionId function, const analysis::Given &given);

} // namespace cutaway::convert
