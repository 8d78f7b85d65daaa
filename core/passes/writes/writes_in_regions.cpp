// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/writes/writes_in_regions.h"

#include "core/ops/program/control_flow.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>

// The carried tensor is the base in which all views, inside and outside, lie. Inside of the regions each reader of the
// base reads the copy, and each reader of a view from outside reads that view of the copy, made anew at the region's
// beginning. A loop begins with a copy, too, so that its result is no other tensor's memory even if it does not run.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::RegionId;
using ir::ValueId;

class CarryingOut {
public:
    CarryingOut(rewrite::Rewriter &rewriter, NodeId node) : m_rewriter(rewriter), m_node(rewriter.node(node))
    {
        const auto &nodes = rewriter.graph().at(m_node->parent).nodes;
        const auto place = std::ranges::find(nodes, node);
        if (place + 1 != nodes.end())
            m_next = *(place + 1);
    }

    bool run()
    {
        const ops::OperatorKind kind = m_rewriter.kind(m_node);
        m_isLoop = kind == ops::kind::loop && m_node->regions.size() == 1;
        if (m_node.isOnnx() || (!m_isLoop && (kind != ops::kind::ifElse || m_node->regions.size() != 2)))
            return false;
        const std::vector<ValueId> targets = written();
        for (const ValueId target : targets)
            carry(target);
        return !targets.empty();
    }

private:
    // ---- what is written to

    std::vector<ValueId> written()
    {
        std::vector<ValueId> targets;
        for (const RegionId region : m_node->regions)
            for (const NodeRef node : ir::nodesOf(m_rewriter.graph(), region)) {
                const Operand *self = m_rewriter.writes(node) ? m_rewriter.argument(node, "self") : nullptr;
                const auto *value = self ? self->as<ValueId>() : nullptr;
                const auto base = value ? std::optional(baseOf(*value)) : std::nullopt;
                if (base && !isInside(*base) && !std::ranges::contains(targets, *base) && canBeCarried(*base))
                    targets.push_back(*base);
            }
        return targets;
    }

    std::optional<NodeRef> producer(ValueId value) const { return ir::ValueRef(m_rewriter.graph(), value).producer(); }

    /// Returns the value whose memory a node's only result shares; nothing if there is none that is known.
    std::optional<ValueId> sameMemory(const NodeRef &node)
    {
        const ops::Signature *known = node.dialect() == "aten" ? m_rewriter.signature(node->op) : nullptr;
        if (!known || node.outputCount() != 1 || known->schema.returns.size() != 1
            || !known->schema.returns.front().type.alias || node->arguments.empty())
            return std::nullopt;
        const Operand *self = m_rewriter.argument(node, "self");
        const auto *value = self && node->arguments.front().value == *self ? self->as<ValueId>() : nullptr;
        return value ? std::optional(*value) : std::nullopt;
    }

    ValueId baseOf(ValueId value)
    {
        for (auto made = producer(value); made; made = producer(value)) {
            const auto in = sameMemory(*made);
            if (!in)
                break;
            value = *in;
        }
        return value;
    }

    bool isInside(RegionId region) const
    {
        const ir::Graph &graph = m_rewriter.graph();
        for (auto owner = graph.at(region).owner; owner; owner = graph.at(graph.at(*owner).parent).owner)
            if (*owner == m_node.id())
                return true;
        return false;
    }

    /// Whether a value is made in one of the node's regions.
    bool isInside(ValueId value) const
    {
        const auto &definition = m_rewriter.graph().at(value).definition;
        if (const auto *input = std::get_if<ir::RegionInput>(&definition))
            return isInside(input->region);
        const auto *result = std::get_if<ir::NodeResult>(&definition);
        return result && isInside(m_rewriter.graph().at(result->node).parent);
    }

    /// Whether a node's results are numbers, or tensors in memory of their own.
    bool makesItsOwn(const NodeRef &node)
    {
        const auto isNumber = [](const ir::ValueRef &output) { return std::get_if<ir::NumberType>(&output.type()); };
        if (node->regions.empty() && m_rewriter.isPure(node) && std::ranges::all_of(node.outputs(), isNumber))
            return true;
        const ops::Signature *known = node->regions.empty() ? m_rewriter.signature(node->op) : nullptr;
        return known && node.dialect() == "aten" && std::ranges::none_of(known->schema.returns, [](const auto &result) {
                   return result.type.alias || !result.type.elements.empty();
               });
    }

    /// Whether a node's results are lists of tensors that cannot lie in the value's memory: they have another dtype,
    /// and the schema declares no alias.
    bool makesOthers(const NodeRef &node, ValueId value)
    {
        const ops::Signature *known = node->regions.empty() ? m_rewriter.signature(node->op) : nullptr;
        const ops::Fact read = m_rewriter.fact(value);
        const auto *tensor = ops::asTensor(read);
        const auto isOther = [&](const ops::Fact &item) {
            const auto *made = ops::asTensor(item);
            return made && made->dtype && made->dtype != tensor->dtype;
        };
        const auto areOthers = [&](ValueId output) {
            const ops::Fact fact = m_rewriter.fact(output);
            const auto *list = fact.as<ops::SequenceFact>();
            return list && std::ranges::all_of(list->each(), isOther);
        };
        return known && node.dialect() == "aten" && tensor && tensor->dtype
            && std::ranges::none_of(known->schema.returns, [](const auto &made) { return made.type.alias.has_value(); })
            && std::ranges::all_of(node->outputs, areOthers);
    }

    /// Whether everything that lies in the memory of this base is known. The base is an input of the function, or made
    /// by a node that gives it memory of its own.
    bool canBeCarried(ValueId base)
    {
        const auto maker = producer(base);
        const bool isInput = !maker && !isRegionInput(base);
        if (!isInput && !(maker && makesItsOwn(*maker)))
            return false;
        std::vector<ValueId> left{base};
        while (!left.empty()) {
            const ValueId value = left.back();
            left.pop_back();
            for (const ir::Use &use : m_rewriter.graph().at(value).uses) {
                const auto *id = std::get_if<NodeId>(&use);
                if (!id && std::get<RegionId>(use) != RegionId(ir::Graph::body))
                    return false;
                if (!id)
                    continue;
                const NodeRef reader = m_rewriter.node(*id);
                if (sameMemory(reader) == value)
                    left.push_back(reader.output(0).id());
                else if (!makesItsOwn(reader) && !makesOthers(reader, value)
                         && !(sameMemory(reader) && m_rewriter.writes(reader)))
                    return false;
            }
        }
        return true;
    }

    bool isRegionInput(ValueId value) const
    {
        const auto *input = std::get_if<ir::RegionInput>(&m_rewriter.graph().at(value).definition);
        return input && input->region != RegionId(ir::Graph::body);
    }

    // ---- the change

    void carry(ValueId base)
    {
        const ir::TypeId type = m_rewriter.graph().at(base).type;
        const std::string name(ir::ValueRef(m_rewriter.graph(), base).name());
        m_rewriter.from({m_node.id()});
        if (m_isLoop) {
            const ValueId initial = insert(m_node->parent, m_node.id(), draft(op("clone"), {{self(), base}}), type);
            m_rewriter.learn(initial, base);
            std::vector<ir::Argument> arguments = m_node->arguments;
            arguments.push_back({{}, initial});
            m_rewriter.setArguments(m_node.id(), std::move(arguments));
        }
        const std::vector<RegionId> regions = m_node->regions;
        for (const RegionId region : regions)
            redirect(region, base, m_isLoop ? m_rewriter.addRegionInput(region, m_rewriter.text(name), type) : base,
                     type);
        const ValueId result = m_rewriter.addOutput(m_node.id(), type, name);
        m_rewriter.learn(result, base);
        insert(m_node->parent, m_next, draft(op("copy_"), {{self(), base}, {m_rewriter.text("src"), result}}), type);
    }

    static ir::NodeDraft draft(ir::OpId op, std::vector<ir::Argument> arguments)
    {
        ir::NodeDraft made;
        made.op = op;
        made.arguments = std::move(arguments);
        return made;
    }

    ir::NameId self() const { return m_rewriter.text("self"); }
    ir::OpId op(std::string_view name) const { return m_rewriter.context().op("aten", name); }

    ValueId insert(RegionId region, std::optional<NodeId> next, ir::NodeDraft node, ir::TypeId type)
    {
        const std::string_view name = m_rewriter.context().text(m_rewriter.context().at(node.op).name);
        const NodeRef made =
            next ? m_rewriter.insertBefore(*next, std::move(node)) : m_rewriter.append(region, std::move(node));
        return m_rewriter.addOutput(made.id(), type, name);
    }

    /// A region in which every node reads and writes a copy of the base instead of the base.
    struct Redirected {
        RegionId region;
        std::optional<NodeId> first;
        std::map<ValueId, ValueId> copies; ///< by base or view: its copy
    };

    void redirect(RegionId region, ValueId base, ValueId begin, ir::TypeId type)
    {
        const std::vector<NodeRef> readers = m_rewriter.nodes(region);
        const auto &nodes = m_rewriter.graph().at(region).nodes;
        Redirected in{region, nodes.empty() ? std::nullopt : std::optional(nodes.front()), {}};
        const ValueId copy = insert(region, in.first, draft(op("clone"), {{self(), begin}}), type);
        m_rewriter.learn(copy, base);
        in.copies.emplace(base, copy);
        for (const NodeRef node : readers) {
            std::vector<ir::Argument> arguments = node->arguments;
            for (ir::Argument &argument : arguments)
                argument.value = ir::withValues(argument.value, [&](ValueId value) -> Operand {
                    return isInside(value) || baseOf(value) != base ? value : inCopy(value, in);
                });
            if (arguments != node->arguments)
                m_rewriter.setArguments(node.id(), std::move(arguments));
        }
        std::vector<Operand> outputs = m_rewriter.graph().at(region).outputs;
        outputs.emplace_back(copy);
        m_rewriter.setOutputs(region, std::move(outputs));
    }

    ValueId inCopy(ValueId value, Redirected &in)
    {
        std::vector<ValueId> views; // views that have no copy yet, innermost first
        for (; !in.copies.contains(value); value = *sameMemory(*producer(value)))
            views.push_back(value);
        ValueId copy = in.copies.at(value);
        for (const ValueId view : views | std::views::reverse) {
            const NodeRef maker = *producer(view);
            if (!m_rewriter.writes(maker)) { // a node that writes returns the tensor that it wrote to
                std::vector<ir::Argument> arguments = maker->arguments;
                arguments.front().value = copy;
                copy = insert(in.region, in.first, draft(maker->op, std::move(arguments)),
                              m_rewriter.graph().at(view).type);
                m_rewriter.learn(copy, view);
            }
            in.copies.emplace(view, copy);
        }
        return copy;
    }

    rewrite::Rewriter &m_rewriter;
    const NodeRef m_node;
    std::optional<NodeId> m_next; ///< the node before which new nodes are added
    bool m_isLoop = false;
};

} // namespace

bool carryWritesOut(rewrite::Rewriter &rewriter, NodeId node) { return CarryingOut(rewriter, node).run(); }

} // namespace cutaway::passes
