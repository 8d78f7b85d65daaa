// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory.h"
#include "core/passes/dependencies.h"
#include "core/passes/pass.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <map>
#include <set>

// Greedy list scheduling: of the nodes whose arguments have been computed, the next is the one after which the least
// memory is live; of equal ones, the first in the file. This is not optimal, since the optimum is NP-hard, and may be
// worse than the file's order. So both orders are measured.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::ValueId;

/// The most nodes that are considered at each step; needed for very wide graphs.
constexpr std::size_t maxCandidates = 64;

class Schedule {
public:
    explicit Schedule(rewrite::Rewriter &rewriter)
        : m_rewriter(rewriter),
          m_nodes(rewriter.graph().at(ir::Graph::body).nodes),
          m_before(dependencies(rewriter, ir::Graph::body)),
          m_storages(m_nodes.size())
    {
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            addNode(rewriter.node(m_nodes[i]), m_storages[i]);
            for (const std::size_t storage : m_storages[i])
                ++m_users[storage];
        }
        std::set<std::size_t> there;
        for (const ValueId input : rewriter.graph().at(ir::Graph::body).inputs)
            add(input, there);
        m_isThere = there;
        std::set<std::size_t> returned;
        for (const ir::Operand &output : rewriter.graph().at(ir::Graph::body).outputs)
            forEachValue(output, [&](ValueId value) { add(value, returned); });
        for (const std::size_t storage : returned)
            ++m_users[storage];
    }

    std::vector<NodeId> run()
    {
        std::vector<std::vector<std::size_t>> after(m_nodes.size());
        std::vector<std::size_t> missing(m_nodes.size());
        std::set<std::size_t> ready;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            missing[i] = m_before[i].size();
            for (const std::size_t earlier : m_before[i])
                after[earlier].push_back(i);
            if (missing[i] == 0)
                ready.insert(i);
        }
        std::vector<NodeId> order;
        while (!ready.empty()) {
            const std::size_t next = best(ready);
            ready.erase(next);
            execute(next);
            order.push_back(m_nodes[next]);
            for (const std::size_t later : after[next])
                if (--missing[later] == 0)
                    ready.insert(later);
        }
        return order;
    }

private:
    void add(ValueId value, std::set<std::size_t> &storages) const
    {
        ops::forEachTensor(m_rewriter.estimates().facts[value.index], [&](const ops::TensorFact &tensor) {
            if (tensor.storage > ops::StorageNumber::Weights)
                storages.insert(static_cast<std::size_t>(tensor.storage));
        });
    }

    /// Collects the storages that a node reads or makes, also inside its regions.
    void addNode(const NodeRef &node, std::set<std::size_t> &storages) const
    {
        for (const ir::Argument &argument : node->arguments)
            forEachValue(argument.value, [&](ValueId value) { add(value, storages); });
        for (const ValueId output : node->outputs)
            add(output, storages);
        for (const ir::RegionId region : node->regions)
            for (const NodeRef inner : ir::nodesOf(m_rewriter.graph(), region))
                for (const ir::Argument &argument : inner->arguments)
                    forEachValue(argument.value, [&](ValueId value) { add(value, storages); });
    }

    double bytesOf(std::size_t storage) const
    {
        return static_cast<double>(ops::number(m_rewriter.estimates().storages[storage]).value_or(0));
    }

    /// Returns the change of live memory that running the node makes.
    double growth(std::size_t node) const
    {
        double bytes = 0;
        for (const std::size_t storage : m_storages[node]) {
            bytes += m_isThere.contains(storage) ? 0 : bytesOf(storage);
            bytes -= m_users.at(storage) == 1 ? bytesOf(storage) : 0;
        }
        return bytes;
    }

    std::size_t best(const std::set<std::size_t> &ready) const
    {
        std::size_t found = *ready.begin();
        double least = growth(found);
        std::size_t seen = 0;
        for (const std::size_t node : ready) {
            if (++seen > maxCandidates)
                break;
            if (const double bytes = growth(node); bytes < least) {
                least = bytes;
                found = node;
            }
        }
        return found;
    }

    void execute(std::size_t node)
    {
        for (const std::size_t storage : m_storages[node]) {
            m_isThere.insert(storage);
            --m_users[storage];
        }
    }

    rewrite::Rewriter &m_rewriter;
    const std::vector<NodeId> m_nodes; ///< the body's nodes
    const std::vector<std::vector<std::size_t>> m_before;
    std::vector<std::set<std::size_t>> m_storages; ///< by node: the storages that it reads or makes
    /// By storage: the number of nodes that still have to read it; a caller that reads it counts as one.
    std::map<std::size_t, std::size_t> m_users;
    std::set<std::size_t> m_isThere;
};

std::optional<std::int64_t> peakOf(const rewrite::Rewriter &rewriter, const ir::Model &model)
{
    return ops::number(analysis::liveMemory(model, rewriter.functionId(), rewriter.estimates()).peak);
}

Result<void> runReorderForMemory(rewrite::Rewriter &rewriter, const Settings &)
{
    const auto before = peakOf(rewriter, rewriter.model());
    if (!before)
        return {};
    std::vector<NodeId> order = Schedule(rewriter).run();
    ir::Model other = rewriter.model();
    other.functions[rewriter.functionId().index].graph.reorder(ir::Graph::body, order);
    if (const auto after = peakOf(rewriter, other); after && *after < *before)
        rewriter.reorder(ir::Graph::body, std::move(order));
    return {};
}

} // namespace

extern const Pass reorderForMemory;
const Pass reorderForMemory{"reorder-for-memory",
                            "Reorders nodes for a lower memory peak, if such an order is found.",
                            {},
                            runReorderForMemory,
                            false};

} // namespace cutaway::passes
