// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/computed.h"
#include "core/ops/compute/memory.h"
#include "core/ops/compute/rules.h"
#include "core/ops/result_place.h"
#include "core/ops/tensor/view.h"

#include <algorithm>
#include <numeric>

// The row's place rule, which knows PyTorch's strides, decides whether a result lies in an argument's storage. Which
// elements the two share is found by running the operator on the positions of the argument's elements in place of the
// elements.

namespace cutaway::evaluate {

using compute::Array;

namespace {

std::unexpected<Error> refused(const ir::NodeRef &node, std::string_view reason)
{
    return unreadable("no value for " + node.fullName() + ": " + std::string(reason));
}

/// Collects the tensors of a value, and of the items if it is a list.
void collect(Value &value, std::vector<Array *> &arrays)
{
    if (auto *array = std::get_if<Array>(&value.v))
        arrays.push_back(array);
    else if (auto *items = std::get_if<Values>(&value.v))
        for (Value &item : *items)
            collect(item, arrays);
}

std::vector<Array *> arraysOf(Values &values)
{
    std::vector<Array *> arrays;
    for (Value &value : values)
        collect(value, arrays);
    return arrays;
}

std::vector<const ops::TensorFact *> tensorsOf(const ops::Facts &facts)
{
    std::vector<const ops::TensorFact *> tensors;
    for (const ops::Fact &fact : facts)
        ops::forEachTensor(fact, [&](const ops::TensorFact &tensor) { tensors.push_back(&tensor); });
    return tensors;
}

bool hasUnknownStrides(const ops::TensorFact &tensor)
{
    return tensor.strides && !std::ranges::all_of(*tensor.strides, ops::isKnown);
}

const Array *argumentOf(const Computed &of, const compute::Call &call, const ops::TensorFact *tensor)
{
    for (std::size_t i = 0; i < of.facts.inputCount(); ++i) {
        std::size_t item = 0;
        const Array *found = nullptr;
        const Value *value = call.value(i);
        ops::forEachTensor(of.facts[i], [&](const ops::TensorFact &own) {
            const auto *items = value ? value->as<Values>() : nullptr;
            if (&own == tensor)
                found = items ? (item < items->size() ? (*items)[item].as<Array>() : nullptr)
                              : (value ? value->as<Array>() : nullptr);
            ++item;
        });
        if (found)
            return found;
    }
    return nullptr;
}

Array positionsOf(const Array &array)
{
    std::vector<std::int64_t> positions(array.count());
    std::iota(positions.begin(), positions.end(), 0);
    return {ir::DType::Int64, array.shape, std::move(positions)};
}

/// Whether a list or dictionary is among the values.
bool isAnyList(const Values &values)
{
    return std::ranges::any_of(values, [](const Value &value) {
        const auto *fact = value.as<ops::Fact>();
        return value.as<Values>() || (fact && (fact->as<ops::SequenceFact>() || fact->as<ops::DictFact>()));
    });
}

void dropPlaces(std::span<Array *const> arrays)
{
    for (Array *array : arrays)
        array->lies = nullptr;
}

} // namespace

/// Returns, for each tensor in the results, the positions of its elements in `base`; nothing if the operator cannot
/// compute with positions in place of elements.
std::optional<std::vector<std::vector<std::int64_t>>> Evaluator::positions(const Computed &of,
                                                                           const compute::Call &call, const Array &base)
{
    if (!of.row.traits.compute)
        return std::nullopt;
    Array own = positionsOf(base);
    own.lies = base.lies;
    const Value standIn(std::move(own));
    const compute::Call ofPositions = call.with([&](const Value *value) {
        const auto *array = value ? value->as<Array>() : nullptr;
        return array && array->lies && array->lies == base.lies && array->shape == base.shape ? &standIn : value;
    });
    auto values = of.row.traits.compute(ofPositions);
    std::vector<std::vector<std::int64_t>> positions;
    for (Array *array : values ? arraysOf(*values) : std::vector<Array *>()) {
        if (!array->isWhole())
            return std::nullopt;
        positions.emplace_back(array->as<std::int64_t>().begin(), array->as<std::int64_t>().end());
    }
    return values ? std::optional(std::move(positions)) : std::nullopt;
}

Result<Values> Evaluator::placed(const Computed &of, const compute::Call &call, Values values) const
{
    const std::vector<Array *> arrays = arraysOf(values);
    const bool passesOn = compute::passesOn(of.row.traits.compute, of.facts);
    if (!passesOn)
        dropPlaces(arrays);
    if (!passesOn && !of.node.isOnnx())
        CUTAWAY_RETURN_IF_ERROR(place(of, call, arrays));
    if (!passesOn && isAnyList(values))
        for (std::size_t i = 0; i < of.facts.inputCount(); ++i)
            if (const Value *value = call.value(i))
                compute::noteShared(*value);
    std::ranges::for_each(values, compute::giveOwnPlaces);
    return values;
}

Result<void> Evaluator::place(const Computed &of, const compute::Call &call, std::span<Array *const> results)
{
    const std::vector<const ops::TensorFact *> tensors = tensorsOf(of.derived);
    if (results.size() > tensors.size())
        return refused(of.node, "it is not known where its results lie");
    std::optional<std::vector<std::vector<std::int64_t>>> where;
    for (std::size_t i = 0; i < results.size(); ++i) {
        Array &result = *results[i];
        const ops::Place place = ops::placeOf(of.row, of.facts, *tensors[i], i);
        result.lies = std::make_shared<compute::Placement>(std::make_shared<compute::Memory>(), nullptr, place.strides);
        if (!place.within)
            continue;
        const Array *base = argumentOf(of, call, place.within);
        if (!where && base)
            where = positions(of, call, *base);
        if (!base || !base->lies || !where || i >= where->size() || (*where)[i].size() != result.count())
            return refused(of.node, "it is not known what of its argument it shows");
        if (hasUnknownStrides(*place.within)) // the result may be a copy instead of a view
            base->lies->memory->isShared = true;
        result = compute::placedWithin(*base, std::move((*where)[i]), std::move(result));
        // An operator such as contiguous() may return its argument itself, and the two are then the same tensor.
        if (result.shape == base->shape && of.row.traits.kind != ops::kind::alias)
            base->lies->isPerhapsAnother = result.lies->isPerhapsAnother = true;
    }
    return {};
}

/// Returns the first argument in the shape that the operator gives it.
Result<Values> Evaluator::reshaped(const Computed &of, const compute::Call &call, Values values) const
{
    const auto *target = call.value(0)->as<Array>();
    auto *result = std::get_if<Array>(&values.front().v);
    const auto tensors = tensorsOf(of.derived);
    if (!target || !result || tensors.empty())
        return refused(of.node, "it is not known what it reshapes");
    auto where = positions(of, call, *target);
    const ops::Place place = ops::placeOf(of.row, of.facts, *tensors.front(), 0);
    if (!where || where->size() != 1 || where->front().size() != target->count() || !place.within)
        return refused(of.node, "it is not known what of its argument it shows");
    result->lies = std::make_shared<compute::Placement>(std::make_shared<compute::Memory>(), nullptr, place.strides);
    if (!compute::reshapeInPlace(*target, std::move(where->front()), std::move(*result)))
        return refused(of.node, "it is not known who else has the tensor");
    values.assign(of.node.outputCount(), *call.value(0));
    std::ranges::for_each(values, [](Value &value) { compute::renew(value); });
    return values;
}

Result<Values> Evaluator::written(const Computed &of, const compute::Call &call, Values values) const
{
    const Value *target = call.value(0);
    const bool isList = target && !target->as<Array>();
    if (!target || values.empty())
        return refused(of.node, "it is not known what it writes to");
    if (of.row.traits.reshapesInPlace)
        return reshaped(of, call, std::move(values));
    if (isList) {
        Value now = values.size() > of.node.outputCount() ? values.back() : values.front();
        now.container = nullptr;
        compute::giveOwnPlaces(now);
        if (!compute::write(*target, std::move(now)))
            return refused(of.node, "it is not known who else has the list");
    } else {
        const Array &array = *target->as<Array>();
        const auto *result = values.front().as<Array>();
        auto typed = result && result->shape == array.shape ? compute::converted(*result, array.dtype) : std::nullopt;
        if (!typed || !compute::write(array, typed->elements))
            return refused(of.node, "it is not known who else has the elements");
    }
    const bool givesTarget = !isList || values.size() <= of.node.outputCount();
    values.resize(of.node.outputCount());
    if (givesTarget && !values.empty()) {
        values.front() = *target;
        compute::renew(values.front());
    }
    std::ranges::for_each(values, compute::giveOwnPlaces);
    return values;
}

} // namespace cutaway::evaluate
