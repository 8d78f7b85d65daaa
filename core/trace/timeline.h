// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/lane_row.h"
#include "core/trace/linked.h"

#include <string>

namespace cutaway::trace {

/// A thread of the host or a stream of a device, with what ran on it.
struct Lane {
    std::string name; ///< "thread 2", "device 0, stream 7"
    bool isOnDevice = false;
    std::vector<LaneRow> rows; ///< an event is below the one in which it lies
};

/// A trace and its links, arranged to be drawn over time and to be looked up by event and by node.
class Timeline {
public:
    /// Rows of a lane, at most. Events that need more, deep in each other or beside each other, are in none.
    static constexpr std::size_t maxRows = 40;

    /// Keeps references to both. O(events · log events).
    Timeline(const Trace &trace, const Linked &linked);

    std::int64_t start() const { return m_start; } ///< nanoseconds
    std::int64_t end() const { return m_end; }
    /// Threads by the time that their rows take, then the streams.
    const std::vector<Lane> &lanes() const { return m_lanes; }
    struct Place {
        std::size_t lane, row;
    };
    std::optional<Place> placeOf(EventIndex event) const;

    /// The link of an event, or of the innermost event around it that has one; null: there is none.
    const Link *linkOf(EventIndex event) const;
    /// The first node of linkOf(), where that has one: what each event of a picture is asked for.
    std::optional<ir::NodeId> firstNodeOf(EventIndex event) const;
    /// The event whose link linkOf() is.
    std::optional<EventIndex> linkedEvent(EventIndex event) const;
    /// The events that are linked to a node, by start.
    std::vector<EventIndex> eventsOf(ir::NodeId node) const;
    /// The work on devices that an event, or one that lies in it, has launched.
    std::vector<EventIndex> launchesOf(EventIndex event) const;
    /// The operator that launched some work on a device.
    std::optional<EventIndex> launcherOf(EventIndex event) const;
    /// The iteration that is under way at a time, in Linked::iterations.
    std::optional<std::size_t> iterationAt(std::int64_t time) const;

private:
    struct Owned {
        const Link *link;
        EventIndex event;
        ir::NodeId node; ///< the first of the link, beside it, since looking it up there would miss the cache
    };
    struct Around {
        EventIndex event;
        std::size_t row;
    };
    /// A lane in the making.
    struct Draft {
        EventIndex first;                ///< event
        double time = 0;                 ///< nanoseconds of events with a link, some of which may lie in others
        std::vector<Around> around = {}; ///< the events in which the present one lies, outermost first
        std::vector<std::vector<EventIndex>> rows = {};
    };
    void addOwned(EventIndex event, const Link &link);
    std::size_t rowFor(const Event &event, const Draft &lane) const;
    std::unordered_map<TextId, Draft> draftLanes();
    void makeLanes();

    const Trace &m_trace;
    const Linked &m_linked;
    std::int64_t m_start = 0, m_end = 0;
    std::vector<Lane> m_lanes;
    std::unordered_map<TextId, std::size_t> m_laneOf; ///< by Event::lane
    std::vector<Owned> m_owned;
    std::vector<std::uint32_t> m_owners;                       ///< by event: in m_owned; none
    std::vector<std::uint8_t> m_rows;                          ///< by event: in its lane; maxRows: in none
    std::vector<std::pair<ir::NodeId, EventIndex>> m_nodes;    ///< sorted
    std::vector<std::pair<EventIndex, EventIndex>> m_launches; ///< launcher and work, sorted
    std::unordered_map<EventIndex, EventIndex> m_launchers;    ///< by work
};

} // namespace cutaway::trace
