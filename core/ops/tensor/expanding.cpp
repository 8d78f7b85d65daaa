// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/expanding.h"

#include "core/base/formatted.h"
#include "core/ops/arguments/pad_arguments.h"
#include "core/ops/broadcasting.h"
#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/sequences.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

// Operators that repeat or pad elements.

/// Broadcasts a tensor: its elements repeat where it has size 1 or fewer dimensions.
TensorFact spread(const TensorFact &tensor, Shape shape)
{
    const auto sizes = numbers(*tensor.shape);
    if (!tensor.elements || !sizes || shape.size() < sizes->size())
        return tensorFact(tensor.dtype, std::move(shape));
    Numbers strides = denseStrides(*sizes);
    for (std::size_t i = 0; i < sizes->size(); ++i)
        strides[i] = (*sizes)[i] == 1 ? 0 : strides[i];
    strides.insert(strides.begin(), shape.size() - sizes->size(), 0);
    return strided(tensor, std::move(shape), strides);
}

Answer unknownRepeats(const Call &call, const Fact &sizes)
{
    const TensorFact *tensor = asTensor(sizes);
    const auto rank =
        tensor && tensor->shape && tensor->shape->size() == 1 ? number(tensor->shape->front()) : std::nullopt;
    Answer answer = onlyDType(call, "sizes unknown");
    const TensorFact *from = ranked(call);
    if (rank && from && *rank <= 64)
        answer.facts.front() = tensorFact(
            from->dtype, Shape(std::max(static_cast<std::size_t>(*rank), from->shape->size()), ir::UnknownDim{}));
    return answer;
}

/// Returns the tensor expanded to sizes, where -1 keeps the tensor's own size.
Answer expandedTo(const TensorFact &tensor, Shape sizes)
{
    const Shape &from = *tensor.shape;
    if (sizes.size() < from.size())
        return wrong(formatted("{} expanded to {} dimensions", ir::print(from), sizes.size()));
    const std::size_t added = sizes.size() - from.size();
    for (std::size_t i = 0; i < from.size(); ++i) {
        Dim &size = sizes[added + i];
        if (number(size) == -1)
            size = from[i];
        else if (number(size) && number(from[i]) && size != from[i] && !isOne(from[i]))
            return wrong(formatted("{} expanded to {}", ir::print(from), ir::print(sizes)));
    }
    return {spread(tensor, std::move(sizes))};
}

Answer expand(const Call &call)
{
    const Fact &given = call.any({"size", "shape"});
    auto sizes = asInts(given);
    const TensorFact *tensor = ranked(call);
    if (!sizes)
        return unknownRepeats(call, given);
    if (tensor)
        return expandedTo(*tensor, std::move(*sizes));
    std::ranges::replace_if(*sizes, [](const Dim &size) { return number(size) == -1; }, Dim(ir::UnknownDim{}));
    return {tensorFact(call.dtypeOf(0u), std::move(sizes))};
}

/// ONNX: the shapes are broadcast both ways, so that either may be the larger one.
Answer expandOnnx(const Call &call)
{
    const auto sizes = call.sizes(1u);
    const TensorFact *tensor = ranked(call);
    if (!sizes)
        return unknownRepeats(call, call[1u]);
    if (!tensor)
        return onlyDType(call);
    auto shape = broadcast(call, *tensor->shape, *sizes);
    if (!shape)
        return wrong(formatted("cannot broadcast {} to {}", ir::print(*tensor->shape), ir::print(*sizes)));
    return {spread(*tensor, std::move(*shape))};
}

Answer expandAs(const Call &call)
{
    const TensorFact *tensor = ranked(call), *other = ranked(call, 1);
    if (!other)
        return onlyDType(call, "rank of the other tensor unknown");
    return tensor ? expandedTo(*tensor, *other->shape) : Answer{tensorFact(call.dtypeOf(0u), other->shape)};
}

/// Returns the shape that two lists of sizes are broadcast to, as a list.
Answer broadcastSizes(const Call &call)
{
    const auto a = call.sizes(0u), b = call.sizes(1u);
    if (!a || !b)
        return {manyOf(intFact())};
    const auto shape = broadcast(call, *a, *b);
    if (!shape)
        return wrong(formatted("cannot broadcast {} with {}", ir::print(*a), ir::print(*b)));
    std::vector<Fact> sizes;
    for (const Dim &size : *shape)
        sizes.emplace_back(intFact(size));
    return {listFact(std::move(sizes))};
}

Answer broadcastInDimensions(const Call &call)
{
    auto sizes = call.sizes("shape");
    return sizes ? Answer{tensorFact(call.dtypeOf(0u), std::move(sizes))} : onlyDType(call, "sizes unknown");
}

/// Repeats the whole tensor along each dimension; the shorter of shape and repeats is filled up with ones in front.
Facts repeatedTensor(const TensorFact &tensor, std::vector<Dim> repeats)
{
    Shape from = *tensor.shape;
    const std::size_t rank = std::max(from.size(), repeats.size());
    from.insert(from.begin(), rank - from.size(), one);
    repeats.insert(repeats.begin(), rank - repeats.size(), one);
    Shape shape;
    for (std::size_t i = 0; i < rank; ++i)
        shape.push_back(times(from[i], repeats[i]));
    const auto sizes = tensor.elements ? numbers(from) : std::nullopt;
    if (!sizes)
        return {tensorFact(tensor.dtype, std::move(shape))};
    const Numbers strides = denseStrides(*sizes);
    return {moved(tensor, std::move(shape), [&](Index index) {
        std::int64_t at = 0;
        for (std::size_t i = 0; i < index.size(); ++i)
            at += index[i] % (*sizes)[i] * strides[i];
        return at;
    })};
}

Answer repeat(const Call &call)
{
    const Fact &given = call.isOnnx() ? call[1u] : call.any({"repeats", "dims"});
    const TensorFact *tensor = ranked(call);
    auto repeats = asInts(given);
    if (!tensor || !repeats)
        return unknownRepeats(call, given);
    if (std::ranges::any_of(*repeats, [](const Dim &n) { return number(n).value_or(0) < 0; }))
        return wrong("repeated a negative number of times");
    const bool mustCover = call.name() == "repeat" || call.isOnnx();
    if (mustCover && repeats->size() < tensor->shape->size())
        return wrong("fewer repeats than dimensions");
    return repeatedTensor(*tensor, std::move(*repeats));
}

/// ONNX before opset 6 repeats along one axis.
Answer tileOnnx(const Call &call)
{
    if (!call.has(2u))
        return repeat(call);
    const TensorFact *tensor = ranked(call);
    const auto at = tensor ? axis(call[2u], tensor->shape->size()) : unknown("input rank unknown");
    if (!at)
        return onlyDType(call, at.error());
    if (tensor->shape->empty())
        return onlyDType(call);
    std::vector<Dim> repeats(tensor->shape->size(), one);
    repeats[*at] = call.size(1u).value_or(ir::UnknownDim{});
    return repeatedTensor(*tensor, std::move(repeats));
}

/// Returns the number of elements after repeating each element.
Dim total(const Call &call, const Fact &repeats, const Dim &size)
{
    if (call.has("output_size"))
        return call.size("output_size").value_or(ir::UnknownDim{});
    const TensorFact *tensor = asTensor(repeats);
    const auto counts = asInts(repeats);
    if (counts && counts->size() == 1)
        return times(size, counts->front());
    if (!counts)
        return tensor ? call.freshSize() : Dim(ir::UnknownDim{});
    Dim sum = zero;
    for (const Dim &count : *counts)
        sum = plus(sum, count);
    return sum;
}

Answer repeatEach(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!call.has("self")) { // there is no `self`: the result holds positions, each as often as the tensor says
        const Dim size = tensor ? elementsOf(*tensor->shape) : Dim(ir::UnknownDim{});
        return {tensorFact(call.dtypeOf(0u), Shape{total(call, call["repeats"], size)})};
    }
    if (!tensor)
        return onlyDType(call);
    if (!call.has("dim"))
        return {tensorFact(tensor->dtype, Shape{total(call, call["repeats"], elementsOf(*tensor->shape))})};
    const auto at = axis(call["dim"], tensor->shape->size());
    if (!at)
        return onlyDType(call, at.error());
    if (tensor->shape->empty())
        return onlyDType(call);
    Shape shape = *tensor->shape;
    shape[*at] = total(call, call["repeats"], shape[*at]);
    return {tensorFact(tensor->dtype, std::move(shape))};
}

// Operators that pad.

Answer pad(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    Shape shape = *tensor->shape;
    const auto padding = paddingOf(call, shape.size());
    if (!padding && padding.error().kind == Doubt::Kind::Wrong)
        return std::unexpected(padding.error());
    if (!padding)
        return {Facts{tensorFact(tensor->dtype, Shape(shape.size(), ir::UnknownDim{}))}, padding.error()};
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const Dim sum = plus(shape[i], plus(padding->before[i], padding->after[i]));
        // The size is a new symbol if formulas do not follow the padding.
        shape[i] = isKnown(sum) || !isKnown(shape[i]) ? sum : call.freshSize();
        if (number(shape[i]) && *number(shape[i]) < 0)
            return wrong("padding makes a size of " + ir::print(shape[i]));
    }
    return {tensorFact(tensor->dtype, std::move(shape))};
}

/// ONNX: crops or pads to a shape, equally on both sides.
Answer centerCropPad(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const auto sizes = call.sizes(1u);
    const std::size_t rank = tensor->shape->size();
    std::vector<std::size_t> dims(rank);
    for (std::size_t i = 0; i < rank; ++i)
        dims[i] = i;
    std::optional<Doubt> doubt;
    if (call.has("axes")) {
        auto named = axes(call["axes"], rank);
        doubt = named ? std::nullopt : std::optional(named.error());
        dims = std::move(named).value_or(std::vector<std::size_t>());
    }
    Shape shape = *tensor->shape;
    if (sizes && sizes->size() != dims.size())
        return wrong("as many sizes as axes are needed");
    for (std::size_t i = 0; i < dims.size() && dims[i] < rank; ++i)
        shape[dims[i]] = sizes ? (*sizes)[i] : Dim(ir::UnknownDim{});
    return {Facts{tensorFact(tensor->dtype, std::move(shape))}, std::move(doubt)};
}

constexpr Operator expandingRows[] = {
    Operator("aten::expand aten::broadcast_to prim::expand_copy", Category::ShapeView, Pattern::Moving, expand, nullptr,
             {.compute = compute::expand,
              .place = placeOfExpansion,
              .onQuantized = OnQuantized::KeepsSteps,
              .keepsElements = true}),
    Operator("aten::_sparse_broadcast_to", Category::ShapeView, Pattern::Moving, expand, nullptr,
             {.place = placeOfExpansion}),
    Operator("onnx::Expand", Category::ShapeView, Pattern::Moving, expandOnnx, nullptr,
             {.compute = compute::expand, .keepsElements = true}),
    Operator("aten::expand_as prim::expand_as_copy", Category::ShapeView, Pattern::Moving, expandAs, nullptr,
             {.compute = compute::expand, .place = placeOfExpansion, .keepsElements = true}),
    Operator("aten::_infer_size", Category::ShapeView, Pattern::Moving, broadcastSizes),
    Operator("prims::broadcast_in_dim", Category::ShapeView, Pattern::Moving, broadcastInDimensions),
    Operator("aten::repeat aten::tile", Category::ShapeView, Pattern::Moving, repeat, nullptr,
             {.compute = compute::repeat, .onQuantized = OnQuantized::KeepsSteps}),
    Operator("onnx::Tile", Category::ShapeView, Pattern::Moving, tileOnnx, nullptr,
             {.compute = compute::repeat, .demand = demand::repeats}),
    Operator("aten::repeat_interleave", Category::Indexing, Pattern::Picking, repeatEach, nullptr,
             {.compute = compute::repeatEach}),
    Operator("aten::pad aten::constant_pad_nd", Category::ShapeView, Pattern::Moving, pad, nullptr,
             {.kind = kind::pad, .compute = compute::pad}),
    Operator("aten::_pad_enum aten::_pad_circular", Category::ShapeView, Pattern::Moving, pad, nullptr,
             {.compute = compute::pad}),
    Operator("aten::reflection_pad3d", Category::ShapeView, Pattern::Moving, pad, nullptr, {.compute = compute::pad}),
    Operator("aten::reflection_pad1d aten::reflection_pad2d", Category::ShapeView, Pattern::Moving, pad, nullptr,
             {.compute = compute::pad, .cpuAutocast = CastTo::Float32}),
    Operator("aten::replication_pad1d aten::replication_pad2d aten::replication_pad3d", Category::ShapeView,
             Pattern::Moving, pad, nullptr, {.compute = compute::pad, .cpuAutocast = CastTo::Float32}),
    Operator("onnx::Pad", Category::ShapeView, Pattern::Moving, pad, nullptr,
             {.kind = kind::pad, .compute = compute::pad}),
    Operator("com.microsoft::Pad", Category::ShapeView, Pattern::Moving, pad, nullptr, {.kind = kind::pad}),
    Operator("onnx::CenterCropPad", Category::ShapeView, Pattern::Moving, centerCropPad, nullptr,
             {.compute = compute::centerCropPad, .demand = demand::padsOfAxes}),
};

} // namespace

std::span<const Operator> expandingOperators() { return expandingRows; }

} // namespace cutaway::ops
