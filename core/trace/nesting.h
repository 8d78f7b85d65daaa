// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <span>

namespace cutaway::trace {

using EventIndex = std::uint32_t; ///< in Trace::events

/// Which operators, annotations and runs of the host lie in which, by their times within a lane. O(n), for sorted
/// events.
class Nesting {
public:
    explicit Nesting(const Trace &trace);

    std::optional<EventIndex> parentOf(EventIndex event) const;
    /// The events that lie directly in an event, by start.
    std::span<const EventIndex> in(EventIndex event) const;
    /// The events that lie in no other, by start.
    std::span<const EventIndex> outermost() const;
    /// The innermost event of a lane that is running at a time, with what is around it in parentOf().
    std::optional<EventIndex> runningAt(TextId lane, std::int64_t time) const;

private:
    static constexpr EventIndex none = ~EventIndex{0};

    /// Where the list that an event is in stands in m_firsts.
    std::size_t placeOf(EventIndex event) const;

    const Trace &m_trace;
    std::vector<EventIndex> m_parents;   ///< by event
    std::vector<std::uint32_t> m_firsts; ///< by event, and at the end of the outermost ones: where its contents begin
    std::vector<EventIndex> m_contents;
    std::unordered_map<TextId, std::vector<EventIndex>>
        m_lanes; ///< all host events by start, if something was launched
};

bool isOnHost(Category category);

} // namespace cutaway::trace
