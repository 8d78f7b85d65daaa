// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/summary.h"

namespace cutaway::trace {

/// A trace with what was found in it. All of it must outlive a comparison.
struct Measured {
    const Trace &trace;
    const Linked &linked;
    const Summary &summary;
};

/// Times of iterations, without the warm-up where there are others; nanoseconds.
struct Spread {
    double median = 0, p5 = 0, p95 = 0;
    std::size_t count = 0;
};
Spread spreadOf(std::vector<double> times);
Spread spreadOfRuns(const NodeTime &node); ///< on devices if it has kernels

enum class Verdict : std::uint8_t {
    New,    ///< only in the second trace
    Gone,   ///< only in the first one
    Slower, ///< the ranges from 5 % to 95 % do not overlap
    Faster,
    WithinNoise, ///< they do
    NotKnown,    ///< a side has fewer iterations than fewestForNoise
};
/// With so many on each side, the ranges of two equal programs do not overlap in about one of eighty cases, if times
/// are spread normally; with three on each, in one of eight.
inline constexpr std::size_t fewestForNoise = 5;
std::string_view name(Verdict verdict); ///< "within the noise"

/// A time in two traces; one may have none.
struct TimeChange {
    std::optional<Spread> before, after;

    Verdict verdict() const;
    std::optional<double> ratio() const; ///< after / before
    double difference() const;           ///< of the medians; none counts as 0
};

struct NodeChange {
    ir::NodeId node;
    TimeChange time;      ///< on devices, where both traces have work there, else on the host
    bool isMoved = false; ///< it runs at another place in the order of the nodes that both have
};

/// "slower, moved"
std::string verdictText(const NodeChange &change);

/// Events that are no node's, summed by name.
struct OtherChange {
    std::string name;
    TimeChange time;
};

/// How two runs of a model differ. Nodes and modules are those with such a time in either.
struct Comparison {
    TimeChange whole;                          ///< durations of iterations
    bool isOnDevices = false;                  ///< times of nodes and modules are of devices
    std::vector<NodeChange> nodes;             ///< in the order of the model
    std::map<std::string, TimeChange> modules; ///< by path, with the modules in it
    std::vector<OtherChange> others;
};

/// Compares two traces that are linked with `graph`.
Comparison compare(const Measured &before, const Measured &after, const ir::Graph &graph);

/// The durations of the iterations of a trace.
Spread durationsOf(const Linked &linked);
/// The time of the work on devices in an iteration; nothing if there is none.
std::optional<Spread> deviceTimesOf(const Trace &trace, const Linked &linked);

} // namespace cutaway::trace
