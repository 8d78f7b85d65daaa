// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/tensors/tensor_numbers.h"
#include "core/passes/cutting/known_types.h"

#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

namespace cutaway::passes {

/// What a function is to compute, and of what. Those that become inputs and results are values of the body.
struct Cut {
    std::vector<ir::ValueId> opened = {};              ///< become inputs, in this order behind those that there are
    std::map<ir::ValueId, ir::Operand> replaced = {};  ///< are another value or a constant; these come first
    std::map<ir::ValueId, ir::TensorId> constant = {}; ///< become this tensor of the model
    std::vector<ir::ValueId> results = {};             ///< in place of those that there are; none of the above
    std::vector<ir::NodeId> removed = {}; ///< nodes within others; what they make is replaced, or nothing reads it
};

/// What a node and the nodes within it read, those made within it included.
std::vector<ir::ValueId> valuesReadBy(const ir::NodeRef &node);

/// The node of the body that makes a value, or has the node that makes it in a region; nothing for inputs and weights.
std::optional<ir::NodeId> bodyNodeOf(const ir::Graph &graph, ir::ValueId value);

/// The nodes of the body that the results need, and the body's inputs and weights that these read.
struct Needed {
    std::unordered_set<ir::NodeId> nodes;
    std::unordered_set<ir::ValueId> sources;
};
/// `known`: values behind which nothing is needed.
Needed neededBy(const ir::Graph &graph, const std::vector<ir::ValueId> &results,
                const std::unordered_set<ir::ValueId> &known);

/// Whether a node gives back what it gets: what a branch or loop returns of outside is made so.
bool isCopy(const ir::NodeRef &node);

/// The model with the function cut; what nothing reads any more goes: nodes, inputs, weights. What a branch or loop
/// made and returned it still makes.
ir::Model withCut(ir::Model model, ir::FunctionId function, const Cut &cut, const KnownTypes &types);

/// Adds a constant of these elements.
ir::TensorId addTensor(ir::Model &model, ir::NameId name, ir::DType dtype, std::vector<std::int64_t> shape,
                       const ir::Numbers &elements);
/// Adds a tensor that is the elements of a value, if they follow from the types of the inputs; nothing otherwise.
std::optional<ir::TensorId> addDerived(ir::Model &model, ir::ValueRef value, const analysis::Shapes &shapes);

} // namespace cutaway::passes
