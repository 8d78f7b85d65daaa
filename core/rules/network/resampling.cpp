// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

// Images are resampled one dimension after the other: each position of the result is a weighted sum of a few of the
// input's. Which ones and how much is computed in the graph as PyTorch's kernels do, in the dtype of the image.

namespace cutaway::rules::to_aten { // core ATen

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

/// The factors that the call names, each nothing where it gives none.
std::vector<std::optional<double>> scalesOf(D &d, std::size_t count)
{
    static constexpr std::string_view names[] = {"scales_d", "scales_h", "scales_w"};
    const auto factors = d.items("scale_factors");
    std::vector<std::optional<double>> scales(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view name = names[std::size(names) - count + i];
        if (d.has("scale_factors"))
            scales[i] = d.known(i < factors.size() ? ops::asFloat(d.fact(factors[i])) : std::nullopt, "a scale is");
        else if (d.has(name))
            scales[i] = d.number(name);
        if (scales[i] && !(*scales[i] > 0))
            d.refuse("a scale is not above 0");
    }
    return scales;
}

/// The image, by the names that overloads have for it.
Term imageOf(D &d) { return d.has("input") ? d["input"] : d["self"]; }

/// The dimensions after batch and channels.
std::vector<Axis> resampledAxes(D &d, bool alignsCorners)
{
    const auto x = d.tensor(imageOf(d)), result = d.result();
    if (x.rank() < 3 || x.rank() > 5 || x.rank() != result.rank() || !ir::isFloating(x.dtype)) {
        d.refuse("it is no image of floats");
        return {};
    }
    const auto scales = scalesOf(d, x.rank() - 2);
    std::vector<Axis> axes;
    for (std::size_t dim = 2; dim < x.rank(); ++dim) {
        const auto from = ops::number(x.shape[dim]), to = ops::number(result.shape[dim]);
        if (!from || !to || *from < 1 || *to < 1) {
            d.refuse("a size that it resamples is not known");
            return {};
        }
        axes.push_back({dim, *from, *to, stepOf(*from, *to, scales[dim - 2], alignsCorners), alignsCorners});
    }
    return axes;
}

/// Where the positions of the result lie in the input.
Term positionsOf(AtenMaker &d, const Axis &axis, ir::DType dtype)
{
    const Term index = cast(d.arange(axis.output), dtype);
    return axis.alignsCorners ? index * axis.step : (index + 0.5) * axis.step - 0.5;
}

/// The elements of `x` at the indices `at` of a dimension, each times its weight.
Term weighted(const Term &x, const Axis &axis, const Term &at, const Term &weight)
{
    AtenMaker &d = *x.made;
    ir::Shape along(std::max(d.tensor(x).rank(), axis.dim + 1) - axis.dim, ops::one);
    along.front() = axis.output;
    return d.make("index_select", {x, static_cast<std::int64_t>(axis.dim), at}) * reshape(weight, along);
}

Term linearAlong(const Term &x, const Axis &axis)
{
    AtenMaker &d = *x.made;
    const ir::DType dtype = d.dtype(x);
    const Term at = d.make("clamp", {positionsOf(d, axis, dtype), 0.0});
    const Term low = d.make("clamp", {cast(at, ir::DType::Int64), {"max", axis.input - 1}});
    const Term high = d.make("clamp", {low + d.term(std::int64_t{1}), {"max", axis.input - 1}});
    const Term share = d.make("clamp", {at - low, 0.0, 1.0});
    return weighted(x, axis, low, 1.0 - share) + weighted(x, axis, high, share);
}

/// Keys' kernel with a = -0.75, as PyTorch has it, for distances up to 1 and from there up to 2.
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
    return neighbour(-1, farWeight(share + 1)) + neighbour(0, nearWeight(share)) + neighbour(1, nearWeight(1.0 - share))
        + neighbour(2, farWeight(2.0 - share));
}

Parts resampled(D &d, Term (*alongOne)(const Term &x, const Axis &axis))
{
    Term x = widened(imageOf(d));
    for (const Axis &axis : resampledAxes(d, d.flag("align_corners")))
        x = alongOne(x, axis);
    return {cast(x, d.dtype(imageOf(d)))};
}

/// The element before each position, or the one that is nearest to the middle of it.
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

/// With the size of the result in numbers: so PyTorch leaves it.
Parts antialiased(D &d, AtenName target)
{
    const auto result = d.result();
    if (d.call().overload() != "vec" || result.rank() != 4)
        return d.refuse("it is one of PyTorch's last operators already");
    const auto scales = scalesOf(d, 2);
    const auto operandOf = [](std::optional<double> scale) { return scale ? ir::Operand(*scale) : ir::Operand(); };
    return {d.make(target,
                   {d["input"],
                    d.sizes(std::span(result.shape).last(2)),
                    d["align_corners"],
                    {"scales_h", operandOf(scales[0])},
                    {"scales_w", operandOf(scales[1])}})};
}

/// From -1 to 1: of the first to the last element's middle, or of the borders around them.
Term gridLine(D &d, std::int64_t size, bool alignsCorners, ir::DType dtype)
{
    const auto count = static_cast<double>(size);
    if (size == 1)
        return d.full({ops::one}, 0.0, dtype);
    const Term index = cast(d.arange(size), dtype);
    return alignsCorners ? index * (2 / (count - 1)) - 1 : (index * 2 + 1) / count - 1;
}

/// Each place of an image, in coordinates from -1 to 1 and with a 1 after them, times a matrix.
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
    for (std::size_t i = spatial.size(); i-- > 0;) { // x is the last dimension's
        ir::Shape line(place.size(), ops::one);
        line[i] = spatial[i];
        columns.push_back(expand(reshape(gridLine(d, spatial[i], alignsCorners, theta.dtype), line), place));
    }
    columns.push_back(d.full(place, 1.0, theta.dtype));
    const Term grid = reshape(concat(columns, -1), {ops::one, count, std::ssize(columns)});
    const ir::Shape all{theta.shape.front(), count, std::ssize(columns)};
    return {reshape(matmul(expand(grid, all), transposed(matrix, 1, 2)), result.shape)};
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

} // namespace

} // namespace cutaway::rules::to_aten

// torch resamples the last one to three dimensions of [batch, channels, …], and takes the place of a pixel by one of
// three rules; what ONNX can say beyond that stays as it is.

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;

constexpr std::string_view otherResize =
    "torch resizes the last one to three dimensions of floats, of known scales, and in no other way";

/// The dimensions that a node resizes, and how.
struct Resampling {
    std::size_t rank = 0;
    ir::Shape from, to;         ///< the resized dimensions
    std::vector<double> scales; ///< as the file gives them; empty: the sizes say them
    std::string_view mode, coordinates;
};

/// The scales that are given, with those of batch and channels; nothing: they are not known, or there are none.
std::optional<std::vector<double>> givenScales(N &n, std::size_t rank)
{
    const bool isUpsample = n.name() == "Upsample";
    auto scales =
        isUpsample && n.opset() < 9 ? n.reals("scales") : n.constantNumbers(isUpsample || n.opset() < 11 ? 1 : 2);
    if (!scales || !n.has("axes"))
        return scales;
    const auto axes = n.knownIntegers("axes");
    std::vector<double> all(rank, 1);
    for (std::size_t i = 0; axes && i < axes->size() && i < scales->size(); ++i)
        if (const auto dim = n.dimension((*axes)[i]))
            all[*dim] = (*scales)[i];
    return all;
}

Resampling resamplingOf(N &n)
{
    const auto x = n.tensor(0), y = n.result();
    const bool isPlain = x.rank() >= 3 && x.rank() <= 5 && y.rank() == x.rank() && ir::isFloating(x.dtype)
        && n.integer("antialias", 0) == 0 && n.integer("exclude_outside", 0) == 0
        && n.text("keep_aspect_ratio_policy", "stretch") == "stretch";
    if (!isPlain || ops::isDifferent(x.shape[0], y.shape[0]) || ops::isDifferent(x.shape[1], y.shape[1])) {
        n.refuse(std::string(otherResize));
        return {};
    }
    const bool isOld = n.name() == "Upsample" || n.opset() < 11;
    Resampling made{x.rank(),
                    {x.shape.begin() + 2, x.shape.end()},
                    {y.shape.begin() + 2, y.shape.end()},
                    {},
                    n.text("mode", "nearest"),
                    isOld ? "asymmetric" : n.text("coordinate_transformation_mode", "half_pixel")};
    const bool hasSizes = !isOld && n.has(3);
    const auto scales = hasSizes ? std::nullopt : givenScales(n, x.rank());
    if (!hasSizes && (!scales || scales->size() != x.rank() || (*scales)[0] != 1 || (*scales)[1] != 1))
        n.refuse(std::string(otherResize));
    else if (scales)
        made.scales.assign(scales->begin() + 2, scales->end());
    return made;
}

/// The arguments after the sizes that say the scales.
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

/// Whether no pixel lies halfway between two: ONNX and torch then agree on the nearest one.
bool isNeverHalfway(const Resampling &how)
{
    for (std::size_t i = 0; i < how.to.size(); ++i) {
        const auto from = ops::number(how.from[i]), to = ops::number(how.to[i]);
        if (!from || !to || *from < 1 || *to < 1
            || (!how.scales.empty() && how.scales[i] * static_cast<double>(*from) != *to))
            return false;
        // Pixel x lies at (2x + 1) * from / (2 * to), less a half: halfway where that is a whole number. With the
        // common divisor gone, `to` then divides the odd 2x + 1, and 2 divides `from`.
        const std::int64_t divisor = std::gcd(*from, *to);
        if (*to / divisor % 2 != 0 && *from / divisor % 2 == 0)
            return false;
    }
    return true;
}

Parts nearest(N &n, const Resampling &how)
{
    const bool isOld = n.opset() < 11;
    const std::string_view rounding =
        n.text("nearest_mode", how.coordinates == "asymmetric" && isOld ? "floor" : "round_prefer_floor");
    const bool shrinks = std::ranges::any_of(how.scales, [](double scale) { return scale < 1; });
    if (isOld && shrinks)
        return n.refuse("where an axis shrinks, opset 10 takes the pixel above, and torch the one below");
    if (how.coordinates == "asymmetric" && rounding == "floor")
        return {resampled(n, AtenName::computed(formatted("upsample_nearest{}d", how.to.size())), how, std::nullopt)};
    const bool isExact = how.coordinates == "half_pixel"
        && (rounding == "round_prefer_ceil" || (rounding == "round_prefer_floor" && isNeverHalfway(how)));
    return isExact ? Parts{resampled(n, AtenName::computed(formatted("_upsample_nearest_exact{}d", how.to.size())), how,
                                     std::nullopt)}
                   : n.refuse(formatted("torch takes another pixel for the nearest one than '{}' with '{}'", rounding,
                                        how.coordinates));
}

/// Where torch looks for a pixel: by corners or by halves. Nothing for other rules.
std::optional<bool> alignsCorners(const Resampling &how)
{
    if (how.coordinates == "align_corners")
        return true;
    const bool hasOne =
        std::ranges::any_of(how.to, [](const ir::Dim &dim) { return ops::number(dim).value_or(1) == 1; });
    if (how.coordinates == "half_pixel" || (how.coordinates == "pytorch_half_pixel" && !hasOne))
        return false;
    return std::nullopt;
}

Parts resize(N &n)
{
    const Resampling how = resamplingOf(n);
    if (n.isRefused())
        return {};
    if (how.mode == "nearest")
        return nearest(n, how);
    const auto corners = alignsCorners(how);
    if (!corners)
        return n.refuse(formatted("torch finds pixels by corners or by halves, and this by '{}'", how.coordinates));
    static constexpr AtenName linear[] = {"upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d"};
    if (how.mode == "linear")
        return {resampled(n, linear[how.to.size() - 1], how, corners)};
    const bool isTorchs = how.mode == "cubic" && how.rank == 4 && n.number("cubic_coeff_a", -0.75) == -0.75;
    return isTorchs ? Parts{resampled(n, "upsample_bicubic2d", how, corners)}
                    : n.refuse("torch has no such cubic, or only of images");
}

std::optional<std::int64_t> placeIn(std::initializer_list<std::string_view> names, std::string_view name)
{
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt : std::optional<std::int64_t>(found - names.begin());
}

Parts gridSample(N &n)
{
    std::string_view mode = n.text("mode", "linear");
    if (mode == "linear" || mode == "cubic")
        mode = mode == "linear" ? "bilinear" : "bicubic";
    const auto interpolation = placeIn({"bilinear", "nearest", "bicubic"}, mode);
    const auto padding = placeIn({"zeros", "border", "reflection"}, n.text("padding_mode", "zeros"));
    const std::size_t rank = n.tensor(0).rank();
    if (!interpolation || !padding || (rank != 4 && (rank != 5 || mode == "bicubic")))
        return n.refuse("torch samples no such input, or not in this mode");
    const bool isAligned = n.integer("align_corners", 0) != 0;
    if (mode == "bicubic" && padding != 0)
        return n.refuse("ONNX moves a place outside before it takes 16 pixels, torch each of the pixels");
    if (mode == "nearest" && padding == 2 && !isAligned)
        return n.refuse("ONNX rounds a place before it is reflected, torch behind that");
    return {n.make("grid_sampler", {n[0], n[1], *interpolation, *padding, isAligned})};
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

/// The factors that torch computes places with: given ones, or none where the sizes say it.
std::optional<std::vector<double>> givenScales(L &l, std::size_t spatial)
{
    std::vector<double> scales;
    if (const auto *list = l.call()["scale_factors"].as<ops::SequenceFact>())
        for (const ops::Fact &item : list->each())
            scales.push_back(l.known(ops::asFloat(item), "a scale is"));
    else
        for (const std::string_view name : {"scales_d", "scales_h", "scales_w", "scales"})
            if (l.call().position({name}) && l.has(name))
                scales.push_back(l.number(name));
    return scales.size() == spatial ? std::optional(std::move(scales)) : std::nullopt;
}

/// The sizes of the result: where they are given, these.
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

enum class Interpolation { Nearest, NearestExact, Linear, Cubic };

/// The word of ONNX.
std::string_view wordOf(Interpolation interpolation)
{
    return interpolation == Interpolation::Linear ? "linear"
        : interpolation == Interpolation::Cubic   ? "cubic"
                                                  : "nearest";
}

Results resizeRule(L &l, Interpolation interpolation)
{
    const auto x = l.tensor(0);
    if (x.rank() < 3)
        return l.refuse("an input of less than three dimensions");
    const bool isExact = interpolation == Interpolation::NearestExact;
    const std::string_view mode = wordOf(interpolation);
    const auto scales = givenScales(l, x.rank() - 2);
    Term factors = l.none(), sizes = l.none();
    if (scales) {
        std::vector<float> all{1, 1};
        all.insert(all.end(), scales->begin(), scales->end());
        factors = l.floats(all);
    } else {
        sizes = resizedSizes(l, x);
    }
    const bool aligns = l.call().position({"align_corners"}) && l.flag("align_corners");
    const std::string_view places = isExact ? "half_pixel"
        : mode == "nearest"                 ? "asymmetric"
        : aligns                            ? "align_corners"
                                            : "half_pixel";
    L::Attributes attributes{{"mode", word(l, mode)}, {"coordinate_transformation_mode", word(l, places)}};
    if (mode == "nearest")
        attributes.emplace_back("nearest_mode", word(l, isExact ? "round_prefer_ceil" : "floor"));
    else if (mode == "cubic")
        attributes.emplace_back("cubic_coeff_a", -0.75);
    if (l.node().opName().ends_with("_aa")) {
        if (l.opset() < 18 || aligns || mode == "cubic")
            return l.refuse("antialiasing needs opset 18, and ONNX has it otherwise for aligned corners and cubes");
        attributes.emplace_back("antialias", std::int64_t{1});
        attributes.emplace_back("exclude_outside", std::int64_t{1});
    }
    return {l.make("Resize", {l[0], l.none(), factors, sizes}, attributes)};
}

/// Bicubic and bilinear sampling with the words of ONNX.
Results gridSampleRule(L &l)
{
    constexpr std::array<std::string_view, 3> old{"bilinear", "nearest", "bicubic"},
        modern{"linear", "nearest", "cubic"};
    constexpr std::array<std::string_view, 3> paddings{"zeros", "border", "reflection"};
    const auto mode = l.integer("interpolation_mode"), padding = l.integer("padding_mode");
    if (mode < 0 || mode > 2 || padding < 0 || padding > 2 || l.tensor(0).rank() != 4)
        return l.refuse("of other than four dimensions");
    if (mode == 2 && padding != 0)
        return l.refuse("ONNX moves a place outside before it takes 16 pixels, torch each of the pixels");
    if (mode == 1 && padding == 2 && !l.flag("align_corners"))
        return l.refuse("ONNX rounds a place before it is reflected, torch behind that");
    const auto &words = l.opset() >= 20 ? modern : old;
    return {l.make("GridSample", {l[0], l[1]},
                   {{"mode", word(l, words[static_cast<std::size_t>(mode)])},
                    {"padding_mode", word(l, paddings[static_cast<std::size_t>(padding)])},
                    {"align_corners", std::int64_t{l.flag("align_corners")}}})};
}

Results affineGridRule(L &l)
{
    return {l.make("AffineGrid", {l["theta"], l.sizes("size")},
                   {{"align_corners", std::int64_t{l.flag("align_corners")}}})};
}

constexpr LoweringRule resamplingRules[] = {
    {"aten::upsample_nearest1d aten::upsample_nearest2d aten::upsample_nearest3d",
     with<resizeRule, Interpolation::Nearest>},
    {"aten::upsample_linear1d aten::upsample_bilinear2d aten::upsample_trilinear3d "
     "aten::_upsample_bilinear2d_aa",
     with<resizeRule, Interpolation::Linear>},
    {"aten::upsample_bicubic2d", with<resizeRule, Interpolation::Cubic>},
    {"aten::_upsample_nearest_exact1d aten::_upsample_nearest_exact2d aten::_upsample_nearest_exact3d",
     with<resizeRule, Interpolation::NearestExact>},
    {"aten::affine_grid_generator", affineGridRule, 20},
    {"aten::grid_sampler aten::grid_sampler_2d", gridSampleRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

// Up to opset 10 a coordinate of the result is divided by the scale, and the nearest element is the one before it; from
// opset 11 on modes say how it is done, and without any it is done in another way.

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

/// Opset 9 makes nothing smaller.
void toUpsample(VersionChange &change)
{
    const auto scales = change.knownReals(1);
    if (!scales || std::ranges::any_of(*scales, [](double scale) { return !(scale >= 1); }))
        return change.reject("it is not certain to make nothing smaller");
    change.setOperator("Upsample");
}

Operand noNumbers(VersionChange &change) { return change.tensorOf(ir::DType::Float32, {0}, std::vector<double>()); }

/// Opset 10 takes the pixel below where an axis grows, and the one above where it shrinks. Returns the name that later
/// opsets have for that; nothing if the scales are not known, or some are above and some below 1.
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

/// The scales, or what they are by the sizes.
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
        if (!size || *size < 1 || (*sizes)[i] % *size != 0) // others are rounded to one side or the other
            return std::nullopt;
        const std::int64_t quotient = (*sizes)[i] / *size;
        quotients.push_back(static_cast<double>(quotient));
    }
    return quotients;
}

/// Whether a resize to nearest elements repeats each element as often as its scale says. With half-pixel coordinates
/// and rounding to the nearest it does for integer scales: no coordinate lies halfway between two elements.
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

/// Before opset 16 there is one way, which is not the one that goes without saying later.
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
