// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/nesting.h"

#include <functional>

namespace cutaway::trace {

/// A part of a row as it is drawn: an event, or several that are too short to be told apart.
struct Stretch {
    std::int64_t start = 0, end = 0; ///< nanoseconds
    std::int64_t busy = 0;           ///< nanoseconds within its events
    EventIndex event = 0;            ///< the longest one
    std::size_t count = 0;
};

/// Events that follow each other without overlap. Any part of them is found at any resolution without a look at each
/// event.
class LaneRow {
public:
    /// `events`: some of `all`, by start; none begins before the one before it ends.
    LaneRow(std::vector<EventIndex> events, const std::vector<Event> &all);

    const std::vector<EventIndex> &events() const { return m_events; }

    /// Visits what lies within a range, by start. Events of at least `resolution` nanoseconds (at least 1) are visited
    /// one by one, shorter ones together where they begin within the same multiple of it.
    /// O(stretches · log events).
    void visit(std::int64_t from, std::int64_t to, std::int64_t resolution,
               const std::function<void(const Stretch &)> &visitor) const;
    /// The number of events that are seen in a range. O(log events).
    std::size_t countWithin(std::int64_t from, std::int64_t to) const;
    /// The event at a time, or the nearest one that is at most `tolerance` nanoseconds away.
    std::optional<EventIndex> at(std::int64_t time, std::int64_t tolerance = 0) const;

private:
    /// Some events after each other, or what they come to.
    struct Block {
        std::uint32_t longest = 0; ///< in m_events
        std::int64_t most = 0;     ///< the duration of the longest; kept, since looking it up would miss the cache
        std::int64_t busy = 0;
    };

    std::int64_t durationOf(std::size_t i) const { return m_ends[i] - m_starts[i]; }
    Block blockOf(std::size_t i) const { return {static_cast<std::uint32_t>(i), durationOf(i), durationOf(i)}; }
    Block sumOf(std::size_t first, std::size_t end) const;
    std::size_t firstFrom(std::size_t i, std::int64_t time) const;

    std::vector<EventIndex> m_events;
    std::vector<std::int64_t> m_starts, m_ends;
    std::vector<std::int64_t> m_marks;        ///< some of the starts, equally far apart
    std::vector<std::vector<Block>> m_levels; ///< each block stands for as many of the level below
};

} // namespace cutaway::trace
