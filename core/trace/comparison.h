// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/time_change.h"
#include "core/trace/summary.h"

namespace cutaway::trace {

/// A trace with its iterations and links. All of it must outlive a comparison.
struct Measured {
    const Trace &trace;
    const Linked &linked;
    const Summary &summary;
};

struct NodeChange {
    ir::NodeId node;
    run::TimeChange time; ///< the times on devices if both traces have work there, else those on the host
    bool isMoved = false; ///< whether its position changed among the nodes that both traces have
};

/// Returns "slower, moved".
std::string verdictText(const NodeChange &change);

/// Events that are linked to no node, summed by name.
struct OtherChange {
    std::string name;
    run::TimeChange time;
};

/// The difference of two runs of a model. It has the nodes and modules with a time in either of them.
struct Comparison {
    run::TimeChange whole;                          ///< durations of iterations
    bool isOnDevices = false;                       ///< whether the times of nodes and modules are those on devices
    std::vector<NodeChange> nodes;                  ///< in the order of the model
    std::map<std::string, run::TimeChange> modules; ///< by path; the time of a module includes its submodules
    std::vector<OtherChange> others;
};

/// Compares two traces that are linked with `graph`.
Comparison compare(const Measured &before, const Measured &after, const ir::Graph &graph);

/// Returns the spread in seconds of times of a trace, which are in nanoseconds.
protocol::Spread spreadInSeconds(std::vector<double> nanoseconds);

// The functions below return spreads over the iterations, without the warm-up if there are others.

/// Returns the times of a node, on devices if it has kernels.
protocol::Spread spreadOfRuns(const NodeTime &node);
/// Returns the durations of the iterations of a trace.
protocol::Spread durationsOf(const Linked &linked);
/// Returns the time of the work on devices in each iteration; nothing if there is no such work.
std::optional<protocol::Spread> deviceTimesOf(const Trace &trace, const Linked &linked);

} // namespace cutaway::trace
