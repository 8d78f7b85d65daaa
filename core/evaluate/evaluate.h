// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/evaluate/value.h"
#include "core/ir/model.h"
#include "core/ops/operator.h"
#include "core/ops/torch/signatures.h"

#include <functional>
#include <stop_token>
#include <unordered_map>

namespace cutaway::evaluate {

struct Limits {
    std::int64_t elements = std::int64_t{1} << 24; ///< of one tensor
    std::int64_t nodes = 1'000'000;                ///< turns of loops included
    std::stop_token stop = {};                     ///< asked before each node: an error, Cancelled
};

/// Computes nodes of one model. Every operator is computed by itself: whole numbers as their dtype wraps them, floats
/// in double precision, the result rounded to its dtype. So the numbers are those of no runtime, but of all that a
/// runtime may give the middle. Weights are read once.
class Evaluator {
public:
    explicit Evaluator(const ir::Model &model, Limits limits = {});

    /// The value that a graph's value has, or nullptr where that is not known.
    using Known = std::function<const Value *(ir::ValueId)>;

    /// The results of a node without regions. Errors: it is not known how its operator is computed, it has effects, an
    /// argument has no value, or a limit is reached.
    Result<Values> results(const ir::NodeRef &node, const Known &known);
    /// The value of an operand; of tensors of the file too.
    Result<Value> valueOf(const ir::Operand &operand, const Known &known);

private:
    Result<ops::Facts> factsOf(const ir::NodeRef &node, const ops::Operator &row, const ops::Call &call) const;
    Result<Value> weight(ir::TensorId id);
    Result<Values> finished(const ir::NodeRef &node, const ops::Facts &facts, Values values) const;

    const ir::Model &m_model;
    Limits m_limits;
    ops::Signatures m_signatures;
    std::unordered_map<ir::TensorId, Value> m_weights;
};

/// The results of a function, given its body's inputs; branches and loops are followed. Errors as above, with the node.
Result<Values> evaluate(const ir::Model &model, ir::FunctionId function, std::span<const Value> inputs,
                        const Limits &limits = {});

} // namespace cutaway::evaluate
