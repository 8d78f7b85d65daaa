// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

#include <map>

namespace cutaway::trace {

/// Memory that is allocated at some time.
struct Allocation {
    std::int64_t bytes = 0;
    std::int64_t time = 0;               ///< the time of the allocation, in nanoseconds
    std::optional<std::size_t> row = {}; ///< the index in Linked::rows of the allocating row
};

/// The memory that a trace saw allocated on a device. Allocations from before the trace are not included, and their
/// release changes nothing. So the peak is the sum of the allocations that are live at that moment.
struct MemoryUse {
    struct Point {
        std::int64_t time = 0, bytes = 0; ///< from `time`, in nanoseconds, to the next point, `bytes` are allocated
    };

    TextId device{};
    std::vector<Point> curve;           ///< by time
    std::size_t peak = 0;               ///< the index in `curve` of the first maximum after the warm-up
    std::int64_t warmUpPeak = 0;        ///< the most bytes before the end of the warm-up; 0 if there is no warm-up
    std::vector<Allocation> liveAtPeak; ///< the largest first
    std::size_t releasedUnseen = 0;     ///< the number of releases of memory that was allocated before the trace
    /// The most bytes that are allocated while a node is called on the host, in its forward and without the warm-up.
    std::map<ir::NodeId, std::int64_t> byNode = {};
    std::int64_t peakBytes() const { return curve.empty() ? 0 : curve[peak].bytes; }
    /// Returns the most bytes that are allocated at once from one time to another. O(log points + points in between).
    std::int64_t mostWithin(std::int64_t from, std::int64_t to) const;
};

/// Returns the memory of each device that has memory events.
std::vector<MemoryUse> memoryUse(const Trace &trace, const Linked &linked);

} // namespace cutaway::trace
