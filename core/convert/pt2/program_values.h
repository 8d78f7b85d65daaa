// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/convert/pt2/program_graph.h"
#include "core/ops/torch/signatures.h"

#include <unordered_map>
#include <unordered_set>

namespace cutaway::convert {

/// Returns the type of the tensor that carries a number or tensor from region to region; nothing for other types.
std::optional<ir::TensorType> tensorTypeFor(const ir::Type &type);

/// Keeps what the values of a function become in the graph of a torch.export program. Rules use it to read the operands
/// of a node, to make its results, or to refuse the node.
class ProgramValues {
public:
    /// The arguments have to outlive the object.
    ProgramValues(const ir::Model &source, const ir::Function &function, const analysis::Shapes &shapes,
                  ProgramGraph &graph);

    const ir::Model &sourceModel() const { return m_source; }
    const ir::Graph &source() const { return m_function.graph; }
    ProgramGraph &graph() { return m_graph; }
    ops::Signatures &signatures() { return m_signatures; }
    const ops::Signature *signatureOf(const ir::NodeRef &node) { return m_signatures.of(node->op); }

    /// Returns the fact of an operand of the source.
    ops::Fact fact(const ir::Operand &operand) const;
    /// Returns the operand that a fact alone determines: a constant, a size, or a list of these; nothing for other
    /// facts.
    std::optional<ir::Operand> resolved(const ops::Fact &fact);
    /// Returns the text `what`, followed by the reason why analysis did not find more at the node.
    std::string whyUnknown(const ir::NodeRef &node, const std::string &what) const;

    /// Returns an operand of the source as it is in the program. If nothing stands for it there, refuses the node and
    /// returns None.
    ir::Operand made(const ir::Operand &operand);
    /// Returns an argument by its name in the schema, or by its position; None if it is not given.
    ir::Operand argument(const ir::NodeRef &node, std::string_view parameter);
    ir::Operand argument(const ir::NodeRef &node, std::size_t position);
    /// Sets what stands for a value of the source in the program.
    void set(ir::ValueId value, ir::Operand made) { m_values.insert_or_assign(value, std::move(made)); }
    /// Returns what set() stored for a value; nullptr for other values.
    const ir::Operand *find(ir::ValueId value) const;

    // The functions below take operands of the program.
    bool isTensor(const ir::Operand &made) const { return tensorType(made) != nullptr; }
    std::optional<ir::DType> dtypeOf(const ir::Operand &made) const;
    /// Returns nullptr for a value that is no tensor.
    const ir::TensorType *tensorType(const ir::Operand &made) const;
    /// Returns the kind of number that an operand is; nothing if it is no number.
    std::optional<ir::NumberType::Kind> numberKind(const ir::Operand &made) const;
    /// Returns the tensor that a number was taken out of; nothing if the number is not from a tensor, or the tensor has
    /// another dtype.
    std::optional<ir::Operand> tensorBehind(const ir::Operand &number, ir::DType dtype) const;

    /// Returns the type of a value with this fact; nothing if a program cannot hold it.
    std::optional<ir::Type> typeOf(const ops::Fact &fact);
    /// Makes a node with one result, which gets the type and name of the result of `source`.
    ir::Operand make(const ir::NodeRef &source, const ProgramNode &node);

    /// Notes that a program cannot express the current node, and why.
    void refuse(std::string reason);
    bool isRefused() const { return !m_reason.empty() || m_isConsequence; }
    /// Forgets the refusal and returns its reason; "" if the node was only refused because it reads missing values.
    std::string takeReason();
    /// Notes that the node's results are not made.
    void fail(const ir::NodeRef &node) { m_failed.insert(node->outputs.begin(), node->outputs.end()); }

private:
    std::optional<ir::Operand> valueOf(ir::ValueId value);

    const ir::Model &m_source;
    const ir::Function &m_function;
    const analysis::Shapes &m_shapes;
    ProgramGraph &m_graph;
    ops::Signatures m_signatures;
    std::unordered_map<ir::ValueId, ir::Operand> m_values;
    std::unordered_set<ir::ValueId> m_failed; ///< values that could not be made
    std::string m_reason;
    bool m_isConsequence = false; ///< whether the node is refused because nothing stands for a value that it reads
};

} // namespace cutaway::convert
