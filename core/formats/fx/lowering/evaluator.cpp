// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/lowering/evaluator.h"

#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/formats/limits.h"

#include <algorithm>
#include <cmath>

namespace cutaway::formats::fx {

std::optional<std::string> Evaluator::globalName(ExpressionId id) const
{
    std::string behind;
    const Expression *expression = &m_program.at(id);
    while (const auto *attribute = std::get_if<Attribute>(&expression->kind)) {
        behind.insert(0, "." + std::string(attribute->name));
        expression = &m_program.at(attribute->object);
    }
    const auto *name = std::get_if<Name>(&expression->kind);
    if (!name || m_names.contains(name->text))
        return std::nullopt;
    const auto found = m_imports ? m_imports->find(name->text) : Imports::const_iterator();
    return (m_imports && found != m_imports->end() ? found->second : std::string(name->text)) + behind;
}

Term Evaluator::evaluate(ExpressionId id)
{
    const GraphLowering::Level level(m_graph);
    m_graph.count(1);
    return std::visit(
        Overloaded{
            [&](const Literal &kind) { return literal(kind); },
            [&](const Name &kind) { return name(kind); },
            [&](const Attribute &kind) { return m_calls.attribute(evaluate(kind.object), kind.name); },
            [&](const Call &kind) { return call(kind); },
            [&](const Subscript &kind) { return m_calls.item(evaluate(kind.object), evaluate(kind.index)); },
            [&](const Slice &kind) { return slice(kind); },
            [&](const List &kind) { return items(kind.items, false); },
            [&](const Tuple &kind) { return items(kind.items, true); },
            [&](const Dict &kind) { return dict(kind); },
            [&](const Unary &kind) { return m_calls.unary(kind.op, evaluate(kind.operand)); },
            [&](const Binary &kind) { return binary(kind); },
            [&](const Choice &kind) {
                return evaluate(m_calls.isTrue(evaluate(kind.condition)) ? kind.then : kind.orElse);
            },
        },
        m_program.at(id).kind);
}

Term Evaluator::literal(const Literal &literal)
{
    return std::visit(Overloaded{
                          [&](const NoneLiteral &) { return m_calls.constant(ir::Operand()); },
                          [&](const EllipsisLiteral &) { return Term{EllipsisTerm{}}; },
                          [&](const StringLiteral &text) {
                              if (text.bytes.size() > limits::maxObjectNameLength)
                                  throw NotKnown("a text is very long");
                              return m_calls.constant(ir::String{m_graph.context().name(text.bytes)});
                          },
                          [&](const auto &number) { return m_calls.constant(number); },
                      },
                      literal);
}

Term Evaluator::name(const Name &name)
{
    if (const Term *known = find(name.text)) {
        m_graph.count(extentOf(*known));
        return *known;
    }
    const auto found = m_imports ? m_imports->find(name.text) : Imports::const_iterator();
    return {GlobalTerm{m_imports && found != m_imports->end() ? found->second : std::string(name.text)}};
}

GivenArguments Evaluator::arguments(const Call &call, std::size_t from)
{
    GivenArguments given;
    for (std::size_t i = from; i < call.arguments.size(); ++i) {
        const Argument &argument = call.arguments[i];
        Term value = evaluate(argument.value);
        if (argument.keyword.empty())
            given.positional.push_back(std::move(value));
        else
            given.named.emplace_back(argument.keyword, std::move(value));
    }
    return given;
}

Term Evaluator::call(const Call &call)
{
    const auto *attribute = std::get_if<Attribute>(&m_program.at(call.callee).kind);
    if (const auto global = globalName(call.callee)) {
        const GivenArguments given = arguments(call);
        if (auto own = m_imports ? std::nullopt : ownFunction(*global, given))
            return std::move(*own);
        return m_calls.function(*global, given);
    }
    if (!attribute) {
        const Term callee = evaluate(call.callee);
        if (const auto *module = callee.as<ModuleTerm>())
            return m_calls.module(*module, arguments(call));
        throw NotKnown("a value is called");
    }
    const Term object = evaluate(attribute->object);
    if (const auto *module = object.as<ModuleTerm>()) {
        const auto &attributes = m_graph.saved.at(module->saved).attributes;
        const auto found = attributes.find(attribute->name);
        if (found != attributes.end() && std::holds_alternative<SavedId>(found->second)) {
            const Term child = m_calls.attribute(object, attribute->name);
            return m_calls.module(*child.as<ModuleTerm>(), arguments(call));
        }
    }
    return m_calls.method(object, attribute->name, arguments(call));
}

/// Calls a function that the library's language has in addition to Python's; nothing if `name` is none of them.
std::optional<Term> Evaluator::ownFunction(std::string_view name, const GivenArguments &given)
{
    const auto &values = given.positional;
    if (name == "require") {
        if (!m_calls.isTrue(values.at(0)))
            throw NotKnown(std::string(textOf(m_graph.context(), values.at(1)).value_or("")));
        return values[0];
    }
    if (name == "is_list") {
        const auto *typed = values.at(0).as<Typed>();
        return m_calls.constant(values[0].as<ItemsTerm>() || (typed && m_graph.types.compoundAt(typed->type)));
    }
    if (name == "cutaway.sqrt")
        return m_calls.constant(std::sqrt(static_cast<double>(integerOf(values.at(0)).value_or(1))));
    if (name == "repeated") {
        const std::int64_t count = std::clamp<std::int64_t>(integerOf(values.at(1)).value_or(0), 0, 1000);
        return m_calls.items(std::vector(static_cast<std::size_t>(count), values[0]), false);
    }
    if (name.starts_with("aten."))
        return m_graph.operators.call("aten", name.substr(5), given);
    if (name.starts_with("prim."))
        return m_graph.operators.callOverload("prim", name.substr(5), "", given);
    return std::nullopt;
}

Term Evaluator::slice(const Slice &slice)
{
    std::vector<Term> parts;
    for (const auto &part : {slice.start, slice.stop, slice.step})
        parts.push_back(part ? evaluate(*part) : m_calls.constant(ir::Operand()));
    return m_calls.slice(std::move(parts));
}

Term Evaluator::items(const std::vector<ExpressionId> &items, bool isTuple)
{
    std::vector<Term> terms;
    for (const ExpressionId item : items)
        terms.push_back(evaluate(item));
    return m_calls.items(std::move(terms), isTuple);
}

Term Evaluator::dict(const Dict &dict)
{
    DictTerm made;
    for (const auto &[key, value] : dict.entries) {
        made.entries.emplace_back(evaluate(key), evaluate(value));
        const Extent first = extentOf(made.entries.back().first), second = extentOf(made.entries.back().second);
        made.extent = {made.extent.size + first.size + second.size,
                       std::max({made.extent.depth, first.depth + 1, second.depth + 1})};
    }
    m_graph.count(made.extent);
    return {std::move(made)};
}

Term Evaluator::binary(const Binary &binary)
{
    Term left = evaluate(binary.left);
    if (binary.op == "and")
        return m_calls.isTrue(left) ? evaluate(binary.right) : std::move(left);
    if (binary.op == "or")
        return m_calls.isTrue(left) ? std::move(left) : evaluate(binary.right);
    return m_calls.binary(binary.op, left, evaluate(binary.right));
}

void Evaluator::bindParameters(const Function &function, const GivenArguments &given, std::size_t skipped)
{
    std::size_t next = 0, namedUsed = 0;
    for (std::size_t i = skipped; i < function.parameters.size(); ++i) {
        const Parameter &parameter = function.parameters[i];
        if (parameter.stars == 1) {
            bind(parameter.name,
                 m_calls.items({given.positional.begin() + static_cast<std::ptrdiff_t>(next), given.positional.end()},
                               true));
            next = given.positional.size();
            continue;
        }
        const auto named = std::ranges::find(given.named, parameter.name, &std::pair<std::string, Term>::first);
        if (parameter.stars == 0 && next < given.positional.size()) {
            bind(parameter.name, given.positional[next++]);
        } else if (parameter.stars == 0 && named != given.named.end()) {
            bind(parameter.name, named->second);
            ++namedUsed;
        } else if (parameter.value) {
            bind(parameter.name, evaluate(*parameter.value));
        } else {
            throw NotKnown("the argument '" + sanitized(parameter.name) + "' is not given");
        }
    }
    if (next != given.positional.size() || namedUsed != given.named.size())
        throw NotKnown("more is given than '" + sanitized(function.name) + "' is known to take");
}

} // namespace cutaway::formats::fx
