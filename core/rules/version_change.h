// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/row_names.h"
#include "core/rewrite/rewriter.h"
#include "core/rules/node.h"
#include "core/rules/operator_name.h"

namespace cutaway::rules::to_onnx {

/// A node on its way into the next or the previous version of ONNX's operator set: what rules read of it, and how they
/// change it. What is known of operands follows from the types of the model's inputs before the step.
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

    /// By what the file gives, without asking what is known of the operand.
    bool has(Where where) const override
    {
        const ir::Operand *given = operand(where);
        return given && !given->as<ir::None>();
    }

    // Reading: the dtype and the rank may be known without each other.
    ir::Operand input(std::size_t position) const; ///< None where it is left out
    std::vector<ir::Operand> inputs() const;
    std::optional<ops::TensorFact> tensor(std::size_t input) const;
    std::optional<ops::TensorFact> result(std::size_t position = 0) const;
    std::optional<std::size_t> knownRank(std::size_t input) const;
    std::optional<ir::DType> knownDType(std::size_t input) const;
    std::size_t rank(std::size_t input) { return known(knownRank(input), "its rank is"); }
    ir::DType dtype(std::size_t input) { return known(knownDType(input), "its dtype is"); }
    std::optional<std::int64_t> size(std::size_t input, std::size_t dimension) const;
    /// The integers of an attribute; the elements of an input that is a constant, or that follows from the types of the
    /// model's inputs.
    std::optional<Numbers> knownIntegers(Where where) const override;
    /// The numbers of an attribute, or of an input that is a constant.
    std::optional<std::vector<double>> knownReals(Where where) const;
    /// The facts of the outputs of a region of the node.
    std::vector<std::optional<ops::TensorFact>> given(std::size_t region) const;

    /// Refuses, for rules of versions, which return nothing.
    void reject(std::string reason) { refuse(std::move(reason)); }

    // Making. New nodes stand before the node.
    ir::Operand constant(const Numbers &elements); ///< a vector of int64
    ir::Operand scalar(ir::DType dtype, double element);
    ir::Operand tensorOf(ir::DType dtype, std::vector<std::int64_t> shape, const ir::Numbers &elements);
    /// Makes a node with one result.
    ir::Operand make(OnnxName op, std::vector<ir::Operand> inputs, std::vector<Attribute> attributes = {},
                     std::optional<ops::TensorFact> type = {});
    static ir::Operand list(const Numbers &numbers);
    static ir::Operand list(const std::vector<double> &numbers);
    ir::Operand word(std::string_view text);

    // Changing.
    void setInputs(std::vector<ir::Operand> inputs);
    void setAttribute(std::string_view name, ir::Operand value);
    void dropAttribute(std::string_view name);
    void setOperator(std::string_view name) { m_rewriter.setOperator(node(), "onnx", name, ""); }
    /// Replaces the node: `made`, the result of a new node, takes the place and name of its first result.
    void replaceBy(const ir::Operand &made);

private:
    std::optional<ops::TensorFact> factOf(const ir::Operand &operand) const;

    rewrite::Rewriter &m_rewriter;
    std::int64_t m_from, m_to;
};

/// Changes a node, or refuses before it has changed anything: "its axes are computed".
using VersionRule = void (*)(VersionChange &change);

/// How operators change with one version of the set: `up` turns their older form into the form from that version on,
/// `down` the other way. nullptr: nothing but the form changes, see fitForm().
struct VersionRow {
    ops::RowNames names;
    std::int64_t since;
    VersionRule up, down;
};

/// Whether an attribute can hold a number: it is a float32.
bool isFloat32(double number);

/// Gives a node the form of the version `change.to()`: removes an attribute that the version does not have if it has
/// its default, writes out an omitted one whose default is another there, and drops omitted inputs at the end. Refuses
/// a node that has no such form, for instance too many inputs.
void fitForm(VersionChange &change);

} // namespace cutaway::rules::to_onnx
