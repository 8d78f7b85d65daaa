// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace cutaway::trace {

/// An event that is put beside units of the model: `count` of them from `unit` on.
struct Aligned {
    std::size_t event, unit, count;
};

/// How well an event fits the units from one on: how many of them it stands for, and a number that is larger for a
/// better fit; a count of 0 is no fit.
struct Fit {
    std::uint8_t count = 0;
    std::uint8_t score = 0;
};

/// Puts events beside units, both in order, so that the sum of the scores is as large as it can be (as Needleman and
/// Wunsch do, without a price for gaps). O(events · units); beyond limits::maxComparisons an event takes the next unit
/// that it fits.
std::vector<Aligned> aligned(std::size_t events, std::size_t units,
                             const std::function<Fit(std::size_t event, std::size_t unit)> &fit);

} // namespace cutaway::trace
