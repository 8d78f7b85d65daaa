// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/places.h"
#include "core/ops/compute/rules.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cutaway::compute {

namespace {

/// Applies a function to each element, in double precision.
template <class Function>
Answer mapped(const Call &call, const Function &function)
{
    const Array *x = call.array(0);
    if (!x)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    std::ranges::transform(floats, floats.begin(), function);
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

} // namespace

Answer leakyRelu(const Call &call)
{
    const auto slope = call.number("negative_slope", "alpha", 0.01);
    return slope ? mapped(call, [&](double x) { return x < 0 ? x * *slope : x; }) : std::nullopt;
}

Answer elu(const Call &call)
{
    const auto alpha = call.number("alpha", "alpha", 1);
    const auto scale = call.number("scale", "", 1);
    const auto inputScale = call.number("input_scale", "", 1);
    if (!alpha || !scale || !inputScale)
        return std::nullopt;
    return mapped(call, [&](double x) { return x > 0 ? *scale * x : *scale * *alpha * std::expm1(*inputScale * x); });
}

Answer celu(const Call &call)
{
    const auto alpha = call.number("alpha", "alpha", 1);
    if (!alpha || *alpha == 0)
        return std::nullopt;
    return mapped(call, [&](double x) { return x > 0 ? x : *alpha * std::expm1(x / *alpha); });
}

Answer selu(const Call &call)
{
    const auto alpha = call.number("", "alpha", 1.6732632423543772848170429916717);
    const auto gamma = call.number("", "gamma", 1.0507009873554804934193349852946);
    if (!alpha || !gamma)
        return std::nullopt;
    return mapped(call, [&](double x) { return *gamma * (x > 0 ? x : *alpha * std::expm1(x)); });
}

Answer gelu(const Call &call)
{
    const std::string_view form = call.facts().text("approximate");
    if (form == "tanh")
        return mapped(call, [](double x) {
            const double inner = std::numbers::sqrt2 * std::numbers::inv_sqrtpi * (x + 0.044715 * x * x * x);
            return 0.5 * x * (1 + std::tanh(inner));
        });
    return mapped(call, [](double x) { return 0.5 * x * std::erfc(-x / std::numbers::sqrt2); });
}

Answer hardSigmoid(const Call &call)
{
    const auto alpha = call.number("", "alpha", call.isOnnx() ? 0.2 : 1.0 / 6);
    const auto beta = call.number("", "beta", 0.5);
    if (!alpha || !beta)
        return std::nullopt;
    return mapped(call, [&](double x) { return std::isnan(x) ? x : std::clamp(*alpha * x + *beta, 0.0, 1.0); });
}

Answer hardTanh(const Call &call)
{
    const auto low = call.number("min_val", "", -1);
    const auto high = call.number("max_val", "", 1);
    if (!low || !high || !(*low <= *high))
        return std::nullopt;
    return mapped(call, [&](double x) { return std::isnan(x) ? x : std::clamp(x, *low, *high); });
}

Answer softplus(const Call &call)
{
    const auto beta = call.number("beta", "", 1);
    const auto threshold = call.number("threshold", "", call.isOnnx() ? 1e300 : 20);
    if (!beta || !threshold)
        return std::nullopt;
    return mapped(call, [&](double x) {
        const double scaled = x * *beta;
        return scaled > *threshold ? x : (std::max(scaled, 0.0) + std::log1p(std::exp(-std::abs(scaled)))) / *beta;
    });
}

Answer threshold(const Call &call)
{
    const auto limit = call.number("threshold", "alpha", 1);
    const auto replacement = call.number("value", "", 0);
    if (!limit || !replacement)
        return std::nullopt;
    return mapped(call, [&](double x) { return x <= *limit ? *replacement : x; });
}

/// Multiplies negative numbers with a slope per channel, dimension 1 in aten; ONNX broadcasts slopes as they are.
Answer prelu(const Call &call)
{
    const Array *x = call.array(0), *slopes = call.array(1);
    if (!x || !slopes)
        return std::nullopt;
    Sizes shape = slopes->shape;
    const bool isOfChannels = !call.isOnnx() || (call.facts().opset() < 7 && shape.size() == 1);
    if (isOfChannels && slopes->count() != 1 && x->shape.size() > 1) {
        shape.assign(x->shape.size(), 1);
        shape[1] = static_cast<std::int64_t>(slopes->count());
    }
    const auto factors = broadcast(reshaped(*slopes, slopes->count() == 1 ? Sizes{} : shape), x->shape);
    if (!factors)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    const std::vector<double> slope = floatsOf(*factors);
    for (std::size_t i = 0; i < floats.size(); ++i)
        floats[i] *= floats[i] < 0 ? slope[i] : 1;
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

/// Multiplies a negative number with the middle of the range that training draws slopes from.
Answer rrelu(const Call &call)
{
    const auto low = call.number("lower", "", 0.125), high = call.number("upper", "", 1.0 / 3);
    if (call.flag("training", false) != false || !low || !high)
        return std::nullopt;
    return mapped(call, [&](double x) { return x >= 0 ? x : x * (*low + *high) / 2; });
}

Answer hardShrink(const Call &call)
{
    const auto lambda = call.number("lambd", "", 0.5);
    return lambda ? mapped(call, [&](double x) { return x >= -*lambda && x <= *lambda ? 0 : x; }) : std::nullopt;
}

Answer softShrink(const Call &call)
{
    const auto lambda = call.number("lambd", "", 0.5);
    if (!lambda)
        return std::nullopt;
    return mapped(call, [&](double x) { return x > *lambda ? x - *lambda : x < -*lambda ? x + *lambda : x * 0; });
}

Answer shrink(const Call &call)
{
    const auto lambda = call.number("", "lambd", 0.5), bias = call.number("", "bias", 0);
    if (!lambda || !bias)
        return std::nullopt;
    return mapped(call, [&](double x) { return x < -*lambda ? x + *bias : x > *lambda ? x - *bias : 0; });
}

Answer swish(const Call &call)
{
    const auto alpha = call.number("", "alpha", 1);
    return alpha ? mapped(call, [&](double x) { return x / (1 + std::exp(-*alpha * x)); }) : std::nullopt;
}

Answer logit(const Call &call)
{
    const auto epsilon = call.number("eps", "", -1);
    if (!epsilon)
        return std::nullopt;
    return mapped(call, [&](double x) {
        const double p = *epsilon >= 0 ? std::clamp(x, *epsilon, 1 - *epsilon) : x;
        return std::log(p / (1 - p));
    });
}

/// Multiplies the first half along a dimension with the sigmoid of the second half.
Answer glu(const Call &call)
{
    const Array *x = call.array(0);
    const auto axis = x ? call.axis("dim", "", -1, x->shape.size()) : std::nullopt;
    if (!axis || x->shape[*axis] % 2 != 0)
        return std::nullopt;
    const Lanes lanes = lanesOf(x->shape, *axis);
    Sizes shape = x->shape;
    shape[*axis] /= 2;
    const Lanes half = lanesOf(shape, *axis);
    const std::vector<double> floats = floatsOf(*x);
    std::vector<double> result(static_cast<std::size_t>(countOf(shape)));
    for (std::int64_t lane = 0; lane < lanes.count(); ++lane)
        for (std::int64_t i = 0; i < half.along; ++i)
            result[half.place(lane, i)] =
                floats[lanes.place(lane, i)] * sigmoid(floats[lanes.place(lane, half.along + i)]);
    return answer(Array{ir::DType::Float64, std::move(shape), std::move(result)});
}

} // namespace cutaway::compute
