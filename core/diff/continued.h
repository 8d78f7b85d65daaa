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

/// A node of the next state that is none of a state before, and the nodes of that state that it was made from.
struct MadeNode {
    ir::NodeId after;
    std::vector<ir::NodeId> before;
};

/// The model `after` with the identities of `before`: in its first function, a kept node has the id that it has in the
/// first function of `before`, and so have its results, inputs of the same name, or of the same position where all have
/// other names, and weights that are the same tensor, by name and elements or, where neither model has these, by name
/// and shape. What is new has ids that `before` has not given yet, so the two are states of one history, for which
/// stepDifference() is exact. In the graph, new inputs stand behind the kept ones; the signature has the order of
/// `after`. A node of `made` that is not kept has these origins. A pair is not taken if the two nodes have other
/// numbers of results, regions or inputs of regions, or if one of them lies in a node that is not kept. Both models
/// must be valid and share their context; the result is valid. O(n), and weights of the same name are compared.
ir::Model continued(const ir::Model &before, const ir::Model &after, std::span<const KeptNode> kept,
                    std::span<const MadeNode> made = {});

} // namespace cutaway::diff
