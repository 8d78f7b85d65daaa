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
    std::vector<LaneRow> rows; ///< rows of events; an event is in a row below that of the event around it
};

/// A trace and its links, arranged to be drawn over time and to be looked up by event and by node.
class Timeline {
public:
    /// The limit of rows of a lane. Events that need more, because they are nested deeply or overlap, are in none.
    static constexpr std::size_t maxRows = 40;

    /// Keeps references to both arguments. O(events · log events).
    Timeline(const Trace &trace, const Linked &linked);

    std::int64_t start() const { return m_start; } ///< in nanoseconds
    std::int64_t end() const { return m_end; }
    /// Returns the threads, sorted by the time of their rows, then the streams.
    const std::vector<Lane> &lanes() const { return m_lanes; }
    struct Place {
        std::size_t lane, row;
    };
    std::optional<Place> placeOf(EventIndex event) const;

    /// Returns the link of an event, or that of the innermost event around it that has one; nullptr if there is none.
    const Link *linkOf(EventIndex event) const;
    /// Returns the first node of linkOf(), if it has one; pictures ask for it for each event.
    std::optional<ir::NodeId> firstNodeOf(EventIndex event) const;
    /// Returns the event whose link linkOf() returns.
    std::optional<EventIndex> linkedEvent(EventIndex event) const;
    /// Returns the events that are linked to a node, by start.
    std::vector<EventIndex> eventsOf(ir::NodeId node) const;
    /// Returns the work on devices that an event, or an event within it, has launched.
    std::vector<EventIndex> launchesOf(EventIndex event) const;
    /// Returns the operator that launched some work on a device.
    std::optional<EventIndex> launcherOf(EventIndex event) const;
    /// Returns the index in Linked::iterations of the iteration during which a time lies.
    std::optional<std::size_t> iterationAt(std::int64_t time) const;

private:
    struct Owned {
        const Link *link;
        EventIndex event;
        ir::NodeId node; ///< the first node of the link, stored here because a lookup would miss the cache
    };
    struct Around {
        EventIndex event;
        std::size_t row;
    };
    /// A lane while its rows are being filled.
    struct Draft {
        EventIndex first;
        double time = 0;                 ///< time of events with a link in nanoseconds; some of them may lie in others
        std::vector<Around> around = {}; ///< the events around the current one, outermost first
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
    std::vector<std::uint32_t> m_owners;                       ///< by event: the index in m_owned; none if unlinked
    std::vector<std::uint8_t> m_rows;                          ///< by event: its row in the lane; maxRows: none
    std::vector<std::pair<ir::NodeId, EventIndex>> m_nodes;    ///< nodes with their events, sorted
    std::vector<std::pair<EventIndex, EventIndex>> m_launches; ///< launching events with the work on devices, sorted
    std::unordered_map<EventIndex, EventIndex> m_launchers;    ///< by work on a device: the launching event
};

} // namespace cutaway::trace
