// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/opset/version_change.h"

#include "core/base/formatted.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <cmath>

// Up to opset 10 a coordinate of the result is divided by the scale, and the nearest element is the one before it; from
// opset 11 on modes say how it is done, and without any it is done in another way.

namespace cutaway::convert {

namespace {

using ir::Operand;
using Whole = VersionChange::Whole;
using Fault = std::optional<std::string>;

constexpr std::string_view oldCoordinates = "asymmetric", oldNearest = "floor";

Fault scalesToInput(VersionChange &change)
{
    const auto scales = change.reals("scales");
    if (!scales)
        return "its scales are not known";
    change.dropAttribute("scales");
    change.setInputs({change.input(0), change.tensorOf(ir::DType::Float32, {std::ssize(*scales)}, *scales)});
    return std::nullopt;
}

Fault scalesToAttribute(VersionChange &change)
{
    const auto scales = change.knownReals(1);
    if (!scales)
        return "its scales are computed while the model runs";
    change.setInputs({change.input(0)});
    change.setAttribute("scales", VersionChange::list(*scales));
    return std::nullopt;
}

Fault toResize(VersionChange &change)
{
    change.setOperator("Resize");
    return std::nullopt;
}

/// Opset 9 makes nothing smaller.
Fault toUpsample(VersionChange &change)
{
    const auto scales = change.knownReals(1);
    if (!scales || std::ranges::any_of(*scales, [](double scale) { return !(scale >= 1); }))
        return "it is not certain to make nothing smaller";
    change.setOperator("Upsample");
    return std::nullopt;
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

Fault namesItsModes(VersionChange &change)
{
    const bool isNearest = change.text("mode", "nearest") == "nearest";
    const auto nearest = roundingAt(change.knownReals(1));
    if (isNearest && !nearest)
        return "opset 10 rounds by the scales, and they are not known, or are above and below 1";
    change.setInputs({change.input(0), noNumbers(change), change.input(1)});
    change.setAttribute("coordinate_transformation_mode", change.word(oldCoordinates));
    if (isNearest)
        change.setAttribute("nearest_mode", change.word(*nearest));
    return std::nullopt;
}

/// The scales, or what they are by the sizes.
std::optional<std::vector<double>> scalesOf(VersionChange &change)
{
    auto scales = change.knownReals(2);
    if (!change.has(3))
        return scales;
    const auto sizes = change.knownWhole(3);
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

Fault hasOldModes(VersionChange &change)
{
    const std::string_view mode = change.text("mode", "nearest"),
                           coordinates = change.text("coordinate_transformation_mode", "half_pixel"),
                           nearest = change.text("nearest_mode", "round_prefer_floor");
    const auto scales = scalesOf(change);
    const bool isNearest = mode == "nearest";
    if (!isNearest && mode != "linear")
        return formatted("opset 10 has no mode '{}' of it", mode);
    const bool isOld = coordinates == oldCoordinates && (!isNearest || roundingAt(scales) == nearest);
    if (!isOld && !(isNearest && scales && isRepeating(change, *scales)))
        return formatted("opset 10 takes coordinates in another way than '{}'{}", coordinates,
                         isNearest ? formatted(" and '{}'", nearest) : "");
    if (change.has(3) && !scales)
        return "its scales do not follow from its sizes";
    if (!isNearest && change.integer("exclude_outside").value_or(0) != 0)
        return "opset 10 counts what is outside";
    const Operand given =
        change.has(3) ? change.tensorOf(ir::DType::Float32, {std::ssize(*scales)}, *scales) : change.input(2);
    change.setInputs({change.input(0), given});
    for (const std::string_view attribute :
         {"coordinate_transformation_mode", "nearest_mode", "cubic_coeff_a", "exclude_outside", "extrapolation_value"})
        change.dropAttribute(attribute);
    return std::nullopt;
}

Fault hasNoOldMode(VersionChange &change)
{
    return change.text("coordinate_transformation_mode", "") == "tf_half_pixel_for_nn"
        ? Fault("opset 13 does not have its mode 'tf_half_pixel_for_nn'")
        : fitForm(change);
}

/// Gives an empty vector for each input that may be left out only from opset 13 on.
Fault givesAllInputs(VersionChange &change)
{
    std::vector<Operand> inputs = change.inputs();
    inputs.resize(std::max<std::size_t>(3, inputs.size()), ir::None{});
    for (const std::size_t position : {1U, 2U})
        if (inputs[position].as<ir::None>())
            inputs[position] = noNumbers(change);
    change.setInputs(std::move(inputs));
    return std::nullopt;
}

Fault hasNoNewMode(VersionChange &change)
{
    return change.text("coordinate_transformation_mode", "") == "half_pixel_symmetric"
        ? Fault("opset 18 does not have its mode 'half_pixel_symmetric'")
        : fitForm(change);
}

// ---- samples of a grid

constexpr std::pair<std::string_view, std::string_view> gridModes[] = {{"bilinear", "linear"}, {"bicubic", "cubic"}};

Fault newGridMode(VersionChange &change)
{
    const std::string_view mode = change.text("mode", "bilinear");
    for (const auto &[old, name] : gridModes)
        if (mode == old)
            change.setAttribute("mode", change.word(name));
    return std::nullopt;
}

Fault oldGridMode(VersionChange &change)
{
    if (change.rank(0) != 4U)
        return "before opset 20 it takes pictures of two dimensions only";
    const std::string_view mode = change.text("mode", "linear");
    for (const auto &[old, name] : gridModes)
        if (mode == name)
            change.setAttribute("mode", change.word(old));
    return std::nullopt;
}

/// Before opset 16 there is one way, which is not the one that goes without saying later.
Fault namesRoiMode(VersionChange &change)
{
    change.setAttribute("coordinate_transformation_mode", change.word("output_half_pixel"));
    return std::nullopt;
}

Fault hasOldRoiMode(VersionChange &change)
{
    const std::string_view mode = change.text("coordinate_transformation_mode", "half_pixel");
    if (mode != "output_half_pixel")
        return formatted("before opset 16 it has no mode '{}'", mode);
    change.dropAttribute("coordinate_transformation_mode");
    return std::nullopt;
}

constexpr VersionRow resamplingRows[] = {
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

std::span<const VersionRow> resamplingVersions() { return resamplingRows; }

} // namespace cutaway::convert
