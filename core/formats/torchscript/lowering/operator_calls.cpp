// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/operator_calls.h"

#include "core/ir/node_ref.h"
#include "core/ops/operator.h"
#include "core/ops/schemas/schema_table.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::torchscript {

namespace {

using ops::SchemaType;

const SchemaType &withoutOptional(const SchemaType &type)
{
    return type.kind == SchemaType::Kind::Optional ? type.elements[0] : type;
}

bool isContainer(const SchemaType &type)
{
    return type.kind == SchemaType::Kind::List || type.kind == SchemaType::Kind::Generic
        || type.kind == SchemaType::Kind::Variable;
}

/// Returns the enumerator with a number, or the number if there is none.
template <class Enum>
ir::Operand named(const ir::Operand &operand, std::optional<Enum> (*fromNumber)(std::int64_t, ir::Numbering))
{
    const auto *number = operand.as<std::int64_t>();
    const auto known = number ? fromNumber(*number, ir::Numbering::C10) : std::nullopt;
    return known ? ir::Operand(*known) : operand;
}

bool acts(std::string_view dialect, std::string_view name, bool hasNoSchema)
{
    // These operators run or await other code, or have effects that this graph does not show.
    static constexpr std::array others{"CallMethod", "CallFunction", "fork",         "awaitable",      "wait",
                                       "save",       "manual_seed",  "AddStatValue", "awaitable_wait", "TimePoint"};
    if (std::ranges::contains(others, name))
        return true;
    const ops::Operator *row = ops::findOperator(dialect, name);
    if (row && (dialect == "prim" || row->traits.effect == ops::Effect::Acts)) // few operators of prim have a schema
        return row->traits.effect == ops::Effect::Acts;
    return hasNoSchema;
}

} // namespace

const std::vector<ops::Schema> &OperatorCalls::schemas(std::string_view dialect, std::string_view name)
{
    const auto known = m_schemas.find(std::pair(dialect, name));
    if (known != m_schemas.end())
        return known->second;
    return m_schemas.emplace(std::pair(dialect, name), ops::schemasOf(dialect, name)).first->second;
}

bool OperatorCalls::changesContainers(std::string_view dialect, std::string_view name)
{
    const auto isChanged = [](const ops::SchemaArgument &argument) {
        const SchemaType &type = withoutOptional(argument.type);
        // "(c -> *)" puts the argument into some container. A returned list, or a part of it, can be changed there.
        return (type.isWritten() && isContainer(type)) || (type.alias && type.alias->contains('*'));
    };
    const auto &candidates = schemas(dialect, name);
    return candidates.empty() || std::ranges::any_of(candidates, [&](const ops::Schema &schema) {
               return std::ranges::any_of(schema.arguments, isChanged);
           });
}

bool OperatorCalls::isDefined(std::string_view dialect, std::string_view name)
{
    return dialect == "prim" || !schemas(dialect, name).empty() || ops::findOperator(dialect, name);
}

const OperatorEffects &OperatorCalls::effectsOf(const ir::NodeRef &node)
{
    const auto known = m_effects.find(node->op);
    return known != m_effects.end() ? known->second : m_effects.emplace(node->op, findEffects(node)).first->second;
}

OperatorEffects OperatorCalls::findEffects(const ir::NodeRef &node)
{
    const auto &overloads = schemas(node.dialect(), node.opName());
    const auto schema = std::ranges::find(overloads, node.overload(), &ops::Schema::overload);
    const auto hasAlias = [](const auto &value) { return value.type.alias.has_value(); };
    const auto isWritten = [](const ops::SchemaArgument &argument) {
        // `out` parameters are not counted: they have overloads of their own.
        return argument.type.isWritten() && !argument.keywordOnly;
    };
    OperatorEffects effects{.acts = acts(node.dialect(), node.opName(), overloads.empty())};
    effects.mayWrite = std::ranges::any_of(
        overloads, [&](const ops::Schema &overload) { return std::ranges::any_of(overload.arguments, isWritten); });
    if (schema == overloads.end())
        return effects;
    effects.schema = &*schema;
    effects.hasAliases =
        std::ranges::any_of(schema->arguments, hasAlias) || std::ranges::any_of(schema->returns, hasAlias);
    return effects;
}

ResolvedCall OperatorCalls::resolve(OperatorCall call)
{
    const Answer &found = answer(call);
    ResolvedCall resolved{found.op, {}, found.results, found.isKnown};
    struct Take {
        OperatorCall &call;
        ir::Operand operator()(const ops::PositionalGiven &given) const
        {
            return std::move(call.positional[given.index].operand);
        }
        ir::Operand operator()(const ops::PositionalsGathered &given) const
        {
            ir::List list;
            for (std::size_t i = given.first; i < call.positional.size(); ++i)
                list.items.push_back(std::move(call.positional[i].operand));
            return list;
        }
        ir::Operand operator()(const ops::NamedGiven &given) const
        {
            return std::move(call.named[given.index].value.operand);
        }
        ir::Operand operator()(const ops::DefaultUsed &) const { return {}; }
    };
    for (const Slot &slot : found.slots) {
        ir::Operand operand = std::visit(Take{call}, slot.source);
        if (slot.meaning == Meaning::DType)
            operand = named(operand, ir::dtypeFromNumber);
        else if (slot.meaning == Meaning::Layout)
            operand = named(operand, ir::layoutFromNumber);
        else if (slot.meaning == Meaning::MemoryFormat)
            operand = named(operand, ir::memoryFormatFromNumber);
        resolved.arguments.push_back({slot.name, std::move(operand)});
    }
    for (std::size_t i = found.positionalUsed; i < call.positional.size(); ++i)
        resolved.arguments.push_back({{}, std::move(call.positional[i].operand)});
    return resolved;
}

OperatorCalls::Key OperatorCalls::keyOf(const OperatorCall &call)
{
    Key key{m_context.op(call.dialect, call.name).index, static_cast<std::uint32_t>(call.positional.size())};
    for (const Typed &value : call.positional)
        key.push_back(value.type.index);
    for (const OperatorCall::Named &value : call.named) {
        key.push_back(m_context.name(value.name).index);
        key.push_back(value.value.type.index);
    }
    return key;
}

const OperatorCalls::Answer &OperatorCalls::answer(const OperatorCall &call)
{
    Key key = keyOf(call);
    const auto known = m_answers.find(key);
    return known != m_answers.end() ? known->second : m_answers.emplace(std::move(key), match(call)).first->second;
}

OperatorCalls::Answer OperatorCalls::match(const OperatorCall &call)
{
    const auto &candidates = schemas(call.dialect, call.name);
    ops::CallTypes types;
    for (const Typed &value : call.positional)
        types.positional.push_back(m_types.schemaType(value.type));
    for (const OperatorCall::Named &value : call.named)
        types.named.push_back({value.name, m_types.schemaType(value.value.type)});
    const auto match = matchOverload(candidates, types);
    if (!match)
        return byPosition(call, candidates);
    const ops::Schema &schema = candidates[match->candidate];
    Answer answer{m_context.op(call.dialect, call.name, schema.overload), {}, {}, 0, !schema.moreReturns};
    for (std::size_t i = 0; i < match->sources.size(); ++i) {
        const ops::ArgumentSource &source = match->sources[i];
        if (!std::holds_alternative<ops::DefaultUsed>(source))
            answer.slots.push_back(slot(schema.arguments[i], source));
        if (std::holds_alternative<ops::PositionalGiven>(source))
            ++answer.positionalUsed;
        else if (std::holds_alternative<ops::PositionalsGathered>(source))
            answer.positionalUsed = call.positional.size();
    }
    for (const SchemaType &type : match->returns)
        answer.results.push_back(m_types.of(type));
    return answer;
}

/// Resolves a call that no schema fits. A positional argument gets a name only if all overloads have the same name at
/// its position.
OperatorCalls::Answer OperatorCalls::byPosition(const OperatorCall &call, const std::vector<ops::Schema> &candidates)
{
    Answer answer{m_context.op(call.dialect, call.name), {}, {}, call.positional.size(), false};
    for (std::size_t i = 0; i < call.positional.size(); ++i) {
        const auto agrees = [&](const ops::Schema &schema) {
            return i < schema.arguments.size() && schema.arguments[i].name == candidates[0].arguments[i].name;
        };
        const bool isNamed =
            !candidates.empty() && i < candidates[0].arguments.size() && std::ranges::all_of(candidates, agrees);
        answer.slots.push_back(
            {isNamed ? m_context.name(candidates[0].arguments[i].name) : ir::NameId{}, ops::PositionalGiven{i}});
    }
    for (std::size_t i = 0; i < call.named.size(); ++i)
        answer.slots.push_back({m_context.name(call.named[i].name), ops::NamedGiven{i}});
    return answer;
}

OperatorCalls::Slot OperatorCalls::slot(const ops::SchemaArgument &argument, ops::ArgumentSource source)
{
    const std::string_view type = withoutOptional(argument.type).name;
    const bool isInt = type == "int";
    Meaning meaning = Meaning::Plain;
    if (type == "ScalarType" || (isInt && argument.name == "dtype"))
        meaning = Meaning::DType;
    else if (type == "Layout" || (isInt && argument.name == "layout"))
        meaning = Meaning::Layout;
    else if (type == "MemoryFormat" || (isInt && argument.name == "memory_format"))
        meaning = Meaning::MemoryFormat;
    return {m_context.name(argument.name), source, meaning};
}

} // namespace cutaway::formats::torchscript
