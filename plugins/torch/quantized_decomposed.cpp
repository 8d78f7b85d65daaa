// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/quantized_decomposed.h"

#include <ATen/ATen.h>
#include <ATen/WrapDimUtils.h>
#include <algorithm>
#include <cmath>
#include <torch/library.h>

namespace cutaway::plugins {

namespace {

using at::ScalarType;
using at::Tensor;
using OptionalType = std::optional<ScalarType>;

Tensor asFloat(const Tensor &input)
{
    return input.scalar_type() == at::kHalf || input.scalar_type() == at::kBFloat16 ? input.to(at::kFloat) : input;
}

Tensor quantized(const Tensor &scaled, std::int64_t low, std::int64_t high, ScalarType dtype)
{
    return at::clamp(scaled, low, high).to(dtype);
}

Tensor quantizePerTensor(const Tensor &input, double scale, std::int64_t zeroPoint, std::int64_t low, std::int64_t high,
                         ScalarType dtype)
{
    return quantized(at::round(asFloat(input) * (1.0 / scale)) + zeroPoint, low, high, dtype);
}

Tensor quantizePerTensorBy(const Tensor &input, const Tensor &scale, const Tensor &zeroPoint, std::int64_t low,
                           std::int64_t high, ScalarType dtype)
{
    return quantizePerTensor(input, scale.item<double>(), zeroPoint.item<std::int64_t>(), low, high, dtype);
}

Tensor dequantizePerTensor(const Tensor &input, double scale, std::int64_t zeroPoint, std::int64_t, std::int64_t,
                           ScalarType, OptionalType result)
{
    return (input.to(result.value_or(at::kFloat)) - zeroPoint) * scale;
}

Tensor dequantizePerTensorBy(const Tensor &input, const Tensor &scale, const Tensor &zeroPoint, std::int64_t low,
                             std::int64_t high, ScalarType dtype, OptionalType result)
{
    return dequantizePerTensor(input, scale.item<double>(), zeroPoint.item<std::int64_t>(), low, high, dtype, result);
}

/// Returns numbers per channel in a shape that broadcasts with the input.
Tensor along(const Tensor &perChannel, const Tensor &input, std::int64_t axis)
{
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(input.dim()), 1);
    sizes[static_cast<std::size_t>(at::maybe_wrap_dim(axis, input.dim()))] = -1;
    return perChannel.view(sizes);
}

Tensor quantizePerChannel(const Tensor &given, const Tensor &scales, const Tensor &zeroPoints, std::int64_t axis,
                          std::int64_t low, std::int64_t high, ScalarType dtype)
{
    const Tensor input = asFloat(given);
    const Tensor scaled = at::round(input * along(scales.reciprocal(), input, axis));
    return quantized(scaled + along(zeroPoints, input, axis), low, high, dtype);
}

Tensor dequantizePerChannel(const Tensor &input, const Tensor &scales, const std::optional<Tensor> &zeroPoints,
                            std::int64_t axis, std::int64_t, std::int64_t, ScalarType, OptionalType result)
{
    const Tensor moved = zeroPoints ? input - along(*zeroPoints, input, axis) : input;
    return (moved * along(scales, input, axis)).to(result.value_or(at::kFloat));
}

/// Returns the scale and zero point with which all numbers of the input can be represented, and 0 exactly.
std::tuple<Tensor, Tensor> chooseParameters(const Tensor &input, std::int64_t low, std::int64_t high, double smallest,
                                            ScalarType)
{
    const double least = std::min(input.min().item<double>(), 0.0), most = std::max(input.max().item<double>(), 0.0);
    const double scale = std::max((most - least) / static_cast<double>(high - low), smallest);
    const auto zeroPoint = low - static_cast<std::int64_t>(std::nearbyint(least / scale));
    return {at::full({1}, scale, at::kDouble), at::full({1}, std::clamp(zeroPoint, low, high), at::kLong)};
}

} // namespace

void registerQuantizedDecomposed()
{
    static torch::Library library(torch::Library::DEF, "quantized_decomposed", std::nullopt, __FILE__, __LINE__);
    library.def("quantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, "
                "ScalarType dtype) -> Tensor",
                &quantizePerTensor);
    library.def("quantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, "
                "int quant_max, ScalarType dtype) -> Tensor",
                &quantizePerTensorBy);
    library.def("dequantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, "
                "ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
                &dequantizePerTensor);
    library.def("dequantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, "
                "int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
                &dequantizePerTensorBy);
    library.def("quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int quant_min, "
                "int quant_max, ScalarType dtype) -> Tensor",
                &quantizePerChannel);
    library.def("dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int axis, int quant_min, "
                "int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
                &dequantizePerChannel);
    library.def("choose_qparams.tensor(Tensor input, int quant_min, int quant_max, float eps, ScalarType dtype) -> "
                "(Tensor, Tensor)",
                &chooseParameters);
}

} // namespace cutaway::plugins
