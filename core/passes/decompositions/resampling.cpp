// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition_rules.h"

#include <algorithm>

// Images are resampled one dimension after the other: each position of the result is a weighted sum of a few of the
// input's. Which ones and how much is computed in the graph as PyTorch's kernels do, in the dtype of the image.

namespace cutaway::passes {

namespace {

using D = Decomposition;

/// The scale of a dimension that is resampled, or nothing where only the result's size is given.
ir::Operand scalesWithOne(D &d)
{
    const Term given = d["scale_factors"];
    const auto *list = given.operand.as<ir::List>();
    if (!list || list->items.size() != 1)
        return {};
    return ir::List{{1.0, list->items.front()}};
}

/// A line is resampled as an image one high.
Parts resampledLine(D &d, std::string_view target, bool hasAlignment)
{
    const auto result = d.result();
    if (!result || result->rank() != 3)
        return {};
    const Term image = d.unsqueeze(d["input"], 2);
    const ir::Operand scales = scalesWithOne(d);
    const ir::Operand sizes =
        scales.as<ir::None>() ? d.sizes(ir::Shape{ops::one, result->shape.back()}) : ir::Operand();
    const Term made = hasAlignment ? d.make(target, {image, sizes, d["align_corners"], scales})
                                   : d.make(target, {image, sizes, scales});
    return {d.make("squeeze.dim", {made, 2})};
}

/// One dimension that is resampled: from so many positions to so many, `step` apart in the input.
struct Axis {
    std::size_t dim;
    std::int64_t input, output;
    double step;
    bool alignsCorners;
};

double stepOf(std::int64_t input, std::int64_t output, std::optional<double> scale, bool alignsCorners)
{
    if (alignsCorners)
        return output > 1 ? static_cast<double>(input - 1) / static_cast<double>(output - 1) : 0;
    return scale ? 1 / *scale : static_cast<double>(input) / static_cast<double>(output);
}

/// The factors that the call names, each nothing where it gives none; nothing at all if they are not known.
std::optional<std::vector<std::optional<double>>> scalesOf(D &d, std::size_t count)
{
    std::vector<std::optional<double>> scales(count);
    if (d.has("scale_factors")) {
        const auto items = d.items("scale_factors");
        for (std::size_t i = 0; i < count; ++i) {
            const auto *number = i < items.size() ? items[i].operand.as<double>() : nullptr;
            if (!number || !(*number > 0))
                return std::nullopt;
            scales[i] = *number;
        }
        return scales;
    }
    static constexpr std::string_view names[] = {"scales_d", "scales_h", "scales_w"};
    for (std::size_t i = 0; i < count; ++i)
        if (const std::string_view name = names[std::size(names) - count + i]; d.has(name)) {
            scales[i] = d.number(name);
            if (!scales[i] || !(*scales[i] > 0))
                return std::nullopt;
        }
    return scales;
}

/// The image, by the names that overloads have for it.
Term imageOf(D &d) { return d.has("input") ? d["input"] : d["self"]; }

/// The dimensions after batch and channels; none if a size is not a number.
std::vector<Axis> resampledAxes(D &d, bool alignsCorners)
{
    const auto x = d.tensor(imageOf(d)), result = d.result();
    if (!x || !result || x->rank() < 3 || x->rank() > 5 || x->rank() != result->rank() || !ir::isFloating(x->dtype))
        return {};
    const auto scales = scalesOf(d, x->rank() - 2);
    std::vector<Axis> axes;
    for (std::size_t dim = 2; scales && dim < x->rank(); ++dim) {
        const auto from = ops::number(x->shape[dim]), to = ops::number(result->shape[dim]);
        if (!from || !to || *from < 1 || *to < 1)
            return {};
        axes.push_back({dim, *from, *to, stepOf(*from, *to, (*scales)[dim - 2], alignsCorners), alignsCorners});
    }
    return axes;
}

/// Where the positions of the result lie in the input.
Term positionsOf(D &d, const Axis &axis, ir::DType dtype)
{
    const Term index = d.cast(d.arange(axis.output), dtype);
    return axis.alignsCorners ? index * axis.step : (index + 0.5) * axis.step - 0.5;
}

/// The elements of `x` at the indices `at` of a dimension, each times its weight.
Term weighted(const Term &x, const Axis &axis, const Term &at, const Term &weight)
{
    D &d = *x.made;
    const auto known = d.tensor(x);
    ir::Shape along(known ? known->rank() - axis.dim : 1, ops::one);
    along.front() = axis.output;
    return d.make("index_select", {x, static_cast<std::int64_t>(axis.dim), at}) * d.reshape(weight, along);
}

Term linearAlong(const Term &x, const Axis &axis)
{
    D &d = *x.made;
    const ir::DType dtype = d.dtype(x);
    const Term at = d.make("clamp", {positionsOf(d, axis, dtype), 0.0});
    const Term low = d.make("clamp", {d.cast(at, ir::DType::Int64), {"max", axis.input - 1}});
    const Term high = d.make("clamp", {low + d.term(std::int64_t{1}), {"max", axis.input - 1}});
    const Term share = d.make("clamp", {at - low, 0.0, 1.0});
    return weighted(x, axis, low, 1.0 - share) + weighted(x, axis, high, share);
}

/// Keys' kernel with a = -0.75, as PyTorch has it, for distances up to 1 and from there up to 2.
Term nearWeight(const Term &x) { return (x * 1.25 - 2.25) * x * x + 1; }
Term farWeight(const Term &x) { return ((x * -0.75 + 3.75) * x - 6.0) * x + 3.0; }

Term cubicAlong(const Term &x, const Axis &axis)
{
    D &d = *x.made;
    const Term at = positionsOf(d, axis, d.dtype(x)), floor = applied("floor", at);
    const Term share = d.make("clamp", {at - floor, 0.0, 1.0}), base = d.cast(floor, ir::DType::Int64);
    const auto neighbour = [&](std::int64_t distance, const Term &weight) {
        const Term position = distance == 0 ? base : base + d.term(distance);
        return weighted(x, axis, d.make("clamp", {position, std::int64_t{0}, axis.input - 1}), weight);
    };
    return neighbour(-1, farWeight(share + 1)) + neighbour(0, nearWeight(share)) + neighbour(1, nearWeight(1.0 - share))
        + neighbour(2, farWeight(2.0 - share));
}

Parts resampled(D &d, Term (*alongOne)(const Term &x, const Axis &axis))
{
    const auto alignsCorners = d.flag("align_corners");
    const std::vector<Axis> axes = resampledAxes(d, alignsCorners.value_or(false));
    if (!alignsCorners || axes.empty())
        return {};
    Term x = d.widened(imageOf(d));
    for (const Axis &axis : axes)
        x = alongOne(x, axis);
    return {d.cast(x, d.dtype(imageOf(d)))};
}

/// The element before each position, or the one that is nearest to the middle of it.
template <bool isExact>
Parts nearest(D &d)
{
    const std::vector<Axis> axes = resampledAxes(d, false);
    if (axes.empty())
        return {};
    Term x = imageOf(d);
    const ir::DType dtype = d.dtype(x) == ir::DType::Float64 ? ir::DType::Float64 : ir::DType::Float32;
    for (const Axis &axis : axes) {
        const Term index = d.cast(d.arange(axis.output), dtype);
        const Term at = d.cast((isExact ? index + 0.5 : index) * axis.step, ir::DType::Int64);
        x = d.make("index_select",
                   {x, static_cast<std::int64_t>(axis.dim), d.make("clamp", {at, {"max", axis.input - 1}})});
    }
    return {x};
}

/// With the size of the result in numbers: so PyTorch leaves it.
Parts antialiased(D &d, std::string_view target)
{
    const auto result = d.result();
    const auto scales = scalesOf(d, 2);
    if (d.overload() != "vec" || !result || result->rank() != 4 || !scales)
        return {};
    const auto operandOf = [](std::optional<double> scale) { return scale ? ir::Operand(*scale) : ir::Operand(); };
    return {d.make(target,
                   {d["input"],
                    d.sizes(std::span(result->shape).last(2)),
                    d["align_corners"],
                    {"scales_h", operandOf((*scales)[0])},
                    {"scales_w", operandOf((*scales)[1])}})};
}

/// From -1 to 1: of the first to the last element's middle, or of the borders around them.
Term gridLine(D &d, std::int64_t size, bool alignsCorners, ir::DType dtype)
{
    const auto count = static_cast<double>(size);
    if (size == 1)
        return d.full({ops::one}, 0.0, dtype);
    const Term index = d.cast(d.arange(size), dtype);
    return alignsCorners ? index * (2 / (count - 1)) - 1 : (index * 2 + 1) / count - 1;
}

/// Each place of an image, in coordinates from -1 to 1 and with a 1 after them, times a matrix.
Parts affineGrid(D &d)
{
    const Term matrix = d["theta"];
    const auto theta = d.tensor(matrix), result = d.result();
    const auto size = d.integers("size");
    const auto alignsCorners = d.flag("align_corners");
    if (!theta || !result || !size || !alignsCorners || theta->rank() != 3 || size->size() < 4
        || size->size() != result->rank() || std::ranges::any_of(*size, [](std::int64_t n) { return n < 1; }))
        return {};
    const std::vector<std::int64_t> spatial(size->begin() + 2, size->end());
    ir::Shape place(spatial.begin(), spatial.end());
    std::int64_t count = 1;
    for (const std::int64_t n : spatial)
        count *= n;
    place.emplace_back(ops::one);
    std::vector<Term> columns;
    for (std::size_t i = spatial.size(); i-- > 0;) { // x is the last dimension's
        ir::Shape line(place.size(), ops::one);
        line[i] = spatial[i];
        columns.push_back(d.expand(d.reshape(gridLine(d, spatial[i], *alignsCorners, theta->dtype), line), place));
    }
    columns.push_back(d.full(place, 1.0, theta->dtype));
    const Term grid =
        d.reshape(d.make("cat", {D::list(columns), -1}), {ops::one, count, static_cast<std::int64_t>(columns.size())});
    ir::Shape all{theta->shape.front(), count, static_cast<std::int64_t>(columns.size())};
    return {d.reshape(d.matmul(d.expand(grid, all), d.transposed(matrix, 1, 2)), result->shape)};
}

constexpr DecompositionRule resamplingRules[] = {
    {"aten::_upsample_bicubic2d_aa", [](D &d) { return antialiased(d, "_upsample_bicubic2d_aa"); }},
    {"aten::_upsample_bilinear2d_aa", [](D &d) { return antialiased(d, "_upsample_bilinear2d_aa"); }},
    {"aten::_upsample_nearest_exact1d", nearest<true>},
    {"aten::_upsample_nearest_exact2d", nearest<true>},
    {"aten::_upsample_nearest_exact3d", nearest<true>},
    {"aten::affine_grid_generator", affineGrid},
    {"aten::upsample_bicubic2d", [](D &d) { return resampled(d, cubicAlong); }},
    {"aten::upsample_linear1d", [](D &d) { return resampledLine(d, "upsample_bilinear2d.vec", true); }},
    {"aten::upsample_nearest1d", [](D &d) { return resampledLine(d, "upsample_nearest2d.vec", false); }},
    {"aten::upsample_nearest3d", nearest<false>},
    {"aten::upsample_trilinear3d", [](D &d) { return resampled(d, linearAlong); }},
};

} // namespace

std::span<const DecompositionRule> resamplingDecompositions() { return resamplingRules; }

} // namespace cutaway::passes
