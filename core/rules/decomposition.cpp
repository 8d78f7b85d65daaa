// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/decomposition.h"

#include <algorithm>
#include <cassert>

namespace cutaway::rules::to_aten {

namespace {

using ir::Operand;

Operand operandOf(const ops::Fact &fact)
{
    if (const auto *number = fact.as<ops::NumberFact>()) {
        if (const auto *dim = std::get_if<ir::Dim>(&number->value); dim && ops::number(*dim))
            return *ops::number(*dim);
        if (const auto *real = std::get_if<double>(&number->value))
            return *real;
        if (const auto *flag = std::get_if<bool>(&number->value))
            return *flag;
        return {};
    }
    if (const auto *dtype = fact.as<ir::DType>())
        return *dtype;
    if (const auto *format = fact.as<ir::MemoryFormat>())
        return *format;
    if (const auto *list = fact.as<ops::SequenceFact>()) {
        ir::List items;
        for (const ops::Fact &item : list->each())
            items.items.push_back(operandOf(item));
        return items;
    }
    return {};
}

} // namespace

const ops::Operator &Decomposition::row()
{
    const ops::Operator *row = rewriter().row(node());
    assert(row);
    return *row;
}

bool Decomposition::widens(std::size_t steps)
{
    return m_intoCore && steps > 1 && row().pattern != ops::Pattern::Moving && row().pattern != ops::Pattern::Picking;
}

Term Decomposition::argument(std::string_view parameter)
{
    if (const Operand *given = rewriter().argument(node(), parameter))
        return term(*given);
    const ops::Signature *known = rewriter().signature(node()->op);
    if (!known)
        return term({});
    const auto declared = std::ranges::find(known->schema.arguments, parameter, &ops::SchemaArgument::name);
    if (declared == known->schema.arguments.end())
        return term({});
    return term(operandOf(known->defaults[static_cast<std::size_t>(declared - known->schema.arguments.begin())]));
}

std::string_view Decomposition::text(std::string_view parameter)
{
    const Operand given = argument(parameter);
    if (const auto *text = given.as<ir::String>())
        return rewriter().context().text(text->text);
    const auto *known = call()[parameter].as<ops::TextFact>();
    return known ? rewriter().context().text(rewriter().text(known->text)) : std::string_view();
}

std::optional<std::vector<std::int64_t>> Decomposition::integers(std::string_view parameter)
{
    const ops::Call given = call();
    if (const auto one = given[parameter].as<ops::NumberFact>() ? given.integer(parameter) : std::nullopt)
        return std::vector{*one};
    const auto sizes = given.sizes(parameter);
    std::vector<std::int64_t> numbers;
    for (const ir::Dim &dim : sizes.value_or(std::vector<ir::Dim>{})) {
        const auto number = ops::number(dim);
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return sizes ? std::optional(std::move(numbers)) : std::nullopt;
}

std::vector<Term> Decomposition::items(std::string_view parameter)
{
    const Operand given = argument(parameter);
    std::vector<Term> all;
    if (const auto *list = given.as<ir::List>())
        for (const Operand &item : list->items)
            all.push_back(term(item));
    return all;
}

Parts Decomposition::madeBy(MakeParts rule)
{
    Parts results = rule(*this);
    if (fits(results))
        return results;
    undo();
    return {};
}

bool Decomposition::fits(const Parts &results)
{
    if (!isComplete() || results.size() != node().outputCount())
        return false;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto expected = result(i), found = tensor(results[i]);
        const bool agrees = !expected || !found
            || (expected->dtype == found->dtype
                && std::ranges::equal(expected->shape, found->shape,
                                      [](const ir::Dim &a, const ir::Dim &b) { return !ops::isDifferent(a, b); }));
        if (results[i].as<ir::None>() ? !node().output(i)->uses.empty() : !agrees)
            return false;
    }
    return true;
}

std::string Decomposition::whyNot() const
{
    return reason().empty() ? "what they compute here is not certain" : reason();
}

} // namespace cutaway::rules::to_aten
