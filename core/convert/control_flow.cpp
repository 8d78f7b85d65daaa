// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/program/control_flow.h"
#include "core/convert/preparation.h"
#include "core/convert/translation.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/passes/inlining.h"

#include <algorithm>

// A loop is refused if analysis knows its values for one iteration alone. Loops of known length have been unrolled
// before.

namespace cutaway::convert {

namespace {

using ir::DType;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

/// Returns a placeholder for an unread result of a branch, which TorchScript's compiler leaves undefined. ONNX Runtime
/// wants a value of the same shape as in the other branch.
Term unread(Lowering &l, const std::optional<ir::TensorType> &type)
{
    Term zero = l.scalar(0, type && type->dtype ? *type->dtype : DType::Int64);
    if (!type || !type->shape || type->shape->empty())
        return zero;
    std::vector<std::int64_t> sizes;
    for (const ir::Dim &dim : *type->shape)
        sizes.push_back(ops::number(dim).value_or(1));
    return expand(zero, l.ints(sizes));
}

} // namespace

std::optional<std::string> whyNotSteady(const analysis::Shapes &shapes, std::span<const ir::ValueId> inputs)
{
    for (const ir::ValueId input : inputs) {
        const ops::Fact &known = shapes.of(input);
        const auto *list = known.as<ops::SequenceFact>();
        if (list && list->items())
            return "what is known of its body is of one iteration alone";
        if (itemType(known))
            continue;
        const auto *number = known.as<ops::NumberFact>();
        const auto *dim = number ? std::get_if<ir::Dim>(&number->value) : nullptr;
        const bool isKnown =
            number && !std::holds_alternative<std::monostate>(number->value) && !(dim && !ops::isKnown(*dim));
        const auto *tensor = ops::asTensor(known);
        if (isKnown || (tensor && tensor->elements))
            return "what is known of its body is of one iteration alone";
        if (!onnxType(known) || !onnxType(known)->dtype)
            return "what an iteration hands on is no tensor of known dtype";
    }
    return std::nullopt;
}

void Translation::takeBranch(const NodeRef &node, ir::RegionId branch)
{
    lowerBranch(node, branch);
    const auto &outputs = source().at(branch).outputs;
    Lowering l = lowering(node);
    for (std::size_t i = 0; i < node.outputCount() && i < outputs.size(); ++i)
        m_values.insert_or_assign(node.output(i), l.lowered(outputs[i]));
}

/// Lowers prim::If. A branch that only raises an error is dropped, and the results come from the other one.
std::optional<std::string> Translation::lowerIf(const NodeRef &node)
{
    for (std::size_t i = 0; i < 2; ++i)
        if (raises(source(), node->regions[i])) {
            takeBranch(node, node->regions[1 - i]);
            return std::nullopt;
        }
    Lowering l = lowering(node);
    const Term condition = cast(l[0], DType::Bool);
    if (l.isRefused())
        return l.reason();
    for (const ValueId output : node->outputs)
        if (m_needed.contains(output) && !onnxType(factOf(output)) && !itemType(factOf(output)))
            return "a result is no tensor";
    std::optional<std::string> reason;
    const std::size_t before = m_graph.madeCount();
    const NodeRef made =
        m_graph.add({"If", {reshape(condition, std::vector<std::int64_t>{}).operand}}, node.outputCount());
    const ir::RegionId around = m_graph.region();
    for (std::size_t i = 0; i < 2; ++i) {
        const ir::RegionId region = m_graph.graph().addRegion(made, m_source.context->name(i == 0 ? "then" : "else"));
        m_graph.enter(region);
        lowerBranch(node, node->regions[i]);
        m_graph.from(node);
        std::vector<Operand> outputs;
        for (std::size_t k = 0; k < node.outputCount(); ++k) {
            Lowering inner = lowering(node);
            const ops::Fact &fact = factOf(node.output(k));
            const bool isLeft = !m_needed.contains(node.output(k)) && !onnxType(fact);
            const Lowered result =
                isLeft ? Lowered() : handedOn(inner, inner.lowered(source().at(node->regions[i]).outputs[k]), fact);
            const auto type = onnxType(fact);
            reason = inner.isRefused() ? std::optional(inner.reason()) : reason;
            outputs.push_back(result.operand.as<ir::None>() ? unread(inner, type).operand : result.operand);
        }
        setRegionOutputs(region, std::move(outputs));
    }
    m_graph.enter(around);
    setResults(node, made, before);
    return reason;
}

/// Sets the outputs of a region that the graph has entered. A value that occurs twice is copied, since ONNX Runtime
/// wants each output to be a value of its own.
void Translation::setRegionOutputs(ir::RegionId region, std::vector<Operand> outputs)
{
    std::unordered_set<ValueId> known;
    for (Operand &output : outputs) {
        const auto *value = output.as<ValueId>();
        if (!value || known.insert(*value).second)
            continue;
        const ValueId copy = m_graph.add({"Identity", {*value}})->outputs.front();
        m_graph.graph().setType(copy, m_graph.graph().at(*value).type);
        output = copy;
    }
    m_graph.graph().setOutputs(region, std::move(outputs));
}

void Translation::setResults(const NodeRef &node, const NodeRef &made, std::size_t madeBefore)
{
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        const ops::Fact &fact = factOf(node.output(i));
        const auto item = itemType(fact), type = item ? item : onnxType(fact);
        Lowered result;
        result.operand = made->outputs[i];
        result.dtype = type && type->dtype ? *type->dtype : DType::Int64;
        result.isSequence = item.has_value();
        set(node.output(i), std::move(result), madeBefore);
    }
}

/// Returns a result of a branch or an iteration, converted to the type of the fact `as`: that of the node's result, or
/// of the value that the loop carries.
Lowered Translation::handedOn(Lowering &l, const Lowered &given, const ops::Fact &as)
{
    const bool isOpen = !given.items && given.operand.as<ir::None>();
    if (const auto item = itemType(as))
        return l.sequence(isOpen ? Lowered::list({}) : given, *item->dtype);
    const auto type = onnxType(as);
    return type && type->dtype && !isOpen && !given.items
        ? Lowered(cast(Term{&l, given.operand, given.dtype}, *type->dtype))
        : given;
}

void Translation::lowerBranch(const NodeRef &node, ir::RegionId region)
{
    const std::vector<ValueId> &inputs = source().at(region).inputs;
    const std::vector<Operand> given = passes::openedArguments(node, 1);
    Lowering l = lowering(node);
    for (std::size_t i = 0; i < inputs.size() && i < given.size(); ++i)
        m_values.insert_or_assign(inputs[i], l.lowered(given[i]));
    lowerRegion(region);
}

// ---- loops

/// The body of an ONNX Loop while its nodes are made.
struct Translation::LoopBody {
    ir::NodeId node;
    ir::RegionId region, around;
    std::size_t madeBefore;
    ValueId iteration;
    std::span<const ValueId> inputs; ///< the inputs of the body in the source for the values that the loop carries
};

Translation::LoopBody Translation::beginLoop(const NodeRef &node, const Term &count, const Term &condition,
                                             std::span<const ValueId> inputs, std::span<const Lowered> initial)
{
    LoopBody body;
    body.madeBefore = m_graph.madeCount();
    NewNode loop{"Loop", {count.operand, condition.operand}};
    for (const Lowered &each : initial)
        loop.inputs.push_back(each.operand);
    body.node = m_graph.add(loop, node.outputCount());
    body.around = m_graph.region();
    body.region = m_graph.graph().addRegion(body.node, m_source.context->name("body"));
    m_graph.enter(body.region);
    const auto addInput = [&](std::string_view name, const ir::TensorType &type) {
        return m_graph.addInput(body.region, name, type);
    };
    ir::TensorType scalar;
    scalar.shape = ir::Shape();
    scalar.dtype = DType::Int64;
    body.iteration = addInput("iteration", scalar);
    scalar.dtype = DType::Bool;
    addInput("condition", scalar);
    body.inputs = inputs;
    for (const ValueId input : inputs)
        addRegionInput(body.region, input);
    return body;
}

/// Adds an input to a region of the ONNX graph, which stands for the input `value` of a region in the source.
void Translation::addRegionInput(ir::RegionId region, ValueId value)
{
    const auto item = itemType(factOf(value));
    const ir::TensorType type = item ? *item : *onnxType(factOf(value));
    ir::Type given = type;
    if (item)
        given = ir::CompoundType{ir::CompoundType::Kind::List, {m_source.context->type(type)}, {}, {}};
    Lowered made;
    made.operand = m_graph.addInput(region, ir::ValueRef(source(), value).name(), given);
    made.dtype = *type.dtype;
    made.isSequence = item.has_value();
    m_values.insert_or_assign(value, std::move(made));
}

std::optional<std::string> Translation::endLoop(const NodeRef &node, const LoopBody &body, const Lowered &condition,
                                                std::span<const Operand> carried)
{
    m_graph.from(node);
    Lowering l = lowering(node);
    std::vector<Operand> outputs{cast(l.term(condition), DType::Bool).operand};
    for (std::size_t i = 0; i < carried.size(); ++i)
        outputs.push_back(handedOn(l, l.lowered(carried[i]), factOf(body.inputs[i])).operand);
    setRegionOutputs(body.region, std::move(outputs));
    m_graph.enter(body.around);
    setResults(node, {m_graph.graph(), body.node}, body.madeBefore);
    return l.isRefused() ? std::optional(l.reason()) : std::nullopt;
}

/// Lowers prim::Loop. Its arguments are the trip count, the first condition and the initial values; the first input of
/// its body is the iteration's number.
std::optional<std::string> Translation::lowerLoop(const NodeRef &node)
{
    const ir::Region &region = source().at(node->regions.front());
    const std::span inputs(region.inputs);
    if (node->arguments.size() != inputs.size() + 1 || region.outputs.size() != inputs.size())
        return "its body does not fit its arguments";
    if (auto reason = whyNotSteady(m_shapes, inputs))
        return reason;
    Lowering l = lowering(node);
    std::vector<Lowered> initial;
    for (std::size_t i = 2; i < node->arguments.size(); ++i)
        initial.push_back(handedOn(l, l.lowered(node->arguments[i].value), factOf(inputs[i - 1])));
    const Term count = cast(l.term(l.lowered(node->arguments[0].value)), DType::Int64);
    const Term condition = cast(l.term(l.lowered(node->arguments[1].value)), DType::Bool);
    if (l.isRefused())
        return l.reason();
    const LoopBody body = beginLoop(node, count, condition, inputs.subspan(1), initial);
    Lowered iteration;
    iteration.operand = body.iteration;
    iteration.dtype = DType::Int64;
    m_values.insert_or_assign(inputs.front(), std::move(iteration));
    lowerRegion(node->regions.front());
    Lowering inner = lowering(node);
    return endLoop(node, body, inner.lowered(region.outputs.front()), std::span(region.outputs).subspan(1));
}

/// Lowers while_loop. The region that computes the condition is translated twice: before the loop, and at the end of
/// the body.
std::optional<std::string> Translation::lowerWhile(const NodeRef &node)
{
    const ir::Region &asks = source().at(node->regions[0]), &does = source().at(node->regions[1]);
    const std::vector<Operand> given = passes::openedArguments(node, 0);
    const std::size_t carried = node.outputCount();
    if (given.size() != asks.inputs.size() || given.size() != does.inputs.size() || does.outputs.size() != carried
        || asks.outputs.size() != 1)
        return "its body does not fit its arguments";
    for (const ir::Region *region : {&asks, &does})
        if (auto reason = whyNotSteady(m_shapes, std::span(region->inputs).first(carried)))
            return reason;
    Lowering l = lowering(node);
    std::vector<Lowered> initial;
    for (const Operand &each : given)
        initial.push_back(l.lowered(each));
    const auto ask = [&](std::span<const Lowered> with) {
        for (std::size_t i = 0; i < given.size(); ++i)
            m_values.insert_or_assign(asks.inputs[i], i < with.size() ? with[i] : initial[i]);
        lowerRegion(node->regions[0]);
        m_graph.from(node);
        Lowering inner = lowering(node);
        return inner.lowered(asks.outputs.front());
    };
    const Term first = l.term(ask(initial));
    const LoopBody body =
        beginLoop(node, l.none(), first, std::span(does.inputs).first(carried), std::span(initial).first(carried));
    for (std::size_t i = carried; i < given.size(); ++i)
        m_values.insert_or_assign(does.inputs[i], initial[i]);
    lowerRegion(node->regions[1]);
    std::vector<Lowered> next;
    Lowering inner = lowering(node);
    for (const Operand &output : does.outputs)
        next.push_back(inner.lowered(output));
    return endLoop(node, body, ask(next), does.outputs);
}

} // namespace cutaway::convert
