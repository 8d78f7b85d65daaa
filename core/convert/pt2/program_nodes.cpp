// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/convert/pt2/program_rules.h"
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
std::optional<std::string> whyNotCalled(const ops::Schema &schema)
{
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

bool runsRegion(const NodeRef &node)
{
    const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
    return node->regions.size() == 1 && (ops::kindOf(node) == ops::kind::fork || (row && row->traits.runsRegionOnce));
}

} // namespace

void ProgramTranslation::lowerRegion(ir::RegionId region)
{
    for (const NodeRef node : ir::nodesOf(source(), region))
        if (m_needed.areMadeBy(node))
            lowerNode(node);
}

bool ProgramTranslation::touchesWritten(const NodeRef &node) const
{
    bool touches =
        std::ranges::any_of(node->outputs, [&](ValueId output) { return m_written.values.contains(output); });
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ValueId value) { touches = touches || m_written.values.contains(value); });
    return touches;
}

/// Whether facts say all of the results: sizes, numbers, lists of these.
bool ProgramTranslation::resolveByFacts(const NodeRef &node)
{
    if (node->outputs.empty()) // it writes
        return false;
    std::vector<Operand> results;
    for (const ValueId output : node->outputs) {
        auto known = resolved(m_shapes.of(output));
        if (!known)
            return false;
        results.push_back(std::move(*known));
    }
    for (std::size_t i = 0; i < results.size(); ++i)
        m_values.insert_or_assign(node.output(i), std::move(results[i]));
    return true;
}

void ProgramTranslation::lowerNode(const NodeRef &node)
{
    m_graph.from(node);
    const ops::OperatorKind kind = ops::kindOf(node);
    if (touchesWritten(node))
        refuse("what it reads or makes is written to in place");
    else if (resolveByFacts(node))
        return;
    else if ((kind == ops::kind::ifElse || kind == ops::kind::cond) && node->regions.size() == 2)
        lowerIf(node);
    else if (runsRegion(node))
        lowerOnce(node);
    else if (kind == ops::kind::loop && node->regions.size() == 1)
        lowerLoop(node);
    else if (!node->regions.empty())
        refuse("there is no rule for what runs its regions");
    else if (!lowerByRule(node) && !isRefused())
        lowerCall(node);
    if (isRefused())
        keep(node);
}

/// Translates a node by a rule; false if there is none or it does not apply.
bool ProgramTranslation::lowerByRule(const NodeRef &node)
{
    const auto row = ops::findRow(node.dialect(), node.opName());
    const ProgramRule *rule = programRuleOf(node.dialect(), row ? row->plain : node.opName());
    const auto results = rule ? rule->make(*this, node, rule->target) : std::nullopt;
    if (!results || isRefused() || results->size() != node.outputCount())
        return false;
    for (std::size_t i = 0; i < results->size(); ++i)
        m_values.insert_or_assign(node.output(i), (*results)[i]);
    return true;
}

void ProgramTranslation::lowerCall(const NodeRef &node)
{
    ProgramNode made{node.dialect(), node.opName(), dispatched(node.overload())};
    const ops::Signature *known = m_signatures.of(node->op);
    if (auto unknown = whyUnknownObject(node))
        return refuse(std::move(*unknown));
    if (isPython(node.dialect())) {
        for (std::size_t i = 0; i < node->arguments.size() && i < 2; ++i)
            made.arguments.emplace_back(i == 0 ? "a" : "b", this->made(node->arguments[i].value));
    } else if (!known && node.dialect() == "quantized_decomposed") { // torch registers these when they are imported
        for (const ir::Argument &argument : node->arguments)
            made.arguments.emplace_back(m_source.context->text(argument.name), this->made(argument.value));
        noteOnce("torch loads the program after import torch.ao.quantization.fx._decomposed");
    } else if (!known) {
        return refuse(node.isOnnx() ? m_left.why(node) : "there is no rule for it");
    } else {
        const std::string_view overload = node.overload() == "default" ? "" : node.overload();
        if (known->schema.overload != overload)
            return refuse(formatted("its overload '{}' is not known", overload));
        if (auto reason = whyNotCalled(known->schema))
            return refuse(std::move(*reason));
        if (!addArguments(node, known->schema, made))
            return;
        if (node.dialect() != "aten" && node.dialect() != "prims")
            noteOnce(formatted("torch loads the program where the operators of '{}' are registered", node.dialect()));
    }
    addCall(node, made);
}

/// In the order of the schema. What says the same as the default is left out where that is None.
bool ProgramTranslation::addArguments(const NodeRef &node, const ops::Schema &schema, ProgramNode &call)
{
    const auto isKnown = [&](const ir::Argument &argument) {
        const std::string_view name = m_source.context->text(argument.name);
        return name.empty() || std::ranges::contains(schema.arguments, name, &ops::SchemaArgument::name);
    };
    if (!std::ranges::all_of(node->arguments, isKnown) || node->arguments.size() > schema.arguments.size())
        refuse("it has other arguments than its schema");
    for (const ops::SchemaArgument &parameter : schema.arguments) {
        const Operand *given = ops::givenArgument(node, m_signatures.of(node->op), parameter.name);
        if (!given && !parameter.defaultValue)
            refuse(formatted("its argument '{}' is not given", parameter.name));
        if (!given)
            continue;
        Operand operand = fitted(made(*given), parameter.type);
        if (!operand.as<ir::None>() || parameter.defaultValue != "None")
            call.arguments.emplace_back(parameter.name, std::move(operand));
    }
    return !isRefused();
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
            const auto type = typeOf(each);
            if (!type)
                return refuse(whyUnknown(node, "the dtype or shape of its result is not known"));
            types.back().push_back(*type);
        }
    }
    if (isRefused())
        return;
    const ir::NodeId made = m_graph.add(call);
    for (std::size_t i = 0; i < types.size(); ++i) {
        ir::List results;
        for (const ir::Type &type : types[i])
            results.items.push_back(m_graph.addResult(made, type, node.output(i).name()));
        const bool isList = m_shapes.of(node.output(i)).as<ops::SequenceFact>() != nullptr;
        m_values.insert_or_assign(node.output(i), isList ? Operand(std::move(results)) : results.items.front());
    }
}

// ---- regions

/// The region's inputs are the node's last arguments.
void ProgramTranslation::lowerOnce(const NodeRef &node)
{
    const ir::Region &region = source().at(node->regions.front());
    const std::vector<Operand> given = passes::openedArguments(node, 0);
    if (given.size() < region.inputs.size() || region.outputs.size() != node.outputCount())
        return refuse("its region does not fit its arguments");
    const std::size_t first = given.size() - region.inputs.size();
    for (std::size_t i = 0; i < region.inputs.size(); ++i)
        m_values.insert_or_assign(region.inputs[i], made(given[first + i]));
    if (isRefused())
        return;
    lowerRegion(node->regions.front());
    for (std::size_t i = 0; i < node.outputCount(); ++i)
        m_values.insert_or_assign(node.output(i), made(region.outputs[i]));
}

} // namespace cutaway::convert
