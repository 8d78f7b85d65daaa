// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/timeline.h"

#include <QString>
#include <stop_token>
#include <vector>

namespace cutaway::views {

struct OpenedTrace;

/// The events of a trace that match a search.
struct EventHits {
    std::vector<trace::EventIndex> all;             ///< by start
    std::vector<std::vector<trace::LaneRow>> lanes; ///< the same events in the form of Timeline::lanes()
};

/// Finds the events that have a text in their name, or in the name of a node that they are linked to. O(events). If it
/// is stopped, some matches are missing.
EventHits findEvents(const OpenedTrace &trace, const ir::Graph &graph, const QString &text,
                     const std::stop_token &stop = {});

} // namespace cutaway::views
