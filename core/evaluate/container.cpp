// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/rules.h"

#include <array>

namespace cutaway::evaluate {

namespace {

Answer construct(const Call &call)
{
    Values items;
    for (std::size_t i = 0; i < call.facts().inputCount(); ++i) {
        const Value *item = call.value(i);
        if (!item)
            return std::nullopt;
        items.push_back(*item);
    }
    return Values{Value(std::move(items))};
}

Answer unpack(const Call &call)
{
    const Value *list = call.value(0);
    const auto *items = list ? list->as<Values>() : nullptr;
    return items && items->size() == call.resultCount() ? Answer(*items) : std::nullopt;
}

Answer item(const Call &call)
{
    const Value *list = call.value(0);
    const auto *items = list ? list->as<Values>() : nullptr;
    const auto index = call.facts().integer(1);
    const auto place = items && index ? ops::dimension(*index, items->size()) : std::nullopt;
    return place ? Answer(Values{(*items)[*place]}) : std::nullopt;
}

/// The only element of a tensor as a number of the kind that is derived.
Answer number(const Call &call)
{
    const Array *array = call.array(0);
    if (!array || array->count() != 1)
        return std::nullopt;
    const bool isFloat = call.kind() == "float" || call.kind() == "floatimplicit"
        || (!array->isWhole() && call.kind() != "bool" && call.kind() != "isnonzero");
    if (isFloat && call.kind() != "int" && call.kind() != "intimplicit")
        return Values{Value(ops::Fact(ops::floatFact(floatsOf(*array).front())))};
    if (call.kind() == "bool" || call.kind() == "isnonzero" || array->dtype == ir::DType::Bool)
        return Values{Value(ops::Fact(ops::boolFact(floatsOf(*array).front() != 0)))};
    const auto whole = converted(*array, ir::DType::Int64);
    return whole ? Answer(Values{Value(ops::Fact(ops::intFact(whole->as<std::int64_t>()[0])))}) : std::nullopt;
}

constexpr auto containerRows = std::to_array<RuleRow>({
    {"listconstruct tupleconstruct", construct},
    {"listunpack tupleunpack", unpack},
    {"getitem", item},
    {"item localscalardense scalarimplicit int intimplicit float floatimplicit bool isnonzero", number},
});

} // namespace

std::span<const RuleRow> containerRules() { return containerRows; }

} // namespace cutaway::evaluate
