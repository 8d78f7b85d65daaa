// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/convert/pt2/program_translation.h"
#include "core/convert/unknown_objects.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"
#include "core/passes/inlining.h"

#include <algorithm>

// An operator of torch's own stays what it is: its arguments get the names and types of its schema, which a program of
// torch.export names them by.

namespace cutaway::convert {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::ValueId;
using ops::SchemaType;

/// Whether torch's dispatcher has such types, and a program has a value of them: TorchScript's own operators have lists
/// of anything, dictionaries, and objects of the file.
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

/// Why torch's dispatcher has no such operator; nothing if it has.
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

/// As the schema wants it: TorchScript writes dtypes as numbers, 1 for 1.0, and one number for a list of them.
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

/// The dispatcher's overload where TorchScript has one of its own for the same: of lists without None, of views.
std::string_view dispatched(std::string_view overload)
{
    for (const std::string_view own : {"_hacked_twin", "hacked_twin"})
        if (overload.ends_with(own))
            return overload.substr(0, overload.size() - own.size());
    return overload == "a" ? "" : overload;
}

bool isPython(std::string_view dialect) { return dialect == "_operator" || dialect == "math" || dialect == "torch"; }

} // namespace

void ProgramTranslation::lowerCall(const NodeRef &node)
{
    ProgramNode made{node.dialect(), node.opName(), dispatched(node.overload())};
    const ops::Signature *known = m_values.signatureOf(node);
    if (auto unknown = whyUnknownObject(node)) {
        refuse(std::move(*unknown));
    } else if (isPython(node.dialect())) {
        for (std::size_t i = 0; i < node->arguments.size() && i < 2; ++i)
            made.arguments.emplace_back(i == 0 ? "a" : "b", m_values.made(node->arguments[i].value));
    } else if (known) {
        addArguments(node, known->schema, made);
    } else if (node.dialect() == "quantized_decomposed") { // torch registers these when they are imported
        for (const ir::Argument &argument : node->arguments)
            made.arguments.emplace_back(m_context.text(argument.name), m_values.made(argument.value));
        m_losses.note("torch loads the program after import torch.ao.quantization.fx._decomposed");
    } else {
        refuse(node.isOnnx() ? m_left.why(node) : "there is no rule for it");
    }
    if (!isRefused())
        addCall(node, made);
}

/// In the order of the schema. What says the same as the default is left out where that is None.
void ProgramTranslation::addArguments(const NodeRef &node, const ops::Schema &schema, ProgramNode &call)
{
    if (auto reason = whyNotCalled(node, schema))
        return refuse(std::move(*reason));
    const auto isKnown = [&](const ir::Argument &argument) {
        const std::string_view name = m_context.text(argument.name);
        return name.empty() || std::ranges::contains(schema.arguments, name, &ops::SchemaArgument::name);
    };
    if (!std::ranges::all_of(node->arguments, isKnown) || node->arguments.size() > schema.arguments.size())
        refuse("it has other arguments than its schema");
    for (const ops::SchemaArgument &parameter : schema.arguments) {
        const Operand *given = ops::givenArgument(node, m_values.signatureOf(node), parameter.name);
        if (!given && !parameter.defaultValue)
            refuse(formatted("its argument '{}' is not given", parameter.name));
        if (!given)
            continue;
        Operand operand = fitted(m_values.made(*given), parameter.type);
        if (!operand.as<ir::None>() || parameter.defaultValue != "None")
            call.arguments.emplace_back(parameter.name, std::move(operand));
    }
    if (node.dialect() != "aten" && node.dialect() != "prims")
        m_losses.note(formatted("torch loads the program where the operators of '{}' are registered", node.dialect()));
}

/// A list of tensors is as many results.
void ProgramTranslation::addCall(const NodeRef &node, const ProgramNode &call)
{
    std::vector<std::vector<ir::Type>> types;
    for (const ValueId output : node->outputs) {
        const ops::Fact &known = m_shapes.of(output);
        const auto *list = known.as<ops::SequenceFact>();
        if (list && !list->items())
            return refuse("the number of its results is not known");
        types.emplace_back();
        for (const ops::Fact &each : list ? list->each() : std::span(&known, 1)) {
            const auto type = m_values.typeOf(each);
            if (!type)
                return refuse(m_values.whyUnknown(node, "the dtype or shape of its result is not known"));
            types.back().push_back(*type);
        }
    }
    const ir::NodeId made = m_graph.add(call);
    for (std::size_t i = 0; i < types.size(); ++i) {
        ir::List results;
        for (const ir::Type &type : types[i])
            results.items.push_back(m_graph.addResult(made, type, node.output(i).name()));
        const bool isList = m_shapes.of(node.output(i)).as<ops::SequenceFact>() != nullptr;
        m_values.set(node.output(i), isList ? Operand(std::move(results)) : results.items.front());
    }
}

} // namespace cutaway::convert
