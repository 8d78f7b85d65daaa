// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/node_data/node_data.h"
#include "core/run/backend.h"
#include "core/tensor/statistics.h"

#include <unordered_map>

namespace cutaway::run {

/// The tensor::Statistics of a value in one run; the iterations of a loop are counted together.
struct Activation {
    ir::DType dtype = ir::DType::Float32;
    std::vector<std::int64_t> shape; ///< the shape of the last run
    tensor::Statistics statistics;   ///< for complex numbers: statistics of their magnitudes

    /// Returns the largest magnitude: infinite if a number is infinite; NaN if a number is NaN, or if there are no
    /// numbers.
    double magnitude() const;
    std::uint64_t infinities() const { return statistics.infinities(); }
};

/// The statistics of the values of a run, computed while it ran.
struct Activations {
    Outcome outcome;
    std::unordered_map<ir::ValueId, Activation> values; ///< inputs, and results of nodes that are tensors of numbers

    const Activation *of(ir::ValueId value) const;
};

/// Computes the statistics of a tensor; nothing for a tensor without numbers.
std::optional<Activation> activationOf(const protocol::Tensor &tensor);

/// Runs the subject and computes the statistics of its values. `shapes` are those of the subject. Errors: those of
/// Backend::watch(); an input cannot be drawn.
Result<Activations> activationsOf(Backend &backend, const Subject &subject, const Inputs &inputs,
                                  const analysis::Shapes &shapes, const Task &task = {});

/// Returns the values that were seen: inputs, then results in the order in which nodes run.
std::vector<ir::ValueId> inOrder(const ir::Graph &graph, const Activations &activations);

/// A node whose result has a NaN, or an infinity, although its operands have none of these.
struct NotFinite {
    enum class Kind : std::uint8_t {
        NaN,     ///< the result has a NaN, and nothing that the node reads has one
        Infinity ///< the result has an infinity, and nothing that the node reads has one, except a mask's -inf
    };
    Kind kind = Kind::NaN;
    ir::NodeId node;
    ir::ValueId value;       ///< the result that has the NaN or infinity
    std::uint64_t count = 0; ///< how many of the value's numbers are NaN or infinite
    double largestRead = 0;  ///< the largest magnitude of the finite numbers that the node reads; NaN if not known
};

/// Returns all such nodes in execution order, except those that return uninitialized memory, such as torch.empty.
std::vector<NotFinite> notFinite(const ir::Model &model, ir::FunctionId function, const Activations &activations);

/// Returns the statistics as columns of node data, for all results of a node together: run.magnitude, run.min, run.max,
/// run.mean, run.std, run.zeros (the share of zeros), run.nan and run.inf (the numbers of these).
std::vector<node_data::Column> columnsOf(const ir::Function &function, const Activations &activations);

/// The prefix of the names of these columns.
inline constexpr std::string_view runPrefix = "run.";

} // namespace cutaway::run
