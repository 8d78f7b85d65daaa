// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// torch resamples the last one to three dimensions of [batch, channels, …], and takes the place of a pixel by one of
// three rules; what ONNX can say beyond that stays as it is.
#include "core/base/formatted.h"
#include "core/passes/lowerings/onnx_node.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace cutaway::passes {

namespace {

using N = OnnxNode;

/// The dimensions that a node resizes, and how.
struct Resampling {
    std::size_t rank;
    ir::Shape from, to;         ///< the resized dimensions
    std::vector<double> scales; ///< as the file gives them; empty: the sizes say them
    std::string_view mode, coordinates;
};

/// The scales that are given, with those of batch and channels; nothing: they are not known, or there are none.
std::optional<std::vector<double>> givenScales(const N &n, std::size_t rank)
{
    const bool isUpsample = n.name() == "Upsample";
    auto scales = isUpsample && n.opset() < 9 ? n.reals("scales") : n.reals(isUpsample || n.opset() < 11 ? 1 : 2);
    if (!scales || !n.hasAttribute("axes"))
        return scales;
    const auto axes = n.integers("axes");
    std::vector<double> all(rank, 1);
    for (std::size_t i = 0; axes && i < axes->size() && i < scales->size(); ++i)
        if (const auto dim = n.dimension((*axes)[i]))
            all[*dim] = (*scales)[i];
    return all;
}

std::optional<Resampling> resamplingOf(N &n)
{
    const auto x = n.tensor(0), y = n.result();
    const std::size_t rank = x ? x->rank() : 0;
    const bool isPlain = rank >= 3 && rank <= 5 && y && y->rank() == rank && ir::isFloating(x->dtype)
        && n.integer("antialias", 0) == 0 && n.integer("exclude_outside", 0) == 0
        && n.text("keep_aspect_ratio_policy", "stretch") == "stretch";
    if (!isPlain || ops::isDifferent(x->shape[0], y->shape[0]) || ops::isDifferent(x->shape[1], y->shape[1]))
        return std::nullopt;
    const bool isOld = n.name() == "Upsample" || n.opset() < 11;
    Resampling made{rank,
                    {x->shape.begin() + 2, x->shape.end()},
                    {y->shape.begin() + 2, y->shape.end()},
                    {},
                    n.text("mode", "nearest"),
                    isOld ? "asymmetric" : n.text("coordinate_transformation_mode", "half_pixel")};
    const bool hasSizes = n.opset() >= 11 && n.name() == "Resize" && n.has(3);
    if (hasSizes)
        return made;
    const auto scales = givenScales(n, rank);
    if (!scales || scales->size() != rank || (*scales)[0] != 1 || (*scales)[1] != 1)
        return std::nullopt;
    made.scales.assign(scales->begin() + 2, scales->end());
    return made;
}

/// The arguments after the sizes that say the scales.
ir::Operand scaleOf(const Resampling &how, std::size_t i)
{
    return how.scales.empty() ? ir::Operand() : ir::Operand(how.scales[i]);
}

Term resampled(N &n, std::string_view target, const Resampling &how, std::optional<bool> alignCorners)
{
    const Term x = n.input(0);
    const ir::Operand sizes = n.d.sizes(how.to);
    static constexpr std::array<std::string_view, 3> names{"scales_d", "scales_h", "scales_w"};
    std::array<Decomposition::With, 3> scales{ir::Operand(), ir::Operand(), ir::Operand()};
    const std::size_t count = how.to.size();
    for (std::size_t i = 0; i < count; ++i)
        scales[i] = {count == 1 ? "scales" : names[3 - count + i], scaleOf(how, i)};
    const Decomposition::With corners{"align_corners", ir::Operand(alignCorners.value_or(false))};
    if (alignCorners)
        return count == 1 ? n.d.make(target, {x, sizes, corners, scales[0]})
            : count == 2  ? n.d.make(target, {x, sizes, corners, scales[0], scales[1]})
                          : n.d.make(target, {x, sizes, corners, scales[0], scales[1], scales[2]});
    return count == 1 ? n.d.make(target, {x, sizes, scales[0]})
        : count == 2  ? n.d.make(target, {x, sizes, scales[0], scales[1]})
                      : n.d.make(target, {x, sizes, scales[0], scales[1], scales[2]});
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
        return {resampled(n, formatted("upsample_nearest{}d", how.to.size()), how, std::nullopt)};
    const bool isExact = how.coordinates == "half_pixel"
        && (rounding == "round_prefer_ceil" || (rounding == "round_prefer_floor" && isNeverHalfway(how)));
    return isExact ? Parts{resampled(n, formatted("_upsample_nearest_exact{}d", how.to.size()), how, std::nullopt)}
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
    const auto how = resamplingOf(n);
    if (!how)
        return n.refuse(
            "torch resizes the last one to three dimensions of floats, of known scales, and in no other way");
    if (how->mode == "nearest")
        return nearest(n, *how);
    const auto corners = alignsCorners(*how);
    if (!corners)
        return n.refuse(formatted("torch finds pixels by corners or by halves, and this by '{}'", how->coordinates));
    static constexpr std::array linear{"upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d"};
    if (how->mode == "linear")
        return {resampled(n, linear[how->to.size() - 1], *how, corners)};
    const bool isTorchs = how->mode == "cubic" && how->rank == 4 && n.real("cubic_coeff_a", -0.75) == -0.75;
    return isTorchs ? Parts{resampled(n, "upsample_bicubic2d", *how, corners)}
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
    const auto x = n.tensor(0);
    if (!interpolation || !padding || !x || (x->rank() != 4 && (x->rank() != 5 || mode == "bicubic")))
        return {};
    const bool isAligned = n.integer("align_corners", 0) != 0;
    if (mode == "bicubic" && padding != 0)
        return n.refuse("ONNX moves a place outside before it takes 16 pixels, torch each of the pixels");
    if (mode == "nearest" && padding == 2 && !isAligned)
        return n.refuse("ONNX rounds a place before it is reflected, torch behind that");
    return {n.d.make("grid_sampler", {n.input(0), n.input(1), *interpolation, *padding, isAligned})};
}

Parts affineGrid(N &n)
{
    const auto sizes = n.call().sizes(1u);
    const bool isAligned = n.integer("align_corners", 0) != 0;
    return sizes ? Parts{n.d.make("affine_grid_generator", {n.input(0), n.d.sizes(*sizes), isAligned})} : Parts{};
}

constexpr std::array resamplingRules{
    OnnxLowering{"onnx::AffineGrid", affineGrid},
    OnnxLowering{"onnx::GridSample", gridSample},
    OnnxLowering{"onnx::Resize", resize},
    OnnxLowering{"onnx::Upsample", resize},
};

} // namespace

std::span<const OnnxLowering> resamplingLowerings() { return resamplingRules; }

} // namespace cutaway::passes
