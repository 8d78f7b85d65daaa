// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/jit/origins.h"

#include "core/ir/node_ref.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace cutaway::plugins {

namespace {

using ir::NodeId;
using torch::jit::Node;

constexpr std::size_t deepest = 16; ///< limit for chains of new nodes

class Origins {
public:
    Origins(const JitGraph &jit, const ir::Graph &before, const Keepers &keepers)
        : m_jit(jit),
          m_before(before),
          m_keepers(keepers)
    {
    }

    std::vector<NodeId> of(const Node &node, std::size_t depth) const
    {
        if (const auto id = m_jit.nodeOf(node))
            return {*id};
        std::set<NodeId> origins;
        for (const torch::jit::Value *output : node.outputs())
            for (const torch::jit::Use &use : output->uses())
                std::ranges::copy(byUse(use, depth), std::inserter(origins, origins.end()));
        return {origins.begin(), origins.end()};
    }

private:
    /// Returns the nodes that made the operand of a use in the IR before torch's passes, if torch has removed them;
    /// else the node that reads it.
    std::vector<NodeId> byUse(const torch::jit::Use &use, std::size_t depth) const
    {
        const bool isOfBody = use.user->owningBlock() == m_jit.graph->block();
        if (use.user->kind() == torch::jit::prim::Return)
            return isOfBody ? goneMakers(m_before.at(ir::Graph::body).outputs.at(use.offset)) : std::vector<NodeId>();
        const auto reader = m_jit.nodeOf(*use.user);
        if (!reader)
            return depth < deepest ? of(*use.user, depth + 1) : std::vector<NodeId>();
        const auto &inputs = m_jit.nodes[reader->index].inputs;
        auto makers = use.offset < inputs.size() ? goneMakers(inputs[use.offset].operand) : std::vector<NodeId>();
        return makers.empty() ? std::vector{*reader} : makers;
    }

    std::vector<NodeId> goneMakers(const ir::Operand &operand) const
    {
        std::vector<NodeId> makers;
        ir::forEachValue(operand, [&](ir::ValueId value) {
            const auto maker = ir::ValueRef(m_before, value).producer();
            if (maker && !m_keepers[maker->id().index])
                makers.push_back(*maker);
        });
        return makers;
    }

    const JitGraph &m_jit;
    const ir::Graph &m_before;
    const Keepers &m_keepers;
};

} // namespace

std::vector<NodeId> originsOf(const Node &node, const JitGraph &jit, const ir::Graph &before, const Keepers &keepers)
{
    return Origins(jit, before, keepers).of(node, 0);
}

} // namespace cutaway::plugins
