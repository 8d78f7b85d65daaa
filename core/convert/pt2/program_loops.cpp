// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/convert/pt2/program_translation.h"
#include "core/convert/translation.h"
#include "core/ir/context.h"

#include <algorithm>
#include <limits>

// A loop becomes torch's while_loop, which has two graphs with the same inputs: one computes whether there is a further
// iteration, the other one is the iteration. TorchScript and ONNX count iterations and check the condition implicitly;
// here the count and the condition are further carried values.

namespace cutaway::convert {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

/// A loop of TorchScript or ONNX: (limit, condition, carried…), with the body (iteration, [condition,] carried…) →
/// (condition, carried…).
struct ProgramTranslation::Loop {
    struct State {
        RegionResult result;
        std::string name;
        Operand initial;
    };
    std::size_t carriedAt = 1; ///< the position of the first carried value among the body's inputs
    /// The maximum number of iterations, as a number or a tensor of the program; nothing if there is none.
    std::optional<Operand> limit;
    bool isAsked = true; ///< whether a condition, and not only the limit, may end the loop
    /// One state for each carried value of the while_loop: the number of iterations done, the condition if the loop has
    /// one, and the values that the source carries.
    std::vector<State> states;
};

void ProgramTranslation::lowerLoop(const NodeRef &node)
{
    const ir::Region &body = node.region(0);
    Loop loop;
    loop.carriedAt = node.isOnnx() ? 2 : 1;
    if (node->arguments.size() < 2 || body.inputs.size() != node->arguments.size() - 2 + loop.carriedAt)
        return refuse("its body does not fit its arguments");
    if (body.outputs.size() != body.inputs.size() + 1 - loop.carriedAt || body.outputs.size() != node.outputCount() + 1)
        return refuse("how much it collects of its iterations is not known");
    if (auto reason = whyNotSteady(m_shapes, std::span(body.inputs).subspan(node.isOnnx() ? 2 : 0)))
        return refuse(std::move(*reason));
    if (!addStates(loop, node))
        return;
    const OuterNumbers outer = outerNumbersOf(node);
    ir::List carried;
    for (const Loop::State &state : loop.states)
        carried.items.push_back(state.initial);
    const ir::NodeId made =
        m_graph.add({"higher_order", "while_loop", {}, {{"", std::move(carried)}, {"", ir::List{}}}});
    const int number = m_loops++;
    const auto addRegion = [&](std::string_view which) {
        return m_graph.graph().addRegion(made, m_context.name(formatted("while_loop_{}_graph_{}", which, number)));
    };
    m_losses.note("torch 2.6 opens a while_loop, but does not run it");
    lowerLoopCondition(loop, addRegion("cond"));
    lowerLoopBody(loop, node, outer, addRegion("body"));
    leave(outer);
    if (isRefused())
        return;
    m_graph.from(node);
    const std::size_t own = loop.states.size() - node.outputCount();
    for (std::size_t i = 0; i < own; ++i)
        m_graph.addResult(made, loop.states[i].result.tensor, loop.states[i].name);
    for (std::size_t i = own; i < loop.states.size(); ++i) {
        RegionResult result = loop.states[i].result;
        result.type = resultType(result.type);
        addRegionResult(node, made, result);
    }
}

/// Returns the type that a state has after the loop. A number gets a new symbol there, since it differs from the number
/// in an iteration.
ir::Type ProgramTranslation::resultType(const ir::Type &type)
{
    const auto *number = std::get_if<ir::NumberType>(&type);
    return number ? m_values.typeOf(ops::NumberFact{.kind = number->kind, .value = {}}).value_or(type) : type;
}

/// Adds the states of a loop that becomes a while_loop. Returns whether a program can have them.
bool ProgramTranslation::addStates(Loop &loop, const NodeRef &node)
{
    const ir::Region &body = node.region(0);
    const Operand &limit = node->arguments[0].value, &condition = node->arguments[1].value;
    const auto most = ops::asInt(m_values.fact(limit)).and_then([](const ir::Dim &dim) { return ops::number(dim); });
    if (!limit.as<ir::None>() && most != std::numeric_limits<std::int64_t>::max())
        loop.limit = most ? Operand(*most) : scalar(m_values.made(limit), scalarType(ir::DType::Int64));
    const auto isTrue = [&](const Operand &asked) {
        return asked.as<ir::None>() || ops::asBool(m_values.fact(asked)) == true;
    };
    const bool isRead = node.isOnnx() && !source().at(body.inputs[1]).uses.empty();
    loop.isAsked = isRead || !isTrue(condition) || !isTrue(body.outputs.front());
    if (!loop.limit && !loop.isAsked)
        refuse("it never ends");
    const RegionResult count{0, scalarType(ir::DType::Int64), scalarType(ir::DType::Int64)};
    const RegionResult flag{0, scalarType(ir::DType::Bool), scalarType(ir::DType::Bool)};
    const std::int64_t none = 0;
    addState(loop, count, "iteration",
             m_graph.constant("iteration", ir::DType::Int64, {}, std::as_bytes(std::span(&none, 1))));
    if (loop.isAsked)
        addState(loop, flag, "condition", condition.as<ir::None>() ? Operand(true) : m_values.made(condition));
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        const ValueId input = body.inputs[loop.carriedAt + i];
        const auto type = m_values.typeOf(m_shapes.of(input));
        const auto tensor = type ? tensorTypeFor(*type) : std::nullopt;
        if (!tensor)
            refuse(m_values.whyUnknown(node, "what an iteration hands on is of no known shape"));
        else
            addState(loop, {i, *type, *tensor}, ir::ValueRef(source(), input).name(),
                     m_values.made(node->arguments[2 + i].value));
    }
    return !isRefused();
}

void ProgramTranslation::addState(Loop &loop, const RegionResult &result, std::string_view name, const Operand &initial)
{
    loop.states.push_back({result, std::string(name), scalar(initial, result.tensor)});
}

/// Returns a number or a tensor as a tensor of this type. ONNX's tensors of one element lose their dimensions, as torch
/// wants conditions and counts without dimensions.
Operand ProgramTranslation::scalar(const Operand &operand, const ir::TensorType &type)
{
    if (const auto tensor = m_values.tensorBehind(operand, *type.dtype))
        return scalar(*tensor, type);
    if (m_values.numberKind(operand))
        return m_graph.make(scalarTensor(operand, *type.dtype), type, "scalar_tensor");
    const ir::TensorType *given = m_values.tensorType(operand);
    if (!given && !isRefused())
        refuse("what it begins with is neither tensor nor number");
    if (given && type.shape->empty() && given->shape && given->shape->size() == 1)
        return m_graph.make({"aten", "reshape", "default", {{"self", operand}, {"shape", ir::List{}}}}, type,
                            "reshape");
    return operand;
}

std::vector<ValueId> ProgramTranslation::addStateInputs(const Loop &loop, ir::RegionId region)
{
    std::vector<ValueId> inputs;
    for (const Loop::State &state : loop.states)
        inputs.push_back(m_graph.addInput(state.name, state.result.tensor, region));
    return inputs;
}

void ProgramTranslation::lowerLoopCondition(const Loop &loop, ir::RegionId region)
{
    const ProgramGraph::Inside inside(m_graph, region);
    const std::vector<ValueId> inputs = addStateInputs(loop, region);
    const ir::Type flag = scalarType(ir::DType::Bool);
    Operand answer = ir::None();
    if (loop.limit) {
        const std::string_view overload = loop.limit->as<std::int64_t>() ? "Scalar" : "Tensor";
        answer = m_graph.make({"aten", "lt", overload, {{"self", inputs[0]}, {"other", *loop.limit}}}, flag, "lt");
    }
    if (loop.isAsked)
        answer = loop.limit
            ? m_graph.make({"aten", "logical_and", "default", {{"self", inputs[1]}, {"other", answer}}}, flag, "go_on")
            : m_graph.copy(inputs[1]);
    m_graph.graph().setOutputs(region, {answer});
}

void ProgramTranslation::lowerLoopBody(const Loop &loop, const NodeRef &node, const OuterNumbers &outer,
                                       ir::RegionId region)
{
    ProgramGraph::Inside inside(m_graph, region);
    const ir::Region &body = node.region(0);
    const std::vector<ValueId> inputs = addStateInputs(loop, region);
    const std::size_t own = inputs.size() - node.outputCount();
    enter(outer, inside);
    const ir::Type whole = ir::NumberType{ir::NumberType::Kind::Int, m_graph.freshSymbol("u")};
    const RegionResult count{0, node.isOnnx() ? ir::Type(scalarType(ir::DType::Int64)) : whole,
                             scalarType(ir::DType::Int64)};
    m_values.set(body.inputs[0], asRead(inputs[0], count, "iteration"));
    if (node.isOnnx() && loop.isAsked)
        m_values.set(body.inputs[1], inputs[1]);
    for (std::size_t i = own; i < inputs.size(); ++i)
        m_values.set(body.inputs[loop.carriedAt + i - own],
                     asRead(inputs[i], loop.states[i].result, loop.states[i].name));
    lowerRegion(node->regions.front());
    m_graph.from(node);
    std::vector<Operand> outputs{
        m_graph.make({"aten", "add", "Scalar", {{"self", inputs[0]}, {"other", std::int64_t{1}}}},
                     scalarType(ir::DType::Int64), "next")};
    for (std::size_t i = 1; i < inputs.size() && !isRefused(); ++i) {
        const Operand next = m_values.made(body.outputs[i < own ? 0 : i - own + 1]);
        const RegionResult &result = loop.states[i].result;
        outputs.push_back(isRefused() ? next : regionOutput(scalar(next, result.tensor), result, region, outputs));
    }
    m_graph.graph().setOutputs(region, std::move(outputs));
}

} // namespace cutaway::convert
