// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/node_data/node_data.h"
#include "core/run/backend.h"
#include "core/tensor/statistics.h"

#include <unordered_map>

namespace cutaway::run {

/// tensor::Statistics of a value in one run; those of all iterations of a loop together.
struct Activation {
    ir::DType dtype = ir::DType::Float32;
    std::vector<std::int64_t> shape; ///< the last one
    tensor::Statistics statistics;   ///< for complex numbers: statistics of their magnitudes

    /// The largest magnitude: infinite if a number is, NaN if one is NaN or there are none.
    double magnitude() const;
    std::uint64_t infinities() const { return statistics.infinities(); }
};

/// The statistics of the values of a run, taken while they appeared.
struct Activations {
    Outcome outcome;
    std::unordered_map<ir::ValueId, Activation> values; ///< inputs, and results of nodes that are tensors of numbers

    const Activation *of(ir::ValueId value) const;
};

/// Returns nothing for a tensor without numbers.
std::optional<Activation> activationOf(const protocol::Tensor &tensor);

/// Runs the subject, whose shapes these are. Errors: those of Backend::watch(), and of inputs that cannot be drawn.
Result<Activations> activationsOf(Backend &backend, const Subject &subject, const Inputs &inputs,
                                  const analysis::Shapes &shapes, const Task &task = {});

/// The values that were seen: inputs, then results in the order in which nodes run.
std::vector<ir::ValueId> inOrder(const ir::Graph &graph, const Activations &activations);

/// A node whose result has a NaN, or an infinity, although its operands have none of these.
struct NotFinite {
    enum class Kind : std::uint8_t {
        NaN,     ///< no value that the node reads has any
        Infinity ///< no value, weight or constant that the node reads has any: a mask's -inf is meant
    };
    Kind kind = Kind::NaN;
    ir::NodeId node;
    ir::ValueId value;       ///< the result that has it
    std::uint64_t count = 0; ///< how many of the value's numbers are such
    double largestRead = 0;  ///< magnitude of the finite numbers that the node reads; NaN: not known
};

/// All such nodes, in the order in which they run; not those that give memory as it is, as torch.empty does.
std::vector<NotFinite> notFinite(const ir::Model &model, ir::FunctionId function, const Activations &activations);

/// The statistics as columns of node data, of all results of a node together: run.magnitude, run.min, run.max,
/// run.mean, run.std, run.zeros (their share), run.nan, run.inf (their numbers).
std::vector<node_data::Column> columnsOf(const ir::Function &function, const Activations &activations);

/// "run.": what the names of these columns begin with.
inline constexpr std::string_view runPrefix = "run.";

} // namespace cutaway::run
