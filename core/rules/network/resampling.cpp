// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/arguments/resampling_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

// Images are resampled one dimension after the other: each element of the result is a weighted sum of a few elements of
// the input. Their indices and weights are computed in the graph as PyTorch's kernels do, in the dtype of the image.

namespace cutaway::rules {

namespace {

using ops::Interpolation;
using Outside = ops::GridSampleArguments::Outside;

/// Whether torch and ONNX sample a grid in the same way with the arguments of the node; refuses the rule otherwise.
bool isSampledAlike(Node &node, const ops::GridSampleArguments &given)
{
    if (given.interpolation == Interpolation::Cubic && given.outside != Outside::Zeros)
        node.refuse("ONNX moves a place outside before it takes 16 pixels, torch each of the pixels");
    if (given.interpolation == Interpolation::Nearest && given.outside == Outside::Reflection
        && given.alignsCorners != true)
        node.refuse("ONNX rounds a place before it is reflected, torch behind that");
    return !node.isRefused();
}

} // namespace

} // namespace cutaway::rules

namespace cutaway::rules::to_aten {

namespace {

// ---- core ATen

using D = Decomposition;

/// Returns the scales of a line that is an image of height 1; None if only the result's size is given.
ir::Operand scalesWithOne(D &d)
{
    const Term given = d["scale_factors"];
    const auto *list = given.operand.as<ir::List>();
    if (!list || list->items.size() != 1)
        return {};
    return ir::List{{1.0, list->items.front()}};
}

/// Resamples a tensor with one spatial dimension as an image of height 1.
Parts resampledLine(D &d, AtenName target, bool hasAlignment)
{
    const auto result = d.result();
    if (result.rank() != 3)
        return d.refuse("it is no line");
    const Term image = unsqueeze(d["input"], 2);
    const ir::Operand scales = scalesWithOne(d);
    const ir::Operand sizes = scales.as<ir::None>() ? d.sizes(ir::Shape{ops::one, result.shape.back()}) : ir::Operand();
    return {squeeze(hasAlignment ? d.make(target, {image, sizes, d["align_corners"], scales})
                                 : d.make(target, {image, sizes, scales}),
                    2)};
}

/// A dimension to resample: its sizes before and after, and the distance in the input between two neighbouring elements
/// of the result.
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

/// Returns the image, for which overloads have different names.
Term imageOf(D &d) { return d.has("input") ? d["input"] : d["self"]; }

/// Returns the dimensions after batch and channels.
std::vector<Axis> resampledAxes(D &d, bool alignsCorners)
{
    const auto x = d.tensor(imageOf(d)), result = d.result();
    if (x.rank() < 3 || x.rank() > 5 || x.rank() != result.rank() || !ir::isFloating(x.dtype)) {
        d.refuse("it is no image of floats");
        return {};
    }
    const auto given = ops::upsampleArguments(d.call(), x.rank() - 2);
    std::vector<Axis> axes;
    for (std::size_t dim = 2; dim < x.rank(); ++dim) {
        const auto from = ops::number(x.shape[dim]), to = ops::number(result.shape[dim]);
        if (!from || !to || *from < 1 || *to < 1) {
            d.refuse("a size that it resamples is not known");
            return {};
        }
        const auto scale = given.positionScale(dim - 2);
        const auto factor = scale ? std::optional(d.known(*scale, "a scale is")) : std::nullopt;
        if (factor && !(*factor > 0))
            d.refuse("a scale is not above 0");
        axes.push_back({dim, *from, *to, stepOf(*from, *to, factor, alignsCorners), alignsCorners});
    }
    return axes;
}

/// Returns the positions of the result's elements in the input.
Term positionsOf(AtenMaker &d, const Axis &axis, ir::DType dtype)
{
    const Term index = cast(d.arange(axis.output), dtype);
    return axis.alignsCorners ? index * axis.step : (index + 0.5) * axis.step - 0.5;
}

/// Returns the elements of `x` at the indices `at` along a dimension, each multiplied by its weight.
Term weighted(const Term &x, const Axis &axis, const Term &at, const Term &weight)
{
    AtenMaker &d = *x.made;
    ir::Shape along(std::max(d.tensor(x).rank(), axis.dim + 1) - axis.dim, ops::one);
    along.front() = axis.output;
    const Term elements = d.make("index_select", {x, static_cast<std::int64_t>(axis.dim), at});
    return elements * reshape(weight, along);
}

Term linearAlong(const Term &x, const Axis &axis)
{
    AtenMaker &d = *x.made;
    const ir::DType dtype = d.dtype(x);
    const Term at = d.make("clamp", {positionsOf(d, axis, dtype), 0.0});
    const Term low = d.make("clamp", {cast(at, ir::DType::Int64), {"max", axis.input - 1}});
    const Term high = d.make("clamp", {low + d.term(std::int64_t{1}), {"max", axis.input - 1}});
    const Term share = d.make("clamp", {at - low, 0.0, 1.0});
    const Term before = weighted(x, axis, low, 1.0 - share), after = weighted(x, axis, high, share);
    return before + after;
}

/// These functions compute the two parts of Keys' kernel with a = -0.75, as PyTorch has it: for distances up to 1, and
/// for distances from 1 to 2.
Term nearWeight(const Term &x) { return (x * 1.25 - 2.25) * x * x + 1; }
Term farWeight(const Term &x) { return ((x * -0.75 + 3.75) * x - 6.0) * x + 3.0; }

Term cubicAlong(const Term &x, const Axis &axis)
{
    AtenMaker &d = *x.made;
    const Term at = positionsOf(d, axis, d.dtype(x)), floor = applied("floor", at);
    const Term share = d.make("clamp", {at - floor, 0.0, 1.0}), base = cast(floor, ir::DType::Int64);
    const auto neighbour = [&](std::int64_t distance, const Term &weight) {
        const Term position = distance == 0 ? base : base + d.term(distance);
        return weighted(x, axis, d.make("clamp", {position, std::int64_t{0}, axis.input - 1}), weight);
    };
    const Term first = neighbour(-1, farWeight(share + 1)), second = neighbour(0, nearWeight(share));
    const Term third = neighbour(1, nearWeight(1.0 - share)), fourth = neighbour(2, farWeight(2.0 - share));
    return first + second + third + fourth;
}

Parts resampled(D &d, Term (*alongOne)(const Term &x, const Axis &axis))
{
    Term x = widened(imageOf(d));
    for (const Axis &axis : resampledAxes(d, d.flag("align_corners")))
        x = alongOne(x, axis);
    return {cast(x, d.dtype(imageOf(d)))};
}

/// Resamples to the nearest element: the one at or before each position or, with `isExact`, the one that is nearest to
/// the middle of the pixel.
template <bool isExact>
Parts nearest(D &d)
{
    Term x = imageOf(d);
    const ir::DType dtype = d.dtype(x) == ir::DType::Float64 ? ir::DType::Float64 : ir::DType::Float32;
    for (const Axis &axis : resampledAxes(d, false)) {
        const Term index = cast(d.arange(axis.output), dtype);
        const Term at = cast((isExact ? index + 0.5 : index) * axis.step, ir::DType::Int64);
        x = d.make("index_select",
                   {x, static_cast<std::int64_t>(axis.dim), d.make("clamp", {at, {"max", axis.input - 1}})});
    }
    return {x};
}

/// Resamples with antialiasing, to a size that has to be a number, as in PyTorch.
Parts antialiased(D &d, AtenName target)
{
    const auto result = d.result();
    if (d.call().overload() != "vec" || result.rank() != 4)
        return d.refuse("it is one of PyTorch's last operators already");
    const auto given = ops::upsampleArguments(d.call(), 2);
    const auto scale = [&](std::size_t i) {
        const auto factor = given.positionScale(i);
        return factor ? ir::Operand(d.known(*factor, "a scale is")) : ir::Operand();
    };
    return {d.make(target,
                   {d["input"],
                    d.sizes(std::span(result.shape).last(2)),
                    d["align_corners"],
                    {"scales_h", scale(0)},
                    {"scales_w", scale(1)}})};
}

/// Returns numbers at equal distances between -1 and 1, which stand for the middles of the first and the last element
/// with `alignsCorners`, else for their outer borders.
Term gridLine(D &d, std::int64_t size, bool alignsCorners, ir::DType dtype)
{
    const auto count = static_cast<double>(size);
    if (size == 1)
        return d.full({ops::one}, 0.0, dtype);
    const Term index = cast(d.arange(size), dtype);
    return alignsCorners ? index * (2 / (count - 1)) - 1 : (index * 2 + 1) / count - 1;
}

/// Multiplies each position of an image, with coordinates from -1 to 1 and a 1 after them, by a matrix.
Parts affineGrid(D &d)
{
    const Term matrix = d["theta"];
    const auto theta = d.tensor("theta"), result = d.result();
    const D::Numbers size = d.integers("size");
    const bool alignsCorners = d.flag("align_corners");
    if (theta.rank() != 3 || size.size() < 4 || size.size() != result.rank()
        || std::ranges::any_of(size, [](std::int64_t n) { return n < 1; }))
        return d.refuse("it is no grid of images of known sizes");
    const D::Numbers spatial(size.begin() + 2, size.end());
    ir::Shape place(spatial.begin(), spatial.end());
    const ir::Dim count = ops::product(place);
    place.emplace_back(ops::one);
    std::vector<Term> columns;
    for (std::size_t i = spatial.size(); i-- > 0;) { // the first coordinate, x, belongs to the last dimension
        ir::Shape line(place.size(), ops::one);
        line[i] = spatial[i];
        columns.push_back(expand(reshape(gridLine(d, spatial[i], alignsCorners, theta.dtype), line), place));
    }
    columns.push_back(d.full(place, 1.0, theta.dtype));
    const Term grid = reshape(concat(columns, -1), {ops::one, count, std::ssize(columns)});
    const ir::Shape all{theta.shape.front(), count, std::ssize(columns)};
    const Term places = expand(grid, all), turned = transposed(matrix, 1, 2);
    return {reshape(matmul(places, turned), result.shape)};
}

constexpr DecompositionRule resamplingDecompositions[] = {
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

// ---- from ONNX
//
// torch resamples the last one to three dimensions of [batch, channels, …], and has three rules for the position of a
// pixel; nodes of ONNX with other settings are refused.

using N = OnnxNode;

constexpr std::string_view otherResize =
    "torch resizes the last one to three dimensions of floats, of known scales, and in no other way";

/// The dimensions that a node resizes, and how.
struct Resampling {
    std::size_t rank = 0;
    ir::Shape from, to;         ///< the sizes of the resized dimensions before and after
    std::vector<double> scales; ///< the scales that the file states; empty: they follow from the sizes
    ops::ResizeArguments given; ///< all known, apart from `extrapolation` and `axes`
};

/// Returns the scales that the node gives, including those of batch and channels; nothing if the node gives none, or
/// they are not known.
std::optional<std::vector<double>> givenScales(N &n, const ops::ResizeArguments &given, std::size_t rank)
{
    const bool areAttribute = n.name() == "Upsample" && n.opset() < 9;
    const auto scales = areAttribute ? n.reals("scales") : n.constantNumbers(given.scales());
    const auto axes = given.resizedAxes(rank);
    if (!scales || !axes || scales->size() != axes->size())
        return std::nullopt;
    std::vector<double> all(rank, 1);
    for (std::size_t i = 0; i < axes->size(); ++i)
        all[(*axes)[i]] = (*scales)[i];
    return all;
}

Resampling resamplingOf(N &n)
{
    const auto x = n.tensor(0), y = n.result();
    const ops::ResizeArguments given = ops::resizeArguments(n.call());
    const bool isPlain = x.rank() >= 3 && x.rank() <= 5 && y.rank() == x.rank() && ir::isFloating(x.dtype)
        && given.isAntialiased == false && given.excludesOutside == false && given.policy == ops::ResizePolicy::Stretch
        && given.interpolation && given.coordinates && given.rounding && given.cubicCoefficient;
    if (!isPlain || ops::isDifferent(x.shape[0], y.shape[0]) || ops::isDifferent(x.shape[1], y.shape[1])) {
        n.refuse(std::string(otherResize));
        return {};
    }
    Resampling made{x.rank(), {x.shape.begin() + 2, x.shape.end()}, {y.shape.begin() + 2, y.shape.end()}, {}, given};
    const bool hasSizes = !given.isOld && n.has(3);
    const auto scales = hasSizes ? std::nullopt : givenScales(n, given, x.rank());
    if (!hasSizes && (!scales || (*scales)[0] != 1 || (*scales)[1] != 1))
        n.refuse(std::string(otherResize));
    else if (scales)
        made.scales.assign(scales->begin() + 2, scales->end());
    return made;
}

/// Returns the scale of a spatial dimension as an argument of torch's operator; None if the node gives sizes.
ir::Operand scaleOf(const Resampling &how, std::size_t i)
{
    return how.scales.empty() ? ir::Operand() : ir::Operand(how.scales[i]);
}

Term resampled(N &n, AtenName target, const Resampling &how, std::optional<bool> alignCorners)
{
    static constexpr std::array<std::string_view, 3> names{"scales_d", "scales_h", "scales_w"};
    const std::size_t count = how.to.size();
    std::vector<N::With> arguments{n[0], n.sizes(how.to)};
    if (alignCorners)
        arguments.emplace_back("align_corners", ir::Operand(*alignCorners));
    for (std::size_t i = 0; i < count; ++i)
        arguments.emplace_back(count == 1 ? "scales" : names[3 - count + i], scaleOf(how, i));
    return n.make(target, arguments);
}

/// Whether no pixel lies halfway between two others: ONNX and torch then agree on the nearest one.
bool isNeverHalfway(const Resampling &how)
{
    for (std::size_t i = 0; i < how.to.size(); ++i) {
        const auto from = ops::number(how.from[i]), to = ops::number(how.to[i]);
        if (!from || !to || *from < 1 || *to < 1
            || (!how.scales.empty() && how.scales[i] * static_cast<double>(*from) != *to))
            return false;
        // Pixel x lies at (2x + 1) * from / (2 * to), less a half: halfway where the fraction is a whole number. With
        // the common divisor of `from` and `to` removed, that needs a `to` that divides the odd 2x + 1, and a `from`
        // that 2 divides.
        const std::int64_t divisor = std::gcd(*from, *to);
        if (*to / divisor % 2 != 0 && *from / divisor % 2 == 0)
            return false;
    }
    return true;
}

Parts nearest(N &n, const Resampling &how)
{
    using ops::ResizeCoordinates;
    using ops::ResizeRounding;
    const auto coordinates = how.given.coordinates;
    const auto rounding = how.given.rounding;
    const bool shrinks = std::ranges::any_of(how.scales, [](double scale) { return scale < 1; });
    if (how.given.isOld && shrinks)
        return n.refuse("where an axis shrinks, opset 10 takes the pixel above, and torch the one below");
    if (coordinates == ResizeCoordinates::Asymmetric && rounding == ResizeRounding::Down)
        return {resampled(n, AtenName::computed(formatted("upsample_nearest{}d", how.to.size())), how, std::nullopt)};
    const bool isExact = coordinates == ResizeCoordinates::HalfPixel
        && (rounding == ResizeRounding::HalfUp || (rounding == ResizeRounding::HalfDown && isNeverHalfway(how)));
    return isExact ? Parts{resampled(n, AtenName::computed(formatted("_upsample_nearest_exact{}d", how.to.size())), how,
                                     std::nullopt)}
                   : n.refuse(formatted("torch takes another pixel for the nearest one than '{}' with '{}'",
                                        onnxName(*rounding), onnxName(*coordinates)));
}

/// Returns torch's rule for positions: true by corners, false by halves of pixels. Nothing for other rules.
std::optional<bool> alignsCorners(const Resampling &how)
{
    if (how.given.coordinates == ops::ResizeCoordinates::AlignCorners)
        return true;
    const bool hasOne =
        std::ranges::any_of(how.to, [](const ir::Dim &dim) { return ops::number(dim).value_or(1) == 1; });
    if (how.given.coordinates == ops::ResizeCoordinates::HalfPixel
        || (how.given.coordinates == ops::ResizeCoordinates::PytorchHalfPixel && !hasOne))
        return false;
    return std::nullopt;
}

Parts resize(N &n)
{
    const Resampling how = resamplingOf(n);
    if (n.isRefused())
        return {};
    if (how.given.interpolation == Interpolation::Nearest)
        return nearest(n, how);
    const auto corners = alignsCorners(how);
    if (!corners)
        return n.refuse(formatted("torch finds pixels by corners or by halves, and this by '{}'",
                                  onnxName(*how.given.coordinates)));
    static constexpr AtenName linear[] = {"upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d"};
    if (how.given.interpolation == Interpolation::Linear)
        return {resampled(n, linear[how.to.size() - 1], how, corners)};
    const bool isTorchs = how.rank == 4 && how.given.cubicCoefficient == -0.75;
    return isTorchs ? Parts{resampled(n, "upsample_bicubic2d", how, corners)}
                    : n.refuse("torch has no such cubic, or only of images");
}

Parts gridSample(N &n)
{
    const auto given = ops::gridSampleArguments(n.call());
    const std::size_t rank = n.tensor(0).rank();
    const bool isCubic = given.interpolation == Interpolation::Cubic;
    if (!given.interpolation || !given.outside || (rank != 4 && (rank != 5 || isCubic)))
        return n.refuse("torch samples no such input, or not in this mode");
    const std::int64_t mode = isCubic ? 2 : given.interpolation == Interpolation::Nearest ? 1 : 0;
    if (!isSampledAlike(n, given))
        return {};
    return {n.make("grid_sampler",
                   {n[0], n[1], mode, static_cast<std::int64_t>(*given.outside),
                    n.known(given.alignsCorners, "'align_corners' is")})};
}

Parts affineGrid(N &n)
{
    const auto sizes = n.known(n.call().sizes(1), "the size of its grid is");
    return {n.make("affine_grid_generator", {n[0], n.sizes(sizes), n.integer("align_corners", 0) != 0})};
}

constexpr OnnxLowering resamplingLowerings[] = {
    {"onnx::AffineGrid", affineGrid},
    {"onnx::GridSample", gridSample},
    {"onnx::Resize", resize},
    {"onnx::Upsample", resize},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;
using ir::DType;

ir::Operand word(L &l, std::string_view text) { return ir::String{l.graph().context().name(text)}; }

/// Returns the scales with which torch computes positions; nothing if torch computes with the sizes instead.
std::optional<std::vector<float>> givenScales(L &l, const ops::UpsampleArguments &given)
{
    std::vector<float> scales;
    for (std::size_t i = 0; i < given.scales.size(); ++i) {
        const auto scale = given.positionScale(i);
        if (!scale)
            return std::nullopt;
        scales.push_back(static_cast<float>(l.known(*scale, "a scale is")));
    }
    return scales;
}

/// Returns the sizes of the result: a constant if they are known, else the argument `output_size` if the node has it,
/// else computed sizes.
Term resizedSizes(L &l, const L::Tensor &x)
{
    const auto made = l.result();
    if (ops::numbers(made.shape))
        return l.ints(l.numbersOf(made.shape, "the result"));
    const Term outer = slice(shapeOf(l[0]), 0, 0, 2);
    if (l.has("output_size"))
        return concat({outer, l.sizes("output_size")}, 0);
    return concat({outer, l.shapeTerm(std::span(made.shape).last(x.rank() - 2))}, 0);
}

/// Returns ONNX's word for an interpolation.
std::string_view wordOf(Interpolation interpolation)
{
    return interpolation == Interpolation::Linear ? "linear"
        : interpolation == Interpolation::Cubic   ? "cubic"
                                                  : "nearest";
}

Results resizeRule(L &l)
{
    const auto x = l.tensor(0);
    if (x.rank() < 3)
        return l.refuse("an input of less than three dimensions");
    const auto given = ops::upsampleArguments(l.call(), x.rank() - 2);
    const auto interpolation = l.known(given.interpolation, "its mode is");
    const bool isExact = interpolation == Interpolation::NearestExact;
    const std::string_view mode = wordOf(interpolation);
    const auto scales = givenScales(l, given);
    Term factors = l.none(), sizes = l.none();
    if (scales) {
        std::vector<float> all{1, 1};
        all.insert(all.end(), scales->begin(), scales->end());
        factors = l.floats(all);
    } else {
        sizes = resizedSizes(l, x);
    }
    const bool aligns = l.known(given.alignsCorners, "'align_corners' is");
    const std::string_view places = isExact ? "half_pixel"
        : mode == "nearest"                 ? "asymmetric"
        : aligns                            ? "align_corners"
                                            : "half_pixel";
    L::Attributes attributes{{"mode", word(l, mode)}, {"coordinate_transformation_mode", word(l, places)}};
    if (mode == "nearest")
        attributes.emplace_back("nearest_mode", word(l, isExact ? "round_prefer_ceil" : "floor"));
    else if (mode == "cubic")
        attributes.emplace_back("cubic_coeff_a", -0.75);
    if (given.isAntialiased != false) {
        if (l.opset() < 18 || aligns || mode == "cubic")
            return l.refuse("antialiasing needs opset 18, and ONNX has it otherwise for aligned corners and cubes");
        attributes.emplace_back("antialias", std::int64_t{1});
        attributes.emplace_back("exclude_outside", std::int64_t{1});
    }
    return {l.make("Resize", {l[0], l.none(), factors, sizes}, attributes)};
}

/// Returns ONNX's word for a mode of sampling. Before opset 20 ONNX names the modes as torch does.
std::string_view sampledWordOf(Interpolation interpolation, std::int64_t opset)
{
    if (opset >= 20 || interpolation == Interpolation::Nearest)
        return wordOf(interpolation);
    return interpolation == Interpolation::Cubic ? "bicubic" : "bilinear";
}

Results gridSampleRule(L &l)
{
    constexpr std::array<std::string_view, 3> paddings{"zeros", "border", "reflection"};
    const auto given = ops::gridSampleArguments(l.call());
    if (!given.interpolation || !given.outside || l.tensor(0).rank() != 4)
        return l.refuse("of other than four dimensions");
    if (!isSampledAlike(l, given))
        return {};
    return {l.make("GridSample", {l[0], l[1]},
                   {{"mode", word(l, sampledWordOf(*given.interpolation, l.opset()))},
                    {"padding_mode", word(l, paddings[static_cast<std::size_t>(*given.outside)])},
                    {"align_corners", std::int64_t{l.known(given.alignsCorners, "'align_corners' is")}}})};
}

Results affineGridRule(L &l)
{
    return {l.make("AffineGrid", {l["theta"], l.sizes("size")},
                   {{"align_corners", std::int64_t{l.flag("align_corners")}}})};
}

constexpr LoweringRule resamplingRules[] = {
    {"aten::upsample_nearest1d aten::upsample_nearest2d aten::upsample_nearest3d aten::_upsample_nearest_exact1d "
     "aten::_upsample_nearest_exact2d aten::_upsample_nearest_exact3d aten::upsample_linear1d "
     "aten::upsample_bilinear2d aten::upsample_trilinear3d aten::upsample_bicubic2d aten::_upsample_bilinear2d_aa",
     resizeRule},
    {"aten::affine_grid_generator", affineGridRule, 20},
    {"aten::grid_sampler aten::grid_sampler_2d", gridSampleRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

// Up to opset 10 a coordinate of the result is divided by the scale, and the nearest element is the one before it; from
// opset 11 on attributes choose the formula, and their defaults are another one.

namespace cutaway::rules::to_onnx { // between versions

namespace {

using ir::Operand;
using Numbers = VersionChange::Numbers;

constexpr std::string_view oldCoordinates = "asymmetric", oldNearest = "floor";

void scalesToInput(VersionChange &change)
{
    const auto scales = change.knownReals("scales");
    if (!scales)
        return change.reject("its scales are not known");
    change.dropAttribute("scales");
    change.setInputs({change.input(0), change.tensorOf(ir::DType::Float32, {std::ssize(*scales)}, *scales)});
}

void scalesToAttribute(VersionChange &change)
{
    const auto scales = change.knownReals(1);
    if (!scales)
        return change.reject("its scales are computed while the model runs");
    change.setInputs({change.input(0)});
    change.setAttribute("scales", VersionChange::list(*scales));
}

void toResize(VersionChange &change) { change.setOperator("Resize"); }

/// Makes an Upsample of opset 9. Refuses scales that may be below 1, which Upsample does not have.
void toUpsample(VersionChange &change)
{
    const auto scales = change.knownReals(1);
    if (!scales || std::ranges::any_of(*scales, [](double scale) { return !(scale >= 1); }))
        return change.reject("it is not certain to make nothing smaller");
    change.setOperator("Upsample");
}

Operand noNumbers(VersionChange &change) { return change.tensorOf(ir::DType::Float32, {0}, std::vector<double>()); }

/// Returns the name that later opsets have for the rounding of opset 10, which takes the pixel below where an axis
/// grows, and the pixel above where it shrinks. Nothing if the scales are not known, or if some are above 1 and some
/// below.
std::optional<std::string_view> roundingAt(const std::optional<std::vector<double>> &scales)
{
    if (scales && std::ranges::all_of(*scales, [](double scale) { return scale >= 1; }))
        return oldNearest;
    if (scales && std::ranges::all_of(*scales, [](double scale) { return scale <= 1; }))
        return "ceil";
    return std::nullopt;
}

void namesItsModes(VersionChange &change)
{
    const bool isNearest = change.text("mode", "nearest") == "nearest";
    const auto nearest = roundingAt(change.knownReals(1));
    if (isNearest && !nearest)
        return change.reject("opset 10 rounds by the scales, and they are not known, or are above and below 1");
    change.setInputs({change.input(0), noNumbers(change), change.input(1)});
    change.setAttribute("coordinate_transformation_mode", change.word(oldCoordinates));
    if (isNearest)
        change.setAttribute("nearest_mode", change.word(*nearest));
}

/// Returns the scales, which the node gives or which follow from its sizes; nothing if they are not known.
std::optional<std::vector<double>> scalesOf(VersionChange &change)
{
    auto scales = change.knownReals(2);
    if (!change.has(3))
        return scales;
    const auto sizes = change.knownIntegers(3);
    if (!sizes || (scales && !scales->empty()))
        return std::nullopt;
    std::vector<double> quotients;
    for (std::size_t i = 0; i < sizes->size(); ++i) {
        const auto size = change.size(0, i);
        if (!size || *size < 1 || (*sizes)[i] % *size != 0) // opsets differ in how they round other quotients
            return std::nullopt;
        const std::int64_t quotient = (*sizes)[i] / *size;
        quotients.push_back(static_cast<double>(quotient));
    }
    return quotients;
}

/// Whether a resize to nearest elements repeats each element as often as the scale of its axis says. With half-pixel
/// coordinates and rounding to the nearest it does for integer scales: no coordinate lies halfway between two elements.
bool isRepeating(VersionChange &change, const std::vector<double> &scales)
{
    const std::string_view coordinates = change.text("coordinate_transformation_mode", "half_pixel"),
                           nearest = change.text("nearest_mode", "round_prefer_floor");
    return std::ranges::all_of(scales, [](double scale) { return scale >= 1 && scale == std::floor(scale); })
        && coordinates == "half_pixel" && nearest.starts_with("round_prefer");
}

void hasOldModes(VersionChange &change)
{
    const std::string_view mode = change.text("mode", "nearest"),
                           coordinates = change.text("coordinate_transformation_mode", "half_pixel"),
                           nearest = change.text("nearest_mode", "round_prefer_floor");
    const auto scales = scalesOf(change);
    const bool isNearest = mode == "nearest";
    if (!isNearest && mode != "linear")
        return change.reject(formatted("opset 10 has no mode '{}' of it", mode));
    const bool isOld = coordinates == oldCoordinates && (!isNearest || roundingAt(scales) == nearest);
    if (!isOld && !(isNearest && scales && isRepeating(change, *scales)))
        return change.reject(formatted("opset 10 takes coordinates in another way than '{}'{}", coordinates,
                                       isNearest ? formatted(" and '{}'", nearest) : ""));
    if (change.has(3) && !scales)
        return change.reject("its scales do not follow from its sizes");
    if (!isNearest && change.integer("exclude_outside", 0) != 0)
        return change.reject("opset 10 counts what is outside");
    const Operand given =
        change.has(3) ? change.tensorOf(ir::DType::Float32, {std::ssize(*scales)}, *scales) : change.input(2);
    change.setInputs({change.input(0), given});
    for (const std::string_view attribute :
         {"coordinate_transformation_mode", "nearest_mode", "cubic_coeff_a", "exclude_outside", "extrapolation_value"})
        change.dropAttribute(attribute);
}

void hasNoOldMode(VersionChange &change)
{
    if (change.text("coordinate_transformation_mode", "") == "tf_half_pixel_for_nn")
        change.reject("opset 13 does not have its mode 'tf_half_pixel_for_nn'");
}

/// Gives an empty vector for each input that may be left out only from opset 13 on.
void givesAllInputs(VersionChange &change)
{
    std::vector<Operand> inputs = change.inputs();
    inputs.resize(std::max<std::size_t>(3, inputs.size()), ir::None{});
    for (const std::size_t position : {1U, 2U})
        if (inputs[position].as<ir::None>())
            inputs[position] = noNumbers(change);
    change.setInputs(std::move(inputs));
}

void hasNoNewMode(VersionChange &change)
{
    if (change.text("coordinate_transformation_mode", "") == "half_pixel_symmetric")
        change.reject("opset 18 does not have its mode 'half_pixel_symmetric'");
}

// ---- samples of a grid

constexpr std::pair<std::string_view, std::string_view> gridModes[] = {{"bilinear", "linear"}, {"bicubic", "cubic"}};

void newGridMode(VersionChange &change)
{
    const std::string_view mode = change.text("mode", "bilinear");
    for (const auto &[old, name] : gridModes)
        if (mode == old)
            change.setAttribute("mode", change.word(name));
}

void oldGridMode(VersionChange &change)
{
    if (change.knownRank(0) != 4U)
        return change.reject("before opset 20 it takes pictures of two dimensions only");
    const std::string_view mode = change.text("mode", "linear");
    for (const auto &[old, name] : gridModes)
        if (mode == name)
            change.setAttribute("mode", change.word(old));
}

/// Names the only mode that there is before opset 16, as it is not the default of later opsets.
void namesRoiMode(VersionChange &change)
{
    change.setAttribute("coordinate_transformation_mode", change.word("output_half_pixel"));
}

void hasOldRoiMode(VersionChange &change)
{
    const std::string_view mode = change.text("coordinate_transformation_mode", "half_pixel");
    if (mode != "output_half_pixel")
        return change.reject(formatted("before opset 16 it has no mode '{}'", mode));
    change.dropAttribute("coordinate_transformation_mode");
}

constexpr VersionRow resamplingVersions[] = {
    {"onnx::Upsample", 9, scalesToInput, scalesToAttribute},
    {"onnx::Upsample", 10, toResize, nullptr},
    {"onnx::Resize", 10, nullptr, toUpsample},
    {"onnx::Resize", 11, namesItsModes, hasOldModes},
    {"onnx::Resize", 13, hasNoOldMode, givesAllInputs},
    {"onnx::Resize", 19, nullptr, hasNoNewMode},
    {"onnx::GridSample", 20, newGridMode, oldGridMode},
    {"onnx::RoiAlign", 16, namesRoiMode, hasOldRoiMode},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family resampling()
{
    return {.decompositions = to_aten::resamplingDecompositions,
            .fromOnnx = to_aten::resamplingLowerings,
            .toOnnx = to_onnx::resamplingRules,
            .versions = to_onnx::resamplingVersions};
}

} // namespace cutaway::rules
