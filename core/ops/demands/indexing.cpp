// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/expected.h"

#include <algorithm>
#include <set>
#include <span>

namespace cutaway::ops::demand {

namespace {

using ir::Dim;
using ir::Shape;

/// Demands that all known indices are below the number of rows; negative indices count from the last row.
Met fitIndices(const Call &call, Position indices, const Dim &rows)
{
    const TensorFact *tensor = call.tensor(indices);
    const auto count = number(rows);
    if (!tensor || !tensor->elements || !count)
        return {};
    for (const Dim &index : *tensor->elements)
        if (const auto known = number(index); known && (*known >= *count || *known < -*count))
            return wrong(formatted("the index {} in a dimension of size {}", *known, *count));
    return {};
}

std::optional<std::size_t> axisOf(const Call &call, const Shape &data)
{
    const std::string_view name = call.isOnnx() ? "axis" : "dim";
    const auto given = call.isOnnx() && !call.has(name) ? std::optional<std::int64_t>(0) : call.integer(name);
    return given ? dimension(*given, data.size()) : std::nullopt;
}

Position indicesOf(const Call &call) { return call.isOnnx() ? Position(1u) : call.position({"index", "indices"}); }

/// Demands that indices along an axis fit the data: they have the same rank, and no other dimension is longer.
Met fitAlongAxis(const Call &call, const Shape &data, const Shape &indices, std::size_t at)
{
    if (indices.size() != data.size() && (call.isOnnx() || (!indices.empty() && !data.empty())))
        return wrong(formatted("the indices {} have {} dimension{}, the data {}", ir::print(indices), indices.size(),
                               indices.size() == 1 ? "" : "s", ir::print(data)));
    for (std::size_t i = 0; i < std::min(data.size(), indices.size()); ++i)
        if (i != at && number(data[i]) && number(indices[i]) && *number(indices[i]) > *number(data[i])
            && number(elementsOf(indices)) != 0)
            return wrong(formatted("the indices {} are longer than the data {} in dimension {}", ir::print(indices),
                                   ir::print(data), i));
    return {};
}

/// Demands that positions, which have an index for each of these dimensions, lie within them.
Met fitPositions(const Call &call, std::span<const Dim> dims)
{
    const auto positions = call.sizes(1u);
    for (std::size_t i = 0; positions && !dims.empty() && i < positions->size(); ++i) {
        const auto known = number((*positions)[i]), size = number(dims[i % dims.size()]);
        if (known && size && (*known >= *size || *known < -*size))
            return wrong(formatted("the index {} in a dimension of size {}", *known, *size));
    }
    return {};
}

} // namespace

Met gather(const Call &call)
{
    const Shape *data = call.shape(0u);
    if (const auto at = data ? axisOf(call, *data) : std::nullopt)
        return fitIndices(call, indicesOf(call), (*data)[*at]);
    return {};
}

Met gatherElements(const Call &call)
{
    const Position position = indicesOf(call);
    const Shape *data = call.shape(0u), *indices = call.shape(position);
    const auto at = data ? axisOf(call, *data) : std::nullopt;
    if (const auto given = call.isOnnx() && call.has("axis") ? call.integer("axis") : std::nullopt;
        given && data && !at)
        return wrong(formatted("there is no axis {} of {}", *given, ir::print(*data)));
    if (!at || !indices)
        return {};
    CUTAWAY_RETURN_IF_ERROR(fitAlongAxis(call, *data, *indices, *at));
    return fitIndices(call, position, (*data)[*at]);
}

Met scatterElements(const Call &call)
{
    CUTAWAY_RETURN_IF_ERROR(gatherElements(call));
    const Shape *indices = call.shape(indicesOf(call));
    return call.isOnnx() && indices ? expectShape(call, 2u, "the tensor of updates", *indices, "as the indices have it")
                                    : Met();
}

Met scatterPositions(const Call &call)
{
    const Shape *data = call.shape(0u), *indices = call.shape(1u);
    const auto depth = indices && !indices->empty() ? number(indices->back()) : std::nullopt;
    if (!data || !depth || *depth < 0)
        return {};
    if (*depth > std::ssize(*data))
        return wrong(formatted("positions of {} numbers in {}", *depth, ir::print(*data)));
    Shape expected(indices->begin(), indices->end() - 1);
    expected.insert(expected.end(), data->begin() + static_cast<std::ptrdiff_t>(*depth), data->end());
    CUTAWAY_RETURN_IF_ERROR(expectShape(call, 2u, "the tensor of updates", expected,
                                        formatted("as the indices have the shape {}", ir::print(*indices))));
    return fitPositions(call, std::span(*data).first(static_cast<std::size_t>(*depth)));
}

Met gatherPositions(const Call &call)
{
    const Shape *data = call.shape(0u), *indices = call.shape(1u);
    const auto depth = indices && !indices->empty() ? number(indices->back()) : std::nullopt;
    const auto batch = call.has("batch_dims") ? call.integer("batch_dims") : std::optional<std::int64_t>(0);
    const bool isIn = data && depth && batch && *depth >= 0 && *batch >= 0 && *batch <= std::ssize(*data)
        && *depth <= std::ssize(*data) - *batch;
    return isIn
        ? fitPositions(call,
                       std::span(*data).subspan(static_cast<std::size_t>(*batch), static_cast<std::size_t>(*depth)))
        : Met();
}

Met sliceAxes(const Call &call)
{
    if (!call.isOnnx()) // prims::slice has no axes
        return {};
    const Shape *data = call.shape(0u);
    const bool isByAttributes = call.has("starts");
    const auto starts = isByAttributes ? call.sizes("starts") : call.sizes(1u);
    const auto axes = isByAttributes ? call.sizes("axes") : call.sizes(3u);
    for (const auto &others : {isByAttributes ? call.sizes("ends") : call.sizes(2u), axes, call.sizes(4u)})
        if (starts && others && others->size() != starts->size())
            return wrong(formatted("starts has {} numbers, ends, axes or steps {}", starts->size(), others->size()));
    std::set<std::size_t> seen;
    for (const Dim &axis : data &&axes ? *axes : std::vector<Dim>())
        if (const auto at = number(axis) ? dimension(*number(axis), data->size()) : std::nullopt;
            at && !seen.insert(*at).second)
            return wrong(formatted("the axis {} is given twice", *number(axis)));
    return {};
}

namespace {

/// Demands that the lengths add up to the dimension.
Met fitLengths(const std::vector<Dim> &lengths, const Dim &whole)
{
    Dim sum = zero;
    for (const Dim &length : lengths)
        sum = plus(sum, length);
    if (isDifferent(sum, whole))
        return wrong(formatted("the parts {} have {} together, and the dimension {}", ir::print(lengths),
                               ir::print(sum), ir::print(whole)));
    return {};
}

/// Demands that none of `count` parts of a dimension is empty, if all but the last one are equally long.
Met fitEvenParts(const Dim &whole, std::int64_t count)
{
    const auto size = number(whole);
    if (!size || *size <= 0 || count <= 1)
        return {};
    const std::int64_t length = *size / count + (*size % count == 0 ? 0 : 1);
    if (length > (*size - 1) / (count - 1))
        return wrong(formatted("of {} parts of the dimension of {} the last would be empty", count, *size));
    return {};
}

} // namespace

Met parts(const Call &call)
{
    const Shape *data = call.shape(0u);
    const auto at = data ? axisOf(call, *data) : std::nullopt;
    const auto count = static_cast<std::int64_t>(call.resultCount());
    const bool isCounted = call.has("num_outputs"), hasSizes = call.has("split") || call.has(1u);
    if (const auto asked = call.integer("num_outputs"); asked && *asked != count)
        return wrong(formatted("num_outputs is {}, and there are {} results", *asked, count));
    if (call.opset() >= 18 && hasSizes == isCounted)
        return wrong(hasSizes ? "it has split and num_outputs" : "it has neither split nor num_outputs");
    const auto lengths = asInts(call.has("split") ? call["split"] : call[1u]);
    if (lengths && std::ssize(*lengths) != count)
        return wrong(formatted("{} sizes for {} results", lengths->size(), count));
    if (!at)
        return {};
    const Dim &whole = (*data)[*at];
    if (lengths)
        return fitLengths(*lengths, whole);
    if (isCounted)
        return fitEvenParts(whole, count);
    if (!hasSizes && call.opset() < 18 && !mayDivide(whole, count))
        return wrong(formatted("the dimension of {} cannot be divided into {} equal parts", ir::print(whole), count));
    return {};
}

} // namespace cutaway::ops::demand
