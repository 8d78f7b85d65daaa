// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/numbered_boxes.h"

#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ir/tensors/same_elements.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::formats::onnx {

namespace {

constexpr std::int64_t fewElements = 4096; ///< elements of larger constants are not compared

/// Returns the weight that a value is, or is a copy of: a weight that several calls read is copied for each by
/// Identity. Returns nothing for other values.
std::optional<ir::TensorId> weightOf(ir::ValueRef value)
{
    constexpr int mostCopies = 8; // the length of the longest chain of copies
    for (int i = 0; i < mostCopies; ++i) {
        if (const auto weight = value.weight())
            return weight;
        const auto producer = value.producer();
        const bool isCopy = producer && producer->dialect() == "onnx" && producer->opName() == "Identity";
        const auto *copied = isCopy && !(*producer)->arguments.empty()
            ? (*producer)->arguments.front().value.as<ir::ValueId>()
            : nullptr;
        if (!copied)
            break;
        value = ir::ValueRef(value.graph(), *copied);
    }
    return std::nullopt;
}

struct Box {
    std::vector<ir::NodeId> nodes;
    std::unordered_map<ir::NodeId, std::size_t> places; ///< the position of each node among the box's nodes
    std::unordered_set<ir::TensorId> weights;           ///< the weights that the nodes read
};

/// Compares two boxes to find whether they may be calls of one module.
class BoxPair {
public:
    BoxPair(const ir::Model &model, const ir::Graph &graph, const Box &first, const Box &later)
        : m_model(model),
          m_graph(graph),
          m_first(first),
          m_later(later)
    {
    }

    bool isOneModule() const { return sharesWeights() || areAlike(); }

private:
    bool sharesWeights() const
    {
        return std::ranges::any_of(m_later.weights,
                                   [this](ir::TensorId weight) { return m_first.weights.contains(weight); });
    }

    bool areAlike() const
    {
        return std::ranges::equal(m_first.nodes, m_later.nodes, [this](ir::NodeId a, ir::NodeId b) {
            return areAlike(m_graph.at(a), m_graph.at(b));
        });
    }

    bool areAlike(const ir::Node &a, const ir::Node &b) const
    {
        return a.op == b.op && a.outputs.size() == b.outputs.size()
            && std::ranges::equal(a.arguments, b.arguments, [this](const ir::Argument &x, const ir::Argument &y) {
                   return x.name == y.name && areAlike(x.value, y.value);
               });
    }

    bool areAlike(const ir::Operand &a, const ir::Operand &b) const
    {
        const auto *x = a.as<ir::ValueId>(), *y = b.as<ir::ValueId>();
        return x && y ? areAlike(ir::ValueRef(m_graph, *x), ir::ValueRef(m_graph, *y)) : a == b;
    }

    /// Whether a value of the first box and one of the later box are alike: equal weights, or results at the same
    /// position of their boxes. Two values from outside of the boxes count as alike.
    bool areAlike(const ir::ValueRef &a, const ir::ValueRef &b) const
    {
        const auto x = weightOf(a), y = weightOf(b);
        if (x || y)
            return x && y && areAlike(*x, *y);
        return placeOf(m_first, a) == placeOf(m_later, b);
    }

    bool areAlike(ir::TensorId a, ir::TensorId b) const
    {
        if (a == b)
            return true;
        const auto count = elementCount(m_model.at(a));
        return count && *count <= fewElements && ir::haveSameElements(m_model, a, m_model, b).value_or(false);
    }

    /// Returns the position in the box of the node that makes a value, and which of its results the value is; nothing
    /// if the value comes from outside.
    static std::optional<std::pair<std::size_t, std::size_t>> placeOf(const Box &box, const ir::ValueRef &value)
    {
        const auto producer = value.producer();
        const auto place = producer ? box.places.find(producer->id()) : box.places.end();
        if (place == box.places.end())
            return std::nullopt;
        const auto &outputs = (*producer)->outputs;
        return std::pair(place->second,
                         static_cast<std::size_t>(std::ranges::find(outputs, value.id()) - outputs.begin()));
    }

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    const Box &m_first, &m_later;
};

class Settling {
public:
    Settling(const ir::Model &model, const ir::Graph &graph, const NumberedBoxes &boxes, ir::Context &context)
        : m_model(model),
          m_graph(graph),
          m_boxes(boxes),
          m_context(context)
    {
    }

    std::vector<ir::ScopeId> settled(std::vector<ir::ScopeId> scopes)
    {
        for (const auto &[call, box] : m_boxes)
            for (const ir::ScopeId scope : {call, box.first})
                m_boxOf.try_emplace(scope);
        addNodes(ir::Graph::body, scopes);
        for (ir::ScopeId &scope : scopes)
            scope = settled(scope);
        return scopes;
    }

private:
    /// Adds the nodes of a region in the order in which they run, not that of their ids: passes append nodes.
    void addNodes(ir::RegionId region, const std::vector<ir::ScopeId> &scopes)
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            for (ir::ScopeId scope = scopes[node.id().index]; scope != ir::ScopeId{};
                 scope = m_context.at(scope).parent)
                if (const auto found = m_boxOf.find(scope); found != m_boxOf.end())
                    add(found->second, node);
            for (const ir::RegionId inner : node->regions)
                addNodes(inner, scopes);
        }
    }

    void add(Box &box, const ir::NodeRef &node) const
    {
        box.places.emplace(node, box.nodes.size());
        box.nodes.push_back(node);
        for (const ir::Argument &argument : node->arguments)
            forEachValue(argument.value, [&](ir::ValueId value) {
                const auto weight = weightOf(ir::ValueRef(m_graph, value));
                if (weight && isParameter(m_model.at(*weight)) && elementCount(m_model.at(*weight)).value_or(2) > 1)
                    box.weights.insert(*weight);
            });
    }

    ir::ScopeId settled(ir::ScopeId scope)
    {
        if (scope == ir::ScopeId{})
            return scope;
        if (const auto known = m_settled.find(scope); known != m_settled.end())
            return known->second;
        const ir::Scope before = m_context.at(scope); // a copy, because making a scope may move the others in memory
        const ir::ScopeId parent = settled(before.parent);
        const auto box = m_boxes.find(scope);
        const bool isOwn = box != m_boxes.end()
            && !BoxPair(m_model, m_graph, m_boxOf.at(box->second.first), m_boxOf.at(scope)).isOneModule();
        ir::ScopeId after = scope;
        if (isOwn)
            after = m_context.childScope(parent, box->second.name);
        else if (parent != before.parent)
            after = m_context.childScope(parent, std::string(m_context.text(before.name)),
                                         std::string(m_context.text(before.className)), before.call);
        return m_settled[scope] = after;
    }

    const ir::Model &m_model;
    const ir::Graph &m_graph;
    const NumberedBoxes &m_boxes;
    ir::Context &m_context;
    /// The boxes of numbered scopes, and the boxes that may be earlier calls of the same modules.
    std::map<ir::ScopeId, Box> m_boxOf;
    std::unordered_map<ir::ScopeId, ir::ScopeId> m_settled;
};

} // namespace

std::vector<ir::ScopeId> settledScopes(const ir::Model &model, const ir::Graph &graph, std::vector<ir::ScopeId> scopes,
                                       const NumberedBoxes &boxes, ir::Context &context)
{
    return boxes.empty() ? std::move(scopes) : Settling(model, graph, boxes, context).settled(std::move(scopes));
}

} // namespace cutaway::formats::onnx
