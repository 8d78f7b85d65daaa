// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/row_names.h"
#include "core/rules/onnx_maker.h"

namespace cutaway::rules::to_onnx {

/// Finds the values of the ONNX graph that values of the source have become.
class LoweredValues {
public:
    virtual ~LoweredValues() = default;
    /// Returns what `value`, a value of the source, has become in the ONNX graph; nullptr if nothing was made of it.
    virtual const Lowered *of(ir::ValueId value) const = 0;
    virtual ops::Fact fact(const ir::Operand &operand) const = 0;
};

/// A node of the source that becomes nodes of ONNX. Rules read its arguments and make the new nodes. Rules see bfloat16
/// tensors as float32, since torch computes with bfloat16 in float32; the results are converted to the source's dtype.
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

    // These functions read arguments and results.
    /// Returns an argument as a tensor; a number becomes a tensor without dimensions. If the node leaves the argument
    /// out, or nothing was made of it, refuses the rule and returns None.
    Term operator[](Where where);
    /// Returns the argument as a tensor; None if it is not given.
    Term optional(Where where) { return has(where) ? (*this)[where] : none(); }
    /// Returns an argument that is a number or a tensor as a tensor of this dtype.
    Term as(Where where, ir::DType dtype);
    /// Returns the argument unchanged, for a result that is equal to it.
    Lowered unchanged(std::size_t position = 0);
    /// Returns the items of a list of tensors or numbers.
    std::vector<Term> items(std::string_view parameter);
    /// Returns the items of a list of sizes as one vector of int64.
    Term sizes(std::string_view parameter);

    std::vector<Tensor> resultParts(); ///< the tensors of a list result, whether it is one value or several
    ir::DType resultDType(std::size_t position = 0); ///< the dtype that rules compute in: float32 for bfloat16

    // These functions make what depends on the node.
    /// Makes a sequence of tensors of this dtype from a list. If the list is a sequence already, it stays as it is; the
    /// rule is refused if it has another dtype.
    Lowered sequence(const Lowered &list, ir::DType dtype);
    /// Returns `dims`, the sizes of a result, as a vector: a constant in which at most one size is -1, if that suffices
    /// for a Reshape; otherwise a vector that nodes compute from the sizes of the node's tensors.
    Term shapeTerm(std::span<const ir::Dim> dims);
    Term size(const ir::Dim &dim); ///< the size as a number

    /// Returns a list in the form in which the node returns it: as one value, or one by one.
    Results listed(const std::vector<Term> &items) const;
    /// Adds a note, a sentence, for users of the model.
    void note(std::string sentence) { m_notes.push_back(std::move(sentence)); }

    // begin() forgets the refusal and notes of the previous rule; for the code that applies rules.
    void begin()
    {
        forgetReason();
        m_notes.clear();
    }
    const std::vector<std::string> &notes() const { return m_notes; }
    /// Converts floating operands other than float64 to this dtype first, as torch.autocast does.
    void castOperands(ir::DType dtype) { m_operandType = dtype; }
    Term term(const Lowered &lowered);
    /// Returns an operand of the source as it is in the ONNX graph: a number, constant or value.
    Lowered lowered(const ir::Operand &operand);

private:
    Term constantOf(const ops::Fact &fact);
    ops::Fact asTensor(const ops::Fact &fact) const override;
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
    std::int64_t minOpset = 0; ///< the first operator set for which the rule applies
};

/// Applies a rule that several operators share to one of these operators: `with<unary, OnnxName("Neg")>`.
template <auto rule, auto value>
Results with(Lowering &l)
{
    return rule(l, value);
}

} // namespace cutaway::rules::to_onnx
