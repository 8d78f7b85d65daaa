// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/operand_hash.h"
#include "core/passes/pass.h"
#include "core/passes/rewriter.h"

#include <algorithm>

namespace cutaway::passes {

namespace {

using ir::NodeId;

/// A walk over the regions that knows, at each node, which nodes are done by then wherever the node is reached: those
/// before it in its region and in the regions around.
class Merging {
public:
    explicit Merging(Rewriter &rewriter) : m_rewriter(rewriter) { }

    void visit(ir::RegionId region)
    {
        std::vector<std::uint64_t> here;
        const std::vector<NodeId> nodes = m_rewriter.graph().at(region).nodes;
        for (const NodeId node : nodes) {
            if (mayBeShared(node)) {
                const std::uint64_t key = keyOf(node);
                if (const auto same = find(key, node)) {
                    replace(node, *same);
                    continue;
                }
                m_done[key].push_back(node);
                here.push_back(key);
            }
            for (const ir::RegionId inner : std::vector(m_rewriter.graph().at(node).regions))
                visit(inner);
        }
        for (const std::uint64_t key : here)
            m_done[key].pop_back();
    }

private:
    bool mayBeShared(NodeId id)
    {
        const ir::Node &node = m_rewriter.graph().at(id);
        if (node.outputs.empty() || !node.regions.empty() || !m_rewriter.isPure(id))
            return false;
        const auto isWritten = [&](ir::ValueId value) { return m_rewriter.written().contains(value); };
        bool stays = std::ranges::none_of(node.outputs, isWritten);
        for (const ir::Argument &argument : node.arguments)
            forEachValue(argument.value, [&](ir::ValueId value) { stays = stays && !isWritten(value); });
        return stays;
    }

    std::uint64_t keyOf(NodeId id) const
    {
        const ir::Node &node = m_rewriter.graph().at(id);
        std::uint64_t hash = hashOf(node.op);
        for (const ir::Argument &argument : node.arguments)
            hash = combined(combined(hash, hashOf(argument.name)), hashOf(argument.value));
        return hash;
    }

    std::optional<NodeId> find(std::uint64_t key, NodeId id) const
    {
        const ir::Graph &graph = m_rewriter.graph();
        const ir::Node &node = graph.at(id);
        const auto done = m_done.find(key);
        if (done == m_done.end())
            return std::nullopt;
        const auto same = std::ranges::find_if(done->second, [&](NodeId earlier) {
            const ir::Node &other = graph.at(earlier);
            const auto sameType = [&](ir::ValueId a, ir::ValueId b) { return graph.at(a).type == graph.at(b).type; };
            return other.op == node.op && other.arguments == node.arguments
                && std::ranges::equal(other.outputs, node.outputs, sameType);
        });
        return same == done->second.end() ? std::nullopt : std::optional(*same);
    }

    /// Two results of a function stay two tensors: who called it may write to one of them.
    void replace(NodeId node, NodeId same)
    {
        const auto outputs = m_rewriter.graph().at(node).outputs;
        const auto others = m_rewriter.graph().at(same).outputs;
        for (std::size_t i = 0; i < outputs.size(); ++i)
            if (m_rewriter.isReturned(outputs[i]) && m_rewriter.isReturned(others[i]))
                return;
        for (std::size_t i = 0; i < outputs.size(); ++i)
            m_rewriter.replaceUses(outputs[i], others[i]);
        m_rewriter.remove(node);
    }

    Rewriter &m_rewriter;
    std::unordered_map<std::uint64_t, std::vector<NodeId>> m_done; ///< by what they compute
};

Result<void> runMergeSubexpressions(Rewriter &rewriter, const Settings &)
{
    Merging(rewriter).visit(ir::Graph::body);
    return {};
}

} // namespace

extern const Pass mergeSubexpressions;
const Pass mergeSubexpressions{"common-subexpressions",
                               "Does once what is done several times with the same arguments.",
                               {},
                               runMergeSubexpressions};

} // namespace cutaway::passes
