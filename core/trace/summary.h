// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/idle_time.h"

#include <map>

namespace cutaway::trace {

/// Time of a lane, or of all lanes, in the iterations. Total: the durations of the iterations in which the lane has
/// rows. Total = linked + unlinked + gaps. Nanoseconds, exact up to a hundred days.
struct LaneTime {
    double total = 0, linked = 0, unlinked = 0;
    double gaps() const { return total - linked - unlinked; }
};

/// The time of a node in an iteration, in nanoseconds.
struct NodeRun {
    std::uint32_t iteration = 0;
    bool isWarmUp = false;
    double time = 0, device = 0; ///< on the host, and of kernels
};

/// The measured time of a node, in nanoseconds. A row of several nodes is parted equally.
struct NodeTime {
    double time = 0;              ///< the sum over all iterations
    double min = 0, median = 0;   ///< over the iterations in which it has rows
    std::int64_t calls = 0;       ///< rows
    std::optional<double> device; ///< time of its kernels
    std::int64_t launches = 0;    ///< its kernels
    std::vector<NodeRun> runs;    ///< the iterations in which it has rows
};

struct Summary {
    LaneTime all;
    std::map<TextId, LaneTime> lanes;
    std::map<ir::NodeId, NodeTime> nodes;  ///< those with rows
    std::map<std::string, double> modules; ///< time by module path, with that of the modules in it; "": everything
    LaneTime device;                       ///< the sum of all kernels; it has no gaps
    std::vector<IdleTime> idle;            ///< one per device and stream
};

/// "stem.0" lies in "stem.0", "stem" and "", the whole.
std::vector<std::string> modulesAround(std::string_view path);

Summary summaryOf(const Trace &trace, const Linked &linked, const ir::Graph &graph);

} // namespace cutaway::trace
