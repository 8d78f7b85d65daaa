// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace cutaway::protocol {

/// The distribution of the times of many runs.
struct Spread {
    double median = 0, p5 = 0, p95 = 0; ///< seconds
    std::uint64_t count = 0;            ///< runs; 0: nothing was measured

    /// Adds the spread of something that is measured separately. The sum is at least as wide as the spread of the sums.
    Spread &operator+=(const Spread &other);
};

/// Returns the spread of times in seconds, with quantiles interpolated linearly.
Spread spreadOf(std::vector<double> seconds);

} // namespace cutaway::protocol
