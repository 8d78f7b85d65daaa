// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tensors/random_numbers.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace cutaway::ir {

namespace {

/// Returns `range` rounded inwards to integers of a dtype, with at least one integer; 0 to 1 for bool. The result lies
/// within ±2^53, as doubles do not represent all integers beyond that.
NumberRange wholeRange(DType dtype, const NumberRange &range)
{
    if (dtype == DType::Bool)
        return {0, 1};
    const int bits = std::min(bitWidth(dtype).value_or(64), 53) - (isSigned(dtype) ? 1 : 0);
    const double limit = std::ldexp(1.0, bits);
    const double lowest = isSigned(dtype) ? -limit : 0;
    const double low = std::clamp(std::ceil(range.low), lowest, limit - 1);
    return {low, std::max(low, std::clamp(std::floor(range.high), lowest, limit - 1))};
}

NumberRange defaultRange(DType dtype)
{
    if (isFloat(dtype))
        return {-1, 1};
    if (dtype == DType::UInt8)
        return {0, 255};
    return dtype == DType::Int8 ? NumberRange{-128, 127} : NumberRange{0, 1};
}

} // namespace

Numbers randomNumbers(DType dtype, std::size_t count, std::uint32_t seed, std::optional<NumberRange> range)
{
    constexpr double draws = 4294967296.0;
    std::mt19937 random(seed);
    if (isFloat(dtype)) {
        const auto [low, high] = range.value_or(defaultRange(dtype));
        std::vector<double> numbers(count);
        std::ranges::generate(
            numbers, [&] { return rounded(dtype, low + (high - low) * (static_cast<double>(random()) / draws)); });
        return numbers;
    }
    const auto [low, high] = wholeRange(dtype, range.value_or(defaultRange(dtype)));
    std::vector<std::int64_t> numbers(count);
    std::ranges::generate(numbers, [&] {
        return static_cast<std::int64_t>(low + std::floor((high - low + 1) * (static_cast<double>(random()) / draws)));
    });
    return numbers;
}

} // namespace cutaway::ir
