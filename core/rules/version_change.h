// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/row_names.h"
#include "core/rewrite/rewriter.h"
#include "core/rules/operator_name.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::rules::to_onnx {

/// One node on its way into the next or the previous version of ONNX's operator set: what rules read of it, and how
/// they change it. Types of operands are as derived of the model before the step.
class VersionChange {
public:
    using Whole = std::vector<std::int64_t>;
    using Attribute = std::pair<std::string_view, ir::Operand>;

    /// `to` is the version after or before `from`.
    VersionChange(rewrite::Rewriter &rewriter, const ir::NodeRef &node, std::int64_t from, std::int64_t to)
        : m_rewriter(rewriter),
          m_node(node),
          m_from(from),
          m_to(to)
    {
    }

    std::int64_t from() const { return m_from; }
    std::int64_t to() const { return m_to; }
    const ir::NodeRef &node() const { return m_node; }

    // Reading: nothing for what is missing or not known.
    bool has(std::size_t input) const;
    bool has(std::string_view attribute) const { return m_node.argument(attribute) != nullptr; }
    /// The operand of an input; None where it is left out.
    ir::Operand input(std::size_t position) const;
    std::vector<ir::Operand> inputs() const;
    std::optional<std::int64_t> integer(std::string_view attribute) const;
    std::optional<double> real(std::string_view attribute) const;
    std::string_view text(std::string_view attribute, std::string_view byDefault) const;
    std::optional<Whole> integers(std::string_view attribute) const;
    std::optional<std::vector<double>> reals(std::string_view attribute) const;
    /// The fact of an input or a result, as far as it follows from the types of the model's inputs.
    std::optional<ops::TensorFact> tensor(std::size_t input);
    std::optional<ops::TensorFact> result(std::size_t position = 0);
    std::optional<std::size_t> rank(std::size_t input);
    std::optional<ir::DType> dtype(std::size_t input);
    std::optional<std::int64_t> size(std::size_t input, std::size_t dimension);
    /// The elements of an input that is a constant, or that follows from the types of the model's inputs.
    std::optional<Whole> knownWhole(std::size_t input);
    std::optional<std::vector<double>> knownReals(std::size_t input);
    bool isRead(std::size_t result) const;
    /// The facts of the outputs of a region of the node.
    std::vector<std::optional<ops::TensorFact>> given(std::size_t region);

    // Making. New nodes stand before the node.
    ir::Operand constant(const Whole &elements); ///< a vector of int64
    ir::Operand scalar(ir::DType dtype, double element);
    ir::Operand tensorOf(ir::DType dtype, std::vector<std::int64_t> shape, const ir::Numbers &elements);
    /// Makes a node with one result.
    ir::Operand make(OnnxName op, std::vector<ir::Operand> inputs, std::vector<Attribute> attributes = {},
                     std::optional<ops::TensorFact> type = {});
    static ir::Operand list(const Whole &numbers);
    static ir::Operand list(const std::vector<double> &numbers);
    ir::Operand word(std::string_view text);

    // Changing.
    void setInputs(std::vector<ir::Operand> inputs);
    void setAttribute(std::string_view name, ir::Operand value);
    void dropAttribute(std::string_view name);
    void setOperator(std::string_view name) { m_rewriter.setOperator(m_node, "onnx", name, ""); }
    /// Replaces the node: `made`, the result of a new node, takes the place and name of its first result.
    void replaceBy(const ir::Operand &made);

private:
    std::optional<ops::TensorFact> known(const ir::Operand &operand);

    rewrite::Rewriter &m_rewriter;
    ir::NodeRef m_node;
    std::int64_t m_from, m_to;
};

/// Changes a node. Returns nothing if it is done, else why it cannot be done: "its axes are computed".
using VersionRule = std::optional<std::string> (*)(VersionChange &change);

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
/// its default, writes out an omitted one whose default is another there, and drops omitted inputs at the end. Returns
/// why the node has no such form, for instance too many inputs, or nothing.
std::optional<std::string> fitForm(VersionChange &change);

} // namespace cutaway::rules::to_onnx
