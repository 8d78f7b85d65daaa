// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/iterations.h"
#include "core/trace/units.h"

namespace cutaway::trace {

/// Why an event is linked to a node.
enum class Evidence : std::uint8_t {
    Order,      ///< the events of an iteration and the nodes follow each other in the same order
    Name,       ///< the event has the node's name
    Sequence,   ///< autograd's sequence number links it to the forward's event
    Neighbours, ///< the nodes of the events before and after it are known
};
std::string_view name(Evidence evidence); ///< "order"

/// Why an event is linked to several nodes.
enum class Sharing : std::uint8_t {
    Fused,     ///< the event does the work of all nodes
    Ambiguous, ///< the event belongs to one of the nodes, but it is not known to which
};

enum class Phase : std::uint8_t { Forward, Backward };

/// The nodes whose work an event does, or the reason why there are none or they are not known.
struct Link {
    std::vector<ir::NodeId> nodes; ///< the nodes; the one that makes the result is the first
    std::optional<Sharing> sharing = {};
    Evidence evidence = Evidence::Order;
    bool isSure = false;
    std::string_view reason = {}; ///< if there are no nodes: the reason, a sentence
};

/// An event on the host within an iteration. Rows of one lane do not overlap.
struct Row {
    EventIndex event = 0;
    std::uint32_t iteration = 0;
    std::int64_t duration = 0; ///< in nanoseconds, without the time of rows inside of it
    std::optional<Phase> phase = {};
    Link link;
};

/// Work on a device.
struct DeviceRow {
    EventIndex event = 0;
    std::optional<EventIndex> launchedBy; ///< the event of the operator that launched the work; nothing if not known
    Link link;
    std::optional<std::uint32_t> iteration = {}; ///< the iteration in which the operator launched the work; nothing if
                                                 ///< not known
};

/// A trace, linked to the function of a model that was run.
struct Linked {
    std::vector<Iteration> iterations;
    std::vector<Row> rows;          ///< by iteration and start
    std::vector<DeviceRow> devices; ///< by start
    std::vector<ir::Diagnostic> diagnostics;
};

/// Returns the share of the time of all rows that is linked to nodes; 0 if there is no time.
double linkedShare(const Linked &linked);

/// Finds the nodes to which the events of a trace belong. `step`: the step of a log whose graph the model is; the names
/// of its kernels are then known. It is nullptr for other models. An event that cannot be linked keeps its time and has
/// a reason. A link that order, names and shapes do not prove is not sure. If `task` is stopped, rows are left out.
Linked link(const Trace &trace, const ir::Model &model, const analysis::Analysis &analysis,
            const sequence::FoundStep *step = nullptr, const Task &task = {});

} // namespace cutaway::trace
