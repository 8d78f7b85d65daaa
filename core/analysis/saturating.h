// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/checked.h"

#include <cstdint>
#include <limits>

namespace cutaway::analysis {

/// The value that stands for a sum of a file's numbers that does not fit.
inline constexpr std::int64_t saturated = std::numeric_limits<std::int64_t>::max();

/// Adds a number, if it is known, and stops at `saturated`.
inline void addSaturating(std::int64_t &sum, std::optional<std::int64_t> number)
{
    sum = checkedAdd(sum, number.value_or(0)).value_or(saturated);
}

} // namespace cutaway::analysis
