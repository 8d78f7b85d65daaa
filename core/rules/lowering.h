// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"
#include "core/ops/row_names.h"
#include "core/rules/onnx_maker.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
    struct Tensor {
        ir::DType dtype;
        ir::Shape shape;
        std::size_t rank() const { return shape.size(); }
    };
    Lowering(OnnxGraph &graph, const LoweredValues &values, ir::NodeRef node, ops::Call call,
             const ops::Signature *signature, std::int64_t opset)
        : OnnxMaker(graph, opset),
          m_values(values),
          m_node(node),
          m_call(std::move(call)),
          m_signature(signature)
    {
    }

    // Reading.
    const ops::Call &call() const { return m_call; }
    std::size_t resultCount() const { return m_node.outputCount(); }
    bool isRead(std::size_t result) const { return !m_node.output(result)->uses.empty(); }
    bool has(std::string_view parameter) const { return m_call.has(parameter); }
    /// An argument as a tensor; a number is one without dimensions. Where nothing is given, or nothing was made of the
    /// argument, it is None and the rule does not apply.
    Term operator[](std::string_view parameter);
    Term operator[](ops::Position position);
    Term operator[](std::size_t position) { return (*this)[ops::Position(position)]; }
    /// The argument as a tensor; None where nothing is given.
    Term optional(std::string_view parameter) { return has(parameter) ? (*this)[parameter] : Term{this, {}}; }
    Term optional(ops::Position position);
    /// A number or tensor as a tensor of this dtype.
    Term as(std::string_view parameter, ir::DType dtype) { return asOf(m_call[parameter], (*this)[parameter], dtype); }
    Term as(std::size_t position, ir::DType dtype) { return asOf(m_call[position], (*this)[position], dtype); }
    /// The argument as it is, for a result that is equal to it.
    Lowered unchanged(std::size_t position = 0);
    /// The items of a list of tensors or numbers.
    std::vector<Term> items(std::string_view parameter);
    /// The items of a list of sizes as one vector of int64.
    Term sizes(std::string_view parameter);

    /// The dtype and shape of a tensor argument. The rule does not apply where dtype or rank is not known.
    Tensor tensor(std::string_view parameter);
    Tensor tensor(ops::Position position);
    Tensor tensor(std::size_t position) { return tensor(ops::Position(position)); }
    Tensor result(std::size_t position = 0);
    std::vector<Tensor> resultParts();               ///< of a list, as one value or one by one
    ir::DType resultDType(std::size_t position = 0); ///< in which it is computed: float32 for bfloat16
    std::int64_t integer(std::string_view parameter);
    double number(std::string_view parameter);
    bool flag(std::string_view parameter);
    std::string_view text(std::string_view parameter) const { return m_call.text(parameter); }
    /// The integers of a list that are all known; one number counts as a list of it.
    std::vector<std::int64_t> integers(std::string_view parameter);
    /// A dimension, counted from the front.
    std::int64_t axis(std::string_view parameter, std::size_t rank);
    /// The value, if it is known; otherwise the rule does not apply.
    template <class T>
    T known(const std::optional<T> &value, std::string_view what)
    {
        if (!value)
            refuse(std::string(what) + " not known");
        return value.value_or(T{});
    }
    static bool areNumbers(std::span<const ir::Dim> dims);
    std::vector<std::int64_t> numbersOf(std::span<const ir::Dim> dims, std::string_view what);

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
    ir::NodeRef node() const { return m_node; }
    Term term(const Lowered &lowered);
    /// An operand of the source in the ONNX graph: a number, constant or value.
    Lowered lowered(const ir::Operand &operand);

private:
    Term constantOf(const ops::Fact &fact);
    Term asOf(const ops::Fact &fact, const Term &term, ir::DType dtype);
    Term given(const ir::Operand *operand, const ops::Fact &fact, std::string_view what);
    const ir::Operand *operandOf(std::string_view parameter) const;
    Tensor tensorOf(const ops::Fact &fact, std::string_view what);
    std::optional<Term> sizeAmongArguments(const ir::Dim &dim);
    std::optional<Term> computedSize(const symbolic::Expr &expr);

    const LoweredValues &m_values;
    ir::NodeRef m_node;
    ops::Call m_call;
    const ops::Signature *m_signature;
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
