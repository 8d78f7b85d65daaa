// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/operator_lowering.h"

#include "core/base/text.h"
#include "core/formats/torchscript/lowering/call_lowering.h"
#include "core/formats/torchscript/lowering/expression_lowering.h"
#include "core/formats/torchscript/lowering/normal_form.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

Typed OperatorLowering::lower(OperatorCall call, Position position, std::string_view hint)
{
    return lower(std::move(call), position, {&hint, 1}).front();
}

std::vector<Typed> OperatorLowering::lower(OperatorCall call, Position position,
                                           std::span<const std::string_view> hints)
{
    const OldOperators &old = m_graph.archive.oldOperators;
    if (!old.isOwn(m_frame.function)) {
        if (const FunctionDefinition *meaning = hints.size() == 1 ? old.functionFor(call) : nullptr)
            return {called(*meaning, std::move(call), position)};
        old.adapt(call, m_graph.builder, m_frame.origin(position), m_graph.archive.types);
    }
    normalize(m_graph.archive.context(), call);
    if (auto known = hints.size() == 1 ? m_graph.folder.known(call) : std::nullopt)
        return {std::move(*known)};
    if (!m_graph.archive.operators.isDefined(call.dialect, call.name))
        m_graph.archive.noteOnce(ir::Severity::Warning, "torchscript.operator",
                                 sanitized(call.dialect) + "::" + sanitized(call.name)
                                     + " is an operator that Cutaway does not know: the types of its results are not "
                                       "known");
    std::vector<Typed> results = append(std::move(call), position, hints);
    if (results.size() == 1 && hints.size() > 1)
        return unpack(std::move(results.front()), hints, position);
    results.resize(hints.size(), Typed{ir::None{}, m_graph.archive.none()});
    return results;
}

/// Appends a node and returns its results; an unknown operator has one result for each hint.
std::vector<Typed> OperatorLowering::append(OperatorCall call, Position position,
                                            std::span<const std::string_view> hints)
{
    const bool isOpaque = std::ranges::any_of(call.positional, [](const Typed &argument) {
        return argument.constant == Typed::Constant::No && !argument.operand.as<ir::ValueId>();
    });
    m_graph.folder.noteNumber(call);
    const auto castLevel = call.positional.empty() ? std::nullopt : call.positional[0].castLevel;
    ResolvedCall resolved = m_graph.archive.operators.resolve(std::move(call));
    if (!resolved.isKnown)
        resolved.results.resize(hints.size());
    const ir::NodeId node =
        m_graph.builder.append(m_frame.origin(position), resolved.op, std::move(resolved.arguments));
    if (isOpaque)
        m_graph.builder.setOpaque(node);
    if (castLevel)
        m_graph.builder.setCastLevel(node, *castLevel);
    std::vector<Typed> results;
    for (std::size_t i = 0; i < resolved.results.size(); ++i)
        results.push_back(m_graph.builder.addResult(node, resolved.results[i], i < hints.size() ? hints[i] : ""));
    return results;
}

/// Inlines a function of Cutaway's own instead of an operator, and returns its result.
Typed OperatorLowering::called(const FunctionDefinition &function, OperatorCall call, Position position)
{
    ExpressionLowering expressions(m_graph, m_frame);
    std::vector<Term> arguments(std::make_move_iterator(call.positional.begin()),
                                std::make_move_iterator(call.positional.end()));
    for (OperatorCall::Named &argument : call.named)
        arguments.emplace_back(std::move(argument.value));
    return expressions.asValue(
        CallLowering(m_graph, m_frame, expressions).inlined(function, std::move(arguments), position));
}

std::vector<Typed> OperatorLowering::unpack(Typed value, std::span<const std::string_view> hints, Position position)
{
    const auto *compound = std::get_if<ir::CompoundType>(&m_graph.archive.context().at(value.type));
    const bool isTuple = compound && compound->kind == ir::CompoundType::Kind::Tuple;
    const auto typeAt = [&](std::size_t i) {
        if (isTuple)
            return i < compound->elements.size() ? compound->elements[i] : ir::TypeId{};
        return compound && compound->kind == ir::CompoundType::Kind::List ? compound->elements[0] : ir::TypeId{};
    };
    std::vector<Typed> items;
    auto *list = std::get_if<ir::List>(&value.operand.v);
    if (list && list->items.size() == hints.size()) {
        for (std::size_t i = 0; i < hints.size(); ++i)
            items.push_back({std::move(list->items[i]), typeAt(i)});
        return items;
    }
    GraphBuilder &builder = m_graph.builder;
    const ir::NodeId node = builder.append(m_frame.origin(position), isTuple ? "TupleUnpack" : "ListUnpack",
                                           {builder.argument("", std::move(value.operand))});
    for (std::size_t i = 0; i < hints.size(); ++i)
        items.push_back(builder.addResult(node, typeAt(i), hints[i]));
    return items;
}

void OperatorLowering::fixList(Typed &value, const Facts &function, std::string_view name, Position position)
{
    auto *list = std::get_if<ir::List>(&value.operand.v);
    if (!list || list->kind != ir::List::Kind::List || function.isOnlyRead(name))
        return;
    std::vector<ir::Argument> arguments;
    for (ir::Operand &item : list->items)
        arguments.push_back(m_graph.builder.argument("", std::move(item)));
    GraphBuilder &builder = m_graph.builder;
    const ir::NodeId node = builder.append(m_frame.origin(position), "ListConstruct", std::move(arguments));
    if (value.constant == Typed::Constant::No)
        builder.setOpaque(node);
    Typed made = builder.addResult(node, value.seen, name);
    made.castLevel = value.castLevel;
    made.type = value.type;
    made.seen = value.seen;
    value = std::move(made);
}

} // namespace cutaway::formats::torchscript
