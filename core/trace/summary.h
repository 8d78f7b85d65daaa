// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/idle_time.h"

#include <map>

namespace cutaway::trace {

/// The times of a lane, or of all lanes, in the iterations, in nanoseconds, exact up to a hundred days. `total` is the
/// sum of the durations of the iterations in which the lane has rows. It equals linked + unlinked + gaps.
struct LaneTime {
    double total = 0, linked = 0, unlinked = 0;
    double gaps() const { return total - linked - unlinked; }
};

/// The time of a node in an iteration, in nanoseconds.
struct NodeRun {
    std::uint32_t iteration = 0;
    bool isWarmUp = false;
    double time = 0, device = 0; ///< time on the host, and time of its kernels
};

/// The measured time of a node, in nanoseconds. The time of a row with several nodes is divided equally.
struct NodeTime {
    double time = 0;              ///< the sum over all iterations
    double min = 0, median = 0;   ///< the minimum and the median over the iterations with rows of the node
    std::int64_t calls = 0;       ///< number of rows
    std::optional<double> device; ///< the time of its kernels
    std::int64_t launches = 0;    ///< the number of its kernels
    std::vector<NodeRun> runs;    ///< by iteration, for those with rows of the node
};

struct Summary {
    LaneTime all;
    std::map<TextId, LaneTime> lanes;
    std::map<ir::NodeId, NodeTime> nodes;  ///< by node, for those with rows
    std::map<std::string, double> modules; ///< by path: the time of the module and its submodules; "" for the total
    LaneTime device;                       ///< the sum over all kernels, without gaps
    std::vector<IdleTime> idle;            ///< by device and by stream
};

/// Returns the modules around a path: "stem.0", "stem" and "" for "stem.0".
std::vector<std::string> modulesAround(std::string_view path);

Summary summaryOf(const Trace &trace, const Linked &linked, const ir::Graph &graph);

} // namespace cutaway::trace
