// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/jit/kept_nodes.h"

#include <algorithm>

namespace cutaway::plugins {

namespace prim = torch::jit::prim;

bool isStill(const torch::jit::Node &node, ir::NodeId id, const JitGraph &jit, const ir::Graph &before)
{
    const CarriedNode &carried = jit.nodes[id.index];
    const ir::Node &was = before.at(id);
    if (node.kind() != carried.kind || node.blocks().size() != was.regions.size())
        return false;
    if (!was.regions.empty())
        return node.kind() == prim::If || std::ranges::all_of(node.outputs(), [&](const torch::jit::Value *result) {
                   return std::ranges::contains(was.outputs, result->debugName(), nameOf);
               });
    const bool hasAnyInputs = node.kind() == prim::ListConstruct || node.kind() == prim::TupleConstruct;
    return node.outputs().size() == was.outputs.size()
        && (hasAnyInputs || node.inputs().size() == carried.inputs.size());
}

KeptNodes::KeptNodes(const JitGraph &jit, const ir::Graph &before)
    : m_jit(jit),
      m_before(before),
      m_keepers(before.nodeCount())
{
    claim(jit.graph->block());
    settle(jit.graph->block());
}

std::optional<ir::NodeId> KeptNodes::idOf(const torch::jit::Node &node) const
{
    const auto kept = m_kept.find(&node);
    return kept != m_kept.end() ? std::optional(kept->second) : std::nullopt;
}

void KeptNodes::claim(const torch::jit::Block *block)
{
    for (const torch::jit::Node *node : block->nodes()) {
        if (const auto id = m_jit.nodeOf(*node); id && isStill(*node, *id, m_jit, m_before))
            if (const torch::jit::Node *&keeper = m_keepers[id->index]; !keeper || node == m_jit.nodes[id->index].node)
                keeper = node;
        for (const torch::jit::Block *inner : node->blocks())
            claim(inner);
    }
}

/// Records the nodes of a block that are kept. Nodes inside a new node are new, too, since the IR numbers a node before
/// its contents.
void KeptNodes::settle(const torch::jit::Block *block)
{
    const auto owner = block->owningNode() ? m_kept.find(block->owningNode()) : m_kept.end();
    for (const torch::jit::Node *node : block->nodes()) {
        if (const auto id = m_jit.nodeOf(*node); id && m_keepers[id->index] == node) {
            if (block == m_jit.graph->block() || (owner != m_kept.end() && owner->second < *id))
                m_kept.emplace(node, *id);
            else
                m_keepers[id->index] = nullptr;
        }
        for (const torch::jit::Block *inner : node->blocks())
            settle(inner);
    }
}

} // namespace cutaway::plugins
