// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/writes/reshapes_in_place.h"

#include "core/ops/network/activation.h"
#include "core/ops/schemas/core_aten.h"

#include <algorithm>
#include <map>
#include <set>

// A view is a tensor of its own that shares memory: `x.t_()` changes the shape of x alone, and not that of x's views.
// So it is enough to know which values are x itself, which are those that writes in place return, and that no list and
// no call has x.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::ValueId;

class ReshapesInPlace {
public:
    ReshapesInPlace(rewrite::Rewriter &rewriter, bool ofResults)
        : m_rewriter(rewriter),
          m_ofResults(ofResults),
          m_nodes(rewriter.graph().at(ir::Graph::body).nodes)
    {
    }

    void run()
    {
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            m_places.emplace(m_nodes[i], i);
        for (const NodeId id : m_nodes)
            look(m_rewriter.node(id));
    }

private:
    void look(const NodeRef &node)
    {
        const ops::Operator *row = m_rewriter.row(node);
        if (!row || !row->traits.reshapesInPlace || !m_rewriter.writes(node) || node.outputCount() != 1)
            return;
        const auto overload = overloadOfView(node);
        const ir::Operand *self = m_rewriter.argument(node, "self");
        const auto *value = self ? self->as<ValueId>() : nullptr;
        if (!overload || !value)
            return;
        const auto same = everyValueOf(*value, placeOf(node.id()));
        const auto isReturned = [this](ValueId each) { return m_rewriter.isReturned(each); };
        if (!same || (!m_ofResults && std::ranges::any_of(*same, isReturned)))
            return;
        const std::string_view name = node.opName();
        m_rewriter.setOperator(node, "aten", name.substr(0, name.size() - 1), *overload);
        for (const ValueId each : *same)
            readInstead(each, node.output(0), placeOf(node.id()));
    }

    /// Returns the overload of the operator without the underscore; nothing if that operator is no view with the same
    /// arguments.
    std::optional<std::string_view> overloadOfView(const NodeRef &node)
    {
        const std::string_view name = node.opName();
        const ops::Signature *written = m_rewriter.signature(node->op);
        if (node.dialect() != "aten" || !name.ends_with('_') || !written)
            return std::nullopt;
        for (const std::string_view overload : {written->schema.overload, std::string_view("int")}) {
            const ops::Signature *view =
                m_rewriter.signature(m_rewriter.context().op("aten", name.substr(0, name.size() - 1), overload));
            if (view && view->schema.overload == overload && view->schema.returns.size() == 1
                && view->schema.returns.front().type.alias
                && std::ranges::equal(view->schema.arguments, written->schema.arguments, {}, &ops::SchemaArgument::name,
                                      &ops::SchemaArgument::name))
                return overload;
        }
        return std::nullopt;
    }

    /// Returns the position in the body of a node, or of the node of the body that contains it.
    std::size_t placeOf(NodeId id) const
    {
        const ir::Graph &graph = m_rewriter.graph();
        while (graph.at(id).parent != ir::Graph::body)
            id = *graph.at(graph.at(id).parent).owner;
        return m_places.at(id);
    }

    std::size_t placeOf(const ir::Use &use) const
    {
        if (const auto *node = std::get_if<NodeId>(&use))
            return placeOf(*node);
        const auto owner = m_rewriter.graph().at(std::get<ir::RegionId>(use)).owner;
        return owner ? placeOf(*owner) : m_nodes.size();
    }

    /// Returns all values that are the same tensor before the node at `end`; nothing if unknown code may have the
    /// tensor.
    std::optional<std::set<ValueId>> everyValueOf(ValueId value, std::size_t end)
    {
        auto producer = ir::ValueRef(m_rewriter.graph(), value).producer();
        while (producer && writesInPlace(*producer)) {
            value = *m_rewriter.argument(*producer, "self")->as<ValueId>();
            producer = ir::ValueRef(m_rewriter.graph(), value).producer();
        }
        const bool isInput = !producer && m_ofResults
            && std::ranges::contains(m_rewriter.function().inputs, ir::Operand(value), &ir::FunctionInput::value);
        if (!isInput && (!producer || (*producer)->parent != ir::Graph::body || !givesOwnTensors(*producer)))
            return std::nullopt;
        std::set<ValueId> same{value};
        return addReaders(value, end, same) ? std::optional(std::move(same)) : std::nullopt;
    }

    bool addReaders(ValueId value, std::size_t end, std::set<ValueId> &same)
    {
        return std::ranges::all_of(m_rewriter.graph().at(value).uses, [&](const ir::Use &use) {
            if (placeOf(use) >= end)
                return true;
            const auto *id = std::get_if<NodeId>(&use);
            if (!id)
                return false;
            const NodeRef reader = m_rewriter.node(*id);
            if (!writesInPlace(reader))
                return givesOwnTensors(reader);
            const bool isTarget = *m_rewriter.argument(reader, "self")->as<ValueId>() == value;
            return reader->parent == ir::Graph::body
                && (!isTarget || !same.insert(reader.output(0)).second || addReaders(reader.output(0), end, same));
        });
    }

    /// Whether the node's only result is the tensor that it wrote to.
    bool writesInPlace(const NodeRef &node)
    {
        const ir::Operand *self = m_rewriter.writes(node) ? m_rewriter.argument(node, "self") : nullptr;
        const ops::Signature *known = m_rewriter.signature(node->op);
        return self && self->as<ValueId>() && node.outputCount() == 1
            && known->schema.arguments.front().type.isWritten();
    }

    /// Whether the results are new tensors: copies or views, but no unchanged argument.
    bool givesOwnTensors(const NodeRef &node)
    {
        const ops::Operator *row = m_rewriter.row(node);
        const ops::Signature *known = m_rewriter.signature(node->op);
        if (!row || !known || !node->regions.empty() || m_rewriter.writes(node))
            return false;
        if (ops::isCoreAten("aten", node.opName(), node.overload()))
            return node.dialect() == "aten";
        const bool isView = row->pattern == ops::Pattern::Moving && row->traits.reshapesInPlace;
        return isView
            || (row->pattern == ops::Pattern::Pointwise && !row->traits.keepsElements
                && m_rewriter.kind(node) != ops::kind::dropout);
    }

    /// Makes the readers of `from` after the node at position `place` read `to`.
    void readInstead(ValueId from, ValueId to, std::size_t place)
    {
        const auto instead = [&](const ir::Operand &operand) {
            return ir::withValues(operand, [&](ValueId value) { return ir::Operand(value == from ? to : value); });
        };
        const std::vector<ir::Use> uses(m_rewriter.graph().at(from).uses.begin(),
                                        m_rewriter.graph().at(from).uses.end());
        for (const ir::Use &use : uses) {
            if (placeOf(use) <= place)
                continue;
            if (const auto *region = std::get_if<ir::RegionId>(&use)) {
                std::vector<ir::Operand> outputs = m_rewriter.graph().at(*region).outputs;
                std::ranges::transform(outputs, outputs.begin(), instead);
                m_rewriter.setOutputs(*region, std::move(outputs));
                continue;
            }
            std::vector<ir::Argument> arguments = m_rewriter.node(std::get<NodeId>(use))->arguments;
            for (ir::Argument &argument : arguments)
                argument.value = instead(argument.value);
            m_rewriter.setArguments(std::get<NodeId>(use), std::move(arguments));
        }
    }

    rewrite::Rewriter &m_rewriter;
    const bool m_ofResults;
    const std::vector<NodeId> m_nodes; ///< the body's nodes in order
    std::map<NodeId, std::size_t> m_places;
};

} // namespace

void viewReshapesInPlace(rewrite::Rewriter &rewriter, bool ofResults) { ReshapesInPlace(rewriter, ofResults).run(); }

} // namespace cutaway::passes
