// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/patterns/match_replacement.h"

#include "core/ir/scope_tree.h"
#include "core/passes/patterns/match_places.h"
#include "core/passes/type_change.h"
#include "core/symbolic/evaluate.h"

#include <algorithm>
#include <ranges>

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

constexpr std::string_view otherTypes = "the results would be of other types";
constexpr std::string_view noNumber = "the graph after calculates with a capture that is no number";

} // namespace

/// Replaces the match. Returns "", or the reason why it stays.
std::string_view MatchReplacement::replace(const Pattern &pattern, const Match &match, NodeId next)
{
    m_rewriter.from(match.nodes);
    const std::vector<ValueId> results = resultsOf(pattern, match);
    Made made;
    std::string_view cause = make(pattern, match, next, made);
    std::vector<Operand> replacements;
    for (std::size_t i = 0; i < results.size() && cause.empty(); ++i) {
        const ValueId after = *pattern.after.outputs[i].value.as<ValueId>();
        replacements.push_back(made.values.at(after));
        cause = hasOtherType(results[i], replacements[i], made.facts[after]) ? otherTypes : cause;
    }
    if (!cause.empty()) {
        for (const NodeId node : made.nodes | std::views::reverse)
            m_rewriter.remove(node);
        return cause;
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        m_rewriter.replaceUses(results[i], replacements[i]);
        m_replaced.emplace(results[i], replacements[i]);
    }
    std::ranges::for_each(match.nodes, [this](NodeId node) { m_rewriter.remove(node); });
    return {};
}

bool MatchReplacement::hasOtherType(ValueId result, const Operand &replacement, const std::vector<ops::Fact> &facts)
{
    if (m_rewriter.useCount(result) == 0)
        return false;
    const ops::Fact before = m_rewriter.fact(result);
    const bool isNumber = !replacement.as<ValueId>(); // an input of the pattern may have matched a number
    return (isNumber && ops::asTensor(before)) || contradict(before, m_rewriter.fact(replacement))
        || std::ranges::any_of(facts, [&](const ops::Fact &fact) { return contradict(before, fact); });
}

std::string_view MatchReplacement::make(const Pattern &pattern, const Match &match, NodeId next, Made &made)
{
    const ir::Graph &after = pattern.after.graph;
    for (const ir::FunctionInput &input : pattern.after.inputs) {
        const ValueId value = *input.value.as<ValueId>();
        const auto same = std::ranges::find(pattern.before.inputs, after.at(value).name, [&](const auto &other) {
            return pattern.before.graph.at(*other.value.template as<ValueId>()).name;
        });
        made.values.emplace(value, current(match.values.at(*same->value.template as<ValueId>())));
    }
    for (const NodeRef node : ir::nodesOf(after)) {
        ir::NodeDraft draft{.op = node->op,
                            .name = nameOf(pattern, match, node),
                            .scope = scopeOf(match),
                            .location = m_rewriter.node(match.nodes.back())->location,
                            .arguments = {},
                            .origins = {},
                            .metadata = {}};
        for (const ir::Argument &argument : node->arguments) {
            auto operand = filled(argument.value, match, made);
            if (!operand)
                return noNumber;
            draft.arguments.push_back({argument.name, std::move(*operand)});
        }
        const NodeRef here = m_rewriter.insertBefore(next, std::move(draft));
        made.nodes.push_back(here);
        addResults(pattern, match, node, here, made);
    }
    return {};
}

/// Returns the operand that now stands for `operand`, as some matches have been replaced.
Operand MatchReplacement::current(const Operand &operand)
{
    return ir::withValues(operand, [this](ValueId value) -> Operand {
        const auto replaced = m_replaced.find(value);
        return replaced == m_replaced.end() ? Operand(value) : current(replaced->second);
    });
}

/// Returns an operand of the replacing graph, with the matched values and captures inserted.
std::optional<Operand> MatchReplacement::filled(const Operand &operand, const Match &match, const Made &made)
{
    if (const std::string *name = captureOf(operand))
        return match.captures.at(*name);
    if (const auto *value = operand.as<ValueId>())
        return made.values.at(*value);
    if (const auto *expr = operand.as<symbolic::Expr>())
        return calculated(*expr, match);
    const auto fill = [&](ir::RareList<Operand> &items) {
        for (Operand &item : items) {
            auto one = filled(item, match, made);
            if (!one)
                return false;
            item = std::move(*one);
        }
        return true;
    };
    Operand copy = operand;
    if (auto *list = std::get_if<ir::List>(&copy.v); list && !fill(list->items))
        return std::nullopt;
    if (auto *dict = std::get_if<ir::Dict>(&copy.v); dict && !fill(dict->items))
        return std::nullopt;
    return copy;
}

std::optional<Operand> MatchReplacement::calculated(const symbolic::Expr &expr, const Match &match)
{
    symbolic::Replacements known;
    for (const std::string &name : symbolic::symbolsOf(expr)) {
        const Operand &captured = match.captures.at(name);
        if (const auto *whole = captured.as<std::int64_t>())
            known.emplace(name, symbolic::Expr::integer(*whole));
        else if (const auto *real = captured.as<double>())
            known.emplace(name, symbolic::Expr::floating(*real));
        else if (const auto *size = captured.as<symbolic::Expr>())
            known.emplace(name, *size);
        else
            return std::nullopt;
    }
    const auto result = symbolic::replace(expr, known);
    if (!result)
        return std::nullopt;
    if (result->kind() == symbolic::Kind::Integer)
        return result->integerValue();
    if (result->kind() == symbolic::Kind::Float)
        return result->floatValue();
    return *result;
}

void MatchReplacement::addResults(const Pattern &pattern, const Match &match, const NodeRef &node, const NodeRef &here,
                                  Made &made)
{
    std::vector<std::optional<ValueId>> before;
    for (const ir::ValueRef output : node.outputs()) {
        before.push_back(resultFor(pattern, match, output));
        const std::string_view name =
            before.back() ? ir::ValueRef(m_rewriter.graph(), *before.back()).name() : output.name();
        made.values.emplace(output, m_rewriter.addOutput(here, ir::TypeId{}, std::string(name)));
    }
    const ops::Operator *row = m_rewriter.row(here);
    const ops::Facts facts = row && row->shape ? row->shape(m_rewriter.call(here)).facts : ops::Facts();
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        const ir::TypeId declared = declaredType(node.output(i), match);
        const ops::Fact derived = i < facts.size() ? facts[i] : ops::Fact();
        made.facts[node.output(i)] = {derived, ops::factOf(m_rewriter.context(), declared)};
        const ir::TypeId known = before[i] ? typeLike(*before[i], derived) : typeOf(derived);
        m_rewriter.setType(here.output(i), completed(declared, known));
    }
}

/// Returns the result of the match that `after`, a value of the pattern's second graph, replaces.
std::optional<ValueId> MatchReplacement::resultFor(const Pattern &pattern, const Match &match, ValueId after)
{
    const auto place = std::ranges::find(pattern.after.outputs, Operand(after), &ir::FunctionOutput::value);
    return place == pattern.after.outputs.end()
        ? std::nullopt
        : std::optional(resultsOf(pattern, match)[static_cast<std::size_t>(place - pattern.after.outputs.begin())]);
}

/// Returns the type for a new value that replaces `before`: the type that the file records of `before`, else the
/// derived type of the new value, else the derived type of `before`.
ir::TypeId MatchReplacement::typeLike(ValueId before, const ops::Fact &derived)
{
    if (const ir::TypeId recorded = m_rewriter.graph().at(before).type; recorded != ir::TypeId{})
        return recorded;
    const ir::TypeId type = typeOf(derived);
    return type != ir::TypeId{} ? type : typeOf(m_rewriter.fact(before));
}

/// Returns the type that the pattern declares, with the unknown parts taken from `known`.
ir::TypeId MatchReplacement::completed(ir::TypeId declared, ir::TypeId known)
{
    const auto *given = ir::tensorType(m_rewriter.context(), declared);
    const auto *other = ir::tensorType(m_rewriter.context(), known);
    if (declared == ir::TypeId{} || !given || !other)
        return declared == ir::TypeId{} ? known : declared;
    ir::TensorType type = *given;
    type.dtype = type.dtype ? type.dtype : other->dtype;
    type.shape = type.shape ? type.shape : other->shape;
    for (std::size_t d = 0; other->shape && other->shape->size() == type.shape->size() && d < type.shape->size(); ++d)
        if (!ops::isKnown((*type.shape)[d]))
            (*type.shape)[d] = (*other->shape)[d];
    return m_rewriter.context().type(type);
}

ir::TypeId MatchReplacement::typeOf(const ops::Fact &fact)
{
    if (const ops::TensorFact *tensor = ops::asTensor(fact)) {
        ir::TensorType type;
        type.dtype = tensor->dtype;
        type.shape = tensor->shape;
        return m_rewriter.context().type(type);
    }
    const auto *number = fact.as<ops::NumberFact>();
    return number ? m_rewriter.context().type(ir::NumberType{number->kind, {}}) : ir::TypeId{};
}

/// Returns the type that the pattern declares of a value, with the sizes that it has captured.
ir::TypeId MatchReplacement::declaredType(const ir::ValueRef &value, const Match &match)
{
    const ir::TensorType *tensor = value.tensorType();
    if (!tensor || !tensor->shape)
        return value->type;
    ir::TensorType type = *tensor;
    for (ir::Dim &dim : *type.shape) {
        const auto *expr = std::get_if<symbolic::Expr>(&dim);
        const auto size = expr ? calculated(*expr, match) : std::nullopt;
        if (const auto *whole = size ? size->as<std::int64_t>() : nullptr)
            dim = *whole;
        else if (const auto *formula = size ? size->as<symbolic::Expr>() : nullptr)
            dim = *formula;
        else if (expr)
            dim = ir::UnknownDim{};
    }
    return m_rewriter.context().type(type);
}

/// Returns the name for a new node: that of the old node whose result it makes.
ir::NameId MatchReplacement::nameOf(const Pattern &pattern, const Match &match, const NodeRef &node)
{
    for (const ir::ValueRef output : node.outputs())
        if (const auto before = resultFor(pattern, match, output))
            return m_rewriter.graph().at(std::get<ir::NodeResult>(m_rewriter.graph().at(*before).definition).node).name;
    return {};
}

/// Returns the innermost module call that contains all nodes of the match.
ir::ScopeId MatchReplacement::scopeOf(const Match &match)
{
    const ir::Context &context = m_rewriter.context();
    ir::ScopeId scope = m_rewriter.node(match.nodes.front())->scope;
    const auto hasAll = [&](ir::ScopeId wanted) {
        return std::ranges::all_of(
            match.nodes, [&](NodeId node) { return ir::isWithin(context, m_rewriter.node(node)->scope, wanted); });
    };
    while (scope != ir::ScopeId{} && !hasAll(scope))
        scope = context.at(scope).parent;
    return scope;
}

} // namespace cutaway::passes
