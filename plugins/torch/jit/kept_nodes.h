// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/jit/origins.h"

#include <map>

namespace cutaway::plugins {

/// The IR's nodes that torch's graph still has after its passes. A node of torch's that has the mark of an IR node and
/// the same kind is that node, wherever it is now. If torch made several from one, the original is it, or else the
/// first.
class KeptNodes {
public:
    /// `before`: the graph that torch's was made from.
    KeptNodes(const JitGraph &jit, const ir::Graph &before);

    /// The IR node that one of torch's is; nothing for a new one.
    std::optional<ir::NodeId> idOf(const torch::jit::Node &node) const;
    /// The node of torch's that an IR node is; nullptr if it is gone.
    const torch::jit::Node *by(ir::NodeId id) const { return m_keepers[id.index]; }
    const Keepers &keepers() const { return m_keepers; }

private:
    void claim(const torch::jit::Block *block);
    void settle(const torch::jit::Block *block);

    const JitGraph &m_jit;
    const ir::Graph &m_before;
    Keepers m_keepers;
    std::map<const torch::jit::Node *, ir::NodeId> m_kept;
};

/// Whether a node of torch's, which has the mark of an IR node, has its kind and as many inputs, results and blocks.
bool isStill(const torch::jit::Node &node, ir::NodeId id, const JitGraph &jit, const ir::Graph &before);

} // namespace cutaway::plugins
