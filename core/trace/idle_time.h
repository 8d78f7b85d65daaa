// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

namespace cutaway::trace {

/// A time in which none of some events runs, in nanoseconds.
struct Gap {
    std::int64_t start = 0, end = 0;
    std::optional<EventIndex> endedBy = {}; ///< the event that begins then; nothing: the whole ends
};

/// The gaps between some events from one time to another, by start. O(n log n).
std::vector<Gap> gapsBetween(std::vector<EventIndex> events, const std::vector<Event> &all, std::int64_t from,
                             std::int64_t to);

/// The time for which a device waited until one operator had launched its next work.
struct Wait {
    std::optional<EventIndex> operation = {}; ///< the longest wait's; nothing: no operator is known, or nothing came
    std::vector<ir::NodeId> nodes = {};       ///< the nodes that the operator belongs to
    double time = 0;                          ///< nanoseconds
    std::int64_t count = 0;                   ///< gaps
};

/// How long a device, or one of its streams, had nothing to do in the iterations in which it works; nanoseconds. The
/// time of iterations that overlap counts once.
struct IdleTime {
    std::optional<std::int64_t> device = {};
    std::optional<TextId> stream = {}; ///< nothing: the device, with all its streams together
    double total = 0;                  ///< the time of these iterations
    double idle = 0;                   ///< the part in which nothing runs
    std::vector<Wait> waits = {};      ///< by operator and nodes, the longest first; they add up to `idle`
};

/// Each device, followed by its streams if it has several.
std::vector<IdleTime> idleTimes(const Trace &trace, const Linked &linked);

} // namespace cutaway::trace
