// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/lowering/operator_calls.h"

#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/formats/python/torch_arguments.h"
#include "core/ops/schemas/schema_table.h"

#include <algorithm>

namespace cutaway::formats::fx {

using ops::SchemaType;

const std::vector<ops::Schema> &OperatorCalls::schemas(std::string_view dialect, std::string_view name)
{
    std::pair key{std::string(dialect), std::string(name)};
    if (const auto known = m_schemas.find(key); known != m_schemas.end())
        return known->second;
    return m_schemas.emplace(std::move(key), ops::schemasOf(dialect, name)).first->second;
}

Term OperatorCalls::term(const ir::Operand &operand)
{
    if (const auto *list = operand.as<ir::List>()) {
        ItemsTerm items{{}, list->kind == ir::List::Kind::Tuple};
        for (const ir::Operand &item : list->items)
            items.items.push_back(term(item));
        items.extent = extentAround(items.items);
        return {std::move(items)};
    }
    if (const auto *tensor = operand.as<ir::TensorId>())
        return {m_builder.weight(*tensor)};
    return {Typed{operand, m_types.ofConstant(operand)}};
}

Typed OperatorCalls::items(const ItemsTerm &term)
{
    ir::List list{{}, term.isTuple ? ir::List::Kind::Tuple : ir::List::Kind::List};
    std::vector<ir::TypeId> types;
    for (const Term &item : term.items) {
        Typed typed = value(item);
        list.items.push_back(std::move(typed.operand));
        types.push_back(typed.type);
    }
    const ir::TypeId type = term.isTuple && !types.empty()
        ? m_types.compound(ir::CompoundType::Kind::Tuple, std::move(types))
        : m_types.listOf(types);
    return {std::move(list), type};
}

Typed OperatorCalls::value(const Term &term)
{
    return std::visit(Overloaded{
                          [](const Typed &typed) { return typed; },
                          [&](const ItemsTerm &list) { return items(list); },
                          [&](const GlobalTerm &global) -> Typed {
                              const auto constant = python::constantNamed(global.name);
                              if (!constant)
                                  throw NotKnown("'" + sanitized(global.name) + "' is no value that is known");
                              return {*constant, m_types.ofConstant(*constant)};
                          },
                          [](const ModuleTerm &) -> Typed { throw NotKnown("a module is given as a value"); },
                          [](const DictTerm &) -> Typed { throw NotKnown("a dict is given as a value"); },
                          [](const SliceTerm &) -> Typed { throw NotKnown("a slice is given as a value"); },
                          [](const EllipsisTerm &) -> Typed { throw NotKnown("an ellipsis is given as a value"); },
                      },
                      term.is);
}

OperatorCalls::Call OperatorCalls::prepared(std::string_view dialect, std::string_view name,
                                            const GivenArguments &given)
{
    Call call{dialect, name, {}, {}};
    for (const Term &term : given.positional)
        call.positional.push_back(value(term));
    for (const auto &[keyword, term] : given.named)
        call.named.emplace_back(python::schemaKeyword(schemas(dialect, name), keyword), value(term));
    return call;
}

std::optional<ops::OverloadMatch> OperatorCalls::match(const Call &call, const std::vector<ops::Schema> &candidates,
                                                       bool isLenient)
{
    const ir::TypeId boolean = m_types.number(ir::NumberType::Kind::Bool);
    const auto typeOf = [&](const Typed &typed) {
        if (isLenient && typed.type == ir::TypeId{})
            return SchemaType::plain("Tensor"); // a value of unknown type is usually a tensor
        return isLenient && typed.type == boolean ? SchemaType::plain("int") : m_types.schemaType(typed.type);
    };
    ops::CallTypes types;
    for (const Typed &typed : call.positional)
        types.positional.push_back(typeOf(typed));
    for (const auto &[keyword, typed] : call.named)
        types.named.push_back({keyword, typeOf(typed)});
    return ops::matchOverload(candidates, types);
}

Term OperatorCalls::call(std::string_view dialect, std::string_view name, const GivenArguments &given)
{
    const auto &candidates = schemas(dialect, name);
    const Call call = prepared(dialect, name, given);
    auto found = match(call, candidates, false);
    if (!found)
        found = match(call, candidates, true); // like Python, accepts True where a number is expected
    if (!found)
        throw NotKnown("no overload of " + sanitized(dialect) + "::" + sanitized(name) + " takes what is given");
    return made(call, candidates[found->candidate], found->sources, found->returns);
}

Term OperatorCalls::callOverload(std::string_view dialect, std::string_view name, std::string_view overload,
                                 const GivenArguments &given)
{
    const auto &candidates = schemas(dialect, name);
    const auto found = std::ranges::find(candidates, overload, &ops::Schema::overload);
    if (found == candidates.end())
        throw NotKnown("there is no operator " + sanitized(dialect) + "::" + sanitized(name) + "."
                       + sanitized(overload));
    const ops::Schema &schema = *found;
    const Call call = prepared(dialect, name, given);
    std::vector<ops::ArgumentSource> sources(schema.arguments.size(), ops::DefaultUsed{});
    std::size_t used = 0;
    for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
        const auto named =
            std::ranges::find(call.named, schema.arguments[i].name, &std::pair<std::string, Typed>::first);
        if (i < call.positional.size()) {
            sources[i] = ops::PositionalGiven{i};
            ++used;
        } else if (named != call.named.end()) {
            sources[i] = ops::NamedGiven{static_cast<std::size_t>(named - call.named.begin())};
            ++used;
        }
    }
    if (used != call.positional.size() + call.named.size())
        throw NotKnown("the operator " + sanitized(name) + " does not take what is given");
    std::vector<SchemaType> returns;
    for (const ops::SchemaArgument &result : schema.returns)
        returns.push_back(result.type);
    return made(call, schema, sources, returns);
}

Term OperatorCalls::made(const Call &call, const ops::Schema &schema, const std::vector<ops::ArgumentSource> &sources,
                         const std::vector<SchemaType> &returns)
{
    std::vector<ir::Argument> arguments;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        ir::Operand operand;
        if (const auto *positional = std::get_if<ops::PositionalGiven>(&sources[i])) {
            operand = call.positional[positional->index].operand;
        } else if (const auto *named = std::get_if<ops::NamedGiven>(&sources[i])) {
            operand = call.named[named->index].second.operand;
        } else if (const auto *gathered = std::get_if<ops::PositionalsGathered>(&sources[i])) {
            ir::List list;
            for (std::size_t at = gathered->first; at < call.positional.size(); ++at)
                list.items.push_back(call.positional[at].operand);
            operand = std::move(list);
        } else {
            continue;
        }
        arguments.push_back(
            m_builder.argument(schema.arguments[i].name, python::fitted(std::move(operand), schema.arguments[i].type)));
    }
    const ir::NodeId node =
        m_builder.append(m_context.op(call.dialect, call.name, schema.overload), std::move(arguments));
    std::vector<Term> results;
    for (const SchemaType &type : returns)
        results.push_back({m_builder.addResult(node, m_types.of(type))});
    if (results.size() == 1)
        return std::move(results.front());
    if (results.empty())
        return {Typed{ir::None{}, m_types.plain(ir::PlainType::Kind::None)}};
    ItemsTerm tuple{std::move(results), true};
    tuple.extent = extentAround(tuple.items);
    for (const ops::SchemaArgument &result : schema.returns)
        tuple.fields.emplace_back(result.name);
    return {std::move(tuple)};
}

Term OperatorCalls::opaque(std::string_view dialect, std::string_view name, const GivenArguments &given)
{
    std::vector<ir::Argument> arguments;
    const auto operandOf = [&](const Term &term) -> ir::Operand {
        try {
            return value(term).operand;
        } catch (const NotKnown &) {
            if (const auto *global = term.as<GlobalTerm>())
                return ir::String{m_context.name(global->name)};
            return {};
        }
    };
    for (const Term &term : given.positional)
        arguments.push_back({{}, operandOf(term)});
    for (const auto &[keyword, term] : given.named)
        arguments.push_back(m_builder.argument(keyword, operandOf(term)));
    const ir::NodeId node = m_builder.append(m_context.op(dialect, name), std::move(arguments));
    return {m_builder.addResult(node, {})};
}

} // namespace cutaway::formats::fx
