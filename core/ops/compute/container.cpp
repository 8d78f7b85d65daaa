// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/rules.h"

namespace cutaway::compute {

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

Answer listItem(const Call &call)
{
    const Value *list = call.value(0);
    const auto *items = list ? list->as<Values>() : nullptr;
    const auto index = call.facts().integer(1);
    const auto place = items && index ? ops::dimension(*index, items->size()) : std::nullopt;
    return place ? Answer(Values{(*items)[*place]}) : std::nullopt;
}

namespace {

/// The array, if it has one element.
const Array *single(const Call &call)
{
    const Array *array = call.array(0);
    return array && array->count() == 1 ? array : nullptr;
}

Answer answer(ops::NumberFact number) { return Values{Value(ops::Fact(std::move(number)))}; }

} // namespace

Answer toBool(const Call &call)
{
    const Array *array = single(call);
    return array ? answer(ops::boolFact(floatsOf(*array).front() != 0)) : std::nullopt;
}

Answer toFloat(const Call &call)
{
    const Array *array = single(call);
    return array ? answer(ops::floatFact(floatsOf(*array).front())) : std::nullopt;
}

Answer toInt(const Call &call)
{
    const Array *array = single(call);
    if (array && array->dtype == ir::DType::Bool)
        return toBool(call);
    const auto whole = array ? converted(*array, ir::DType::Int64) : std::nullopt;
    return whole ? answer(ops::intFact(whole->as<std::int64_t>()[0])) : std::nullopt;
}

Answer item(const Call &call)
{
    const Array *array = single(call);
    return array && !array->isWhole() ? toFloat(call) : toInt(call);
}

} // namespace cutaway::compute
