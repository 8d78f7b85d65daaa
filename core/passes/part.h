// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/base/result.h"

#include <span>
#include <vector>

namespace cutaway::passes {

/// A model of some nodes of a function.
struct PartModel {
    ir::Model model;                 ///< has this function alone
    std::vector<ir::ValueId> inputs; ///< the values of the whole function that became inputs, in their order
};

/// Whether weights that a part reads belong to it, or are inputs like all other values that it reads; with inputs,
/// nodes have no names either.
enum class PartWeights : std::uint8_t { Kept, Inputs };

/// Makes a model of nodes of one region, given in execution order, whose results are these values of theirs. Types that
/// the file does not record are those of `shapes`. Errors (Usage): a node has regions, or calls another function.
Result<PartModel> partOf(const ir::Model &model, ir::FunctionId function, std::span<const ir::NodeId> nodes,
                         std::span<const ir::ValueId> results, const analysis::Shapes &shapes,
                         PartWeights weights = PartWeights::Kept);

} // namespace cutaway::passes
