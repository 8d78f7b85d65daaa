// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/assumed_inputs.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/tensor/expanding.h"
#include "core/ops/tensor/view.h"
#include "core/passes/fusing.h"
#include "core/passes/matching.h"

#include <algorithm>
#include <array>

// Exporters to ONNX compute the shape argument of a reshape with a chain of nodes. Where at most one size of the
// derived result is not a number, a constant does the same: -1 stands for that size, and 0 for a size that equals the
// input's at the same position. Shapes that would need both are left alone: if a size that 0 stands for is 0, -1 is
// undefined. Sizes that are 0, and those that are only assumed, are left alone, too.
//
// A chain of reshapes, squeezes and the like needs only one such constant, since its last node is enough.

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;
using Sizes = std::vector<std::int64_t>;

class ShapeFixing {
public:
    explicit ShapeFixing(rewrite::Rewriter &rewriter) : m_rewriter(rewriter), m_matching(rewriter) { }

    void run()
    {
        const auto isAssumed = [](const ir::Diagnostic &each) { return each.code == analysis::assumedInput; };
        if (std::ranges::any_of(m_rewriter.model().diagnostics, isAssumed))
            return;
        for (const NodeRef node : m_rewriter.nodes()) {
            if (node.dialect() != "onnx" || !m_matching.isPlain(node) || m_matching.opset(node) < 5)
                continue;
            if (m_rewriter.kind(node) == ops::kind::expand)
                fixExpansion(node);
            else if (isReshape(node))
                fixReshape(node);
        }
    }

private:
    bool isReshape(const NodeRef &node)
    {
        static constexpr std::array kinds{ops::kind::reshape, ops::kind::flatten, ops::kind::squeeze,
                                          ops::kind::unsqueeze};
        return std::ranges::contains(kinds, m_rewriter.kind(node));
    }

    bool isComputed(const Operand *operand) { return operand && !m_rewriter.constant(*operand); }

    void fixReshape(const NodeRef &node)
    {
        Operand source = *m_matching.operand(node, 0);
        bool isChain = false;
        for (auto inner = m_matching.ownMaker(&source, node); inner && isReshape(*inner);
             inner = m_matching.ownMaker(&source, node)) {
            source = *m_matching.operand(*inner, 0);
            isChain = true;
        }
        const bool isPlainReshape = m_rewriter.kind(node) == ops::kind::reshape;
        const Operand *allowZero = node.argument("allowzero");
        if ((!isChain && !(isPlainReshape && isComputed(m_matching.operand(node, 1))))
            || (allowZero && *allowZero != Operand(std::int64_t{0})))
            return;
        const auto shape = fixedShape(source, node.output(0));
        if (!shape)
            return;
        m_rewriter.setArguments(node, {{{}, source}, {{}, constant(*shape)}});
        m_rewriter.setOperator(node, "onnx", "Reshape", "");
    }

    /// Returns the constant argument by which Reshape gives `source` the shape of `result`; nothing if there is none.
    std::optional<Sizes> fixedShape(const Operand &source, const Operand &result)
    {
        const auto from = m_matching.tensor(source), to = m_matching.tensor(result);
        if (!from || !to)
            return std::nullopt;
        Sizes copied, inferred;
        for (std::size_t d = 0; d < to->shape->size(); ++d) {
            const ir::Dim &size = (*to->shape)[d];
            const auto number = ops::number(size);
            if (number == 0)
                return std::nullopt;
            const bool isCopy = d < from->shape->size() && ops::isSame(size, (*from->shape)[d]);
            copied.push_back(number ? *number : isCopy ? 0 : -1);
            inferred.push_back(number.value_or(-1));
        }
        if (!std::ranges::contains(copied, -1))
            return copied;
        return std::ranges::count(inferred, -1) == 1 ? std::optional(inferred) : std::nullopt;
    }

    /// Replaces the shape argument of an expansion by a constant, if each size of the result is a number or equals the
    /// operand's size. 1 stands for a size of the operand.
    void fixExpansion(const NodeRef &node)
    {
        const Operand *operand = m_matching.operand(node, 0);
        const auto from = operand ? m_matching.tensor(*operand) : std::nullopt;
        const auto to = m_matching.tensor(node.output(0));
        if (!from || !to || !isComputed(m_matching.operand(node, 1)) || to->shape->size() < from->shape->size())
            return;
        const std::size_t before = to->shape->size() - from->shape->size();
        Sizes shape;
        for (std::size_t d = 0; d < to->shape->size(); ++d) {
            const auto number = ops::number((*to->shape)[d]);
            if (!number && (d < before || !ops::isSame((*to->shape)[d], (*from->shape)[d - before])))
                return;
            shape.push_back(number.value_or(1));
        }
        m_rewriter.setArguments(node, {{{}, *operand}, {{}, constant(shape)}});
    }

    Operand constant(Sizes shape)
    {
        const auto length = std::ssize(shape);
        return m_rewriter.addConstant("shape", ir::DType::Int64, {length},
                                      ir::encodeNumbers(ir::DType::Int64, ir::Numbers(std::move(shape))));
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
};

} // namespace

extern const Pass fixShapes;
const Pass fixShapes{"fix-shapes",
                     "Reshapes and expands to constant shapes where the sizes that are not known can be told from the "
                     "operand, and once where it is done several times; of ONNX.",
                     {},
                     runOf<ShapeFixing>};

} // namespace cutaway::passes
