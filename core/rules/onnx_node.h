// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/row_names.h"
#include "core/rules/aten_maker.h"

#include <span>

namespace cutaway::rules::to_aten {

/// One node of ONNX that becomes nodes of aten: what rules read of it, and its AtenMaker, by which they make nodes.
class OnnxNode {
public:
    using Numbers = std::vector<std::int64_t>;
    using Tensor = AtenMaker::Tensor;

    OnnxNode(rewrite::Rewriter &rewriter, AtenMaker &made, ir::NodeRef node)
        : d(made),
          m_rewriter(rewriter),
          m_node(node),
          m_call(rewriter.call(node))
    {
    }

    AtenMaker &d;

    const ops::Call &call() const { return m_call; }
    std::int64_t opset() const { return m_call.opset(); }
    std::string_view name() const { return m_node.opName(); }
    std::size_t inputCount() const { return m_node.inputCount(); }
    std::size_t resultCount() const { return m_node.outputCount(); }
    bool reads(std::size_t result) const;

    Term input(std::size_t position) const;
    bool has(std::size_t position) const { return !input(position).isNone(); }
    std::optional<Tensor> tensor(std::size_t position) const { return d.tensor(input(position)); }
    /// The type of a result; nothing if the node has no such result, or its type is not known.
    std::optional<Tensor> result(std::size_t position = 0) const
    {
        return position < resultCount() ? d.tensor(m_node.output(position).id()) : std::nullopt;
    }
    /// The fact of the first result.
    ops::Fact resultFact() const { return d.fact(m_node.output(0).id()); }
    /// The node of ONNX that makes an input; its replacement stands where this node's does.
    std::optional<OnnxNode> maker(std::size_t position) const;
    /// The input as a number, where it is a constant without dimensions, or of one element; else as it is.
    Term numberOr(std::size_t position) const;
    std::optional<double> number(std::size_t position) const;
    /// The integer that a constant holds.
    std::optional<std::int64_t> wholeNumber(std::size_t position) const;

    // Attributes.
    std::int64_t integer(std::string_view attribute, std::int64_t byDefault) const;
    double real(std::string_view attribute, double byDefault) const;
    std::string_view text(std::string_view attribute, std::string_view byDefault) const;
    std::optional<double> number(std::string_view attribute) const; ///< that a tensor of one element has
    bool hasAttribute(std::string_view attribute) const { return m_call.has(attribute); }
    std::optional<Numbers> integers(std::string_view attribute) const;
    std::optional<std::vector<double>> reals(std::string_view attribute) const;
    std::vector<std::string_view> texts(std::string_view attribute) const;
    /// A constant input in another dtype; nothing if the input is no constant.
    std::optional<Term> constantOf(std::size_t position, ir::DType dtype) const;
    Term constant(const Numbers &numbers); ///< a vector of int64, as a constant of the model
    /// The known elements of an input.
    std::optional<Numbers> elements(std::size_t position) const;
    /// The numbers of an input that is a constant.
    std::optional<std::vector<double>> reals(std::size_t position) const;
    /// A dimension of the first input that a number names; nothing if it has no such dimension.
    std::optional<std::size_t> dimension(std::int64_t number) const;
    /// All dimensions of the first input.
    Numbers allDimensions() const;

    // Giving up.
    /// The result of a rule that makes nothing. `reason` is a clause about the node: "its step is -2".
    Parts refuse(std::string reason)
    {
        if (m_reason.empty())
            m_reason = std::move(reason);
        return {};
    }
    /// Why the rule gave up; "" where it has not said.
    const std::string &reason() const { return m_reason; }
    /// The first input or result whose dtype or shape is not known, as a clause; "" where all are.
    std::string unknownType() const;

private:
    rewrite::Rewriter &m_rewriter;
    ir::NodeRef m_node;
    ops::Call m_call;
    std::string m_reason;
};

/// Makes torch's operators of an operator of ONNX; gives nothing where these would not compute the same.
using LoweringRule = Parts (*)(OnnxNode &n);

struct OnnxLowering {
    ops::RowNames names; ///< "onnx::Gelu com.microsoft::Gelu"
    LoweringRule make;
};

/// Applies the rule of a node's operator, which makes nodes before that node, and gives its results. Where the rule
/// gives up, or its results are not of the node's types, it makes and gives nothing, and `reason` says why, as a
/// clause: "below operator set 13 it flattens".
Parts loweredNode(rewrite::Rewriter &rewriter, AtenMaker &made, const ir::NodeRef &node, std::string &reason);

} // namespace cutaway::rules::to_aten
