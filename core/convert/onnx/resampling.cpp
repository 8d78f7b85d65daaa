// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/onnx/lowering.h"

#include <array>

namespace cutaway::convert {

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
    if (L::areNumbers(made.shape))
        return l.ints(l.numbersOf(made.shape, "the result"));
    const Term outer = l.slice(l.shapeOf(l[0]), 0, l.scalar(std::int64_t{0}), l.scalar(std::int64_t{2}));
    if (l.has("output_size"))
        return l.concat({outer, l.sizes("output_size")}, 0);
    return l.concat({outer, l.shapeTerm(std::span(made.shape).last(x.rank() - 2))}, 0);
}

Results resizeRule(L &l)
{
    const auto x = l.tensor(0);
    if (x.rank() < 3)
        return l.refuse("an input of less than three dimensions");
    const bool isExact = l.rule().target == "exact";
    const std::string_view mode = isExact ? "nearest" : l.rule().target;
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

constexpr LoweringRule resamplingTable[] = {
    {"aten::upsample_nearest1d aten::upsample_nearest2d aten::upsample_nearest3d", resizeRule, "nearest"},
    {"aten::upsample_linear1d aten::upsample_bilinear2d aten::upsample_trilinear3d "
     "aten::_upsample_bilinear2d_aa",
     resizeRule, "linear"},
    {"aten::upsample_bicubic2d", resizeRule, "cubic"},
    {"aten::_upsample_nearest_exact1d aten::_upsample_nearest_exact2d aten::_upsample_nearest_exact3d", resizeRule,
     "exact"},
    {"aten::affine_grid_generator", affineGridRule, {}, 20},
    {"aten::grid_sampler aten::grid_sampler_2d", gridSampleRule},
};

} // namespace

std::span<const LoweringRule> resamplingRules() { return resamplingTable; }

} // namespace cutaway::convert
