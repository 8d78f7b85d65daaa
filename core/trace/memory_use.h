// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

#include <map>

namespace cutaway::trace {

/// Memory that is taken at a time.
struct Allocation {
    std::int64_t bytes = 0;
    std::int64_t time = 0;               ///< nanoseconds: when it was taken
    std::optional<std::size_t> row = {}; ///< in Linked::rows: what took it
};

/// The memory that a trace saw taken on a device. What was taken before the trace began is not in it, and its release
/// changes nothing; so the peak is the sum of what is live then.
struct MemoryUse {
    struct Point {
        std::int64_t time = 0, bytes = 0; ///< from this time on, until the next point
    };

    TextId device{};
    std::vector<Point> curve;           ///< by time
    std::size_t peak = 0;               ///< in `curve`, the first time that most is taken, behind the warm-up
    std::int64_t warmUpPeak = 0;        ///< bytes: the most that is taken until the warm-up is over; 0 without one
    std::vector<Allocation> liveAtPeak; ///< the largest first
    std::size_t releasedUnseen = 0;     ///< releases of what was taken before
    /// The most that is taken while a node is called on the host, in its forward and without the warm-up.
    std::map<ir::NodeId, std::int64_t> byNode = {};
    std::int64_t peakBytes() const { return curve.empty() ? 0 : curve[peak].bytes; }
    /// The most that is taken from one time to another. O(log points + points in between).
    std::int64_t mostWithin(std::int64_t from, std::int64_t to) const;
};

/// The memory of each device that has memory events.
std::vector<MemoryUse> memoryUse(const Trace &trace, const Linked &linked);

} // namespace cutaway::trace
