// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/reading/dead_nodes.h"

#include "core/base/overloaded.h"

#include <algorithm>
#include <ranges>
#include <unordered_set>

namespace cutaway::analysis {

namespace {

class DeadNodeSearch {
public:
    explicit DeadNodeSearch(Reading &reading) : m_reading(reading) { }

    std::vector<ir::NodeRef> run()
    {
        std::vector<ir::NodeRef> found;
        // In reverse, so that readers precede producers, and the contents of a node precede the node.
        for (const ir::NodeRef &node : std::views::reverse(m_reading.nodes()))
            if (isDead(node)) {
                m_dead.insert(node);
                found.push_back(node);
            }
        std::erase_if(found, [&](const ir::NodeRef &node) { return isGone(node->parent); });
        return found;
    }

private:
    bool isDead(const ir::NodeRef &node)
    {
        const auto isGoneToo = [&](const ir::Use &use) {
            return std::visit(Overloaded{[&](ir::NodeId reader) {
                                             return m_dead.contains(reader) || isGone(m_reading.node(reader)->parent);
                                         },
                                         [&](ir::RegionId region) { return isGone(region); }},
                              use);
        };
        return std::ranges::all_of(
                   node->outputs,
                   [&](ir::ValueId value) { return std::ranges::all_of(m_reading.graph().at(value).uses, isGoneToo); })
            && m_reading.isPure(node);
    }

    /// Whether a node that contains `region` is dead.
    bool isGone(ir::RegionId region) const
    {
        while (region != ir::Graph::body) {
            const ir::NodeId owner = *m_reading.graph().at(region).owner;
            if (m_dead.contains(owner))
                return true;
            region = m_reading.graph().at(owner).parent;
        }
        return false;
    }

    Reading &m_reading;
    std::unordered_set<ir::NodeId> m_dead;
};

} // namespace

std::vector<ir::NodeRef> deadNodes(Reading &reading) { return DeadNodeSearch(reading).run(); }

} // namespace cutaway::analysis
