// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/convert/pt2/program_graph.h"
#include "core/ops/torch/signatures.h"

#include <unordered_map>
#include <unordered_set>

namespace cutaway::convert {

/// The tensor that a number or tensor is between regions; nothing for other types.
std::optional<ir::TensorType> tensorTypeFor(const ir::Type &type);

/// Keeps what the values of a function become in the graph of a torch.export program. Rules read the operands of a node
/// here, make its results, or refuse it.
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

    /// The fact of an operand of the source.
    ops::Fact fact(const ir::Operand &operand) const;
    /// The operand that a fact alone determines: a constant, a size, a list of these.
    std::optional<ir::Operand> resolved(const ops::Fact &fact);
    /// `what`, with the reason why analysis did not get on at the node.
    std::string whyUnknown(const ir::NodeRef &node, const std::string &what) const;

    /// An operand of the source as it is in the program; None, and the node is refused, if nothing was made of it.
    ir::Operand made(const ir::Operand &operand);
    /// An argument by its name in the schema, or by its position; None where nothing is given.
    ir::Operand argument(const ir::NodeRef &node, std::string_view parameter);
    ir::Operand argument(const ir::NodeRef &node, std::size_t position);
    /// Says what a value of the source is in the program.
    void set(ir::ValueId value, ir::Operand made) { m_values.insert_or_assign(value, std::move(made)); }
    /// Returns what set() was given for a value; nullptr for other values.
    const ir::Operand *find(ir::ValueId value) const;

    // Operands of the program.
    bool isTensor(const ir::Operand &made) const { return tensorType(made) != nullptr; }
    std::optional<ir::DType> dtypeOf(const ir::Operand &made) const;
    /// nullptr for what is no tensor.
    const ir::TensorType *tensorType(const ir::Operand &made) const;
    /// The kind of number that an operand is; nothing if it is no number.
    std::optional<ir::NumberType::Kind> numberKind(const ir::Operand &made) const;
    /// The tensor that a number was taken out of; nothing if it is of another dtype.
    std::optional<ir::Operand> tensorBehind(const ir::Operand &number, ir::DType dtype) const;

    /// The type of a value with this fact, if a program can hold it.
    std::optional<ir::Type> typeOf(const ops::Fact &fact);
    /// Makes a node with one result, of the type and name of the source's.
    ir::Operand make(const ir::NodeRef &source, const ProgramNode &node);

    /// Says that a program cannot express the node at hand, and why.
    void refuse(std::string reason);
    bool isRefused() const { return !m_reason.empty() || m_isConsequence; }
    /// Ends the refusal and returns its reason; "" if the node only reads what nothing was made of.
    std::string takeReason();
    /// Says that nothing is made of the node's results.
    void fail(const ir::NodeRef &node) { m_failed.insert(node->outputs.begin(), node->outputs.end()); }

private:
    std::optional<ir::Operand> valueOf(ir::ValueId value);

    const ir::Model &m_source;
    const ir::Function &m_function;
    const analysis::Shapes &m_shapes;
    ProgramGraph &m_graph;
    ops::Signatures m_signatures;
    std::unordered_map<ir::ValueId, ir::Operand> m_values;
    std::unordered_set<ir::ValueId> m_failed; ///< nothing was made of them
    std::string m_reason;
    bool m_isConsequence = false; ///< the node reads a value that nothing was made of
};

} // namespace cutaway::convert
