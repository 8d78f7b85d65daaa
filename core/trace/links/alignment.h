// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace cutaway::trace {

/// An event that is aligned with units of the model: `count` of them from `unit` on.
struct Aligned {
    std::size_t event, unit, count;
};

/// How well an event fits the units from one on: the number of units that it stands for, 0 if it does not fit, and a
/// score that is larger for a better fit.
struct Fit {
    std::uint8_t count = 0;
    std::uint8_t score = 0;
};

/// Aligns events with units, both in order, so that the sum of the scores is maximal (as Needleman and Wunsch do, but
/// gaps cost nothing). O(events · units); beyond limits::maxComparisons an event takes the next unit that it fits.
std::vector<Aligned> aligned(std::size_t events, std::size_t units,
                             const std::function<Fit(std::size_t event, std::size_t unit)> &fit);

} // namespace cutaway::trace
