// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/checked.h"

#include <cstdint>
#include <limits>

namespace cutaway::analysis {

/// What a sum of numbers of a file is when it does not fit: then it is not a sum.
inline constexpr std::int64_t saturated = std::numeric_limits<std::int64_t>::max();

/// Adds a number, if it is known, and stops at `saturated`.
inline void addSaturating(std::int64_t &sum, std::optional<std::int64_t> number)
{
    sum = checkedAdd(sum, number.value_or(0)).value_or(saturated);
}

} // namespace cutaway::analysis
