// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/sorting.h"

#include "core/base/formatted.h"
#include "core/ops/compute/tensor_rules.h"
#include "core/ops/facts/float_values.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/promotion.h"
#include "core/ops/operator.h"
#include "core/ops/special/rules.h"
#include "core/ops/torch/determinism.h"

#include <algorithm>
#include <bit>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::DType;
using ir::Shape;

TensorFact indices(std::optional<Shape> shape) { return tensorFact(DType::Int64, std::move(shape)); }

// ---- Order

/// The elements in order, and their indices before. A Python list is sorted in place, without a result.
Answer sort(const Call &call)
{
    if (call.resultCount() == 0)
        return {};
    const TensorFact *input = call.tensor("self");
    if (!input)
        return unknown("input shape unknown");
    return {tensorFact(input->dtype, input->shape), indices(input->shape)};
}

Answer argsort(const Call &call)
{
    const TensorFact *input = call.tensor("self");
    return {indices(input ? input->shape : std::nullopt)};
}

Answer msort(const Call &call)
{
    const TensorFact *input = call.tensor("self");
    return input ? Answer{tensorFact(input->dtype, input->shape)} : unknown("input shape unknown");
}

/// PyTorch: k, dim. ONNX: k is an attribute in version 1, later an input; axis.
Answer topk(const Call &call)
{
    const auto dtype = call.dtypeOf(0u);
    const Shape *input = call.shape(0u);
    if (!input)
        return {Facts{tensorFact(dtype), indices(std::nullopt)}, unknown("input rank unknown")};
    const Fact &k = call.has("k") ? call["k"] : call[1u];
    const Fact &dim = call.isOnnx() ? call["axis"] : call["dim"];
    const auto along = axis(dim.as<NoneFact>() ? Fact(intFact(std::int64_t{-1})) : dim, input->size());
    if (!along) {
        const Shape unknownSizes(input->size(), ir::UnknownDim{});
        const bool isWrong = along.error().kind == Doubt::Kind::Wrong;
        return {isWrong ? Facts() : Facts{tensorFact(dtype, unknownSizes), indices(unknownSizes)}, along.error()};
    }
    if (input->empty())
        return {tensorFact(dtype, *input), indices(*input)};
    Shape output = *input;
    const auto given = asInts(k); // one, of a vector in ONNX
    output[*along] = given && given->size() == 1 ? given->front() : ir::UnknownDim{};
    const auto count = number(output[*along]), size = number((*input)[*along]);
    if (count && size && (*count < 0 || *count > *size))
        return wrong(formatted("the {} largest of {}", *count, *size));
    Facts facts{tensorFact(dtype, output), indices(output)};
    return isKnown(output[*along]) ? Answer(std::move(facts)) : Answer(std::move(facts), unknown("k unknown"));
}

// ---- Sets

/// One of: the number of different elements.
Dim distinct(const Call &call, const Shape *input)
{
    if (input && number(elementsOf(*input)) == 0)
        return std::int64_t{0};
    return call.freshSize();
}

/// How many of the slices along a dimension differ from each other.
template <class Number>
std::int64_t countDistinct(std::span<const Number> elements, std::size_t slices, std::size_t inner)
{
    std::vector<std::vector<Number>> all(slices);
    for (std::size_t i = 0; i < elements.size(); ++i)
        all[i / inner % slices].push_back(elements[i]);
    std::ranges::sort(all);
    return std::ranges::distance(all.begin(), std::ranges::unique(all).begin());
}

/// The number of different elements of a small tensor, or of different slices along a dimension; a fresh size if the
/// elements are not known.
Dim distinct(const Call &call, const TensorFact &input, std::optional<std::size_t> along)
{
    const auto sizes = input.shape ? numbers(*input.shape) : std::nullopt;
    if (!input.elements || input.elements->empty() || !sizes)
        return call.freshSize();
    const std::size_t slices = along ? static_cast<std::size_t>((*sizes)[*along]) : input.elements->size();
    const std::size_t inner = along ? static_cast<std::size_t>(denseStrides(*sizes)[*along]) : 1;
    if (const auto whole = numbers(*input.elements))
        return countDistinct<std::int64_t>(*whole, slices, inner);
    const auto floats = orderedFloatValues(input);
    return floats ? Dim(countDistinct<double>(*floats, slices, inner)) : call.freshSize();
}

/// Indices of this shape where the argument `name` asks for them, else an empty tensor.
TensorFact asked(const Call &call, std::string_view name, std::optional<Shape> shape)
{
    const auto wants = call.flag(name);
    if (!wants)
        return indices(std::nullopt);
    return indices(*wants ? std::move(shape) : Shape{std::int64_t{0}});
}

/// The different elements; for each element its index among them, and for each of them its count.
Answer unique(const Call &call)
{
    const Shape *input = call.shape(0u);
    const Dim count = distinct(call, input);
    const auto places = input ? std::optional(*input) : std::nullopt;
    return {tensorFact(call.dtypeOf(0u), Shape{count}), asked(call, "return_inverse", places),
            asked(call, "return_counts", Shape{count})};
}

/// As unique(), for the slices along a dimension. The CPU's kernels give indices and counts even where they are not
/// asked for.
Answer uniqueSlices(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!call.has("dim"))
        return unique(call);
    const auto along = input ? axis(call["dim"], input->size()) : unknown("input rank unknown");
    if (!along && along.error().kind == Doubt::Kind::Wrong)
        return std::unexpected(along.error());
    if (!along || input->empty())
        return along ? onlyDType(call) : onlyDType(call, along.error());
    const Dim count = number((*input)[*along]) == 0 ? Dim(zero) : call.freshSize();
    Shape output = *input;
    output[*along] = count;
    return {tensorFact(call.dtypeOf(0u), std::move(output)), indices(Shape{(*input)[*along]}), indices(Shape{count})};
}

/// ONNX: Y, indices, inverse indices and counts, of the flat input or along `axis`.
Answer uniqueOfOnnx(const Call &call)
{
    const TensorFact *input = ranked(call);
    const auto given = call.integer("axis");
    if (!input && given)
        return onlyDType(call);
    const auto along = given ? dimension(*given, input->shape->size()) : std::nullopt;
    if (given && !along)
        return wrong(formatted("there is no axis {} of {}", *given, input->shape->size()));
    const Dim count = input ? distinct(call, *input, along) : call.freshSize();
    Dim size = input ? elementsOf(*input->shape) : Dim(ir::UnknownDim{});
    Shape output{count};
    if (along) {
        output = *input->shape;
        size = std::exchange(output[*along], count);
    }
    return {tensorFact(call.dtypeOf(0u), std::move(output)), indices(Shape{count}), indices(Shape{size}),
            indices(Shape{count})};
}

// ---- Boundaries and bins

DType placeType(const Call &call) { return call.flag("out_int32").value_or(false) ? DType::Int32 : DType::Int64; }

/// Where the values belong among sorted ones: a place per value; `position` is theirs.
template <std::size_t position>
Answer places(const Call &call)
{
    if (const TensorFact *values = call.tensor(position))
        return {tensorFact(placeType(call), values->shape)};
    return {tensorFact(placeType(call), call[position].as<NumberFact>() ? std::optional(Shape{}) : std::nullopt)};
}

Answer histc(const Call &call)
{
    return {tensorFact(call.dtypeOf(0u), Shape{call.size("bins").value_or(ir::UnknownDim{})})};
}

/// Counts and edges, one more than there are bins.
Answer histogram(const Call &call)
{
    Dim bins = ir::UnknownDim{};
    if (const Shape *edges = call.shape("bins"); edges && edges->size() == 1)
        bins = minus(edges->front(), one);
    else if (call.has("bins") && !call.tensor("bins"))
        bins = call.size("bins").value_or(ir::UnknownDim{});
    const auto dtype = call.dtypeOf(0u);
    return {tensorFact(dtype, Shape{bins}), tensorFact(dtype, Shape{plus(bins, one)})};
}

/// The bins that a histogram has in each dimension: "bins" are their edges, or their numbers.
std::vector<Dim> binCounts(const Call &call)
{
    std::vector<Dim> bins;
    if (call.overload() == "TensorList_bins" || call.name() == "_histogramdd_from_bin_tensors")
        for (const TensorFact *edge : call.tensors("bins").value_or(std::vector<const TensorFact *>()))
            bins.push_back(edge && edge->shape && edge->shape->size() == 1 ? minus(edge->shape->front(), one)
                                                                           : Dim(ir::UnknownDim{}));
    else if (auto numbers = call.sizes("bins"))
        bins = std::move(*numbers);
    return bins;
}

TensorFact edgesOf(const Call &call, const Dim &bins) { return tensorFact(call.dtypeOf(0u), Shape{plus(bins, one)}); }

/// Only the counts, or only the edges.
Answer histogramCounts(const Call &call)
{
    auto bins = binCounts(call);
    return bins.empty() ? unknown("number of bins unknown")
                        : Answer{tensorFact(call.dtypeOf(0u), Shape(bins.begin(), bins.end()))};
}

Answer histogramEdges(const Call &call)
{
    std::vector<Fact> all;
    for (const Dim &bins : binCounts(call))
        all.emplace_back(edgesOf(call, bins));
    return all.empty() ? unknown("number of bins unknown") : Answer{listFact(std::move(all))};
}

/// Points are the rows of the last dimension; bins are given for each coordinate: edges, a number, or one for all.
Answer histogramOfPoints(const Call &call)
{
    const auto dtype = call.dtypeOf(0u);
    const Shape *points = call.shape(0u);
    std::vector<Dim> bins = binCounts(call);
    const auto count = points && !points->empty() ? number(points->back()) : std::nullopt;
    if (call.overload() == "int_bins" && count && *count <= static_cast<std::int64_t>(maxTrackedElements)
        && bins.size() == 1)
        bins.assign(static_cast<std::size_t>(*count), bins.front());
    else if (call.overload() == "int_bins" || bins.empty())
        return unknown("number of bins unknown");
    std::vector<Fact> all;
    for (const Dim &each : bins)
        all.emplace_back(edgesOf(call, each));
    return {tensorFact(dtype, std::move(bins)), listFact(std::move(all))};
}

/// Rows taken together in segments, which have lengths or begin where offsets say.
Answer segments(const Call &call)
{
    const Shape *data = call.shape(0u);
    const bool hasLengths = call.has("lengths");
    const Shape *parts = call.shape(hasLengths ? "lengths" : "offsets");
    const auto axis = call.integer("axis");
    if (!data || !parts || !axis || *axis < 0 || *axis >= std::ssize(*data) || *axis >= std::ssize(*parts))
        return {tensorFact(call.dtypeOf(0u))};
    const auto at = static_cast<std::size_t>(*axis);
    Shape shape = *data;
    shape[at] = hasLengths ? (*parts)[at] : minus((*parts)[at], one);
    return {tensorFact(call.dtypeOf(0u), std::move(shape))};
}

/// As many as the largest element says: only the data knows, unless there are none.
Answer bincount(const Call &call)
{
    const Shape *input = call.shape("self");
    const bool isEmpty = input && number(elementsOf(*input)) == 0;
    const Dim size = isEmpty ? call.size("minlength").value_or(ir::UnknownDim{}) : call.freshSize();
    std::optional<DType> dtype = DType::Int64;
    if (call.has("weights")) {
        dtype = call.dtypeOf("weights");
        if (dtype && *dtype != DType::Float32)
            dtype = DType::Float64;
    }
    return {tensorFact(dtype, Shape{size})};
}

/// n log2 n comparisons; n must be a number for it.
Cost sortCost(const Call &call, std::span<const Fact>)
{
    const Shape *input = call.shape(0u);
    const auto count = input ? number(elementsOf(*input)) : std::nullopt;
    if (!input || (!count && call.resultCount() > 0))
        return {std::int64_t{0}, ir::UnknownDim{}};
    if (!count || *count < 2)
        return {};
    const std::int64_t steps = std::bit_width(static_cast<std::uint64_t>(*count - 1));
    return {std::int64_t{0}, times(*count, steps)};
}

constexpr Operator sortingRows[] = {
    Operator("aten::sort", Category::Reduction, Pattern::Combining, sort, sortCost, {.compute = compute::sort}),
    Operator("aten::argsort", Category::Reduction, Pattern::Combining, argsort, sortCost,
             {.compute = compute::argsort, .formula = "sort(self, dim, descending)[1] if stable is None"}),
    Operator("aten::msort", Category::Reduction, Pattern::Combining, msort, sortCost, {.formula = "sort(self, 0)[0]"}),
    Operator("aten::topk onnx::TopK", Category::Reduction, Pattern::Combining, topk, sortCost,
             {.compute = compute::topk}),
    Operator("aten::_unique aten::_unique2", Category::Reduction, Pattern::Combining, unique, sortCost,
             {.compute = compute::unique}),
    Operator("aten::unique_dim", Category::Reduction, Pattern::Combining, uniqueSlices, sortCost,
             {.compute = compute::unique}),
    Operator("aten::unique_consecutive", Category::Reduction, Pattern::Combining, uniqueSlices, onePerArgument,
             {.compute = compute::unique}),
    Operator("aten::unique_dim_consecutive", Category::Reduction, Pattern::Combining, uniqueSlices, onePerArgument),
    Operator("onnx::Unique", Category::Reduction, Pattern::Combining, uniqueOfOnnx, sortCost,
             {.compute = compute::unique}),
    Operator("com.microsoft::Unique", Category::Reduction, Pattern::Combining, uniqueOfOnnx, sortCost),
    Operator("aten::bucketize", Category::Indexing, Pattern::Picking, places<0>, onePerResult,
             {.compute = compute::searchSorted}),
    Operator("aten::searchsorted", Category::Indexing, Pattern::Picking, places<1>, onePerResult,
             {.compute = compute::searchSorted}),
    Operator("aten::histc", Category::Reduction, Pattern::Combining, histc, onePerArgument,
             {.compute = compute::histogramCounts, .variesOnCuda = variesAlways}),
    Operator("aten::histogram", Category::Reduction, Pattern::Combining, histogram, onePerArgument),
    Operator("aten::histogramdd", Category::Reduction, Pattern::Combining, histogramOfPoints, onePerArgument),
    Operator("aten::segment_reduce", Category::Reduction, Pattern::Combining, segments, onePerArgument),
    Operator("aten::_histogramdd_from_bin_cts aten::_histogramdd_from_bin_tensors", Category::Reduction,
             Pattern::Combining, histogramCounts, onePerArgument),
    Operator("aten::_histogramdd_bin_edges", Category::Reduction, Pattern::Combining, histogramEdges, onePerArgument),
    Operator("aten::bincount", Category::Reduction, Pattern::Combining, bincount, onePerArgument,
             {.compute = compute::bincount, .variesOnCuda = variesWithWeights}),
};

} // namespace

std::span<const Operator> sortingOperators() { return sortingRows; }

} // namespace cutaway::ops
