// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/iterations.h"
#include "core/trace/units.h"

namespace cutaway::trace {

/// Why an event is a node's.
enum class Evidence : std::uint8_t {
    Order,      ///< the events of an iteration and the nodes follow each other in the same order
    Name,       ///< the event has the node's name
    Sequence,   ///< autograd's number joins it with the forward's event
    Neighbours, ///< nodes before and behind it are known
};
std::string_view name(Evidence evidence); ///< "order"

/// Why an event has several nodes.
enum class Sharing : std::uint8_t {
    Fused,     ///< it does the work of all
    Ambiguous, ///< it is one of them, and which one is not known
};

enum class Phase : std::uint8_t { Forward, Backward };

/// The nodes that an event is the work of; or the reason why that is no node's, or not known.
struct Link {
    std::vector<ir::NodeId> nodes; ///< the one that makes the result first
    std::optional<Sharing> sharing = {};
    Evidence evidence = Evidence::Order;
    bool isSure = false;
    std::string_view reason = {}; ///< a sentence where there are no nodes; a text of the program
};

/// Time on the host within an iteration. Rows of one lane do not overlap.
struct Row {
    EventIndex event = 0;
    std::uint32_t iteration = 0;
    std::int64_t duration = 0; ///< nanoseconds: without the rows of events in it
    std::optional<Phase> phase = {};
    Link link;
};

/// Work on a device.
struct DeviceRow {
    EventIndex event = 0;
    std::optional<EventIndex> launchedBy; ///< an operator
    Link link;
    std::optional<std::uint32_t> iteration = {}; ///< the iteration of the operator's row
};

/// A trace beside the function of a model that it is a run of.
struct Linked {
    std::vector<Iteration> iterations;
    std::vector<Row> rows;          ///< by iteration and start
    std::vector<DeviceRow> devices; ///< by start
    std::vector<ir::Diagnostic> diagnostics;
};

/// The part of the time of all rows that is linked to nodes; 0 if there is no time.
double linkedShare(const Linked &linked);

/// Finds the nodes behind the events of a trace. `step`: the model is a graph of a compilation, whose kernels are then
/// known by name. What cannot be linked keeps its time and says why. Events whose order, names and shapes do not prove
/// the link are not sure. Where `task` is stopped, rows are left out.
Linked link(const Trace &trace, const ir::Model &model, const analysis::Analysis &analysis,
            const sequence::FoundStep *step = nullptr, const Task &task = {});

} // namespace cutaway::trace
