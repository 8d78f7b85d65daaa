// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/quantize_arguments.h"
#include "core/ops/compute/rules.h"

#include <algorithm>
#include <cmath>

namespace cutaway::compute {

namespace {

/// Returns the number of blocks; the last one may be incomplete.
std::int64_t blocksIn(std::int64_t positions, std::int64_t block)
{
    return positions / block + (positions % block != 0 ? 1 : 0);
}

/// Scales and zero points: one for all, one per position along an axis, or one per block of such positions.
struct Steps {
    std::vector<double> scale, zero;
    std::int64_t along = 1, inner = 1; ///< the number of positions along the axis, and of elements after each
    std::int64_t block = 0;            ///< how many positions along the axis share a scale; 0: there are no blocks

    std::size_t of(std::size_t place) const
    {
        if (scale.size() == 1)
            return 0;
        const auto position = static_cast<std::int64_t>(place) / inner;
        if (block == 0)
            return static_cast<std::size_t>(position % along);
        const std::int64_t behind = static_cast<std::int64_t>(place) % inner;
        const std::int64_t blocksBefore = position / along * blocksIn(along, block) + position % along / block;
        return static_cast<std::size_t>(blocksBefore * inner + behind);
    }
};

/// Whether there is a scale for each block of an axis of x.
bool areOfBlocks(const Sizes &scales, const Sizes &x, std::size_t axis, std::int64_t block)
{
    Sizes expected = x;
    expected[axis] = blocksIn(x[axis], block);
    return scales == expected;
}

std::optional<Steps> stepsOf(const Call &call, const Array &x)
{
    const Array *scale = call.array(1), *zero = call.array(2);
    const ops::QuantizeArguments given = ops::quantizeArguments(call.facts());
    if (!scale || scale->count() == 0 || (call.facts().has(2) && !zero) || !given.block || *given.block < 0)
        return std::nullopt;
    Steps steps{floatsOf(*scale), zero ? floatsOf(*zero) : std::vector<double>(scale->count())};
    if (steps.scale.size() != steps.zero.size())
        return std::nullopt;
    if (steps.scale.size() == 1)
        return steps;
    const std::int64_t block = *given.block;
    const auto axis = given.axis ? ops::dimension(*given.axis, x.shape.size()) : std::nullopt;
    if (!axis)
        return std::nullopt;
    const bool fits = block > 0 ? areOfBlocks(scale->shape, x.shape, *axis, block)
                                : scale->shape.size() == 1 && x.shape[*axis] == std::ssize(steps.scale);
    if (!fits)
        return std::nullopt;
    steps.along = x.shape[*axis];
    steps.inner = countOf({x.shape.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, x.shape.end()});
    steps.block = block;
    return steps;
}

/// Returns the limits of quantized numbers; nothing if they are not known, or exclude all numbers.
std::optional<std::pair<double, double>> limitsOf(const Call &call)
{
    const ops::QuantizeArguments given = ops::quantizeArguments(call.facts());
    if (!given.min || !given.max || *given.min > *given.max)
        return std::nullopt;
    return std::pair(static_cast<double>(*given.min), static_cast<double>(*given.max));
}

} // namespace

Answer dequantize(const Call &call)
{
    const Array *x = call.array(0);
    const auto steps = x ? stepsOf(call, *x) : std::nullopt;
    if (!steps)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    for (std::size_t i = 0; i < floats.size(); ++i)
        floats[i] = (floats[i] - steps->zero[steps->of(i)]) * steps->scale[steps->of(i)];
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

/// Quantizes to 8 or 16 bits, saturating.
Answer quantize(const Call &call)
{
    const Array *x = call.array(0);
    const auto dtype = call.dtype();
    const auto steps = x ? stepsOf(call, *x) : std::nullopt;
    if (!steps || !dtype || ir::isFloat(*dtype) || *ir::bitWidth(*dtype) > 16)
        return std::nullopt;
    // The quotient is computed in the input's precision, which decides whether it lies halfway between two integers.
    const ir::DType ratio = ir::isFloat(x->dtype) ? x->dtype : ir::DType::Float32;
    const double range = std::ldexp(1.0, *ir::bitWidth(*dtype));
    const double low = ir::isSigned(*dtype) ? -range / 2 : 0;
    std::vector<double> floats = floatsOf(*x);
    for (std::size_t i = 0; i < floats.size(); ++i)
        floats[i] = std::clamp(std::nearbyint(ir::rounded(ratio, floats[i] / steps->scale[steps->of(i)]))
                                   + steps->zero[steps->of(i)],
                               low, low + range - 1);
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

/// Quantizes and dequantizes again.
Answer fakeQuantize(const Call &call)
{
    const Array *x = call.array(0);
    const auto steps = x ? stepsOf(call, *x) : std::nullopt;
    const auto limits = limitsOf(call);
    if (!steps || !limits)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    for (std::size_t i = 0; i < floats.size(); ++i) {
        const double scale = steps->scale[steps->of(i)], zero = steps->zero[steps->of(i)];
        const double whole = std::clamp(std::nearbyint(floats[i] / scale) + zero, limits->first, limits->second);
        floats[i] = (whole - zero) * scale;
    }
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

/// Computes the quantize_per_tensor and quantize_per_channel of quantized_decomposed. The numbers are multiplied with
/// 1/scale in single precision, as in PyTorch's decomposition: that decides whether a product lies halfway between two
/// integers.
Answer quantizeDecomposed(const Call &call)
{
    const Array *x = call.array(0);
    const auto steps = x ? stepsOf(call, *x) : std::nullopt;
    const auto limits = limitsOf(call);
    if (!steps || !limits || x->isWhole())
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    for (std::size_t i = 0; i < floats.size(); ++i) {
        const auto factor = static_cast<float>(1.0 / steps->scale[steps->of(i)]);
        const double whole = std::nearbyint(static_cast<float>(floats[i]) * factor) + steps->zero[steps->of(i)];
        floats[i] = std::clamp(whole, limits->first, limits->second);
    }
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

} // namespace cutaway::compute
