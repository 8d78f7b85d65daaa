// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>

namespace cutaway::symbolic {

/// The range of an integer; both bounds are included. Numbers that do not fit in 64 bits are never among its values.
struct Range {
    std::int64_t min = std::numeric_limits<std::int64_t>::min();
    std::int64_t max = std::numeric_limits<std::int64_t>::max();

    static constexpr Range only(std::int64_t n) { return {n, n}; }
    /// Returns the range of a size: 0 to `max`.
    static constexpr Range upTo(std::int64_t max) { return {0, max}; }
    static constexpr Range size() { return {.min = 0}; }

    bool operator==(const Range &) const = default;
};

} // namespace cutaway::symbolic
