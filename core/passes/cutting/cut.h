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

/// A cut of a function: its new inputs, constants and results. Values that become inputs or results are values of the
/// body.
struct Cut {
    std::vector<ir::ValueId> opened = {};              ///< new inputs, in this order, after the present ones
    std::map<ir::ValueId, ir::Operand> replaced = {};  ///< by value: what replaces it; done before all else
    std::map<ir::ValueId, ir::TensorId> constant = {}; ///< values that become this tensor of the model
    std::vector<ir::ValueId> results = {};             ///< the new results; none of the values above
    std::vector<ir::NodeId> removed = {};              ///< nodes to remove in regions, with replaced or unread results
};

/// Returns the values that a node and the nodes within it read, including those made within it.
std::vector<ir::ValueId> valuesReadBy(const ir::NodeRef &node);

/// Returns the node of the body that makes a value, or contains the node that makes it; nothing for inputs and weights.
std::optional<ir::NodeId> bodyNodeOf(const ir::Graph &graph, ir::ValueId value);

/// The nodes of the body that results need, and the inputs and weights of the body that these nodes need.
struct Needed {
    std::unordered_set<ir::NodeId> nodes;
    std::unordered_set<ir::ValueId> sources;
};
/// Finds what `results` need. `known` are values that are given: nothing is needed for them.
Needed neededBy(const ir::Graph &graph, const std::vector<ir::ValueId> &results,
                const std::unordered_set<ir::ValueId> &known);

/// Whether a node only copies its input. withCut() adds such nodes for outer values that a branch or loop returns.
bool isCopy(const ir::NodeRef &node);

/// Returns the model with the function cut, and without the nodes, inputs and weights that nothing reads any more. A
/// branch or loop still makes each result that it made before.
ir::Model withCut(ir::Model model, ir::FunctionId function, const Cut &cut, const KnownTypes &types);

/// Adds a constant tensor with these elements.
ir::TensorId addTensor(ir::Model &model, ir::NameId name, ir::DType dtype, std::vector<std::int64_t> shape,
                       const ir::Numbers &elements);
/// Adds a tensor with the elements of a value, if they follow from the types of the inputs; else returns nothing.
std::optional<ir::TensorId> addDerived(ir::Model &model, ir::ValueRef value, const analysis::Shapes &shapes);

} // namespace cutaway::passes
