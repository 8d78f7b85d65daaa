// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/nesting.h"

namespace cutaway::trace {

/// A run of the model in a trace, and the events on the host directly in it.
struct Iteration {
    std::string name;
    std::int64_t start = 0, duration = 0; ///< nanoseconds
    std::vector<EventIndex> events;       ///< events of all lanes, by start
    bool isWarmUp = false;
};

/// The iterations of a trace, by time: the steps of the profiler; the runs of a session of ONNX Runtime; else the
/// outermost annotation with the most time that is no node's, as often as it is there; else all of the trace. Where
/// there are three or more, the first one is the warm-up if it takes more than twice as long as their median.
std::vector<Iteration> iterationsOf(const Trace &trace, const Nesting &nesting);

} // namespace cutaway::trace
