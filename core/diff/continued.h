// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <span>

namespace cutaway::diff {

/// A node of a state and the node of the next state that it became.
struct KeptNode {
    ir::NodeId before, after;
};

/// A node of the next state that is no node of the state before, and the nodes of that state that it was made from.
struct MadeNode {
    ir::NodeId after;
    std::vector<ir::NodeId> before;
};

/// Returns the model `after` with the ids of `before`, so that the two are states of one history, for which
/// stepDifference() is exact. In its first function, three sorts of things have the ids that they have in the first
/// function of `before`: kept nodes with their results; inputs of the same name or, if all names differ, of the same
/// position; and weights that are the same tensor, by name and elements or, if neither model has the elements, by name,
/// dtype and shape. Everything else has ids that `before` has not given yet. In the graph, new inputs stand behind the
/// kept ones; the signature has the order of `after`. A node of `made` that is not kept gets its origins from there. A
/// pair of `kept` is not taken if its nodes have different numbers of results, regions or inputs of regions, or if one
/// of them lies in a node that is not kept. Both models must be valid and share their context; the result is valid.
/// Takes O(n), and the time to compare the weights of the same name.
ir::Model continued(const ir::Model &before, const ir::Model &after, std::span<const KeptNode> kept,
                    std::span<const MadeNode> made = {});

} // namespace cutaway::diff
