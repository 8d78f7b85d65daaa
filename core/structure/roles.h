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

/// Says what a step is to those who compare steps.
class RoleFinder {
public:
    /// `prepares`: whether a value is made of weights alone, or by plumbing.
    RoleFinder(const ir::Graph &graph, std::function<bool(ir::ValueId)> prepares)
        : m_graph(graph),
          m_prepares(std::move(prepares))
    {
    }

    /// Sets all of a place but its step and its neighbours.
    void describe(std::span<const ir::NodeId> step, Place &place) const;

private:
    void describe(const ir::NodeRef &node, Place &place) const;
    /// The shape of the weight that a value is, or a copy, a cast or a dequantized form of.
    const ir::Shape *shapeBehind(ir::ValueId id) const;
    /// The shape of the first weight of two or more dimensions that the node reads, if its category has such weights.
    const ir::Shape *weightOf(const ir::NodeRef &node) const;

    const ir::Graph &m_graph;
    std::function<bool(ir::ValueId)> m_prepares;
};

} // namespace cutaway::structure
