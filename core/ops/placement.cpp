// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/placement.h"

#include "core/ops/facts/moved_elements.h"
#include "core/ops/result_place.h"
#include "core/symbolic/evaluate.h"

#include <algorithm>
#include <numeric>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

Strides rowMajor(const Shape &shape)
{
    Strides strides(shape.size(), one);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = times(strides[i], shape[i]);
    return strides;
}

Cow<Strides> unknownStrides(std::size_t rank) { return Strides(rank, ir::UnknownDim{}); }

/// Returns a number by which sizes are compared: formulas count as large, as exporters assume that they are not 0 or
/// 1.
std::int64_t magnitude(const Dim &dim)
{
    constexpr std::int64_t large = 1009;
    if (const auto *expr = std::get_if<symbolic::Expr>(&dim)) {
        symbolic::Bindings bindings;
        for (const std::string &symbol : symbolic::symbolsOf(*expr))
            bindings.emplace(symbol, large);
        const auto value = symbolic::substitute(*expr, bindings);
        return value && value->kind() == symbolic::Kind::Integer ? value->integerValue() : large;
    }
    return number(dim).value_or(large);
}

/// Returns the strides of an operand for the dimensions of a result that it is broadcast to: 0 where it repeats.
std::vector<std::int64_t> broadcastMagnitudes(const TensorFact &operand, const Shape &result)
{
    const Strides strides = stridesOf(operand);
    const std::size_t added = result.size() - strides.size();
    std::vector<std::int64_t> steps(result.size(), 0);
    for (std::size_t i = 0; i < strides.size(); ++i)
        if (!isOne((*operand.shape)[i]) || isOne(result[added + i]))
            steps[added + i] = magnitude(strides[i]);
    return steps;
}

/// Returns the dimensions from the innermost out, sorted like TensorIterator::reorder_dimensions().
std::vector<std::size_t> orderOf(const std::vector<std::vector<std::int64_t>> &operands, const Shape &shape)
{
    std::vector<std::size_t> order(shape.size());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    const auto isInside = [&](std::size_t a, std::size_t b) -> std::optional<bool> {
        for (const auto &steps : operands) {
            if (steps[a] == 0 || steps[b] == 0)
                continue;
            if (steps[a] != steps[b])
                return steps[a] < steps[b];
            if (magnitude(shape[a]) > magnitude(shape[b]))
                return false;
        }
        return std::nullopt;
    };
    for (std::size_t i = 1; i < order.size(); ++i)
        for (std::size_t at = i, before = i; before-- > 0;) {
            const auto inside = isInside(order[before], order[at]);
            if (inside == true)
                break;
            if (inside == false) {
                std::swap(order[before], order[at]);
                at = before;
            }
        }
    return order;
}

Strides denseIn(const std::vector<std::size_t> &order, const Shape &shape)
{
    Strides strides(shape.size(), one);
    Dim step = one;
    for (const std::size_t i : order) {
        strides[i] = step;
        step = times(step, shape[i]);
    }
    return strides;
}

/// Returns the tensors among the arguments, also those in lists.
boost::container::small_vector<const TensorFact *, 8> tensorArguments(const Call &call)
{
    boost::container::small_vector<const TensorFact *, 8> tensors;
    const auto add = [&](const Fact &fact) {
        if (const TensorFact *tensor = asTensor(fact); tensor && tensor->shape)
            tensors.push_back(tensor);
    };
    for (std::size_t i = 0; i < call.inputCount(); ++i) {
        const Fact &fact = call[i];
        if (const auto *list = fact.as<SequenceFact>())
            std::ranges::for_each(list->each(), add);
        else
            add(fact);
    }
    return tensors;
}

bool isChannelsLast(const TensorFact &tensor)
{
    if (!tensor.strides || !tensor.shape || tensor.shape->size() < 4 || tensor.shape->size() > 5)
        return false;
    Dim step = one;
    std::vector<std::size_t> order{1};
    for (std::size_t i = tensor.shape->size(); i-- > 2;)
        order.push_back(i);
    order.push_back(0);
    for (const std::size_t i : order) {
        if (!isOne((*tensor.shape)[i]) && (*tensor.strides)[i] != step)
            return false;
        step = times(step, (*tensor.shape)[i]);
    }
    return true;
}

/// Returns the placement of a copy: it has the operand's order of dimensions, without gaps.
Place copyOf(const TensorFact &tensor, const TensorFact &result)
{
    if (!tensor.strides || !result.shape || result.shape->size() != tensor.strides->size())
        return {};
    const std::vector<std::vector<std::int64_t>> operands{broadcastMagnitudes(tensor, *result.shape)};
    return {nullptr, normal(*result.shape, denseIn(orderOf(operands, *result.shape), *result.shape))};
}

bool wantsRowMajor(const Call &call)
{
    const auto *format = call["memory_format"].as<ir::MemoryFormat>();
    return format && *format == ir::MemoryFormat::Contiguous;
}

bool wantsChannelsLast(const Call &call)
{
    const auto *format = call["memory_format"].as<ir::MemoryFormat>();
    return format && (*format == ir::MemoryFormat::ChannelsLast || *format == ir::MemoryFormat::ChannelsLast3d);
}

Place channelsLast(const Shape &shape)
{
    std::vector<std::size_t> order{1};
    for (std::size_t i = shape.size(); i-- > 2;)
        order.push_back(i);
    order.push_back(0);
    return {nullptr, normal(shape, denseIn(order, shape))};
}

} // namespace

Strides stridesOf(const TensorFact &tensor)
{
    return tensor.strides ? *tensor.strides : tensor.shape ? rowMajor(*tensor.shape) : Strides();
}

Cow<Strides> normal(const Shape &shape, Strides strides)
{
    Dim step = one;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (isOne(shape[i]))
            continue;
        if (strides[i] != step)
            return strides;
        step = times(step, shape[i]);
    }
    return nullptr;
}

/// ATen's computeStride(): groups the old dimensions into runs without gaps, and lays the new ones into each run.
std::optional<Strides> viewed(const TensorFact &tensor, const Shape &shape)
{
    const Shape &from = *tensor.shape;
    if (!tensor.strides || from.empty())
        return rowMajor(shape);
    const Strides &steps = *tensor.strides;
    Strides result(shape.size(), one);
    std::size_t next = shape.size();
    Dim base = steps.back(), inRun = one, laid = one;
    for (std::size_t i = from.size(); i-- > 0;) {
        inRun = times(inRun, from[i]);
        const bool ends = i == 0 || (!isOne(from[i - 1]) && steps[i - 1] != times(inRun, base));
        if (!ends)
            continue;
        while (next > 0 && (laid != inRun || isOne(shape[next - 1]))) {
            result[--next] = times(laid, base);
            laid = times(laid, shape[next]);
        }
        if (!isSame(laid, inRun))
            return std::nullopt;
        if (i > 0)
            base = steps[i - 1];
        inRun = laid = one;
    }
    return next == 0 ? std::optional(std::move(result)) : std::nullopt;
}

Place placeOfItself(const Call &call, const TensorFact &, std::size_t)
{
    const TensorFact *tensor = call.tensor(0u);
    return {tensor, tensor ? tensor->strides : nullptr};
}

Place placeOfReshape(const Call &call, const TensorFact &result, std::size_t)
{
    const TensorFact *tensor = call.tensor(0u);
    if (!tensor || !tensor->shape || !result.shape)
        return {tensor, nullptr};
    auto strides = viewed(*tensor, *result.shape);
    return strides ? Place{tensor, normal(*result.shape, std::move(*strides))} : Place{};
}

Place placeOfCopy(const Call &call, const TensorFact &result, std::size_t)
{
    const TensorFact *tensor = call.tensor(0u);
    if (wantsChannelsLast(call) && result.shape)
        return channelsLast(*result.shape);
    return tensor && tensor->shape && !wantsRowMajor(call) ? copyOf(*tensor, result) : Place{};
}

Place placeOfContiguous(const Call &call, const TensorFact &result, std::size_t index)
{
    const TensorFact *tensor = call.tensor(0u);
    if (!tensor || !result.shape)
        return {};
    if (wantsChannelsLast(call))
        return isChannelsLast(*tensor) ? placeOfItself(call, result, index) : channelsLast(*result.shape);
    return tensor->strides ? Place{} : placeOfItself(call, result, index);
}

Place placeOfConversion(const Call &call, const TensorFact &result, std::size_t index)
{
    const TensorFact *tensor = call.tensor(0u);
    if (!tensor || !result.shape)
        return {};
    const bool isSameType = tensor->dtype == result.dtype && !call.flag("copy").value_or(false);
    if (wantsChannelsLast(call))
        return isSameType && isChannelsLast(*tensor) ? placeOfItself(call, result, index) : channelsLast(*result.shape);
    if (wantsRowMajor(call))
        return isSameType && !tensor->strides ? placeOfItself(call, result, index) : Place{};
    return isSameType ? placeOfItself(call, result, index) : copyOf(*tensor, result);
}

namespace {

Place expanded(const TensorFact *tensor, const TensorFact &result)
{
    if (!tensor || !tensor->shape || !result.shape || result.shape->size() < tensor->shape->size())
        return {tensor, nullptr};
    const Strides from = stridesOf(*tensor);
    const std::size_t added = result.shape->size() - from.size();
    Strides strides(result.shape->size(), std::int64_t{0});
    for (std::size_t i = 0; i < from.size(); ++i)
        if ((*tensor->shape)[i] == (*result.shape)[added + i])
            strides[added + i] = from[i];
    return {tensor, normal(*result.shape, std::move(strides))};
}

} // namespace

Place placeOfExpansion(const Call &call, const TensorFact &result, std::size_t)
{
    return expanded(call.tensor(0u), result);
}

Place placeOfListItem(const Call &call, const TensorFact &result, std::size_t index)
{
    const auto tensors = call.tensors("tensors");
    return tensors && index < tensors->size() ? expanded((*tensors)[index], result) : Place{};
}

Place placeOfPart(const Call &call, const TensorFact &result, std::size_t)
{
    const TensorFact *tensor = call.tensor(0u);
    if (!tensor || !tensor->shape || !result.shape)
        return {tensor, nullptr};
    Strides strides = stridesOf(*tensor);
    const auto at = call.integer("dim");
    const auto dim = dimension(at.value_or(0), strides.size());
    if (call.has("step") && dim && !strides.empty())
        strides[*dim] = times(strides[*dim], call.size("step").value_or(ir::UnknownDim{}));
    return {tensor, normal(*result.shape, std::move(strides))};
}

Place placeOfItem(const Call &call, const TensorFact &result, std::size_t)
{
    const TensorFact *tensor = call.tensor(0u);
    if (!tensor || !tensor->shape || !result.shape)
        return {tensor, nullptr};
    Strides strides = stridesOf(*tensor);
    const auto dim = dimension(call.integer("dim").value_or(0), strides.size());
    if (!dim || strides.size() != result.shape->size() + 1)
        return {tensor, unknownStrides(result.shape->size())};
    strides.erase(strides.begin() + static_cast<std::ptrdiff_t>(*dim));
    return {tensor, normal(*result.shape, std::move(strides))};
}

Place placeOfSomeView(const Call &call, const TensorFact &result, std::size_t)
{
    return {call.tensor(0u), result.shape ? unknownStrides(result.shape->size()) : nullptr};
}

Place placeOfResized(const Call &call, const TensorFact &result, std::size_t)
{
    const TensorFact *tensor = call.tensor(0u);
    return {.bytes = tensor ? maximum(bytesOf(*tensor), bytesOf(result)) : bytesOf(result)};
}

Place placeOfUntrainedDropout(const Call &call, const TensorFact &result, std::size_t index)
{
    const bool isIdle = index == 0 && (call.flag("train") == false || call.floating("p") == 0 || call.isOnnx());
    return isIdle ? placeOfItself(call, result, index) : placeLikeOperands(call, result);
}

Place placeLikeOperands(const Call &call, const TensorFact &result)
{
    const auto tensors = tensorArguments(call);
    if (!result.shape || std::ranges::none_of(tensors, [](const TensorFact *tensor) { return bool(tensor->strides); }))
        return {};
    std::vector<std::vector<std::int64_t>> operands;
    for (const TensorFact *tensor : tensors)
        if (tensor->shape->size() <= result.shape->size())
            operands.push_back(broadcastMagnitudes(*tensor, *result.shape));
    return {nullptr, normal(*result.shape, denseIn(orderOf(operands, *result.shape), *result.shape))};
}

Place placeLikeImage(const Call &call, const TensorFact &result)
{
    const TensorFact *image = call.tensor(0u);
    return image && result.shape && result.shape->size() >= 4 && isChannelsLast(*image) ? channelsLast(*result.shape)
                                                                                        : Place{};
}

Place newPlace(const TensorFact &result, std::span<const std::size_t> order)
{
    const std::vector<std::size_t> inwards(order.rbegin(), order.rend());
    return {nullptr, normal(*result.shape, denseIn(inwards, *result.shape))};
}

Place permutedPlace(const TensorFact &tensor, std::span<const std::size_t> order)
{
    const Strides from = stridesOf(tensor);
    Strides strides;
    Shape shape;
    strides.reserve(order.size());
    shape.reserve(order.size());
    for (const std::size_t i : order) {
        strides.push_back(from[i]);
        shape.push_back((*tensor.shape)[i]);
    }
    return {&tensor, normal(shape, std::move(strides))};
}

Place placeOf(const Operator &row, const Call &call, const TensorFact &result, std::size_t index)
{
    if (row.traits.place && row.traits.place != placeOfCopy && call.fullName().ends_with("_copy"))
        return row.traits.place == placeOfItself ? placeOfCopy(call, result, index) : Place{};
    if (row.traits.place)
        return row.traits.place(call, result, index);
    switch (row.pattern) {
    case Pattern::Combining:
        return placeLikeImage(call, result);
    case Pattern::Pointwise:
    case Pattern::AlongAxis:
    case Pattern::Creating:
        return placeLikeOperands(call, result);
    default:
        return {};
    }
}

} // namespace cutaway::ops
