// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/base/result.h"

#include <span>
#include <vector>

namespace cutaway::passes {

/// A model made of some nodes of a function.
struct PartModel {
    ir::Model model;                 ///< a model with only this function
    std::vector<ir::ValueId> inputs; ///< the values of the source function that became inputs, in their order
};

/// Whether weights that a part reads stay its weights (Kept), or become inputs like all other values that it reads
/// (Inputs). With Inputs, the nodes lose their names, too.
enum class PartWeights : std::uint8_t { Kept, Inputs };

/// Makes a model of nodes of one region, given in execution order. Its results are the values `results`, which these
/// nodes make. Types that the file does not record are taken from `shapes`. Errors (Usage): a node has regions, or
/// calls another function.
Result<PartModel> partOf(const ir::Model &model, ir::FunctionId function, std::span<const ir::NodeId> nodes,
                         std::span<const ir::ValueId> results, const analysis::Shapes &shapes,
                         PartWeights weights = PartWeights::Kept);

} // namespace cutaway::passes
