// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/nesting.h"

namespace cutaway::trace {

/// A run of the model in a trace, and the events on the host directly in it.
struct Iteration {
    std::string name;
    std::int64_t start = 0, duration = 0; ///< in nanoseconds
    std::vector<EventIndex> events;       ///< events of all lanes, by start
    bool isWarmUp = false;
};

/// Returns the iterations of a trace, by time: the steps of the profiler; else the runs of a session of ONNX Runtime;
/// else each occurrence of the outermost annotation with the most time that belongs to no node; else all of the trace.
/// If there are three or more, the first one is the warm-up if it takes more than twice as long as their median.
std::vector<Iteration> iterationsOf(const Trace &trace, const Nesting &nesting);

} // namespace cutaway::trace
