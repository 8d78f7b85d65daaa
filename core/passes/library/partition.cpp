// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/library/partition.h"
#include "core/base/formatted.h"
#include "core/passes/dependencies.h"
#include "core/passes/grouping.h"
#include "core/passes/left_over.h"
#include "core/passes/pass.h"
#include "core/passes/scheduling/plan.h"

#include <algorithm>
#include <numeric>

// Each node gets a level that is at least the level of each node that it depends on, and higher if exactly one of the
// two nodes is supported. Connected supported nodes of one level form a part. A part is convex: a path that leaves and
// re-enters it would pass an unsupported node, and thus reach a higher level. Parts and other nodes are then ordered so
// that each part is contiguous and the old order is kept as far as possible.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;

class Partition {
public:
    Partition(rewrite::Rewriter &rewriter, const IsSupported &isNamed, std::int64_t least)
        : m_rewriter(rewriter),
          m_isNamed(isNamed),
          m_least(least),
          m_nodes(rewriter.graph().at(ir::Graph::body).nodes),
          m_before(dependencies(rewriter, ir::Graph::body)),
          m_part(m_nodes.size()),
          m_isAlone(m_nodes.size())
    {
    }

    void run()
    {
        std::iota(m_part.begin(), m_part.end(), std::size_t{0});
        join();
        collect();
        m_rewriter.remark(m_left.print("nodes of these kinds are in no part"));
        if (std::ranges::none_of(m_members, [&](const auto &part) { return !part.empty() && isLarge(part); }))
            return;
        m_rewriter.reorder(ir::Graph::body, order());
        int count = 0;
        for (const std::vector<std::size_t> &part : m_members)
            if (!part.empty() && isLarge(part))
                group(m_rewriter, nodesOf(part), "partition", formatted("partition_{}", count++));
    }

private:
    bool isLarge(const std::vector<std::size_t> &part) const
    {
        return m_isSupported[part.front()] && static_cast<std::int64_t>(part.size()) >= m_least;
    }

    bool isSupported(const NodeRef &node)
    {
        if (!node->regions.empty() || node->outputs.empty() || !m_isNamed(node))
            return false;
        const bool moves = mayMove(m_rewriter, node);
        if (!moves)
            m_left.leave(writtenInPlace);
        return moves;
    }

    std::size_t partOf(std::size_t node)
    {
        while (m_part[node] != node)
            node = m_part[node] = m_part[m_part[node]];
        return node;
    }

    void join()
    {
        std::vector<std::size_t> level(m_nodes.size());
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            m_isSupported.push_back(isSupported(m_rewriter.node(m_nodes[i])));
            level[i] = m_isSupported[i] ? 1 : 0;
            for (const std::size_t earlier : m_before[i])
                level[i] = std::max(level[i], level[earlier] + (m_isSupported[earlier] != m_isSupported[i] ? 1 : 0));
            for (const std::size_t earlier : m_before[i])
                if (m_isSupported[i] && level[earlier] == level[i])
                    m_part[partOf(earlier)] = partOf(i);
        }
    }

    void collect()
    {
        m_members.resize(m_nodes.size());
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            m_members[partOf(i)].push_back(i);
        for (std::vector<std::size_t> &part : m_members)
            if (!part.empty() && !isLarge(part))
                for (const std::size_t node : part)
                    m_isAlone[node] = true;
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            if (m_isSupported[i] && !m_isAlone[i])
                m_left.done();
            else if (m_isSupported[i])
                m_left.leave("their part would have fewer nodes than 'least'");
        std::vector<std::vector<std::size_t>> members(m_nodes.size());
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            members[unitOf(i)].push_back(i);
        m_members = std::move(members);
    }

    /// Returns the index of the node's part, or of the node itself if the part is too small.
    std::size_t unitOf(std::size_t node) { return m_isAlone[node] ? node : partOf(node); }

    std::vector<NodeId> nodesOf(const std::vector<std::size_t> &part) const
    {
        std::vector<NodeId> nodes;
        std::ranges::transform(part, std::back_inserter(nodes), [&](std::size_t i) { return m_nodes[i]; });
        return nodes;
    }

    /// Returns the nodes in the new order. Each part stands where its last node stood, but before everything that
    /// depends on it.
    std::vector<NodeId> order()
    {
        std::vector<NodeId> order;
        std::vector<bool> isDone(m_nodes.size()), isOpen(m_nodes.size());
        std::vector<std::size_t> stack;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            if (m_members[unitOf(i)].back() != i)
                continue;
            for (stack.push_back(unitOf(i)); !stack.empty();) {
                const std::size_t part = stack.back();
                if (!isDone[part] && !isOpen[part]) {
                    isOpen[part] = true;
                    for (const std::size_t member : m_members[part])
                        for (const std::size_t earlier : m_before[member])
                            if (!isDone[unitOf(earlier)] && !isOpen[unitOf(earlier)])
                                stack.push_back(unitOf(earlier));
                    continue;
                }
                stack.pop_back();
                if (isDone[part])
                    continue;
                isDone[part] = true;
                for (const NodeId node : nodesOf(m_members[part]))
                    order.push_back(node);
            }
        }
        return order;
    }

    rewrite::Rewriter &m_rewriter;
    const IsSupported &m_isNamed;
    std::int64_t m_least;
    const std::vector<NodeId> m_nodes; ///< the body's nodes
    const std::vector<std::vector<std::size_t>> m_before;
    std::vector<bool> m_isSupported;
    std::vector<std::size_t> m_part; ///< by node: its parent in the union-find of parts
    std::vector<bool> m_isAlone;
    LeftOver m_left;
    std::vector<std::vector<std::size_t>> m_members; ///< by the root of a part: its nodes; empty for other nodes
};

Result<void> runPartition(rewrite::Rewriter &rewriter, const Settings &settings)
{
    const std::string &words = settings.word("supports");
    const auto isNamed = [&](const NodeRef &node) { return isAmongOperators(rewriter, node, words); };
    partitionBy(rewriter, isNamed, settings.count("least"));
    return {};
}

} // namespace

void partitionBy(rewrite::Rewriter &rewriter, const IsSupported &isSupported, std::int64_t least)
{
    Partition(rewriter, isSupported, least).run();
}

extern const Pass partition;
const Pass partition{"partition",
                     "Partitions the graph into parts that a backend supports.",
                     {{"supports", "kinds or categories of operators, joined by '+'",
                       std::string("convolution+matrix product+normalization+activation+elementwise")},
                      {"least", "minimum number of nodes of a part", std::int64_t{2}}},
                     runPartition,
                     false,
                     {"functionalize"}};

} // namespace cutaway::passes
