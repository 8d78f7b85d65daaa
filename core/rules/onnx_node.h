// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/row_names.h"
#include "core/rules/aten_maker.h"

namespace cutaway::rules::to_aten {

/// A node of ONNX that becomes nodes of aten. Its inputs have positions, its attributes names.
class OnnxNode : public AtenMaker {
public:
    using AtenMaker::AtenMaker;

    std::int64_t opset() const { return call().opset(); }
    std::string_view name() const { return node().opName(); }
    /// The node of ONNX that makes an operand; nothing: there is none.
    std::optional<Node> makerOf(const ir::Operand *operand) const;

    // Constants of the model; nothing for an input that is none.
    std::optional<double> constantNumber(Where where) const; ///< the number in a constant of one element
    std::optional<std::int64_t> constantInteger(std::size_t position) const;
    std::optional<std::vector<double>> constantNumbers(std::size_t position) const;
    std::optional<Term> constantOf(std::size_t position, ir::DType dtype); ///< in another dtype
    /// The input as a number, where it is a constant without dimensions; else as it is.
    Term numberOr(std::size_t position);

    // Attributes that are lists.
    std::optional<std::vector<double>> reals(std::string_view attribute) const;
    std::vector<std::string_view> texts(std::string_view attribute) const;

    /// A dimension of the first input that a number names; nothing if it has no such dimension.
    std::optional<std::size_t> dimension(std::int64_t number) const;
    /// A dimension of the first input that an attribute names.
    std::int64_t dimension(std::string_view attribute, std::int64_t byDefault);
    Numbers allDimensions() const; ///< all dimensions of the first input

    /// Applies the rule of the node's operator, and gives the operands that it makes in place of the results. Where the
    /// rule is refused, or they are not of the results' types, it gives nothing, takes back what was made, and whyNot()
    /// says why.
    Parts made();
    const std::string &whyNot() const { return m_whyNot; } ///< as a clause: "below operator set 13 it flattens"

private:
    bool fits(const Parts &results) const;
    std::string unknownType() const;

    std::string m_whyNot;
};

/// The rule by which torch's operators are made of some operators of ONNX.
struct OnnxLowering {
    ops::RowNames names; ///< "onnx::Gelu com.microsoft::Gelu"
    Parts (*make)(OnnxNode &n);
};

} // namespace cutaway::rules::to_aten
