// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <span>

namespace cutaway::trace {

using EventIndex = std::uint32_t; ///< an index in Trace::events

/// The nesting of operators, annotations and runs on the host, by their times within a lane. O(n), for sorted events.
class Nesting {
public:
    explicit Nesting(const Trace &trace);

    std::optional<EventIndex> parentOf(EventIndex event) const;
    /// Returns the events that lie directly in an event, by start.
    std::span<const EventIndex> in(EventIndex event) const;
    /// Returns the events that lie in no other, by start.
    std::span<const EventIndex> outermost() const;
    /// Returns the innermost event of a lane that is running at a time; parentOf() returns those around it.
    std::optional<EventIndex> runningAt(TextId lane, std::int64_t time) const;

private:
    static constexpr EventIndex none = ~EventIndex{0};

    /// Returns the index in m_firsts of the list that contains an event.
    std::size_t placeOf(EventIndex event) const;

    const Trace &m_trace;
    std::vector<EventIndex> m_parents;   ///< by event
    std::vector<std::uint32_t> m_firsts; ///< by event: the index of its first child; the last entry is the end of all
    std::vector<EventIndex> m_contents;
    std::unordered_map<TextId, std::vector<EventIndex>> m_lanes; ///< by lane: all host events by start; empty if the
                                                                 ///< trace has no launches
};

bool isOnHost(Category category);

} // namespace cutaway::trace
