// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"
#include "core/run/model_file.h"

namespace cutaway::run {

/// What a backend ran as one, and the nodes of the model that it is; empty where that is not known.
struct TimedNodes {
    std::vector<ir::NodeId> nodes;
    protocol::Profile::NodeTime measured;
};

/// What a function was timed with.
struct InputSize {
    std::string name;
    ir::DType dtype = ir::DType::Float32;
    std::vector<std::int64_t> shape;
    bool operator==(const InputSize &) const = default;
};

/// How long a function takes.
struct Timing {
    protocol::Spread whole;        ///< without clocks
    protocol::Spread instrumented; ///< with one at each node, in turns with that
    std::uint64_t peakBytes = 0;   ///< most memory that the backend's process has had; 0: not known
    std::vector<TimedNodes> nodes; ///< in the order in which they ran
    protocol::Conditions conditions = {};
    std::optional<ModelFile> file = {}; ///< nothing of a model that has been changed
    std::vector<InputSize> inputs = {}; ///< tensors alone
    protocol::Spread inNodes = {};      ///< of an instrumented run: what passes in nodes
    protocol::Spread between = {};      ///< and between them
    std::uint64_t peakActivation = 0;   ///< most bytes of activations at once; 0: not known

    /// Seconds in nodes: the median of the runs' sums. Of a backend that does not tell these it is the sum of the
    /// nodes' medians, which is less where now this node, now that one is held up. Nothing of a backend that does not
    /// tell the times of nodes.
    std::optional<double> sum() const;
    std::optional<double> sumOfMedians() const;
};

/// Errors: those of Backend::profile().
Result<Timing> measure(Backend &backend, const Subject &subject, const Inputs &inputs, double seconds,
                       const Task &task);

} // namespace cutaway::run
