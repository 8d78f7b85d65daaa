// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/row_names.h"
#include "core/rewrite/rewriter.h"
#include "core/rules/node.h"
#include "core/rules/operator_name.h"

namespace cutaway::rules::to_onnx {

/// A node that is changed from one version of ONNX's operator set to the next or previous one: its operands as rules
/// read them, and the ways to change it. The facts of operands are those that follow from the types of the model's
/// inputs, for the model as it was before this change of version.
class VersionChange : public Node {
public:
    using Attribute = std::pair<std::string_view, ir::Operand>;

    /// `to` is the version after or before `from`.
    VersionChange(rewrite::Rewriter &rewriter, const ir::NodeRef &node, std::int64_t from, std::int64_t to)
        : Node(node, rewriter.call(node), nullptr,
               [&rewriter](const ir::Operand &operand) { return rewriter.proven(operand); }),
          m_rewriter(rewriter),
          m_from(from),
          m_to(to)
    {
    }

    std::int64_t from() const { return m_from; }
    std::int64_t to() const { return m_to; }

    /// Whether the node has the argument, regardless of the operand's facts.
    bool has(Where where) const override
    {
        const ir::Operand *given = operand(where);
        return given && !given->as<ir::None>();
    }

    // These functions read the node; the dtype and the rank may be known without each other.
    ir::Operand input(std::size_t position) const; ///< None if the node omits the input
    std::vector<ir::Operand> inputs() const;
    std::optional<ops::TensorFact> tensor(std::size_t input) const;
    std::optional<ops::TensorFact> result(std::size_t position = 0) const;
    std::optional<std::size_t> knownRank(std::size_t input) const;
    std::optional<ir::DType> knownDType(std::size_t input) const;
    std::size_t rank(std::size_t input) { return known(knownRank(input), "its rank is"); }
    ir::DType dtype(std::size_t input) { return known(knownDType(input), "its dtype is"); }
    std::optional<std::int64_t> size(std::size_t input, std::size_t dimension) const;
    /// Returns the integers of an attribute, or the elements of an input that is a constant or follows from the types
    /// of the model's inputs.
    std::optional<Numbers> knownIntegers(Where where) const override;
    /// Returns the numbers of an attribute, or of an input that is a constant; nothing if they are not known.
    std::optional<std::vector<double>> knownReals(Where where) const;
    /// Returns the facts of the outputs of a region of the node; nothing for an output that is not known to be a
    /// tensor.
    std::vector<std::optional<ops::TensorFact>> given(std::size_t region) const;

    /// Refuses the node as refuse() does, but returns nothing, as the rules between versions do.
    void reject(std::string reason) { refuse(std::move(reason)); }

    // These functions make operands and nodes; new nodes stand before the node.
    ir::Operand constant(const Numbers &elements); ///< a vector of int64
    ir::Operand scalar(ir::DType dtype, double element);
    ir::Operand tensorOf(ir::DType dtype, std::vector<std::int64_t> shape, const ir::Numbers &elements);
    /// Makes a node with one result.
    ir::Operand make(OnnxName op, std::vector<ir::Operand> inputs, std::vector<Attribute> attributes = {},
                     std::optional<ops::TensorFact> type = {});
    static ir::Operand list(const Numbers &numbers);
    static ir::Operand list(const std::vector<double> &numbers);
    ir::Operand word(std::string_view text);

    // These functions change the node.
    void setInputs(std::vector<ir::Operand> inputs);
    void setAttribute(std::string_view name, ir::Operand value);
    void dropAttribute(std::string_view name);
    void setOperator(std::string_view name) { m_rewriter.setOperator(node(), "onnx", name, ""); }
    /// Replaces the node by `made`, the result of a new node. `made` gets the name and type of the node's first result.
    void replaceBy(const ir::Operand &made);

private:
    std::optional<ops::TensorFact> factOf(const ir::Operand &operand) const;

    rewrite::Rewriter &m_rewriter;
    std::int64_t m_from, m_to;
};

/// Changes a node, or refuses before it has changed anything: "its axes are computed".
using VersionRule = void (*)(VersionChange &change);

/// How operators change with one version of the operator set: `up` turns their older form into the form from that
/// version on, `down` does the reverse. nullptr: only the form changes, see fitForm().
struct VersionRow {
    ops::RowNames names;
    std::int64_t since;
    VersionRule up, down;
};

/// Whether an attribute, which holds numbers as float32, can hold a number exactly.
bool isFloat32(double number);

/// Gives a node the form of the version `change.to()`: removes an attribute that the version does not have if its value
/// is the default, writes out an omitted attribute if its default differs in that version, and drops omitted inputs at
/// the end. Refuses a node that has no such form, for instance because it has too many inputs.
void fitForm(VersionChange &change);

} // namespace cutaway::rules::to_onnx
