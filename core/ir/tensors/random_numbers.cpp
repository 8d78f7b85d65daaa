// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tensors/random_numbers.h"

#include <algorithm>
#include <random>

namespace cutaway::ir {

Numbers randomNumbers(DType dtype, std::size_t count, std::uint32_t seed)
{
    std::mt19937 random(seed);
    if (isFloat(dtype)) {
        constexpr double half = 2147483648.0;
        std::vector<double> numbers(count);
        std::ranges::generate(numbers, [&] { return rounded(dtype, static_cast<double>(random()) / half - 1); });
        return numbers;
    }
    std::vector<std::int64_t> numbers(count);
    std::ranges::generate(numbers, [&] { return static_cast<std::int64_t>(random() >> 31); });
    return numbers;
}

} // namespace cutaway::ir
