// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/cutting/border.h"

#include "core/passes/cutting/cut.h"

#include <algorithm>
#include <unordered_set>
#include <variant>

namespace cutaway::passes {
namespace {

class BorderFinder {
public:
    BorderFinder(const ir::Function &function, const std::function<bool(const ir::NodeRef &)> &isInside)
        : m_function(function),
          m_graph(function.graph)
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph))
            if (isInside(node))
                m_inside.insert(node.id());
    }

    Border find()
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph)) {
            const bool isInside = m_inside.contains(node.id());
            bool follows = false;
            for (const ir::ValueId value : valuesReadBy(node)) {
                follows |= followsFromInputs(value);
                if (isInside && !isOfInside(value) && followsFromInputs(value))
                    add(m_border.from, value);
                else if (!isInside && isOfInside(value))
                    add(m_border.to, value);
            }
            if (follows)
                m_following.insert(node.id());
        }
        for (const ir::FunctionOutput &output : m_function.outputs)
            if (const auto *value = output.value.as<ir::ValueId>(); value && isOfInside(*value))
                add(m_border.to, *value);
        return std::move(m_border);
    }

private:
    bool isOfInside(ir::ValueId value) const
    {
        const auto node = bodyNodeOf(m_graph, value);
        return node && m_inside.contains(*node);
    }

    /// Whether a value follows from the function's inputs. Constants, weights and modules do not: the part contains
    /// them itself.
    bool followsFromInputs(ir::ValueId id) const
    {
        if (const auto node = bodyNodeOf(m_graph, id))
            return m_following.contains(*node);
        const ir::ValueRef value(m_graph, id);
        return std::holds_alternative<ir::RegionInput>(value->definition) && !value.weight()
            && !std::holds_alternative<ir::ClassType>(value.type());
    }

    void add(std::vector<ir::ValueId> &values, ir::ValueId value)
    {
        if (m_added.insert(value).second)
            values.push_back(value);
    }

    const ir::Function &m_function;
    const ir::Graph &m_graph;
    std::unordered_set<ir::NodeId> m_inside, m_following; ///< nodes of the part; nodes that follow from the inputs
    std::unordered_set<ir::ValueId> m_added; ///< the values of the border: each is in `from` or in `to`, not in both
    Border m_border;
};

} // namespace

Border borderOf(const ir::Function &function, const std::function<bool(const ir::NodeRef &)> &isInside)
{
    return BorderFinder(function, isInside).find();
}

Border borderOf(const ir::Function &function, const std::vector<ir::NodeId> &nodes)
{
    const std::unordered_set<ir::NodeId> inside(nodes.begin(), nodes.end());
    return borderOf(function, [&](const ir::NodeRef &node) {
        return inside.contains(node)
            || std::ranges::any_of(node->origins, [&](ir::NodeId origin) { return inside.contains(origin); });
    });
}

} // namespace cutaway::passes
