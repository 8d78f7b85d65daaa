// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

namespace cutaway::trace {

/// A time span in which none of the events of a list runs, in nanoseconds.
struct Gap {
    std::int64_t start = 0, end = 0;
    std::optional<EventIndex> endedBy = {}; ///< the event that begins at the end of the gap; nothing if none does
};

/// Returns the gaps from `from` to `to` in which none of `events` runs, by start. `all`: Trace::events. Takes O(n log
/// n).
std::vector<Gap> gapsBetween(std::vector<EventIndex> events, const std::vector<Event> &all, std::int64_t from,
                             std::int64_t to);

/// The time for which a device waited until an operator had launched its next work.
struct Wait {
    std::optional<EventIndex> operation = {}; ///< the operator of the longest wait; nothing if no operator is known, or
                                              ///< no work came after it
    std::vector<ir::NodeId> nodes = {};       ///< the nodes that the operator belongs to
    double time = 0;                          ///< in nanoseconds
    std::int64_t count = 0;                   ///< number of gaps
};

/// How long a device, or one of its streams, was idle in the iterations in which it works, in nanoseconds. Where
/// iterations overlap, the time counts once.
struct IdleTime {
    std::optional<std::int64_t> device = {};
    std::optional<TextId> stream = {}; ///< nothing for the device with all of its streams
    double total = 0;                  ///< the total time of the iterations
    double idle = 0;                   ///< the part of `total` in which nothing runs
    std::vector<Wait> waits = {};      ///< by operator and nodes, longest first; the sum of their times is `idle`
};

/// Returns the idle time of each device, followed by that of its streams if it has several.
std::vector<IdleTime> idleTimes(const Trace &trace, const Linked &linked);

} // namespace cutaway::trace
