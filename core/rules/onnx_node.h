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
    /// Returns the node of ONNX that makes an operand; nothing if no node does.
    std::optional<Node> makerOf(const ir::Operand *operand) const;

    // These functions return constants of the model; nothing for an input that is no constant.
    std::optional<double> constantNumber(Where where) const; ///< the number in a constant of one element
    std::optional<std::int64_t> constantInteger(std::size_t position) const;
    std::optional<std::vector<double>> constantNumbers(std::size_t position) const;
    std::optional<Term> constantOf(std::size_t position, ir::DType dtype); ///< the constant, converted to the dtype
    /// Returns the input as a number if it is a constant without dimensions, else as it is.
    Term numberOr(std::size_t position);

    /// Returns the numbers of an attribute; nothing if it is no list of floats.
    std::optional<std::vector<double>> reals(std::string_view attribute) const;

    /// Returns the dimension of the first input that `number` stands for, which may count from the end; nothing if
    /// there is no such dimension.
    std::optional<std::size_t> dimension(std::int64_t number) const;
    /// Returns the dimension of the first input that an attribute names.
    std::int64_t dimension(std::string_view attribute, std::int64_t byDefault);
    Numbers allDimensions() const; ///< returns the indices of all dimensions of the first input

    /// Applies the rule of the node's operator, and returns the operands that replace the results. If the rule refuses,
    /// or the types differ from those of the results, returns an empty list and removes the new nodes; whyNot() then
    /// returns the reason.
    Parts made();
    /// Returns why the rule does not apply, as a clause: "below operator set 13 it flattens".
    const std::string &whyNot() const { return m_whyNot; }

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
