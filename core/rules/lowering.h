// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/row_names.h"
#include "core/rules/onnx_maker.h"

namespace cutaway::rules::to_onnx {

/// Finds the values of the ONNX graph, by those of the source.
class LoweredValues {
public:
    virtual ~LoweredValues() = default;
    /// The value in the ONNX graph; nullptr if nothing was made of it.
    virtual const Lowered *of(ir::ValueId value) const = 0;
    virtual ops::Fact fact(const ir::Operand &operand) const = 0;
};

/// One node of the source that becomes nodes of ONNX: what rules read of it, and the nodes that they make. bfloat16
/// tensors are given as float32, in which torch computes with them, and the results get the source's dtype.
class Lowering : public OnnxMaker {
public:
    Lowering(OnnxGraph &graph, const LoweredValues &values, const ir::NodeRef &node, ops::Call call,
             const ops::Signature *signature, std::int64_t opset)
        : OnnxMaker(Node(node, std::move(call), signature,
                         [&values](const ir::Operand &operand) { return values.fact(operand); }),
                    graph, opset),
          m_values(values)
    {
    }

    // Reading.
    /// An argument as a tensor; a number is one without dimensions. Where nothing is given, or nothing was made of the
    /// argument, it is None and the rule is refused.
    Term operator[](Where where);
    /// The argument as a tensor; None where nothing is given.
    Term optional(Where where) { return has(where) ? (*this)[where] : none(); }
    /// A number or tensor as a tensor of this dtype.
    Term as(Where where, ir::DType dtype);
    /// The argument as it is, for a result that is equal to it.
    Lowered unchanged(std::size_t position = 0);
    /// The items of a list of tensors or numbers.
    std::vector<Term> items(std::string_view parameter);
    /// The items of a list of sizes as one vector of int64.
    Term sizes(std::string_view parameter);

    std::vector<Tensor> resultParts(); ///< the tensors of a result list, whether it is one value or several
    ir::DType resultDType(std::size_t position = 0); ///< in which it is computed: float32 for bfloat16

    // Making what depends on the node.
    /// Makes a sequence of tensors of this dtype of a list. A sequence stays as it is; it has to have the dtype.
    Lowered sequence(const Lowered &list, ir::DType dtype);
    /// The sizes of a result: numbers, at most one of which is -1, where these are enough; otherwise computed from the
    /// sizes of the node's tensors.
    Term shapeTerm(std::span<const ir::Dim> dims);
    Term size(const ir::Dim &dim); ///< a number

    /// A list as the node returns it: as one value, or one by one.
    Results listed(const std::vector<Term> &items) const;
    /// Adds a note, a sentence, for users of the model.
    void note(std::string sentence) { m_notes.push_back(std::move(sentence)); }

    // For the code that applies rules.
    /// Forgets what the rule before it refused and noted.
    void begin()
    {
        forgetReason();
        m_notes.clear();
    }
    const std::vector<std::string> &notes() const { return m_notes; }
    /// Converts floating operands other than float64 to this dtype first, as torch.autocast does.
    void castOperands(ir::DType dtype) { m_operandType = dtype; }
    Term term(const Lowered &lowered);
    /// An operand of the source in the ONNX graph: a number, constant or value.
    Lowered lowered(const ir::Operand &operand);

private:
    Term constantOf(const ops::Fact &fact);
    Tensor neededTensor(const ops::Fact &fact, const std::string &what) override;
    std::optional<Term> sizeAmongArguments(const ir::Dim &dim);
    std::optional<Term> computedSize(const symbolic::Expr &expr);

    const LoweredValues &m_values;
    std::vector<std::string> m_notes;
    std::optional<ir::DType> m_operandType;
};

/// A rule by which operators become nodes of ONNX. Rules of one operator are tried in their order.
struct LoweringRule {
    ops::RowNames names;
    Results (*make)(Lowering &l);
    std::int64_t minOpset = 0; ///< the first operator set in which it applies
};

/// A rule that several operators share, for one of them: `with<unary, OnnxName("Neg")>`.
template <auto rule, auto value>
Results with(Lowering &l)
{
    return rule(l, value);
}

} // namespace cutaway::rules::to_onnx
