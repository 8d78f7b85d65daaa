// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/rearranging.h"

#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/size_algebra.h"
#include "core/ops/network/window.h"
#include "core/ops/special/rules.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

Answer sameShape(const Call &call)
{
    const TensorFact *tensor = call.tensor(0u);
    return {tensor ? tensorFact(tensor->dtype, tensor->shape) : tensorFact({})};
}

// Operators that move elements and keep the sizes.

/// Moves elements without changing the shape: `place` turns an index of the result into an index of the source.
Facts shuffled(const TensorFact &tensor, const std::function<void(Numbers &)> &place)
{
    const auto sizes = tensor.elements ? numbers(*tensor.shape) : std::nullopt;
    if (!sizes)
        return {tensorFact(tensor.dtype, tensor.shape)};
    const Numbers strides = denseStrides(*sizes);
    return {moved(tensor, *tensor.shape, [&](Index index) {
        Numbers from(index.begin(), index.end());
        place(from);
        std::int64_t at = 0;
        for (std::size_t i = 0; i < from.size(); ++i)
            at += from[i] * strides[i];
        return at;
    })};
}

Facts flipped(const TensorFact &tensor, const std::vector<std::size_t> &dims)
{
    return shuffled(tensor, [&](Numbers &index) {
        for (const std::size_t d : dims)
            if (d < index.size())
                index[d] = *number((*tensor.shape)[d]) - 1 - index[d];
    });
}

Answer flip(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const auto dims = axes(call["dims"], tensor->shape->size());
    return dims ? Answer(flipped(*tensor, *dims))
                : Answer(Facts{tensorFact(tensor->dtype, tensor->shape)}, dims.error());
}

Answer roll(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const auto shifts = call.sizes("shifts");
    if (!tensor)
        return sameShape(call);
    const auto dims = axes(call["dims"], tensor->shape->size());
    const auto by = shifts ? numbers(*shifts) : std::nullopt;
    if (!dims)
        return {sameShape(call).facts, dims.error()};
    if (!by || by->size() != dims->size() || tensor->shape->empty())
        return sameShape(call);
    return shuffled(*tensor, [&](Numbers &index) {
        for (std::size_t i = 0; i < dims->size(); ++i) {
            const std::int64_t size = *number((*tensor->shape)[(*dims)[i]]);
            std::int64_t &at = index[(*dims)[i]];
            at = ((at - (*by)[i] % size) % size + size) % size;
        }
    });
}

Answer rotate(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const auto dims = axes(call["dims"], tensor->shape->size());
    if (!dims)
        return onlyDType(call, dims.error());
    const auto times90 = call.integer("k");
    if (!times90 || dims->size() != 2 || tensor->shape->size() < 2)
        return onlyDType(call);
    Shape shape = *tensor->shape;
    if (*times90 % 2 != 0)
        std::swap(shape[(*dims)[0]], shape[(*dims)[1]]);
    return {tensorFact(tensor->dtype, std::move(shape))};
}

// Operators about diagonals.

Dim diagonalLength(const Dim &rows, const Dim &columns, std::int64_t offset)
{
    const Dim length = offset >= 0 ? minimum(rows, minus(columns, offset)) : minimum(plus(rows, offset), columns);
    return atLeastZero(length);
}

TensorFact diagonalOf(const TensorFact &tensor, std::size_t a, std::size_t b, std::int64_t offset)
{
    const Shape &from = *tensor.shape;
    const auto sizes = tensor.elements ? numbers(from) : std::nullopt;
    const Numbers strides = sizes ? denseStrides(*sizes) : Numbers(from.size(), 0);
    Shape shape;
    Numbers steps;
    for (std::size_t i = 0; i < from.size(); ++i)
        if (i != a && i != b) {
            shape.push_back(from[i]);
            steps.push_back(strides[i]);
        }
    shape.push_back(diagonalLength(from[a], from[b], offset));
    steps.push_back(strides[a] + strides[b]);
    const bool isNear = offset > -std::int64_t{maxTrackedElements} && offset < std::int64_t{maxTrackedElements};
    const std::int64_t start = !isNear ? -1 : offset >= 0 ? offset * strides[b] : -offset * strides[a];
    return strided(tensor, std::move(shape), steps, start);
}

Answer diagonal(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const auto a = axis(call["dim1"], tensor->shape->size()), b = axis(call["dim2"], tensor->shape->size());
    const auto offset = call.integer("offset");
    if (!a || !b)
        return onlyDType(call, a ? b.error() : a.error());
    if (!offset)
        return onlyDType(call);
    if (*a == *b || tensor->shape->size() < 2)
        return wrong("the diagonal of one dimension");
    return {diagonalOf(*tensor, *a, *b, *offset)};
}

/// Returns a matrix with the vector as its diagonal, or the diagonal of a matrix.
Answer diag(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const auto offset = call.integer(call.has("diagonal") ? "diagonal" : "offset");
    if (!tensor || !offset)
        return onlyDType(call);
    if (tensor->shape->size() == 2 && call.name() == "diag")
        return {diagonalOf(*tensor, 0, 1, *offset)};
    if (tensor->shape->size() > 1 && call.name() == "diag")
        return wrong("the diagonal of " + ir::print(*tensor->shape));
    const Dim size = plus(elementsOf(*tensor->shape), *offset < 0 ? minus(zero, *offset) : Dim(*offset));
    return {tensorFact(tensor->dtype, Shape{size, size})};
}

Answer diagonalEmbedding(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const auto offset = call.integer("offset");
    if (!tensor || !offset || tensor->shape->empty())
        return onlyDType(call);
    const std::size_t rank = tensor->shape->size() + 1;
    const auto a = axis(call["dim1"], rank), b = axis(call["dim2"], rank);
    if (!a || !b)
        return onlyDType(call, a ? b.error() : a.error());
    const Dim size = plus(tensor->shape->back(), *offset < 0 ? minus(zero, *offset) : Dim(*offset));
    Shape shape(tensor->shape->begin(), tensor->shape->end() - 1);
    for (const std::size_t at : {std::min(*a, *b), std::max(*a, *b)})
        shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(std::min(at, shape.size())), size);
    return {tensorFact(tensor->dtype, std::move(shape))};
}

// Operators that make windows a new dimension.

Answer asStrided(const Call &call)
{
    auto sizes = call.sizes("size");
    return sizes ? Answer{tensorFact(call.dtypeOf(0u), std::move(sizes))} : onlyDType(call, "sizes unknown");
}

Answer unfold(const Call &call)
{
    const Fact last = intFact(std::int64_t{-1});
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const Fact &along = call.isOnnx() && !call.has("dim") ? last : call.any({"dimension", "dim"});
    const auto at = axis(along, tensor->shape->size());
    const auto size = call.size("size");
    const auto step = call.isOnnx() && !call.has("step") ? std::optional<Dim>(one) : call.size("step");
    if (!at)
        return onlyDType(call, at.error());
    if (!size || !step)
        return onlyDType(call, "window unknown");
    Shape shape = *tensor->shape;
    if (shape.empty())
        return {tensorFact(tensor->dtype, Shape{*size})};
    if (number(shape[*at]) && number(*size) && *number(*size) > *number(shape[*at]))
        return wrong("a window of " + ir::print(*size) + " on " + ir::print(shape[*at]) + " elements");
    shape[*at] = plus(floorDivide(minus(shape[*at], *size), *step), one);
    call.need({SizeNeed::Kind::AtLeast, shape[*at], one});
    shape.push_back(*size);
    return {tensorFact(tensor->dtype, std::move(shape))};
}

/// Returns the windows of height and width, from the arguments that im2col and col2im share.
std::optional<Windows> planeWindows(const Call &call)
{
    const auto kernels = perDimension(call["kernel_size"], 2, one);
    return kernels ? windowsOf(call, *kernels) : std::nullopt;
}

Answer columnsOfImage(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const auto windows = planeWindows(call);
    if (!tensor || !windows)
        return onlyDType(call);
    const Shape &from = *tensor->shape;
    if (from.size() != 3 && from.size() != 4)
        return wrong("columns of " + ir::print(from) + ", which is not an image");
    const std::size_t channel = from.size() - 3;
    Dim rows = from[channel], columns = one;
    for (std::size_t i = 0; i < 2; ++i) {
        rows = times(rows, (*windows)[i].kernel);
        columns = times(columns, positions(from[channel + 1 + i], (*windows)[i]));
    }
    Shape shape(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(channel));
    shape.insert(shape.end(), {rows, columns});
    return {tensorFact(tensor->dtype, std::move(shape))};
}

/// Folds columns [batch, channels * kernel, windows] into images [batch, channels, sizes…].
Facts imageOf(const TensorFact &columns, std::span<const Dim> kernel, std::span<const Dim> sizes)
{
    const std::size_t channel = columns.shape->size() - 2;
    Shape shape(columns.shape->begin(), columns.shape->begin() + static_cast<std::ptrdiff_t>(channel));
    shape.push_back(quotient(std::span(*columns.shape).subspan(channel, 1), kernel));
    shape.insert(shape.end(), sizes.begin(), sizes.end());
    return {tensorFact(columns.dtype, std::move(shape))};
}

Answer imageOfColumns(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    const auto kernel = call.isOnnx() ? call.sizes(2u) : perDimension(call["kernel_size"], 2, one);
    const auto sizes = call.isOnnx() ? call.sizes(1u) : perDimension(call["output_size"], 2, one);
    if (!tensor || !kernel || !sizes)
        return onlyDType(call, "sizes unknown");
    if (tensor->shape->size() != 3 && (call.isOnnx() || tensor->shape->size() != 2))
        return wrong("columns in " + ir::print(*tensor->shape));
    return imageOf(*tensor, *kernel, *sizes);
}

// Operators that exchange channels and positions.

/// Exchanges channels and positions of [.., channels, height, width]: into positions, channels are divided by block²
/// and height and width multiplied by block; else the reverse.
Answer blocks(const Call &call, const std::optional<std::int64_t> &block, bool intoPlaces)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    Shape shape = *tensor->shape;
    if (shape.size() < 3)
        return wrong("a shuffle of " + ir::print(shape) + ", which is not an image");
    if (!block || *block <= 0 || *block > 65536)
        return onlyDType(call, "size of blocks unknown");
    const std::size_t channel = shape.size() - 3;
    const Dim side = *block, area = *block * *block;
    const Dim &divided = shape[channel];
    if (intoPlaces && number(divided) && *number(divided) % *number(area) != 0)
        return wrong("the channels of " + ir::print(shape) + " are not a multiple of " + ir::print(area));
    const auto by = [](const Dim &size, const Dim &n) { return quotient(std::span(&size, 1), std::span(&n, 1)); };
    shape[channel] = intoPlaces ? by(shape[channel], area) : times(shape[channel], area);
    for (std::size_t i = channel + 1; i < shape.size(); ++i)
        shape[i] = intoPlaces ? times(shape[i], side) : by(shape[i], side);
    return {tensorFact(tensor->dtype, std::move(shape))};
}

Answer pixelShuffle(const Call &call) { return blocks(call, call.integer("upscale_factor"), true); }
Answer pixelUnshuffle(const Call &call) { return blocks(call, call.integer("downscale_factor"), false); }
Answer depthToSpace(const Call &call) { return blocks(call, call.integer("blocksize"), true); }
Answer spaceToDepth(const Call &call) { return blocks(call, call.integer("blocksize"), false); }

constexpr Operator rearrangingRows[] = {
    Operator("aten::flip", Category::ShapeView, Pattern::Moving, flip, nullptr, {.compute = compute::flip}),
    Operator("prims::rev", Category::ShapeView, Pattern::Moving, flip),
    Operator("aten::roll", Category::ShapeView, Pattern::Moving, roll, nullptr, {.compute = compute::roll}),
    Operator("aten::tril", Category::ShapeView, Pattern::Moving, sameShape, nullptr,
             {.compute = compute::lowerTriangle}),
    Operator("aten::triu", Category::ShapeView, Pattern::Moving, sameShape, nullptr,
             {.compute = compute::upperTriangle}),
    Operator("onnx::Trilu", Category::ShapeView, Pattern::Moving, sameShape, nullptr, {.compute = compute::triangleOf}),
    Operator("onnx::ReverseSequence", Category::ShapeView, Pattern::Moving, sameShape, nullptr,
             {.compute = compute::reverseSequence, .demand = demand::sequenceLengths}),
    Operator("aten::channel_shuffle aten::native_channel_shuffle", Category::ShapeView, Pattern::Moving, sameShape,
             nullptr, {.compute = compute::shuffledChannels, .onQuantized = OnQuantized::KeepsSteps}),
    Operator("aten::fliplr", Category::ShapeView, Pattern::Moving, sameShape, nullptr, {.formula = "flip(self, [1])"}),
    Operator("aten::flipud", Category::ShapeView, Pattern::Moving, sameShape, nullptr, {.formula = "flip(self, [0])"}),
    Operator("com.microsoft::Trilu", Category::ShapeView, Pattern::Moving, sameShape),
    Operator("aten::rot90", Category::ShapeView, Pattern::Moving, rotate, nullptr, {.compute = compute::rotated}),
    Operator("aten::diagonal aten::linalg_diagonal", Category::ShapeView, Pattern::Moving, diagonal, nullptr,
             {.compute = compute::diagonal, .place = placeOfSomeView}),
    Operator("aten::diag aten::diagflat", Category::ShapeView, Pattern::Moving, diag, nullptr,
             {.compute = compute::diagonalOrMatrix}),
    Operator("aten::diag_embed", Category::ShapeView, Pattern::Moving, diagonalEmbedding, nullptr,
             {.compute = compute::embeddedDiagonal}),
    Operator("aten::as_strided", Category::ShapeView, Pattern::Moving, asStrided, nullptr,
             {.compute = compute::asStrided, .place = placeOfSomeView, .reshapesInPlace = true}),
    Operator("prims::as_strided", Category::ShapeView, Pattern::Moving, asStrided, nullptr, {.place = placeOfSomeView}),
    Operator("aten::unfold", Category::ShapeView, Pattern::Moving, unfold, nullptr,
             {.compute = compute::unfold, .place = placeOfSomeView}),
    Operator("com.microsoft::UnfoldTensor", Category::ShapeView, Pattern::Moving, unfold),
    Operator("aten::im2col", Category::ShapeView, Pattern::Moving, columnsOfImage, nullptr,
             {.compute = compute::columnsOfImage, .place = placeOfResized}),
    Operator("aten::col2im onnx::Col2Im", Category::ShapeView, Pattern::Other, imageOfColumns, nullptr,
             {.compute = compute::imageOfColumns, .demand = demand::windowsOfColumns, .place = placeOfResized}),
    Operator("aten::pixel_shuffle", Category::ShapeView, Pattern::Moving, pixelShuffle, nullptr,
             {.compute = compute::pixelShuffle, .onQuantized = OnQuantized::KeepsSteps}),
    Operator("aten::pixel_unshuffle", Category::ShapeView, Pattern::Moving, pixelUnshuffle, nullptr,
             {.compute = compute::pixelUnshuffle}),
    Operator("onnx::DepthToSpace", Category::ShapeView, Pattern::Moving, depthToSpace, nullptr,
             {.compute = compute::depthToSpace}),
    Operator("onnx::SpaceToDepth", Category::ShapeView, Pattern::Moving, spaceToDepth, nullptr,
             {.compute = compute::spaceToDepth, .demand = demand::blocks}),
    Operator("com.ms.internal.nhwc::DepthToSpace com.ms.internal.nhwc::SpaceToDepth com.microsoft.nchwc::ReorderInput "
             "com.microsoft.nchwc::ReorderOutput onnx::Crop",
             Category::ShapeView, Pattern::Moving),
};

} // namespace

std::span<const Operator> rearrangingOperators() { return rearrangingRows; }

} // namespace cutaway::ops
