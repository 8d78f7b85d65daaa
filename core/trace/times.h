// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/node_data/node_data.h"
#include "core/run/timing.h"
#include "core/trace/comparison.h"
#include "core/trace/memory_use.h"

#include <span>

namespace cutaway::trace {

/// Returns a trace as a profile: for each node the time in each iteration but the warm-up, of which median and
/// percentiles are taken. If the work of a node was on a device, its time is that of its kernels, since its time on the
/// host is only their launch. Rows that may belong to several nodes are divided equally; events without a node have
/// entries without nodes. The memory of a node is the most that is allocated while it is called on the host, on the
/// device with the highest peak.
run::Timing timesOf(const Trace &trace, const Linked &linked, std::span<const MemoryUse> memory = {});

/// Finds the nodes of entries for which a backend only knows the operator, the sizes and the position in the run. They
/// are aligned with the nodes in order, as the events of a trace are. An entry that may belong to several nodes gets
/// none.
void linkCalls(run::Timing &timing, const ir::Model &model, const analysis::Analysis &analysis);

/// Returns columns of node data with what a trace shows besides the times of nodes: "trace.calls"; "trace.spread", the
/// seconds from the 5th to the 95th percentile of the iterations, as spreadOfRuns() has them; if there is work on
/// devices also "trace.host" and "trace.device", the seconds of all iterations, "trace.launches", and "trace.waited",
/// the seconds for which devices waited for the node. The cells of a node without rows are empty.
std::vector<node_data::Column> columnsOf(const Summary &summary, const ir::Graph &graph);

/// Returns columns of the comparison with a second trace: "trace.change", the seconds by which the median of the
/// iterations differs from that in the first one; "trace.second", that median; "trace.verdict": "slower, moved".
std::vector<node_data::Column> columnsOf(const Comparison &comparison, const ir::Graph &graph);

} // namespace cutaway::trace
