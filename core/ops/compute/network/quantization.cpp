// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/rules.h"

#include <algorithm>
#include <cmath>

namespace cutaway::compute {

namespace {

/// How many blocks positions are divided into, the last one perhaps a part of one.
std::int64_t blocksIn(std::int64_t positions, std::int64_t block)
{
    return positions / block + (positions % block != 0 ? 1 : 0);
}

/// Scales and zero points: one for all, one per position along an axis, or one per block of such positions.
struct Steps {
    std::vector<double> scale, zero;
    std::int64_t along = 1, inner = 1; ///< positions along the axis, elements after it
    std::int64_t block = 0;            ///< positions that share one; 0: those of all that is before the axis, too

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
    const auto axis = call.axis("axis", "axis", 1, std::max(x.shape.size(), std::size_t{1}));
    const std::int64_t block = call.isOnnx() ? call.facts().integer("block_size").value_or(0) : 0;
    if (!scale || scale->count() == 0 || (call.facts().has(2) && !zero) || block < 0)
        return std::nullopt;
    Steps steps{floatsOf(*scale), zero ? floatsOf(*zero) : std::vector<double>(scale->count())};
    if (steps.scale.size() != steps.zero.size())
        return std::nullopt;
    if (steps.scale.size() == 1)
        return steps;
    if (!axis || *axis >= x.shape.size())
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

double quantized(double x, double scale, double zero, double low, double high)
{
    return std::clamp(std::nearbyint(x / scale) + zero, low, high);
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

/// To 8 or 16 bits, what is too large to the largest.
Answer quantize(const Call &call)
{
    const Array *x = call.array(0);
    const auto dtype = call.dtype();
    const auto steps = x ? stepsOf(call, *x) : std::nullopt;
    if (!steps || !dtype || ir::isFloat(*dtype) || *ir::bitWidth(*dtype) > 16)
        return std::nullopt;
    // Divided in the input's precision, on which the rounding of halves depends.
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

/// There and back.
Answer fakeQuantize(const Call &call)
{
    const Array *x = call.array(0);
    const auto steps = x ? stepsOf(call, *x) : std::nullopt;
    const auto low = call.facts().integer("quant_min"), high = call.facts().integer("quant_max");
    if (!steps || !low || !high || *low > *high)
        return std::nullopt;
    std::vector<double> floats = floatsOf(*x);
    for (std::size_t i = 0; i < floats.size(); ++i) {
        const double scale = steps->scale[steps->of(i)], zero = steps->zero[steps->of(i)];
        floats[i] =
            (quantized(floats[i], scale, zero, static_cast<double>(*low), static_cast<double>(*high)) - zero) * scale;
    }
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

} // namespace cutaway::compute
