// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/nesting.h"

#include <functional>

namespace cutaway::trace {

/// A drawn part of a row: an event, or several that are too short to be distinguished.
struct Stretch {
    std::int64_t start = 0, end = 0; ///< in nanoseconds
    std::int64_t busy = 0;           ///< the time that its events cover, in nanoseconds
    EventIndex event = 0;            ///< the longest event
    std::size_t count = 0;
};

/// Events that follow each other without overlap. Any part of the row can be drawn at any resolution without visiting
/// each event.
class LaneRow {
public:
    /// `events` are some of `all`, by start; none begins before the end of the previous one.
    LaneRow(std::vector<EventIndex> events, const std::vector<Event> &all);

    const std::vector<EventIndex> &events() const { return m_events; }

    /// Visits the events within a range, by start. Events of at least `resolution` nanoseconds (at least 1) are visited
    /// one by one, shorter ones together if they begin within the same multiple of `resolution`. O(stretches · log
    /// events).
    void visit(std::int64_t from, std::int64_t to, std::int64_t resolution,
               const std::function<void(const Stretch &)> &visitor) const;
    /// Returns the number of events in a range. O(log events).
    std::size_t countWithin(std::int64_t from, std::int64_t to) const;
    /// Returns the event at a time, or the nearest one that is at most `tolerance` nanoseconds away.
    std::optional<EventIndex> at(std::int64_t time, std::int64_t tolerance = 0) const;

private:
    /// A summary of one event, or of several consecutive ones.
    struct Block {
        std::uint32_t longest = 0; ///< the index in m_events
        std::int64_t most = 0;     ///< the duration of that event, stored here because a lookup would miss the cache
        std::int64_t busy = 0;
    };

    std::int64_t durationOf(std::size_t i) const { return m_ends[i] - m_starts[i]; }
    Block blockOf(std::size_t i) const { return {static_cast<std::uint32_t>(i), durationOf(i), durationOf(i)}; }
    Block sumOf(std::size_t first, std::size_t end) const;
    std::size_t firstFrom(std::size_t i, std::int64_t time) const;

    std::vector<EventIndex> m_events;
    std::vector<std::int64_t> m_starts, m_ends;
    std::vector<std::int64_t> m_marks;        ///< the starts of some events, at equal distances
    std::vector<std::vector<Block>> m_levels; ///< each block summarizes several of the level below
};

} // namespace cutaway::trace
