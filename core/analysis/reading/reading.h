// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/ops/calls.h"
#include "core/ops/torch/signatures.h"

#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cutaway::analysis {

/// Answers questions of passes, rules of lint and schedulers about the nodes of a function: rows, arguments, facts,
/// effects. Answers are kept: while a Reading is used, the function may only change through a rewrite::Rewriter, which
/// is a Reading itself.
class Reading {
public:
    /// `shapes` is called when the derived shapes of the function are first needed. `model` has to outlive this object.
    Reading(const ir::Model &model, ir::FunctionId function, std::function<const Shapes &()> shapes);
    Reading(const Reading &) = delete;
    Reading &operator=(const Reading &) = delete;

    const ir::Model &model() const { return m_model; }
    const ir::Function &function() const { return m_model.at(m_function); }
    ir::FunctionId functionId() const { return m_function; }
    const ir::Graph &graph() const { return function().graph; }
    ir::Context &context() const { return *m_model.context; }
    ir::NodeRef node(ir::NodeId id) const { return {graph(), id}; }
    /// The nodes of a region and of its inner regions, each node before those of its own regions, in the initial order
    /// of execution. A Rewriter may have removed some since.
    std::vector<ir::NodeRef> nodes(ir::RegionId region = ir::Graph::body) const;

    /// Whether a Rewriter has removed the node.
    bool isRemoved(ir::NodeId node) const { return m_isRemoved[node.index]; }

    // ---- facts
    /// The fact that is derived of a value. For a value that a Rewriter made, or that a loop makes anew in each
    /// iteration, it is what the value's type says.
    ops::Fact fact(const ir::Operand &operand);
    /// The fact of `operand` if it follows from the inputs. It is unknown where it is, or follows from, a type of an
    /// inner value that only the file records: a runtime does not hold a model to such a type, so it is no reason to
    /// change what is computed.
    ops::Fact proven(const ir::Operand &operand);
    /// Whether the fact of `value` is, or follows from, a type that only the file records.
    bool restsOnRecord(ir::ValueId value) { return recorded().contains(value); }
    /// The facts of the function, as they were at the beginning.
    const Shapes &shapes() const { return m_shapes(); }

    // ---- operators and arguments
    ops::OperatorKind kind(const ir::NodeRef &node);
    const ops::Operator *row(const ir::NodeRef &node); ///< nullptr if the operator is unknown
    /// Returns the operator's signature; nullptr if the operator is ONNX's or unknown.
    const ops::Signature *signature(ir::OpId op) { return m_signatures.of(op); }
    /// The argument of `node` for a parameter of its schema, by name or by position; nullptr where there is none or it
    /// is None.
    const ir::Operand *argument(const ir::NodeRef &node, std::string_view parameter);
    /// The argument for `parameter` of a node with a schema; of an ONNX node the input at `onnxPosition`.
    const ir::Operand *argument(const ir::NodeRef &node, std::string_view parameter, std::size_t onnxPosition);
    /// The argument at a position that a reader of arguments names, as ops::convolutionArguments() does.
    const ir::Operand *argument(const ir::NodeRef &node, ops::Position position);
    /// Returns `node` as readers of arguments need it; valid as long as the node.
    ops::Call call(const ir::NodeRef &node) { return m_calls.of(node); }

    // ---- effects
    /// Whether `node` may be left out if its results are not read, and done once instead of twice: it writes to
    /// nothing, draws nothing, and prints and raises nothing. False for unknown operators and calls of functions.
    bool isPure(const ir::NodeRef &node);
    /// Whether `node` draws random numbers, which a dropout does only in training.
    bool isRandom(const ir::NodeRef &node);
    /// Whether `node` writes to one of its arguments.
    bool writes(const ir::NodeRef &node);
    /// Returns the number of uses of `value` in all regions, returns included.
    std::size_t useCount(ir::ValueId value) const { return graph().at(value).uses.size(); }
    bool isReturned(ir::ValueId value) const;
    /// The tensor of the file that an operand is, if nothing in the function can write to it and no caller can replace
    /// it.
    std::optional<ir::TensorId> constant(const ir::Operand &operand);
    /// The values that some node may write to, in the function as it was at the beginning; see written.h.
    const std::unordered_set<ir::ValueId> &written();

protected:
    /// Takes the facts of `before` over for `made`, a new value that is equal to it.
    void learn(ir::ValueId made, ir::ValueId before);
    std::vector<bool> m_isRemoved; ///< by NodeId

private:
    const ops::Fact *derived(ir::ValueId value);
    const std::unordered_set<ir::ValueId> &recorded();
    bool isOutOfTraining(const ir::NodeRef &node);
    bool isRepeated(ir::RegionId region);

    const ir::Model &m_model;
    ir::FunctionId m_function;
    std::function<const Shapes &()> m_shapes;
    ops::Signatures m_signatures;
    ops::Calls m_calls;
    std::unordered_map<ir::OpId, ops::OperatorKind> m_kinds;
    std::unordered_map<ir::OpId, const ops::Operator *> m_rows;
    std::unordered_map<ir::RegionId, bool> m_isRepeated;
    std::unordered_map<ir::ValueId, ops::Fact> m_learned;
    std::optional<std::unordered_set<ir::ValueId>> m_written;
    /// Values whose type only the file records, and values whose facts follow from such types.
    std::optional<std::unordered_set<ir::ValueId>> m_recorded;
};

} // namespace cutaway::analysis
