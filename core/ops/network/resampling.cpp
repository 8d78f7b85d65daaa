// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/resampling.h"

#include "core/base/formatted.h"
#include "core/ops/arguments/resampling_arguments.h"
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/onnx_inputs.h"
#include "core/ops/facts/float_values.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/network/window.h"
#include "core/ops/torch/determinism.h"

#include <cmath>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

// ---- Sizes times factors

/// Returns floor(size * factor), computed in double precision as by the kernels. For a formula the factor becomes a
/// fraction of integers if it is one exactly.
Dim scaled(const Dim &size, std::optional<double> factor)
{
    constexpr double largest = 1e15;
    if (!factor || !std::isfinite(*factor) || *factor < 0 || *factor > largest || !isKnown(size))
        return ir::UnknownDim{};
    if (const auto n = number(size)) {
        const double product = std::floor(static_cast<double>(*n) * *factor);
        return std::abs(product) < largest ? Dim(static_cast<std::int64_t>(product)) : Dim(ir::UnknownDim{});
    }
    for (std::int64_t divisor = 1; divisor <= 1024; divisor *= 2)
        if (const double top = *factor * static_cast<double>(divisor); top == std::floor(top))
            return floorDivide(times(size, static_cast<std::int64_t>(top)), divisor);
    using symbolic::Expr;
    using symbolic::Kind;
    return Expr::make(Kind::Floor, {Expr::make(Kind::Multiply, {std::get<Expr>(size), Expr::floating(*factor)})});
}

/// Returns a new symbol for a size that depends on data, or on numbers that formulas do not support, so that later
/// sizes can be formulas of it; other sizes are returned as they are.
Dim named(const Call &call, const Dim &from, Dim size)
{
    return isKnown(size) || !isKnown(from) ? std::move(size) : call.freshSize();
}

// ---- PyTorch: batch and channels stay, the rest is given or scaled

Answer resampledTo(const Call &call, const Shape &input, std::span<const Dim> sizes)
{
    if (sizes.size() + 2 != input.size())
        return wrong(formatted("{} sizes for an input of {} dimensions", sizes.size(), input.size()));
    Shape output(input.begin(), input.begin() + 2);
    for (std::size_t i = 0; i < sizes.size(); ++i)
        output.push_back(named(call, input[2 + i], sizes[i]));
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

Answer upsample(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input)
        return onlyDType(call, "input rank unknown");
    if (input->size() < 3)
        return wrong(formatted("an input of {} dimensions cannot be resampled", input->size()));
    const std::size_t count = input->size() - 2;
    const UpsampleArguments given = upsampleArguments(call, count);
    if (given.sizes) {
        Shape sizes = given.sizes->value_or(Shape(count, ir::UnknownDim{}));
        if (sizes.size() == 1)
            sizes.resize(count, sizes.front());
        return sizes.size() == count ? resampledTo(call, *input, sizes) : unknown("output size unknown");
    }
    Shape sizes;
    for (std::size_t i = 0; i < given.scales.size(); ++i)
        sizes.push_back(i < count ? scaled((*input)[2 + i], given.scales[i].value_or(std::nullopt))
                                  : Dim(ir::UnknownDim{}));
    return resampledTo(call, *input, sizes);
}

// ---- ONNX: sizes or scales of all dimensions, or of those that `axes` names

/// ONNX's kernels multiply in single precision.
Dim scaledInSingle(const Dim &size, std::optional<double> factor)
{
    const auto n = number(size);
    if (!n || !factor || !std::isfinite(*factor) || *n > (one << 40) || std::abs(*factor) > 1e6)
        return scaled(size, factor);
    return static_cast<std::int64_t>(std::floor(static_cast<float>(*n) * static_cast<float>(*factor)));
}

/// Scales all axes by the smallest or the largest of the ratios of `sizes` to the input's sizes, which keeps the
/// proportions. `isUpperBound`: whether the result is not larger than `sizes`; otherwise it is not smaller.
Answer keepingAspect(const Call &call, Shape output, std::span<const std::size_t> axes, std::span<const Dim> sizes,
                     bool isUpperBound)
{
    std::optional<float> scale;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto size = number(sizes[i]), old = number(output[axes[i]]);
        if (!size || !old || *old == 0) {
            for (const std::size_t axis : axes)
                output[axis] = named(call, output[axis], ir::UnknownDim{});
            return {tensorFact(call.dtypeOf(0u), std::move(output))};
        }
        const float ratio = static_cast<float>(*size) / static_cast<float>(*old);
        scale = !scale ? ratio : isUpperBound ? std::min(*scale, ratio) : std::max(*scale, ratio);
    }
    for (const std::size_t axis : axes)
        output[axis] = static_cast<std::int64_t>(std::floor(*scale * static_cast<float>(*number(output[axis]))
                                                            + 0.5F)); // rounds half up, as the specification demands
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

Answer byScales(const Call &call, Shape output, const Fact &scales)
{
    const auto axes = resizeArguments(call).resizedAxes(output.size());
    if (!axes)
        return onlyDType(call, "axes unknown, or not those of the input");
    const auto given = floatValues(scales);
    if (given && given->size() != axes->size())
        return wrong(formatted("{} scales for {} dimensions", given->size(), axes->size()));
    for (std::size_t i = 0; i < axes->size(); ++i) {
        Dim &size = output[(*axes)[i]];
        size = named(call, size, scaledInSingle(size, given ? (*given)[i] : std::nullopt));
    }
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

bool isGiven(const Call &call, std::size_t position)
{
    const Shape *shape = call.shape(position);
    return call.has(position) && !(shape && shape->size() == 1 && number(shape->front()) == 0);
}

/// Returns the rank if the input's rank is unknown: the number of scales or sizes, where all axes are resized.
Answer resizedFromUnknown(const Call &call)
{
    std::optional<Shape> resized;
    const ResizeArguments given = resizeArguments(call);
    for (std::size_t i = given.scales(); !given.axes && i < 4; ++i) {
        const Shape *shape = call.shape(i);
        const auto rank = shape && shape->size() == 1 ? number(shape->front()) : std::nullopt;
        if (!rank || *rank <= 0 || *rank > 64)
            continue;
        const auto sizes = i == 3 && given.policy == ResizePolicy::Stretch ? call.sizes(i) : std::nullopt;
        resized = sizes ? *sizes : Shape(static_cast<std::size_t>(*rank), ir::UnknownDim{});
    }
    return {Facts{tensorFact(call.dtypeOf(0u), std::move(resized))}, unknown("input rank unknown")};
}

/// Inputs before opset 11: X, scales; from 11 on: X, roi, scales, sizes. The specification also multiplies sizes with
/// the part of the image that is cropped (roi); ONNX's shape inference and ONNX Runtime do not.
Answer resizeImage(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input)
        return resizedFromUnknown(call);
    const ResizeArguments given = resizeArguments(call);
    if (!isGiven(call, 3))
        return byScales(call, *input, call[given.scales()]);
    const auto axes = given.resizedAxes(input->size());
    if (!axes)
        return onlyDType(call, "axes unknown, or not those of the input");
    const auto sizes = call.sizes(3u);
    Shape output = *input;
    if (sizes && sizes->size() != axes->size())
        return wrong(formatted("{} sizes for {} dimensions", sizes->size(), axes->size()));
    if (sizes && given.policy && given.policy != ResizePolicy::Stretch)
        return keepingAspect(call, std::move(output), *axes, *sizes, given.policy == ResizePolicy::NotLarger);
    const bool areExact = sizes && given.policy;
    for (std::size_t i = 0; i < axes->size(); ++i)
        output[(*axes)[i]] = named(call, output[(*axes)[i]], areExact ? (*sizes)[i] : Dim(ir::UnknownDim{}));
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

/// Before version 9 the scales are an attribute; in version 1 there are two, for height and width.
Answer upsampleOfOnnx(const Call &call)
{
    const Shape *input = call.shape(0u);
    if (!input)
        return onlyDType(call, "input rank unknown");
    if (call.has("height_scale") && input->size() == 4) {
        Shape output = *input;
        output[2] = scaledInSingle(output[2], call.floating("height_scale"));
        output[3] = scaledInSingle(output[3], call.floating("width_scale"));
        return {tensorFact(call.dtypeOf(0u), std::move(output))};
    }
    return byScales(call, *input, call.has("scales") ? call["scales"] : call[1u]);
}

// ---- Sampling at given places

/// The input is [N, C, D1, …], the grid [N, d1, …, number of spatial dimensions].
Answer gridSample(const Call &call)
{
    const Shape *input = call.shape(0u), *grid = call.shape(1u);
    if (!input || !grid)
        return onlyDType(call, "shape of input or grid unknown");
    if (input->size() < 3 || grid->size() != input->size())
        return wrong(formatted("an input of {} dimensions and a grid of {}", input->size(), grid->size()));
    Shape output{(*input)[0], (*input)[1]};
    output.insert(output.end(), grid->begin() + 1, grid->end() - 1);
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

/// Returns [N, D1, …, d], from theta [N, d, d + 1] and the size [N, C, D1, …] of the image that will be sampled.
Answer affineGrid(const Call &call)
{
    const auto size = call.sizes(1u);
    if (!size)
        return unknown("size unknown");
    if (size->size() < 3)
        return wrong(formatted("a size of {} dimensions", size->size()));
    Shape output{size->front()};
    output.insert(output.end(), size->begin() + 2, size->end());
    output.emplace_back(static_cast<std::int64_t>(size->size()) - 2);
    return {tensorFact(call.dtypeOf(0u), std::move(output))};
}

Answer cudnnAffineGrid(const Call &call)
{
    const auto at = [&](std::string_view name) { return call.size(name).value_or(ir::UnknownDim{}); };
    return {tensorFact(call.dtypeOf(0u), Shape{at("N"), at("H"), at("W"), std::int64_t{2}})};
}

constexpr Operator resamplingRows[] = {
    Operator("aten::upsample_nearest1d aten::upsample_nearest2d aten::upsample_nearest3d", Category::ShapeView,
             Pattern::Other, upsample, onePerResult,
             {.compute = compute::upsample, .onQuantized = OnQuantized::KeepsSteps, .cudaAutocast = CastTo::Float32}),
    Operator("aten::_upsample_nearest_exact1d aten::_upsample_nearest_exact2d aten::_upsample_nearest_exact3d "
             "aten::upsample_linear1d aten::upsample_trilinear3d aten::upsample_bicubic2d",
             Category::ShapeView, Pattern::Other, upsample, onePerResult,
             {.compute = compute::upsample, .cudaAutocast = CastTo::Float32}),
    Operator("aten::upsample_bilinear2d", Category::ShapeView, Pattern::Other, upsample, onePerResult,
             {.compute = compute::upsample, .onQuantized = OnQuantized::RoundsAgain, .cudaAutocast = CastTo::Float32}),
    Operator("aten::_upsample_bilinear2d_aa aten::_upsample_bicubic2d_aa", Category::ShapeView, Pattern::Other,
             upsample, onePerResult, {.compute = compute::upsample, .cudaAutocast = CastTo::Float32}),
    Operator("aten::__interpolate torch.nn.functional::interpolate torch.nn.functional::upsample", Category::ShapeView,
             Pattern::Other, upsample, onePerResult, {.compute = compute::upsample}),
    Operator("aten::_upsample_lanczos2d_aa aten::__upsample aten::__upsample_bilinear aten::__upsample_nearest",
             Category::ShapeView, Pattern::Other, upsample, onePerResult),
    Operator("onnx::Resize", Category::ShapeView, Pattern::Other, resizeImage, onePerResult,
             {.compute = compute::resize, .demand = demand::resizing}),
    Operator("com.ms.internal.nhwc::Resize", Category::ShapeView, Pattern::Other, resizeImage, onePerResult),
    Operator("onnx::Upsample", Category::ShapeView, Pattern::Other, upsampleOfOnnx, onePerResult,
             {.compute = compute::resize, .demand = demand::upsampling}),
    Operator("com.microsoft.nchwc::Upsample", Category::ShapeView, Pattern::Other, upsampleOfOnnx, onePerResult),
    Operator(
        "aten::grid_sampler", Category::ShapeView, Pattern::Other, gridSample, onePerResult,
        {.compute = compute::gridSample,
         .formula = "grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners) if rank(input) == 4",
         .demand = demand::grid,
         .cpuAutocast = CastTo::Float32,
         .cudaAutocast = CastTo::Widest}),
    Operator("aten::grid_sampler_2d aten::grid_sampler_3d", Category::ShapeView, Pattern::Other, gridSample,
             onePerResult, {.compute = compute::gridSample, .demand = demand::grid, .cpuAutocast = CastTo::Float32}),
    Operator("aten::grid_sampler_2d_backward aten::grid_sampler_3d_backward aten::upsample_linear1d_backward "
             "aten::upsample_bilinear2d_backward aten::upsample_bicubic2d_backward aten::upsample_trilinear3d_backward "
             "aten::reflection_pad1d_backward aten::reflection_pad2d_backward aten::reflection_pad3d_backward "
             "aten::replication_pad1d_backward aten::replication_pad2d_backward aten::replication_pad3d_backward",
             Category::ShapeView, Pattern::Other, nullptr, unknownOther, {.variesOnCuda = variesAlways}),
    Operator("aten::_grid_sampler_2d_cpu_fallback", Category::ShapeView, Pattern::Other, gridSample, onePerResult,
             {.cpuAutocast = CastTo::Float32}),
    Operator("onnx::GridSample", Category::ShapeView, Pattern::Other, gridSample, onePerResult,
             {.compute = compute::gridSample, .demand = demand::grid}),
    Operator("aten::cudnn_grid_sampler com.microsoft::GridSample", Category::ShapeView, Pattern::Other, gridSample,
             onePerResult),
    Operator("com.ms.internal.nhwc::GridSample", Category::ShapeView, Pattern::Other),
    Operator("aten::affine_grid_generator onnx::AffineGrid", Category::ShapeView, Pattern::Other, affineGrid,
             onePerResult, {.compute = compute::affineGrid}),
    Operator("aten::cudnn_affine_grid_generator", Category::ShapeView, Pattern::Other, cudnnAffineGrid, onePerResult),
};

} // namespace

std::span<const Operator> resamplingOperators() { return resamplingRows; }

} // namespace cutaway::ops
