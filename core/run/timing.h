// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"
#include "core/run/model_file.h"

namespace cutaway::run {

/// A unit that a backend ran, and the nodes that it consists of; empty where these are unknown.
struct TimedNodes {
    std::vector<ir::NodeId> nodes;
    protocol::Profile::NodeTime measured;
};

/// The shape and dtype of an input in a profile.
struct InputSize {
    std::string name;
    ir::DType dtype = ir::DType::Float32;
    std::vector<std::int64_t> shape;
    bool operator==(const InputSize &) const = default;
};

/// The measured times of a function.
struct Timing {
    protocol::Spread whole;        ///< the time of runs without clocks at the nodes
    protocol::Spread instrumented; ///< the time of runs with a clock at each node, which alternate with the others
    std::uint64_t peakBytes = 0;   ///< peak memory of the backend's process; 0: unknown
    std::vector<TimedNodes> nodes; ///< in the order of execution
    protocol::Conditions conditions = {};
    std::optional<ModelFile> file = {}; ///< the model's file; nullopt for a changed model
    std::vector<InputSize> inputs = {}; ///< the inputs that are tensors
    protocol::Spread inNodes = {};      ///< the time of an instrumented run within nodes
    protocol::Spread between = {};      ///< the time of an instrumented run between nodes
    std::uint64_t peakActivation = 0;   ///< peak bytes of activations; 0: unknown

    /// Returns the seconds within nodes: the median of the runs' sums. If the backend does not report it, the sum of
    /// the nodes' medians, which is less where delays hit different nodes in different runs. nullopt if the backend
    /// does not time nodes.
    std::optional<double> sum() const;
    std::optional<double> sumOfMedians() const;
};

/// Profiles the subject. Errors: those of Backend::profile().
Result<Timing> measure(Backend &backend, const Subject &subject, const Inputs &inputs, double seconds,
                       const Task &task);

} // namespace cutaway::run
