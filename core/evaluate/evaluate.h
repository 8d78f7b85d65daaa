// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/opsets.h"
#include "core/ops/compute/value.h"
#include "core/ops/torch/autocast.h"
#include "core/ops/torch/signatures.h"

#include <functional>
#include <stop_token>
#include <unordered_map>

namespace cutaway::evaluate {

using compute::Value;
using compute::Values;

struct Limits {
    std::int64_t elements = std::int64_t{1} << 24; ///< maximum number of elements of one tensor
    std::int64_t nodes = 1'000'000;                ///< maximum number of node executions
    std::stop_token stop = {};                     ///< checked before each node; a stop is the error Cancelled
};

struct Computed;

/// Computes nodes of one model, each operator separately: integers wrap as in their dtype, floats are computed in
/// double precision and rounded to the dtype. So no runtime gives exactly these results, but they are a neutral
/// reference for all. Each weight is read once.
class Evaluator {
public:
    explicit Evaluator(const ir::Model &model, Limits limits = {});

    /// Returns the computed value of a graph's value, or nullptr if unknown.
    using Known = std::function<const Value *(ir::ValueId)>;

    /// Computes the results of a node without regions. Errors (Unreadable, as all of this class): the operator has no
    /// implementation or has side effects, an argument has no value, or a limit is reached.
    Result<Values> results(const ir::NodeRef &node, const Known &known);
    /// Returns the value of an operand, which may be a tensor of the file. Errors: an unknown value; those of weight().
    Result<Value> valueOf(const ir::Operand &operand, const Known &known);
    /// Returns the value of a tensor of the file; the pointer stays valid while the evaluator lives. Errors: the tensor
    /// is too large, of a dtype that is not computed with, or cannot be read; int64 does not hold an element.
    Result<const Value *> weight(ir::TensorId id);

    /// Makes all further nodes write in place: values share their elements as PyTorch's do, see compute/memory.h. After
    /// a write, `known` has to return the new value.
    void allowWrites() { m_allowsWrites = true; }
    /// The values of the attributes of the ONNX function that is being computed; nullptr outside of such functions.
    using Attributes = std::unordered_map<ir::NameId, Value>;
    void setAttributes(const Attributes *attributes) { m_attributes = attributes; }
    const Attributes *attributes() const { return m_attributes; }
    /// Makes operators cast as torch.autocast does from now on; without an Autocast they do not.
    void setAutocast(std::optional<ops::Autocast> autocast) { m_autocast = std::move(autocast); }
    const std::optional<ops::Autocast> &autocast() const { return m_autocast; }

private:
    class KnownValues;

    /// Errors: the effect of autocast is not known; those of results().
    Result<Values> castAndComputed(const ir::NodeRef &node, const Known &known, const ops::Call &call, ops::CastTo to);
    /// Errors: the shape rule refuses the arguments; a result is larger than the limit.
    Result<ops::Facts> factsOf(const ir::NodeRef &node, const ops::Operator &row, const ops::Call &call) const;
    void lend(ir::TensorId id, compute::Array &array) const;
    /// Errors: no rule covers the arguments; random numbers; those of finished().
    Result<Values> computed(const Computed &of, const compute::Call &call) const;
    /// Errors: the rule does not cover complex numbers; nodes may write in place; those of finished().
    Result<Values> computedOfComplex(const Computed &of, const compute::Call &call) const;
    static std::optional<std::vector<std::vector<std::int64_t>>>
    positions(const Computed &of, const compute::Call &call, const compute::Array &base);
    /// Errors: it is not known where a result lies.
    static Result<void> place(const Computed &of, const compute::Call &call, std::span<compute::Array *const> results);
    /// Errors: those of place().
    Result<Values> placed(const Computed &of, const compute::Call &call, Values values) const;
    /// Errors: it is not known what the node writes to, or which other values share it.
    Result<Values> written(const Computed &of, const compute::Call &call, Values values) const;
    /// Errors: those of written().
    Result<Values> reshaped(const Computed &of, const compute::Call &call, Values values) const;
    /// Errors: a dtype that is unknown or not computed with, a shape other than the derived one, a number that the
    /// dtype does not hold.
    Result<Values> finished(const Computed &of, Values values) const;

    const ir::Model &m_model;
    ir::NodeOpsets m_opsets;
    Limits m_limits;
    ops::Signatures m_signatures;
    std::unordered_map<ir::TensorId, Value> m_weights;
    bool m_allowsWrites = false;
    const Attributes *m_attributes = nullptr;
    std::optional<ops::Autocast> m_autocast;
};

/// Receives each result of a node as soon as it is computed; a result in a loop once in each iteration.
using Seen = std::function<void(ir::ValueId, const Value &)>;

/// Runs a function on its body's inputs: branches, loops, calls of the model's other functions, writes in place.
/// `seen` gets the results of the function's own nodes. Errors: Cancelled; Unreadable, with the node where there is
/// one: those of Evaluator::results(); a branch or loop that unknown values decide; calls that are nested too deep; an
/// error that the model raises.
Result<Values> evaluate(const ir::Model &model, ir::FunctionId function, std::span<const Value> inputs,
                        const Limits &limits = {}, const Seen &seen = {});

} // namespace cutaway::evaluate
