// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ir/model.h"

namespace cutaway::convert {

struct FlattenedInputs {
    ir::Model model;
    analysis::Given given;
};

/// The function with an input for each tensor in what is given of tuples, lists and dictionaries: "past.0.1" is in the
/// second place of the first tuple of "past". Nodes at the start put them together again. What of the items is not
/// known, or no tensor and no number, stays as it is.
FlattenedInputs withFlattenedInputs(const ir::Model &model, ir::FunctionId function, const analysis::Given &given);

} // namespace cutaway::convert
