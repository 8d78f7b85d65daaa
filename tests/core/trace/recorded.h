// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/linked.h"

namespace cutaway::test {

struct RecordedEvent {
    const char *lane;
    std::int64_t start, duration; ///< nanoseconds
    trace::Category category;
    const char *name;
};

/// A trace of these events, which are by start.
inline trace::Trace recorded(const std::vector<RecordedEvent> &events)
{
    trace::Trace made;
    for (const RecordedEvent &each : events) {
        trace::Event event;
        event.start = each.start;
        event.duration = each.duration;
        event.lane = made.texts.add(each.lane);
        event.name = made.texts.add(each.name);
        event.category = each.category;
        made.events.push_back(event);
    }
    return made;
}

/// The link with a node that is sure.
inline trace::Link linkOf(ir::NodeId node) { return {{node}, {}, trace::Evidence::Order, true}; }

inline trace::Iteration iteration(const char *name, std::int64_t start, std::int64_t duration, bool isWarmUp = false)
{
    return {name, start, duration, {}, isWarmUp};
}

} // namespace cutaway::test
