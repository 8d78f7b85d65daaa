// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/convert/onnx/lowering.h"

#include <optional>
#include <utility>

// PyTorch rounds x·(1/scale) and ONNX x/scale, which may differ by one step where x lies between two.

namespace cutaway::convert {

namespace {

using L = Lowering;
using ir::DType;

/// The numbers of a dtype that ONNX quantizes to.
std::optional<std::pair<std::int64_t, std::int64_t>> rangeOf(DType dtype, std::int64_t opset)
{
    switch (dtype) {
    case DType::Int8:
        return std::pair<std::int64_t, std::int64_t>(-128, 127);
    case DType::UInt8:
        return std::pair<std::int64_t, std::int64_t>(0, 255);
    case DType::Int16:
        return opset < 21 ? std::nullopt : std::optional(std::pair<std::int64_t, std::int64_t>(-32768, 32767));
    case DType::UInt16:
        return opset < 21 ? std::nullopt : std::optional(std::pair<std::int64_t, std::int64_t>(0, 65535));
    default:
        return std::nullopt;
    }
}

struct Steps {
    Term scale, zeroPoint;
    std::optional<std::int64_t> axis; ///< nothing: of the whole tensor
};

/// A number, or a tensor of one, without dimensions.
Term asScalar(L &l, std::string_view parameter, DType dtype)
{
    const Term x = l.as(parameter, dtype);
    return l.tensor(parameter).rank() == 0 ? x : l.reshape(x, std::vector<std::int64_t>{});
}

/// Zero points that are known are constants of their dtype: not all runtimes look through a Cast.
Term zeroPointsOf(L &l, std::string_view parameter, DType dtype)
{
    const auto known = l.call().sizes(parameter);
    std::vector<std::int64_t> numbers;
    for (const ir::Dim &each : known ? *known : std::vector<ir::Dim>())
        if (const auto number = ops::number(each))
            numbers.push_back(*number);
    return known && numbers.size() == known->size() ? l.wholes(numbers, dtype) : l.as(parameter, dtype);
}

Steps stepsOf(L &l, DType dtype)
{
    const bool isPerChannel = l.call().position({"axis"}).has_value();
    const std::string_view scale = isPerChannel ? "scales" : "scale",
                           zero = isPerChannel ? "zero_points" : "zero_point";
    if (!isPerChannel)
        return {asScalar(l, scale, DType::Float32), l.has(zero) ? asScalar(l, zero, dtype) : l.none(), {}};
    return {l.as(scale, DType::Float32), l.has(zero) ? zeroPointsOf(l, zero, dtype) : l.none(),
            l.axis("axis", l.tensor("input").rank())};
}

L::Attributes axisOf(const Steps &steps) { return steps.axis ? L::Attributes{{"axis", *steps.axis}} : L::Attributes(); }

Results quantizeRule(L &l)
{
    const DType dtype = l.result().dtype;
    const auto range = rangeOf(dtype, l.opset());
    if (!range)
        return l.refuse(formatted("ONNX quantizes to no {}", ir::name(dtype)));
    const Steps steps = stepsOf(l, dtype);
    const std::int64_t least = l.integer("quant_min"), most = l.integer("quant_max");
    if (least < range->first || most > range->second)
        return l.refuse("a range beyond that of its dtype");
    const Term made =
        l.make("QuantizeLinear", {l.as("input", DType::Float32), steps.scale, steps.zeroPoint}, axisOf(steps), dtype);
    if (least == range->first && most == range->second)
        return {made};
    const Term wide = l.cast(made, DType::Int32);
    const Term clipped = l.make("Max",
                                {l.make("Min", {wide, l.scalar(static_cast<double>(most), DType::Int32)}),
                                 l.scalar(static_cast<double>(least), DType::Int32)});
    return {l.cast(clipped, dtype)};
}

Results dequantizeRule(L &l)
{
    const DType dtype = l.tensor("input").dtype;
    if (dtype != DType::Int32 && !rangeOf(dtype, l.opset()))
        return l.refuse(formatted("ONNX dequantizes no {}", ir::name(dtype)));
    Steps steps = stepsOf(l, dtype);
    const bool isZero = !steps.axis && l.call().integer("zero_point") == 0;
    if (dtype == DType::Int32 && isZero)
        steps.zeroPoint = l.none();
    if (dtype == DType::Int32 && !steps.zeroPoint.isNone()) // ONNX Runtime knows none of this dtype
        return {l.cast(l["input"] - steps.zeroPoint, DType::Float32) * steps.scale};
    return {l.make("DequantizeLinear", {l["input"], steps.scale, steps.zeroPoint}, axisOf(steps), DType::Float32)};
}

/// Steps that hold the smallest and the largest element, and 0.
Results chooseStepsRule(L &l)
{
    const Term x = l.vectorOf(l.as("input", DType::Float32)), zero = l.scalar(0, DType::Float32);
    const auto least = static_cast<double>(l.integer("quant_min")), most = static_cast<double>(l.integer("quant_max"));
    const double epsilon = l.number("eps");
    if (l.isRefused() || least >= most)
        return l.refuse("an empty range");
    const Term low = l.make("Min", {l.reduce("ReduceMin", x, {0}, false), zero});
    const Term high = l.make("Max", {l.reduce("ReduceMax", x, {0}, false), zero});
    const Term scale = l.make("Max", {(high - low) / (most - least), l.scalar(epsilon, DType::Float32)});
    const Term place = l.scalar(least, DType::Float32) - applied("Round", low / scale);
    const Term limited = l.make("Clip", {place, l.scalar(least, DType::Float32), l.scalar(most, DType::Float32)});
    return {l.unsqueeze(scale, {0}), l.unsqueeze(l.cast(limited, DType::Int64), {0})};
}

constexpr LoweringRule quantizationTable[] = {
    {"quantized_decomposed::quantize_per_tensor quantized_decomposed::quantize_per_channel", quantizeRule},
    {"quantized_decomposed::dequantize_per_tensor quantized_decomposed::dequantize_per_channel", dequantizeRule},
    {"quantized_decomposed::choose_qparams", chooseStepsRule},
};

} // namespace

std::span<const LoweringRule> quantizationRules() { return quantizationTable; }

} // namespace cutaway::convert
