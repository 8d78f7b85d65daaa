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

/// Returns the elements in order, and their former indices. A Python list is sorted in place, without a result.
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

/// PyTorch has arguments k and dim; ONNX has an axis, and k as an attribute in version 1, as an input later.
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
    const auto given = asInts(k); // in ONNX, k is a vector with one number
    output[*along] = given && given->size() == 1 ? given->front() : ir::UnknownDim{};
    const auto count = number(output[*along]), size = number((*input)[*along]);
    if (count && size && (*count < 0 || *count > *size))
        return wrong(formatted("the {} largest of {}", *count, *size));
    Facts facts{tensorFact(dtype, output), indices(output)};
    return isKnown(output[*along]) ? Answer(std::move(facts)) : Answer(std::move(facts), unknown("k unknown"));
}

// ---- Sets

/// Returns a symbol for the number of distinct elements; 0 if there are no elements.
Dim distinct(const Call &call, const Shape *input)
{
    if (input && number(elementsOf(*input)) == 0)
        return std::int64_t{0};
    return call.freshSize();
}

/// Returns how many distinct slices there are along a dimension.
template <class Number>
std::int64_t countDistinct(std::span<const Number> elements, std::size_t slices, std::size_t inner)
{
    std::vector<std::vector<Number>> all(slices);
    for (std::size_t i = 0; i < elements.size(); ++i)
        all[i / inner % slices].push_back(elements[i]);
    std::ranges::sort(all);
    return std::ranges::distance(all.begin(), std::ranges::unique(all).begin());
}

/// Returns the number of distinct elements of a small tensor, or of distinct slices along a dimension; a new symbol
/// if the elements are not known.
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

/// Returns indices of this shape if the argument `name` asks for them, else an empty tensor.
TensorFact asked(const Call &call, std::string_view name, std::optional<Shape> shape)
{
    const auto wants = call.flag(name);
    if (!wants)
        return indices(std::nullopt);
    return indices(*wants ? std::move(shape) : Shape{std::int64_t{0}});
}

/// Returns the distinct elements; the index among them for each element; and how often each of them occurs.
Answer unique(const Call &call)
{
    const Shape *input = call.shape(0u);
    const Dim count = distinct(call, input);
    const auto places = input ? std::optional(*input) : std::nullopt;
    return {tensorFact(call.dtypeOf(0u), Shape{count}), asked(call, "return_inverse", places),
            asked(call, "return_counts", Shape{count})};
}

/// Returns what unique() does for the slices along a dimension. The CPU's kernels return indices and counts even if
/// they are not asked for.
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

/// ONNX: returns Y, indices, inverse indices and counts, of the flattened input or along `axis`.
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

/// Returns an index among sorted values for each element of the argument at `position`, in that argument's shape.
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

/// Returns the counts and the edges of the bins; there is one edge more than bins.
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

/// Returns the number of bins of a histogram in each dimension: "bins" are their edges, or their numbers.
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

/// histogramCounts() returns only the counts, histogramEdges() only the edges.
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

/// Points are rows along the last dimension. Bins are given per coordinate, as edges or a number, or one for all.
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

/// Reduces rows in segments, which are given by lengths or offsets.
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

/// The length of the result is the largest element plus 1, which depends on data, unless the tensor is empty.
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

/// Counts n log2 n comparisons, if n is a number.
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
             {.compute = compute::argsort,
              .formula = "sort(self, dim, descending)[1] if stable is None "
                         "else sort(self, stable=stable, dim=dim, descending=descending)[1]"}),
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
