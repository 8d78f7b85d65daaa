// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/arguments/quantize_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"
#include "core/rules/whole_numbers.h"
#include "core/rules/windowed.h"

// Quantization becomes arithmetic in the order of ONNX's specification: torch's own operators multiply by the inverse
// of the scale, and so round some numbers to the other neighbour.

namespace cutaway::rules::to_aten { // from ONNX

namespace {

using N = OnnxNode;

/// Returns a scale or zero point in a shape that broadcasts to the data: it is one number, or has one for each index of
/// an axis, or one for each block along the axis.
Term besideData(N &n, std::size_t position)
{
    const auto x = n.tensor(0), given = n.tensor(position);
    Term term = wholeInput(n, position);
    const std::int64_t block = n.known(ops::quantizeArguments(n.call()).block, "its block size is");
    if (block == 0 && (given.rank() == 0 || x.rank() <= 1))
        return term;
    if (given.rank() != (block == 0 ? 1 : x.rank()))
        n.refuse("its scales or zero points are not of its input's shape");
    const std::int64_t dim = n.dimension("axis", 1);
    if (n.isRefused())
        return term;
    const auto axis = static_cast<std::size_t>(dim);
    if (block > 0) {
        const Term wide = n.make("repeat_interleave.self_int", {term, block, dim});
        return n.make("narrow", {wide, dim, 0, n.size(x.shape[axis])});
    }
    ir::Shape shape(x.rank(), ops::one);
    shape[axis] = given.shape[0];
    return reshape(term, shape);
}

Parts quantize(N &n)
{
    const ir::DType dtype = n.declaredDType();
    const auto limits = ir::bitWidth(dtype).value_or(0) >= 8 ? limitsOf(dtype) : std::nullopt;
    if (!limits || n.dtype(0) != ir::DType::Float32)
        return n.refuse("torch has no such whole numbers, or it is not of float32");
    Term whole = applied("round", n[0] / besideData(n, 1));
    if (n.has(2))
        whole = whole + cast(besideData(n, 2), ir::DType::Float32);
    return {cast(n.make("clamp", {whole, ir::Operand(limits->first), ir::Operand(limits->second)}), dtype)};
}

Parts dequantize(N &n)
{
    const ir::DType from = n.dtype(0), to = n.declaredDType();
    const bool isInt32 = from == ir::DType::Int32;
    if (!ir::isFloating(to) || !(limitsOf(from) || isInt32 || ir::isFloating(from)))
        return n.refuse("torch has no such whole numbers");
    const ir::DType wide = isInt32 ? ir::DType::Float64 : ir::DType::Float32;
    const Term data = wholeInput(n, 0), scale = besideData(n, 1);
    Term whole = cast(data, wide);
    if (n.has(2))
        whole = whole - cast(besideData(n, 2), wide);
    const Term narrow = cast(whole, ir::DType::Float32);
    return {cast(narrow * cast(scale, ir::DType::Float32), to)};
}

/// Multiplies integers like torch does in int32.
Parts matMulInteger(N &n)
{
    const Term a = centred(n, 0, 2), b = centred(n, 1, 3, 1);
    return {matmul(a, b)};
}

/// Takes (a, scale, zero, b, scale, zero, scale, zero), and computes the product of integers, rounded to the scale of
/// the result.
Parts quantizedMatMul(N &n)
{
    for (const std::size_t scale : {1U, 4U, 6U})
        if (const auto given = n.tensor(scale);
            given.rank() > (scale == 4 ? 1 : 0) || given.dtype != ir::DType::Float32)
            return n.refuse("its scales are not one for all, or for each column of the second factor");
    const Term a = centred(n, 0, 2), b = centred(n, 3, 5, 1);
    const Term scale = n[1] * n[4] / n[6];
    return requantized(n, cast(matmul(a, b), ir::DType::Float32) * scale, 7);
}

/// Returns integers, their scale and their zero point.
Parts dynamicQuantize(N &n)
{
    if (n.dtype(0) != ir::DType::Float32 || n.resultCount() != 3)
        return n.refuse("it is not of float32");
    const DynamicRange range = dynamicRange(n, n[0]);
    return {cast(range.whole, ir::DType::UInt8), range.scale, cast(range.zero, ir::DType::UInt8)};
}

/// Convolves integers in float64, which represents all such sums. There is one zero point, or one for each filter.
Term convolutionOfWholes(N &n, std::size_t x, std::size_t xZero, std::size_t weight, std::size_t zero)
{
    const ir::Shape *zeros = n.call().shape(zero);
    Term filters = cast(n[weight], ir::DType::Int32);
    if (zeros && zeros->size() == 1) {
        ir::Shape shape(n.tensor(weight).rank(), ops::one);
        if (shape.empty())
            n.refuse("its weight has no filters");
        else
            shape[0] = zeros->front();
        filters = filters - reshape(cast(n[zero], ir::DType::Int32), shape);
    } else {
        filters = centred(n, weight, zero);
    }
    const Term wideFilters = cast(filters, ir::DType::Float64);
    const Term wideInput = cast(centred(n, x, xZero), ir::DType::Float64);
    return convolved(n, wideInput, wideFilters, n.term({}));
}

Parts convInteger(N &n) { return {cast(convolutionOfWholes(n, 0, 2, 1, 3), ir::DType::Int32)}; }

/// Takes (x, scale, zero, w, scale, zero, scale, zero, bias); the bias has the scale of the product.
Parts quantizedConvolution(N &n)
{
    const std::size_t rank = n.result().rank();
    const auto ofChannels = [&](const Term &each, std::size_t like) {
        const auto known = n.tensor(like);
        if (known.rank() == 0 || rank < 2 || n.integer("channels_last", 0) != 0)
            return each;
        ir::Shape shape(rank - 1, ops::one);
        shape[0] = known.shape[0];
        return reshape(each, shape);
    };
    const Term whole = convolutionOfWholes(n, 0, 2, 3, 5);
    const Term sum = n.has(8) ? whole + ofChannels(n[8], 8) : whole;
    return requantized(n, cast(sum, ir::DType::Float32) * ofChannels(n[1] * n[4] / n[6], 4), 7);
}

constexpr OnnxLowering quantizationLowerings[] = {
    {"onnx::ConvInteger", convInteger},
    {"onnx::DequantizeLinear", dequantize},
    {"onnx::DynamicQuantizeLinear", dynamicQuantize},
    {"onnx::MatMulInteger", matMulInteger},
    {"onnx::QLinearConv", quantizedConvolution},
    {"onnx::QLinearMatMul", quantizedMatMul},
    {"onnx::QuantizeLinear", quantize},
    {"com.microsoft::DequantizeLinear", dequantize},
    {"com.microsoft::QLinearConv", quantizedConvolution},
    {"com.microsoft::QuantizeLinear", quantize},
};

} // namespace

} // namespace cutaway::rules::to_aten

// PyTorch rounds x·(1/scale) and ONNX x/scale. The results may differ by one step where x lies halfway between two.

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;
using ir::DType;

/// Returns the range of a dtype that ONNX quantizes to; nothing for other dtypes.
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
    std::optional<std::int64_t> axis; ///< the axis of the scales; nothing if one scale holds for the whole tensor
};

/// Returns a number, or a tensor with one element, as a tensor without dimensions.
Term asScalar(L &l, std::string_view parameter, DType dtype)
{
    const Term x = l.as(parameter, dtype);
    return l.tensor(parameter).rank() == 0 ? x : reshape(x, std::vector<std::int64_t>{});
}

/// Returns zero points of this dtype. Those that are known become constants of the dtype: not all runtimes look through
/// a Cast.
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
    const DType dtype = l.declaredDType();
    const auto range = rangeOf(dtype, l.opset());
    if (!range)
        return l.refuse(formatted("ONNX quantizes to no {}", ir::name(dtype)));
    const Steps steps = stepsOf(l, dtype);
    const ops::QuantizeArguments given = ops::quantizeArguments(l.call());
    const std::int64_t least = l.known(given.min, "'quant_min' is"), most = l.known(given.max, "'quant_max' is");
    if (least < range->first || most > range->second)
        return l.refuse("a range beyond that of its dtype");
    const Term made =
        l.make("QuantizeLinear", {l.as("input", DType::Float32), steps.scale, steps.zeroPoint}, axisOf(steps), dtype);
    if (least == range->first && most == range->second)
        return {made};
    const Term wide = cast(made, DType::Int32);
    const Term clipped = l.make("Max",
                                {l.make("Min", {wide, l.scalar(static_cast<double>(most), DType::Int32)}),
                                 l.scalar(static_cast<double>(least), DType::Int32)});
    return {cast(clipped, dtype)};
}

Results dequantizeRule(L &l)
{
    const DType dtype = l.dtype("input");
    if (dtype != DType::Int32 && !rangeOf(dtype, l.opset()))
        return l.refuse(formatted("ONNX dequantizes no {}", ir::name(dtype)));
    Steps steps = stepsOf(l, dtype);
    const bool isZero = !steps.axis && l.call().integer("zero_point") == 0;
    if (dtype == DType::Int32 && isZero)
        steps.zeroPoint = l.none();
    if (dtype == DType::Int32 && !steps.zeroPoint.isNone()) // ONNX Runtime takes no zero point of this dtype
        return {cast(l["input"] - steps.zeroPoint, DType::Float32) * steps.scale};
    return {l.make("DequantizeLinear", {l["input"], steps.scale, steps.zeroPoint}, axisOf(steps), DType::Float32)};
}

/// Computes the scale and zero point for a range that includes the smallest and the largest element, and 0.
Results chooseStepsRule(L &l)
{
    const Term x = vectorOf(l.as("input", DType::Float32)), zero = l.scalar(0, DType::Float32);
    const auto least = static_cast<double>(l.integer("quant_min")), most = static_cast<double>(l.integer("quant_max"));
    const double epsilon = l.number("eps");
    if (l.isRefused() || least >= most)
        return l.refuse("an empty range");
    const Term low = l.make("Min", {reduce("ReduceMin", x, {0}, false), zero});
    const Term high = l.make("Max", {reduce("ReduceMax", x, {0}, false), zero});
    const Term scale = l.make("Max", {(high - low) / (most - least), l.scalar(epsilon, DType::Float32)});
    const Term first = l.scalar(least, DType::Float32), last = l.scalar(most, DType::Float32);
    const Term limited = l.make("Clip", {first - applied("Round", low / scale), first, last});
    return {unsqueeze(scale, {0}), unsqueeze(cast(limited, DType::Int64), {0})};
}

constexpr LoweringRule quantizationRules[] = {
    {"quantized_decomposed::quantize_per_tensor quantized_decomposed::quantize_per_channel", quantizeRule},
    {"quantized_decomposed::dequantize_per_tensor quantized_decomposed::dequantize_per_channel", dequantizeRule},
    {"quantized_decomposed::choose_qparams", chooseStepsRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family quantization() { return {.fromOnnx = to_aten::quantizationLowerings, .toOnnx = to_onnx::quantizationRules}; }

} // namespace cutaway::rules
