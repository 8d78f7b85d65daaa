// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/derived_elements.h"

#include "core/ops/compute/call.h"
#include "core/ops/facts/number_arithmetic.h"
#include "core/ops/tensor/creation.h"

#include <algorithm>
#include <cmath>
#include <forward_list>

namespace cutaway::compute {

namespace {

using ops::Fact;
using ops::NumberFact;
using ops::TensorFact;

/// Whether shape rules follow the elements of tensors of this dtype.
bool isFollowed(ir::DType dtype)
{
    const bool isFloat = dtype == ir::DType::Float32 || dtype == ir::DType::Float64;
    const bool isWhole = dtype <= ir::DType::Int64 && dtype != ir::DType::UInt64;
    return isFloat || isWhole;
}

bool knowsElement(const TensorFact &tensor)
{
    return tensor.elements && (tensor.elements->empty() || std::ranges::any_of(*tensor.elements, ops::isKnown));
}

/// Whether the fact is that of a small tensor of which only the elements are unknown, or of a number of unknown value.
bool lacksValue(const Fact &fact)
{
    if (const auto *number = fact.as<NumberFact>())
        return std::holds_alternative<std::monostate>(number->value);
    const auto *tensor = fact.as<TensorFact>();
    if (!tensor || knowsElement(*tensor) || !tensor->shape || !tensor->dtype || !isFollowed(*tensor->dtype))
        return false;
    const auto isNumber = [](const ir::Dim &dim) { return ops::number(dim).has_value(); };
    const auto count = std::ranges::all_of(*tensor->shape, isNumber) ? ir::elementCount(*tensor->shape) : std::nullopt;
    return count && *count >= 0 && *count <= static_cast<std::int64_t>(ops::maxTrackedElements);
}

bool hasUnknownTensor(const Fact &fact)
{
    bool any = false;
    ops::forEachTensor(fact, [&](const TensorFact &tensor) { any = any || !tensor.elements; });
    return any;
}

template <class T, class Read>
std::optional<std::vector<T>> readAll(const std::vector<ir::Dim> &elements, const Read &read)
{
    std::vector<T> all;
    for (const ir::Dim &element : elements) {
        const auto value = read(element);
        if (!value)
            return std::nullopt;
        all.push_back(*value);
    }
    return all;
}

std::optional<Value> valueOfTracked(const TensorFact &tensor)
{
    const bool isFloat = tensor.dtype && ir::isFloat(*tensor.dtype);
    if (!isFloat || !tensor.elements || !tensor.shape || !isFollowed(*tensor.dtype))
        return valueOf(Fact(tensor));
    auto sizes = readAll<std::int64_t>(*tensor.shape, ops::number);
    auto elements = readAll<double>(*tensor.elements, ops::floating);
    if (!sizes || !elements)
        return std::nullopt;
    return Array{*tensor.dtype, std::move(*sizes), std::move(*elements)};
}

/// Like valueOf(), also for tensors of floats.
std::optional<Value> knownValue(const Fact &fact)
{
    if (const auto *tensor = fact.as<TensorFact>())
        return valueOfTracked(*tensor);
    const auto *list = fact.as<ops::SequenceFact>();
    const auto isTensor = [](const Fact &item) { return item.as<TensorFact>() != nullptr; };
    if (!list || !list->items() || !std::ranges::any_of(list->each(), isTensor))
        return valueOf(fact);
    Values items;
    for (const Fact &item : list->each()) {
        auto value = knownValue(item);
        if (!value)
            return std::nullopt;
        items.push_back(std::move(*value));
    }
    return items;
}

/// The values of a node's operands, as long as the call lasts.
class Operands {
public:
    Operands(const ir::NodeRef &node, const ops::FactSource &source) : m_node(node), m_source(source) { }

    const Value *of(const ir::Operand &operand)
    {
        auto value = knownValue(ops::factOf(m_node.graph().context(), m_source, operand));
        if (!value)
            return nullptr;
        const auto *array = value->as<Array>();
        m_areWhole = m_areWhole && (!array || array->isWhole());
        return &m_values.emplace_front(std::move(*value));
    }
    bool areWhole() const { return m_areWhole; }

private:
    const ir::NodeRef m_node;
    const ops::FactSource &m_source;
    std::forward_list<Value> m_values;
    bool m_areWhole = true; ///< whether all tensors that were asked for have integers
};

/// Whether every library computes the same floats as the compute rule.
bool hasOneAnswer(const ops::Operator &row, const ops::Call &call)
{
    using enum ops::Pattern;
    if (row.traits.roundsOnce)
        return !call.has("alpha") || call.integer("alpha") == 1;
    // A row that computes, and so rounds, new elements has a cost: window functions and ranges.
    const bool isGiven = row.pattern == Creating && !row.cost;
    return row.traits.keepsElements || row.pattern == Moving || row.pattern == Picking || isGiven;
}

/// Whether all elements are small integers, whose sums and products are exact.
bool areSmallIntegers(const Value &value)
{
    const auto *array = value.as<Array>();
    const auto isSmall = [](double x) { return std::trunc(x) == x && std::fabs(x) < 0x1p24; };
    return array && !array->isWhole() && std::ranges::all_of(array->as<double>(), isSmall);
}

/// Returns the results with tensors of float64 for floats of Python, because compute rules give tensors.
ops::Facts asTensors(const ops::Facts &results)
{
    ops::Facts typed = results;
    for (Fact &result : typed)
        if (const auto *number = result.as<NumberFact>(); number && number->kind == NumberFact::Kind::Float)
            result = ops::tensorFact(ir::DType::Float64, ir::Shape());
    return typed;
}

void give(TensorFact &tensor, const Array &found)
{
    const auto typed = converted(found, *tensor.dtype);
    if (!typed
        || !std::ranges::equal(*tensor.shape, typed->shape, {}, [](const ir::Dim &dim) { return ops::number(dim); }))
        return;
    std::vector<ir::Dim> elements;
    if (typed->isWhole())
        elements.assign(typed->as<Whole>().begin(), typed->as<Whole>().end());
    else
        for (const double x : typed->as<double>())
            elements.push_back(ops::elementOf(ops::floatFact(x)));
    tensor.elements = std::move(elements);
}

void give(Fact &result, const Value &value)
{
    const auto *array = value.as<Array>();
    if (auto *tensor = std::get_if<TensorFact>(&result.v); tensor && array)
        give(*tensor, *array);
    auto *number = std::get_if<NumberFact>(&result.v);
    if (!number || !array || array->count() != 1 || number->kind != NumberFact::Kind::Float || array->isWhole())
        return;
    *number = ops::floatFact(array->as<double>().front());
}

/// Whether the operator is pure and has a compute rule whose arguments may be known: no tensor among them is certainly
/// unknown, or the operator reads none.
bool mayBeComputed(const ops::Operator &row, const ops::Call &call)
{
    if (!row.traits.compute || row.traits.effect != ops::Effect::Pure)
        return false;
    if (row.pattern == ops::Pattern::Creating)
        return true;
    for (std::size_t i = 0; i < call.inputCount(); ++i)
        if (hasUnknownTensor(call[i]))
            return false;
    return true;
}

/// Whether every library computes exactly these elements of a tensor.
bool isOnlyAnswer(const TensorFact &tensor, const Value &value, const ops::Operator &row, const ops::Call &call,
                  bool areOperandsWhole)
{
    const bool isFloat = tensor.dtype && ir::isFloat(*tensor.dtype);
    if (row.traits.kind == ops::kind::arange)
        return isFloat && areSmallIntegers(value);
    return hasOneAnswer(row, call) || (!isFloat && areOperandsWhole);
}

} // namespace

void deriveElements(const ir::NodeRef &node, const ops::Operator &row, const ops::Signature *signature,
                    const ops::Call &call, const ops::FactSource &source, ops::Facts &results)
{
    if (std::ranges::none_of(results, lacksValue) || !mayBeComputed(row, call))
        return;
    Operands operands(node, source);
    const ops::Facts typed = asTensors(results);
    const Call own(node, signature, call, typed, [&](const ir::Operand &operand) { return operands.of(operand); });
    const auto values = row.traits.compute(own);
    if (!values)
        return;
    for (std::size_t i = 0; i < std::min(results.size(), values->size()); ++i) {
        const auto *tensor = results[i].as<TensorFact>();
        if (lacksValue(results[i]) && (!tensor || isOnlyAnswer(*tensor, (*values)[i], row, call, operands.areWhole())))
            give(results[i], (*values)[i]);
    }
}

} // namespace cutaway::compute
