// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/node_data/node_data.h"
#include "core/run/timing.h"
#include "core/trace/comparison.h"
#include "core/trace/memory_use.h"

#include <span>

namespace cutaway::trace {

/// A trace as a profile: per node the time in each iteration but the warm-up, of which median and percentiles are
/// taken. A node whose work was on a device has the time of its kernels, as what it took on the host is their launch.
/// Rows that may be of one node or another are parted equally; what is no node's has entries without nodes. The memory
/// of a node is the most that is taken while it is called on the host, on the device with the highest peak.
run::Timing timesOf(const Trace &trace, const Linked &linked, std::span<const MemoryUse> memory = {});

/// Finds the nodes of entries of which a backend knows the operator, the sizes and the place in the run alone, as
/// events of a trace find theirs: put beside the nodes in order. An entry that may be of one node or another keeps
/// none.
void linkCalls(run::Timing &timing, const ir::Model &model, const analysis::Analysis &analysis);

/// Returns columns of node data with what a trace tells besides the times of nodes: "trace.calls"; "trace.spread", the
/// seconds from the 5th to the 95th percentile of the iterations, as spreadOfRuns() has them; where there is work on
/// devices also "trace.host" and "trace.device", the seconds of all iterations, "trace.launches", and "trace.waited",
/// the seconds for which devices waited for the node. The cells of a node without rows are empty.
std::vector<node_data::Column> columnsOf(const Summary &summary, const ir::Graph &graph);

/// Returns columns with what a second trace tells: "trace.change", the seconds by which the median of the iterations
/// differs from that in the first one; "trace.second", that median; "trace.verdict": "slower, moved".
std::vector<node_data::Column> columnsOf(const Comparison &comparison, const ir::Graph &graph);

} // namespace cutaway::trace
