// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "core/structure/flow.h"

#include <functional>
#include <span>

namespace cutaway::structure {

/// Calls visit(ValueId) for each value that the node itself reads.
template <class Visit>
void forEachRead(const ir::Node &node, const Visit &visit)
{
    for (const ir::Argument &argument : node.arguments)
        forEachValue(argument.value, visit);
}

/// Describes a step for comparisons of steps.
class RoleFinder {
public:
    /// `prepares` returns whether a value depends on weights alone, or comes from plumbing.
    RoleFinder(const ir::Graph &graph, std::function<bool(ir::ValueId)> prepares)
        : m_graph(graph),
          m_prepares(std::move(prepares))
    {
    }

    /// Sets all members of a place except its step and its neighbours.
    void describe(std::span<const ir::NodeId> step, Place &place) const;

private:
    void describe(const ir::NodeRef &node, Place &place) const;
    /// Returns the shape of the weight that a value is, or is a copy, a cast or a dequantized form of.
    const ir::Shape *shapeBehind(ir::ValueId id) const;
    /// Returns the shape of the first weight of two or more dimensions that a node reads, if nodes of its category
    /// compute with weights.
    const ir::Shape *weightOf(const ir::NodeRef &node) const;

    const ir::Graph &m_graph;
    std::function<bool(ir::ValueId)> m_prepares;
};

} // namespace cutaway::structure
