// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/graph_draft.h"

#include <algorithm>

namespace cutaway::ir {

namespace {

using DraftNode = GraphDraft::DraftNode;
using DraftRegion = GraphDraft::DraftRegion;

/// The most unused ids that removed nodes may leave: a small text must not make a huge graph.
constexpr std::uint64_t gapLimit = 1 << 20;

class Builder {
public:
    Builder(std::shared_ptr<Context> context, GraphDraft draft)
        : m_draft(std::move(draft)),
          m_graph(std::move(context)),
          m_values(m_draft.values.size())
    {
    }

    Result<BuiltGraph> run()
    {
        collect(m_draft.body, nullptr);
        std::ranges::stable_sort(m_nodes, {}, [](const Placed &p) { return p.node->id; });
        if (const auto error = findFault())
            return std::unexpected(*error);
        defineOutside(m_draft.body, Graph::body);
        for (Placed &p : m_nodes)
            make(p);
        fillGap(m_draft.nodeCount);
        finish(m_draft.body, Graph::body);
        m_graph.reorder(std::move(m_orders));
        return BuiltGraph{std::move(m_graph), std::move(m_values)};
    }

private:
    struct Placed {
        DraftNode *node;
        const DraftNode *owner; ///< the node that has the region; nullptr in the body
        std::size_t region;     ///< the region's index among those of the owner
    };

    void collect(DraftRegion &region, const DraftNode *owner, std::size_t index = 0)
    {
        for (DraftNode &node : region.nodes) {
            m_nodes.push_back({&node, owner, index});
            for (std::size_t i = 0; i < node.regions.size(); ++i)
                collect(node.regions[i], &node, i);
        }
    }

    std::optional<Error> findFault() const
    {
        const auto fault = [](std::string message) { return Error{ErrorKind::Unreadable, std::move(message), {}}; };
        const std::uint64_t limit = 16ull * m_nodes.size() + gapLimit;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            const DraftNode &node = *m_nodes[i].node;
            const std::string name = "the node id #" + std::to_string(node.id.index);
            if (i > 0 && m_nodes[i - 1].node->id == node.id)
                return fault(name + " is given twice");
            if (node.id.index >= limit)
                return fault(name + " is too far beyond the number of nodes");
        }
        if (m_draft.nodeCount > limit)
            return fault("the number of node ids is too far beyond the number of nodes");
        return std::nullopt;
    }

    /// Allocates the unused ids before `end` as removed nodes.
    void fillGap(std::uint32_t end)
    {
        while (m_graph.nodeCount() < end)
            m_graph.remove(m_graph.append(Graph::body, {}));
    }

    /// Defines the region's inputs and weights.
    void defineOutside(const DraftRegion &region, RegionId id)
    {
        for (const ValueId input : region.inputs) {
            const auto &value = m_draft.values[input.index];
            m_values[input.index] = m_graph.addInput(id, value.name, value.type);
        }
        for (const ValueId weight : region.weights) {
            const auto &value = m_draft.values[weight.index];
            m_values[weight.index] = m_graph.addWeight(id, value.name, value.type, value.weight.value_or(TensorId{}));
        }
    }

    /// Makes a node in its region. If the node is older than the node that has the region, such as the contents of a
    /// group that a pass has made, it is made in the body and moved at the end.
    void make(Placed &placed)
    {
        DraftNode &draft = *placed.node;
        fillGap(draft.id.index);
        const bool hasPlace = placed.owner && placed.owner->id < draft.id;
        const RegionId region = hasPlace ? m_graph.at(placed.owner->id).regions[placed.region] : Graph::body;
        m_movesNodes = m_movesNodes || (placed.owner && !hasPlace);
        std::vector<Argument> arguments = std::move(draft.node.arguments);
        draft.node.arguments.clear();
        const NodeId id = m_graph.append(region, std::move(draft.node));
        draft.node.arguments = std::move(arguments); // the arguments are set in finish(), when all values are defined
        for (const ValueId output : draft.outputs) {
            const auto &value = m_draft.values[output.index];
            m_values[output.index] = m_graph.addOutput(id, value.name, value.type);
        }
        for (const DraftRegion &inner : draft.regions)
            defineOutside(inner, m_graph.addRegion(id, inner.name));
    }

    void resolve(Operand &operand) const
    {
        replaceIds(operand, [this](ValueId slot) { return m_values[slot.index]; });
    }

    void finish(DraftRegion &region, RegionId id)
    {
        std::vector<NodeId> order;
        for (DraftNode &node : region.nodes) {
            order.push_back(node.id);
            for (Argument &argument : node.node.arguments)
                resolve(argument.value);
            m_graph.setArguments(node.id, std::move(node.node.arguments));
            for (std::size_t i = 0; i < node.regions.size(); ++i)
                finish(node.regions[i], m_graph.at(node.id).regions[i]);
        }
        if (m_movesNodes || !std::ranges::is_sorted(order))
            m_orders.push_back({id, std::move(order)});
        for (Operand &output : region.outputs)
            resolve(output);
        m_graph.setOutputs(id, std::move(region.outputs));
    }

    GraphDraft m_draft;
    Graph m_graph;
    std::vector<ValueId> m_values;
    std::vector<Placed> m_nodes; ///< in the order of their ids
    std::vector<RegionOrder> m_orders;
    bool m_movesNodes = false; ///< whether any node was made in another region than its own
};

} // namespace

Result<BuiltGraph> buildGraph(std::shared_ptr<Context> context, GraphDraft draft)
{
    return Builder(std::move(context), std::move(draft)).run();
}

} // namespace cutaway::ir
