// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/jit/origins.h"

#include <map>

namespace cutaway::plugins {

/// The IR's nodes that torch's graph still has after its passes. A node of torch's graph that has the mark of an IR
/// node, and still the same kind, is that IR node, wherever it stands now. If torch made several such nodes of one,
/// only the original counts, or the first if the original is gone.
class KeptNodes {
public:
    /// `before`: the IR's graph from which torch's was made.
    KeptNodes(const JitGraph &jit, const ir::Graph &before);

    /// Returns the IR node that one of torch's nodes is; nothing for a new one.
    std::optional<ir::NodeId> idOf(const torch::jit::Node &node) const;
    /// Returns the node of torch's graph that an IR node is; nullptr if it is gone.
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

/// Whether a node of torch's with the mark of an IR node still has the kind of that node, and the same numbers of
/// inputs, results and blocks.
bool isStill(const torch::jit::Node &node, ir::NodeId id, const JitGraph &jit, const ir::Graph &before);

} // namespace cutaway::plugins
