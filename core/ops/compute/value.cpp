// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/value.h"

#include "core/base/overloaded.h"
#include "core/ops/compute/memory.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/facts/promotion.h"

#include <algorithm>

namespace cutaway::compute {

namespace {

// Shape rules follow floats only as factors of sizes, so only tensors of few floats are worth copying.
constexpr std::size_t maxFloats = 16;

ops::Fact factOfArray(const Array &array)
{
    ops::TensorFact fact = ops::tensorFact(array.dtype, ir::Shape(array.shape.begin(), array.shape.end()));
    if (array.lies)
        fact.strides = array.lies->strides;
    const bool isDouble = array.dtype == ir::DType::Float32 || array.dtype == ir::DType::Float64;
    if (array.count() > (array.isWhole() ? ops::maxTrackedElements : isDouble ? maxFloats : 0))
        return fact;
    std::vector<ir::Dim> elements;
    if (array.isWhole())
        elements.assign(array.as<std::int64_t>().begin(), array.as<std::int64_t>().end());
    else
        for (const double x : array.as<double>())
            elements.emplace_back(symbolic::Expr::floating(x));
    fact.elements = std::move(elements);
    return fact;
}

bool isKnown(const ops::NumberFact &number)
{
    if (const auto *dim = std::get_if<ir::Dim>(&number.value))
        return ops::number(*dim).has_value() || (number.kind == ops::NumberFact::Kind::Float && ops::asFloat(number));
    return !std::holds_alternative<std::monostate>(number.value);
}

std::optional<Value> valueOfList(const ops::SequenceFact &list)
{
    if (!list.items())
        return std::nullopt;
    Values items;
    for (const ops::Fact &item : *list.items()) {
        auto value = valueOf(item);
        if (!value)
            return std::nullopt;
        items.push_back(std::move(*value));
    }
    if (std::ranges::any_of(items, [](const Value &item) { return !item.as<ops::Fact>(); }))
        return items;
    return Value(ops::Fact(list));
}

std::optional<Value> valueOfTensor(const ops::TensorFact &tensor)
{
    if (tensor.dtype == ir::DType::String && tensor.texts)
        return Value(ops::Fact(tensor));
    if (!tensor.elements || !tensor.dtype || !tensor.shape || !isComputable(*tensor.dtype)
        || ir::isFloat(*tensor.dtype))
        return std::nullopt;
    Array array{*tensor.dtype, {}, {}};
    std::vector<std::int64_t> elements;
    for (const ir::Dim &dim : *tensor.shape)
        array.shape.push_back(ops::number(dim).value_or(-1));
    for (const ir::Dim &element : *tensor.elements) {
        const auto number = ops::number(element);
        if (!number)
            return std::nullopt;
        elements.push_back(ir::wrapped(array.dtype, *number));
    }
    array.elements = std::move(elements);
    return std::ranges::contains(array.shape, -1) ? std::nullopt : std::optional<Value>(std::move(array));
}

} // namespace

ops::Fact factOf(const Value &value)
{
    return std::visit(Overloaded{[](const ops::Fact &fact) { return fact; },
                                 [](const Array &array) { return factOfArray(array); },
                                 [](const Values &items) -> ops::Fact {
                                     std::vector<ops::Fact> facts;
                                     std::ranges::transform(items, std::back_inserter(facts), factOf);
                                     return ops::listFact(std::move(facts));
                                 }},
                      value.v);
}

std::optional<Value> valueOf(const ops::Fact &fact)
{
    return std::visit(Overloaded{[](const ops::TensorFact &tensor) { return valueOfTensor(tensor); },
                                 [](const ops::SequenceFact &list) { return valueOfList(list); },
                                 [&](const ops::NumberFact &number) {
                                     return isKnown(number) ? std::optional<Value>(fact) : std::nullopt;
                                 },
                                 [](const ops::AnyFact &) -> std::optional<Value> { return std::nullopt; },
                                 [](const ops::MaybeFact &) -> std::optional<Value> { return std::nullopt; },
                                 [](const ops::DictFact &) -> std::optional<Value> { return std::nullopt; },
                                 [](ir::ModuleId) -> std::optional<Value> { return std::nullopt; },
                                 [](const ops::ObjectFact &) -> std::optional<Value> { return std::nullopt; },
                                 [&](const auto &) -> std::optional<Value> { return fact; }},
                      fact.v);
}

std::optional<Array> arrayOf(const ops::NumberFact &number)
{
    using Kind = ops::NumberFact::Kind;
    if (number.kind == Kind::Bool)
        if (const auto isSet = ops::asBool(number))
            return Array{ir::DType::Bool, {}, std::vector<std::int64_t>{*isSet ? 1 : 0}};
    if (number.kind == Kind::Int)
        if (const auto size = ops::asInt(number); size && ops::number(*size))
            return Array{ir::DType::Int64, {}, std::vector{*ops::number(*size)}};
    if (number.kind == Kind::Float)
        if (const auto x = ops::asFloat(number))
            return Array{ir::DType::Float64, {}, std::vector{*x}};
    return std::nullopt;
}

} // namespace cutaway::compute
