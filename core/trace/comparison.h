// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/time_change.h"
#include "core/trace/summary.h"

namespace cutaway::trace {

/// A trace with what was found in it. All of it must outlive a comparison.
struct Measured {
    const Trace &trace;
    const Linked &linked;
    const Summary &summary;
};

struct NodeChange {
    ir::NodeId node;
    run::TimeChange time; ///< on devices, where both traces have work there, else on the host
    bool isMoved = false; ///< it runs at another place in the order of the nodes that both have
};

/// "slower, moved"
std::string verdictText(const NodeChange &change);

/// Events that are no node's, summed by name.
struct OtherChange {
    std::string name;
    run::TimeChange time;
};

/// How two runs of a model differ. Nodes and modules are those with such a time in either.
struct Comparison {
    run::TimeChange whole;                          ///< durations of iterations
    bool isOnDevices = false;                       ///< times of nodes and modules are of devices
    std::vector<NodeChange> nodes;                  ///< in the order of the model
    std::map<std::string, run::TimeChange> modules; ///< by path, with the modules in it
    std::vector<OtherChange> others;
};

/// Compares two traces that are linked with `graph`.
Comparison compare(const Measured &before, const Measured &after, const ir::Graph &graph);

/// Times of a trace are nanoseconds; their spread is in seconds, as everywhere.
protocol::Spread spreadInSeconds(std::vector<double> nanoseconds);

// Spreads over the iterations, without the warm-up where there are others.

/// The times of a node, on devices if it has kernels.
protocol::Spread spreadOfRuns(const NodeTime &node);
/// The durations of the iterations of a trace.
protocol::Spread durationsOf(const Linked &linked);
/// The time of the work on devices in an iteration; nothing if there is none.
std::optional<protocol::Spread> deviceTimesOf(const Trace &trace, const Linked &linked);

} // namespace cutaway::trace
