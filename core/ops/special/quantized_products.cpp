// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/compute/network/convolution.h"
#include "core/ops/compute/network/matrix_product.h"
#include "core/ops/compute/rules.h"
#include "core/ops/special/rules.h"

#include <algorithm>
#include <cmath>

namespace cutaway::compute {

namespace {

/// Returns the elements of `x` less the zero point: one for all, or one for each row (`perRow`) or column.
std::optional<Array> less(const Array &x, const Array *zero, bool perRow)
{
    Array result{ir::DType::Int64, x.shape, x.elements};
    if (!x.isWhole() || (zero && !zero->isWhole()))
        return std::nullopt;
    if (!zero)
        return result;
    Array shaped = *zero;
    if (perRow && zero->shape.size() == 1 && zero->count() > 1)
        shaped.shape.push_back(1);
    const auto each = broadcast(zero->count() == 1 ? reshaped(*zero, {}) : shaped, x.shape);
    if (!each)
        return std::nullopt;
    auto &list = std::get<std::vector<Whole>>(result.elements);
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i] = static_cast<Whole>(bits(list[i]) - bits(each->as<Whole>()[i]));
    return result;
}

struct Range {
    double low, high;
};

std::optional<Range> rangeOf(ir::DType dtype)
{
    if (ir::isFloat(dtype) || ir::bitWidth(dtype).value_or(64) > 16)
        return std::nullopt;
    const double span = std::ldexp(1.0, *ir::bitWidth(dtype)), low = ir::isSigned(dtype) ? -span / 2 : 0;
    return Range{low, low + span - 1};
}

bool isSingle(const Array *array) { return array && array->count() == 1; }

double single(const Array *array) { return floatsOf(*array).front(); }

/// Returns the products, scaled and rounded to the result's dtype.
Answer requantized(const Call &call, const Array &products, const std::vector<double> &scales, std::size_t inner,
                   double zero)
{
    const auto dtype = call.dtype();
    const auto range = dtype ? rangeOf(*dtype) : std::nullopt;
    if (!range)
        return std::nullopt;
    std::vector<double> floats = floatsOf(products);
    for (std::size_t i = 0; i < floats.size(); ++i)
        floats[i] =
            std::clamp(std::nearbyint(floats[i] * scales[i / inner % scales.size()]) + zero, range->low, range->high);
    return answer(Array{ir::DType::Float64, products.shape, std::move(floats)});
}

/// The weight of a convolution less its zero point, of which there may be one for each output channel.
std::optional<Array> weightLess(const Array &weight, const Array *zero)
{
    if (!zero || zero->count() == 1)
        return less(weight, zero, false);
    if (zero->shape.size() != 1 || weight.shape.empty() || zero->shape.front() != weight.shape.front())
        return std::nullopt;
    Sizes perChannel(weight.shape.size(), 1);
    perChannel.front() = zero->shape.front();
    const Array shaped = reshaped(*zero, perChannel);
    return less(weight, &shaped, false);
}

/// Returns the convolution of integers less their zero points.
std::optional<Array> convolvedWholes(const Call &call, const ops::ConvolutionArguments &given, const Array *bias)
{
    const ops::Position zero = given.inputQuantization.zeroPoint, weightZero = given.weightQuantization.zeroPoint;
    const Array *x = call.array(given.input), *weight = call.array(given.weight);
    if (!areKnown(x, weight) || (call.facts().has(zero) && !isSingle(call.array(zero))) || call.isUnknown(weightZero))
        return std::nullopt;
    const auto left = less(*x, call.array(zero), false);
    const auto right = weightLess(*weight, call.array(weightZero));
    return left && right ? convolved(call, *left, *right, bias) : std::nullopt;
}

} // namespace

Answer convolutionOfWholes(const Call &call)
{
    const auto given = ops::convolutionArguments(call.facts());
    return given ? answer(convolvedWholes(call, *given, nullptr)) : std::nullopt;
}

/// The scale of the weight may be one for each output channel.
Answer quantizedConvolution(const Call &call)
{
    const auto given = ops::convolutionArguments(call.facts());
    if (!given)
        return std::nullopt;
    const Array *scale = call.array(given->inputQuantization.scale), *bias = call.array(given->bias),
                *weightScale = call.array(given->weightQuantization.scale),
                *ownScale = call.array(given->outputQuantization.scale),
                *zero = call.array(given->outputQuantization.zeroPoint);
    if (!isSingle(scale) || !isSingle(ownScale) || !isSingle(zero) || !weightScale || weightScale->count() == 0
        || (call.facts().has(given->bias) && !bias))
        return std::nullopt;
    const auto products = convolvedWholes(call, *given, bias);
    std::vector<double> scales = floatsOf(*weightScale);
    if (!products || products->shape.size() < 2 || (scales.size() > 1 && std::ssize(scales) != products->shape[1]))
        return std::nullopt;
    for (double &each : scales)
        each *= single(scale) / single(ownScale);
    const auto inner = static_cast<std::size_t>(countOf({products->shape.begin() + 2, products->shape.end()}));
    return inner == 0 ? std::nullopt : requantized(call, *products, scales, inner, single(zero));
}

/// The weight has a row, and a scale, for each column of the result.
Answer productOfInt8Weights(const Call &call)
{
    const Array *x = call.array(0), *weight = call.array(1), *scales = call.array(2);
    if (!x || !weight || !scales || x->shape.size() != 2 || weight->shape.size() != 2 || scales->shape.size() != 1
        || x->shape[1] != weight->shape[1] || scales->shape[0] != weight->shape[0])
        return std::nullopt;
    const auto rows = static_cast<std::size_t>(x->shape[0]), columns = static_cast<std::size_t>(weight->shape[0]),
               inner = static_cast<std::size_t>(x->shape[1]);
    const std::vector<double> left = floatsOf(*x), right = floatsOf(*weight), factors = floatsOf(*scales);
    std::vector<double> products(rows * columns);
    for (std::size_t i = 0; i < products.size(); ++i) {
        for (std::size_t k = 0; k < inner; ++k)
            products[i] += left[i / columns * inner + k] * right[i % columns * inner + k];
        products[i] *= factors[i % columns];
    }
    return answer(Array{ir::DType::Float64, {x->shape[0], weight->shape[0]}, std::move(products)});
}

Answer matMulInteger(const Call &call)
{
    const Array *a = call.array(0), *b = call.array(1);
    if (!a || !b || (call.facts().has(2) && !call.array(2)) || (call.facts().has(3) && !call.array(3)))
        return std::nullopt;
    const auto left = less(*a, call.array(2), true), right = less(*b, call.array(3), false);
    return left && right ? answer(matrixProduct(*left, *right)) : std::nullopt;
}

/// The inputs are a, its scale and zero point, b, its scale and zero point, and the result's scale and zero point. Each
/// scale and zero point is one number; b may have one for each column.
Answer quantizedMatMul(const Call &call)
{
    for (const std::size_t position : {1U, 2U, 6U, 7U})
        if (!isSingle(call.array(position)))
            return std::nullopt;
    const Array *a = call.array(0), *b = call.array(3), *weightScale = call.array(4), *weightZero = call.array(5);
    if (!areKnown(a, b, weightScale, weightZero) || weightScale->count() == 0)
        return std::nullopt;
    if (const auto dtype = call.dtype(); !dtype || ir::isSigned(*dtype))
        return std::nullopt; // ONNX's own test data contradict its documentation here
    const auto left = less(*a, call.array(2), true), right = less(*b, weightZero, false);
    const auto products = left && right ? matrixProduct(*left, *right) : std::nullopt;
    std::vector<double> scales = floatsOf(*weightScale);
    if (!products || (scales.size() > 1 && (products->shape.empty() || std::ssize(scales) != products->shape.back())))
        return std::nullopt;
    for (double &each : scales)
        each *= single(call.array(1)) / single(call.array(6));
    return requantized(call, *products, scales, 1, single(call.array(7)));
}

/// Quantizes to uint8 with a scale that depends on the elements; returns the result, the scale and the zero point.
Answer dynamicQuantize(const Call &call)
{
    const Array *x = call.array(0);
    if (!x || x->isWhole() || x->count() == 0)
        return std::nullopt;
    const auto floats = x->as<double>();
    // All is computed in single precision, which decides whether a quotient lies halfway between two integers.
    const auto low = static_cast<float>(std::min(0.0, std::ranges::min(floats)));
    const auto high = static_cast<float>(std::max(0.0, std::ranges::max(floats)));
    const float scale = (high - low) / 255.0F;
    if (scale == 0)
        return std::nullopt;
    const float zero = std::nearbyint(std::clamp(0.0F - low / scale, 0.0F, 255.0F));
    std::vector<double> result;
    for (const double element : floats)
        result.push_back(std::clamp(std::nearbyint(static_cast<float>(element) / scale) + zero, 0.0F, 255.0F));
    return Values{Array{ir::DType::Float64, x->shape, std::move(result)},
                  filled(ir::DType::Float64, {}, static_cast<double>(scale)),
                  filled(ir::DType::Float64, {}, static_cast<double>(zero))};
}

} // namespace cutaway::compute
