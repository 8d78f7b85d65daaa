// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/pt2/program_calls.h"

#include "core/base/formatted.h"
#include "core/convert/unknown_objects.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"
#include "core/passes/inlining.h"

#include <algorithm>

// A call of an operator of torch stays a call of this operator. Its arguments get the names and types of the operator's
// schema, by which a program of torch.export refers to them.

namespace cutaway::convert {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;
using ops::SchemaType;

/// Whether torch's dispatcher has a type, and a program can have a value of it. TorchScript's own operators also have
/// lists of anything, dictionaries, and objects of the file.
bool isOfDispatcher(const SchemaType &type)
{
    using Kind = SchemaType::Kind;
    if (type.kind == Kind::List || type.kind == Kind::Optional)
        return isOfDispatcher(type.elements.front());
    return type.kind == Kind::Plain && !type.isWritten() && type.name != "Any" && type.name != "NoneType"
        && !type.name.starts_with("__torch__.");
}

bool isOfTensors(const SchemaType &type)
{
    return type.name == "Tensor" || (!type.elements.empty() && isOfTensors(type.elements.front()));
}

/// Returns why torch's dispatcher lacks the operator; nothing if it has it.
std::optional<std::string> whyNotCalled(const NodeRef &node, const ops::Schema &schema)
{
    const std::string_view overload = node.overload() == "default" ? "" : node.overload();
    if (schema.overload != overload)
        return formatted("its overload '{}' is not known", overload);
    const auto type = &ops::SchemaArgument::type;
    if (std::ranges::any_of(schema.arguments, &SchemaType::isWritten, type))
        return "it writes to its arguments";
    if (!std::ranges::all_of(schema.arguments, isOfDispatcher, type)
        || !std::ranges::all_of(schema.returns, isOfDispatcher, type) || schema.moreArguments || schema.moreReturns)
        return "only TorchScript has it";
    if (std::ranges::none_of(schema.arguments, isOfTensors, type)
        && std::ranges::none_of(schema.returns, isOfTensors, type))
        return "it computes numbers that only the data decides";
    return std::nullopt;
}

std::optional<ir::DType> dtypeNumbered(std::int64_t number)
{
    for (int i = 0; i < ir::dtypeCount; ++i)
        if (const auto dtype = static_cast<ir::DType>(i); ir::numberOf(dtype, ir::Numbering::C10) == number)
            return dtype;
    return std::nullopt;
}

/// Returns the operand in the form that the schema asks for. TorchScript writes a dtype as its number, 1 for 1.0, and
/// one number for a list of equal numbers.
Operand fitted(Operand operand, const SchemaType &type)
{
    if (type.kind == SchemaType::Kind::Optional)
        return operand.as<ir::None>() ? operand : fitted(std::move(operand), type.elements.front());
    const auto *whole = operand.as<std::int64_t>();
    if (type.kind == SchemaType::Kind::List) {
        if (whole && type.listSize)
            return ir::List{std::vector<Operand>(static_cast<std::size_t>(*type.listSize), operand)};
        ir::List made;
        if (const auto *list = operand.as<ir::List>())
            for (const Operand &item : list->items)
                made.items.push_back(fitted(item, type.elements.front()));
        return operand.as<ir::List>() ? Operand(std::move(made)) : operand;
    }
    if (whole && type.name == "float")
        return static_cast<double>(*whole);
    const auto dtype = whole && type.name == "ScalarType" ? dtypeNumbered(*whole) : std::nullopt;
    return dtype ? Operand(*dtype) : operand;
}

/// Returns the overload of torch's dispatcher with the meaning of an overload that only TorchScript has (for lists
/// without None, and for views); other overloads are returned unchanged.
std::string_view dispatched(std::string_view overload)
{
    for (const std::string_view own : {"_hacked_twin", "hacked_twin"})
        if (overload.ends_with(own))
            return overload.substr(0, overload.size() - own.size());
    return overload == "a" ? "" : overload;
}

bool isPython(std::string_view dialect) { return dialect == "_operator" || dialect == "math" || dialect == "torch"; }

} // namespace

ProgramCalls::ProgramCalls(const ir::Model &source, ir::FunctionId function, const analysis::Shapes &shapes,
                           ProgramValues &values, Losses &losses)
    : m_shapes(shapes),
      m_values(values),
      m_losses(losses),
      m_left(source, function, shapes)
{
}

void ProgramCalls::add(const NodeRef &node)
{
    ProgramNode made{node.dialect(), node.opName(), dispatched(node.overload())};
    const ops::Signature *known = m_values.signatureOf(node);
    if (auto unknown = whyUnknownObject(node)) {
        m_values.refuse(std::move(*unknown));
    } else if (isPython(node.dialect())) {
        for (std::size_t i = 0; i < node->arguments.size() && i < 2; ++i)
            made.arguments.emplace_back(i == 0 ? "a" : "b", m_values.made(node->arguments[i].value));
    } else if (known) {
        addArguments(node, known->schema, made);
    } else if (node.dialect() == "quantized_decomposed") { // torch registers these when their module is imported
        for (const ir::Argument &argument : node->arguments)
            made.arguments.emplace_back(m_values.graph().context().text(argument.name), m_values.made(argument.value));
        m_losses.note("torch loads the program after import torch.ao.quantization.fx._decomposed");
    } else {
        m_values.refuse(node.isOnnx() ? m_left.why(node) : "there is no rule for it");
    }
    if (!m_values.isRefused())
        addNode(node, made);
}

/// Adds the arguments to `call` in the order of the schema, without a None that is the default.
void ProgramCalls::addArguments(const NodeRef &node, const ops::Schema &schema, ProgramNode &call)
{
    if (auto reason = whyNotCalled(node, schema))
        return m_values.refuse(std::move(*reason));
    const auto isKnown = [&](const ir::Argument &argument) {
        const std::string_view name = m_values.graph().context().text(argument.name);
        return name.empty() || std::ranges::contains(schema.arguments, name, &ops::SchemaArgument::name);
    };
    if (!std::ranges::all_of(node->arguments, isKnown) || node->arguments.size() > schema.arguments.size())
        m_values.refuse("it has other arguments than its schema");
    for (const ops::SchemaArgument &parameter : schema.arguments) {
        const Operand *given = ops::givenArgument(node, m_values.signatureOf(node), parameter.name);
        if (!given && !parameter.defaultValue)
            m_values.refuse(formatted("its argument '{}' is not given", parameter.name));
        if (!given)
            continue;
        Operand operand = fitted(m_values.made(*given), parameter.type);
        if (!operand.as<ir::None>() || parameter.defaultValue != "None")
            call.arguments.emplace_back(parameter.name, std::move(operand));
    }
    if (!m_values.isRefused() && node.dialect() != "aten" && node.dialect() != "prims")
        m_losses.note(formatted("torch loads the program where the operators of '{}' are registered", node.dialect()));
}

/// Adds the call as a node. If it returns a list of tensors, the node has a result for each item.
void ProgramCalls::addNode(const NodeRef &node, const ProgramNode &call)
{
    std::vector<std::vector<ir::Type>> types;
    for (const ValueId output : node->outputs) {
        const ops::Fact &known = m_shapes.of(output);
        const auto *list = known.as<ops::SequenceFact>();
        if (list && !list->items())
            return m_values.refuse("the number of its results is not known");
        types.emplace_back();
        for (const ops::Fact &each : list ? list->each() : std::span(&known, 1)) {
            const auto type = m_values.typeOf(each);
            if (!type)
                return m_values.refuse(m_values.whyUnknown(node, "the dtype or shape of its result is not known"));
            types.back().push_back(*type);
        }
    }
    const ir::NodeId made = m_values.graph().add(call);
    for (std::size_t i = 0; i < types.size(); ++i) {
        ir::List results;
        for (const ir::Type &type : types[i])
            results.items.push_back(m_values.graph().addResult(made, type, node.output(i).name()));
        const bool isList = m_shapes.of(node.output(i)).as<ops::SequenceFact>() != nullptr;
        m_values.set(node.output(i), isList ? Operand(std::move(results)) : results.items.front());
    }
}

} // namespace cutaway::convert
