// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"

namespace cutaway::run {

/// What a backend ran as one, and the nodes of the model that it is; empty where that is not known.
struct TimedNodes {
    std::vector<ir::NodeId> nodes;
    protocol::Profile::NodeTime measured;
};

/// How long a function takes.
struct Timing {
    protocol::Spread whole;        ///< without clocks
    protocol::Spread instrumented; ///< with one at each node
    std::uint64_t peakBytes = 0;   ///< most memory that the backend's process has had; 0: not known
    std::vector<TimedNodes> nodes; ///< in the order in which they ran

    double sum() const; ///< of the nodes' medians, seconds
};

/// Errors: those of Backend::profile().
Result<Timing> measure(Backend &backend, const Subject &subject, const Inputs &inputs, double seconds,
                       const Task &task);

} // namespace cutaway::run
