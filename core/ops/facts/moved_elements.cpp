// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/moved_elements.h"

#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/base/result.h"

#include <algorithm>
#include <numeric>

namespace cutaway::ops {

using ir::Dim;

Numbers denseStrides(const Numbers &sizes)
{
    Numbers strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;) {
        const std::int64_t next = checkedMultiply(strides[i], std::max(sizes[i], std::int64_t{1})).value_or(0);
        // The stride is 0 in tensors that are too large to have their elements followed.
        strides[i - 1] = next <= static_cast<std::int64_t>(maxTrackedElements) ? next : 0;
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

Answer onlyDType(const Call &call, std::string reason)
{
    return onlyDType(call, Doubt{Doubt::Kind::Unknown, std::move(reason)});
}

Answer onlyDType(const Call &call, Doubt why) { return {Facts{tensorFact(call.dtypeOf(0u))}, std::move(why)}; }

OrDoubt<std::size_t> axis(const Fact &argument, std::size_t rank)
{
    const auto given = asInt(argument);
    const auto index = given ? number(*given) : std::nullopt;
    if (!index)
        return unknown("dimension unknown");
    const auto found = dimension(*index, std::max(rank, std::size_t{1}));
    if (!found)
        return wrong(formatted("dimension {} of a tensor with {} dimensions", *index, rank));
    return *found;
}

OrDoubt<std::vector<std::size_t>> axes(const Fact &argument, std::size_t rank)
{
    const auto given = asInts(argument);
    if (!given)
        return unknown("dimensions unknown");
    std::vector<std::size_t> result;
    for (const Dim &dim : *given) {
        CUTAWAY_TRY(const std::size_t found, axis(intFact(dim), rank));
        result.push_back(found);
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

Answer listed(const Call &call, std::vector<Fact> tensors)
{
    if (call.resultCount() > 1)
        return results(std::move(tensors));
    return {listFact(std::move(tensors))};
}

} // namespace cutaway::ops
