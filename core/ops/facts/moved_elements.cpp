// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/moved_elements.h"

#include "core/base/checked.h"
#include "core/base/formatted.h"

#include <algorithm>
#include <numeric>

namespace cutaway::ops {

using ir::Dim;

std::optional<Numbers> numbers(std::span<const Dim> dims)
{
    Numbers result;
    for (const Dim &dim : dims) {
        const auto n = number(dim);
        if (!n)
            return std::nullopt;
        result.push_back(*n);
    }
    return result;
}

Numbers denseStrides(const Numbers &sizes)
{
    Numbers strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;) {
        const std::int64_t next = checkedMultiply(strides[i], std::max(sizes[i], std::int64_t{1})).value_or(0);
        strides[i - 1] = next <= static_cast<std::int64_t>(maxTrackedElements) ? next : 0; // then it has no elements
    }
    return strides;
}

TensorFact made(std::optional<ir::DType> dtype, ir::Shape shape, const std::function<Dim(Index)> &element)
{
    const auto sizes = numbers(shape);
    const auto count = ir::elementCount(shape);
    TensorFact result = tensorFact(dtype, std::move(shape));
    if (!sizes || !count || *count < 0 || *count > static_cast<std::int64_t>(maxTrackedElements))
        return result;
    std::vector<Dim> elements;
    Numbers index(sizes->size(), 0);
    for (std::int64_t i = 0; i < *count; ++i) {
        elements.push_back(element(index));
        for (std::size_t d = index.size(); d-- > 0;) {
            if (++index[d] < (*sizes)[d])
                break;
            index[d] = 0;
        }
    }
    result.elements = std::move(elements);
    return result;
}

TensorFact moved(const TensorFact &source, ir::Shape shape, const std::function<std::int64_t(Index)> &place)
{
    if (!source.elements)
        return tensorFact(source.dtype, std::move(shape));
    const std::vector<Dim> &elements = *source.elements;
    return made(source.dtype, std::move(shape), [&](Index index) -> Dim {
        const std::int64_t at = place(index);
        return at >= 0 && at < std::ssize(elements) ? elements[static_cast<std::size_t>(at)] : ir::UnknownDim{};
    });
}

TensorFact strided(const TensorFact &source, ir::Shape shape, const Numbers &strides, std::int64_t offset)
{
    return moved(source, std::move(shape),
                 [&](Index index) { return std::inner_product(index.begin(), index.end(), strides.begin(), offset); });
}

TensorFact reshaped(const TensorFact &source, ir::Shape shape)
{
    TensorFact result = source;
    if (result.elements && elementCount(shape) != std::ssize(*result.elements))
        result.elements = nullptr;
    if (result.texts && elementCount(shape) != std::ssize(*result.texts))
        result.texts = nullptr;
    result.shape = std::move(shape);
    return result;
}

const TensorFact *ranked(const Call &call, std::size_t position)
{
    const TensorFact *tensor = call.tensor(position);
    return tensor && tensor->shape ? tensor : nullptr;
}

Facts onlyDType(const Call &call, std::string reason)
{
    Facts facts = call.unknown(std::move(reason));
    if (!facts.empty())
        facts.front() = tensorFact(call.dtypeOf(0u));
    return facts;
}

std::optional<std::size_t> axis(const Call &call, const Fact &argument, std::size_t rank)
{
    const auto given = asInt(argument);
    const auto index = given ? number(*given) : std::nullopt;
    if (!index) {
        call.unknown("dimension unknown");
        return std::nullopt;
    }
    const auto found = dimension(*index, std::max(rank, std::size_t{1}));
    if (!found)
        call.wrong(formatted("dimension {} of a tensor with {} dimensions", *index, rank));
    return found;
}

std::optional<std::vector<std::size_t>> axes(const Call &call, const Fact &argument, std::size_t rank)
{
    const auto given = asInts(argument);
    if (!given) {
        call.unknown("dimensions unknown");
        return std::nullopt;
    }
    std::vector<std::size_t> result;
    for (const Dim &dim : *given) {
        const auto found = axis(call, intFact(dim), rank);
        if (!found)
            return std::nullopt;
        result.push_back(*found);
    }
    return result;
}

Facts results(std::vector<Fact> facts)
{
    Facts all;
    std::ranges::move(facts, std::back_inserter(all));
    return all;
}

Facts results(std::size_t count, const Fact &fact)
{
    Facts all(count);
    std::ranges::fill(all, fact);
    return all;
}

Facts listed(const Call &call, std::vector<Fact> tensors)
{
    if (call.resultCount() > 1)
        return results(std::move(tensors));
    return {listFact(std::move(tensors))};
}

} // namespace cutaway::ops
