// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/network/activation.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/ops/tensor/cast.h"
#include "core/ops/tensor/comparison.h"
#include "core/ops/tensor/joining.h"
#include "core/ops/tensor/view.h"
#include "core/passes/fusing.h"
#include "core/passes/matching.h"
#include "core/passes/permutations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

// A node whose operand comes from a node of the same kind can often read that node's operand instead: the outer node
// repeats what the inner node did, undoes it, or can do both steps at once. Each rule gives the same bits. The inner
// node stays while others read it; nothing is saved then, but the outer node need not wait for it.

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;

class Chains {
public:
    explicit Chains(rewrite::Rewriter &rewriter) : m_rewriter(rewriter), m_matching(rewriter) { }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes()) {
            if (!m_matching.isPlain(node))
                continue;
            if (m_rewriter.kind(node) == ops::kind::where)
                exchangeBranches(node);
            else if (m_rewriter.kind(node) == ops::kind::cat)
                joinAtOnce(node);
            else if (const auto inner = m_matching.maker(m_matching.operand(node, 0), node))
                merge(node, *inner);
        }
    }

private:
    void merge(const NodeRef &outer, const NodeRef &inner)
    {
        const ops::OperatorKind kind = m_rewriter.kind(outer);
        if (repeats(outer, inner))
            replace(outer, inner.output(0));
        else if (undoes(outer, inner))
            replace(outer, *m_matching.operand(inner, 0));
        else if (isBound(kind) && isBound(m_rewriter.kind(inner)))
            boundOnce(outer, inner);
        else if (kind == ops::kind::cast && m_rewriter.kind(inner) == kind)
            castOnce(outer, inner);
        else if (permutationOf(m_rewriter, outer))
            permuteOnce(outer, inner);
    }

    void replace(const NodeRef &node, const Operand &with)
    {
        const auto *value = with.as<ir::ValueId>();
        if (!value || !mayStandFor(node, *value))
            return;
        m_rewriter.replaceUses(node.output(0), with);
        m_rewriter.remove(node);
    }

    /// Whether the value may replace the node's result. A graph, branch or body has to return different values that it
    /// makes itself: no inputs, weights or outer values.
    bool mayStandFor(const NodeRef &node, ir::ValueId value)
    {
        const std::vector<Operand> &results = m_rewriter.graph().at(node->parent).outputs;
        if (!std::ranges::contains(results, Operand(node.output(0).id())))
            return true;
        const auto maker = ir::ValueRef(m_rewriter.graph(), value).producer();
        return maker && (*maker)->parent == node->parent && !std::ranges::contains(results, Operand(value));
    }

    /// Whether the outer node repeats what the inner one did, and so changes nothing.
    bool repeats(const NodeRef &outer, const NodeRef &inner)
    {
        static constexpr std::array kinds{ops::kind::relu, ops::kind::abs, ops::kind::floor, ops::kind::ceil,
                                          ops::kind::round};
        return m_rewriter.kind(inner) == m_rewriter.kind(outer) && outer->arguments.size() == 1
            && inner->arguments.size() == 1 && std::ranges::contains(kinds, m_rewriter.kind(outer));
    }

    /// Whether the outer node undoes the inner one. In torch the operand may have other strides than the result.
    bool undoes(const NodeRef &outer, const NodeRef &inner)
    {
        const ops::OperatorKind kind = m_rewriter.kind(outer);
        return outer.isOnnx() && m_rewriter.kind(inner) == kind
            && (kind == ops::kind::neg || kind == ops::kind::logicalNot);
    }

    /// Returns the inner node's operand, if the outer one may read it instead.
    const Operand *source(const NodeRef &inner)
    {
        const Operand *operand = m_matching.operand(inner, 0);
        const auto *value = operand ? operand->as<ir::ValueId>() : nullptr;
        return value && !m_rewriter.written().contains(*value) ? operand : nullptr;
    }

    // ---- bounds

    using Bounds = Matching::Bounds;

    static bool isBound(ops::OperatorKind kind) { return kind == ops::kind::relu || kind == ops::kind::clamp; }

    /// Whether ONNX's Clip has its bounds as attributes, float32 without infinities.
    bool hasBoundsWritten(const NodeRef &node) { return node.isOnnx() && m_matching.opset(node) < 11; }

    /// Merges two nodes that bound their operand. ONNX's Clip is a minimum of a maximum; so are two of them, as long as
    /// no lower bound is above an upper one.
    void boundOnce(const NodeRef &outer, const NodeRef &inner)
    {
        const auto second = m_matching.bounds(outer), first = m_matching.bounds(inner);
        const Operand *operand = source(inner);
        const auto type = m_matching.tensor(outer.output(0));
        if (!outer.isOnnx() || !second || !first || !operand || !type || !ir::isFloat(*type->dtype)
            || m_matching.opset(outer) < 6) // operators of earlier opsets may have consumed_inputs
            return;
        const Bounds both{std::max(first->low, second->low), std::min(first->high, second->high)};
        if (both.low > both.high || first->low > first->high || second->low > second->high)
            return;
        std::vector<ir::Argument> arguments{{{}, *operand}};
        if (hasBoundsWritten(outer)) {
            arguments.push_back({m_rewriter.text("min"), both.low});
            arguments.push_back({m_rewriter.text("max"), both.high});
        } else {
            arguments.push_back({{}, bound(both.low, *type->dtype)});
            if (std::isfinite(both.high))
                arguments.push_back({{}, bound(both.high, *type->dtype)});
        }
        m_rewriter.setArguments(outer, std::move(arguments));
        m_rewriter.setOperator(outer, "onnx", "Clip", "");
    }

    Operand bound(double number, ir::DType dtype)
    {
        if (!std::isfinite(number))
            return ir::None{};
        return m_rewriter.addConstant("bound", dtype, {}, ir::encodeNumbers(dtype, std::vector<double>{number}));
    }

    // ---- conversions

    /// Lets a conversion read the operand of an inner conversion that loses nothing.
    void castOnce(const NodeRef &outer, const NodeRef &inner)
    {
        const Operand *operand = source(inner);
        const auto from = operand ? m_matching.tensor(*operand) : std::nullopt;
        const auto between = m_matching.tensor(inner.output(0)), to = m_matching.tensor(outer.output(0));
        if (!from || !between || !to || !outer.isOnnx() || !holds(*between->dtype, *from->dtype))
            return;
        // A float too large for an integer becomes a number that depends on the float's width.
        if (!ir::isFloat(*from->dtype) || ir::isFloat(*to->dtype))
            m_rewriter.setArgument(outer, std::size_t{0}, *operand);
    }

    /// Whether a dtype has every number of another one.
    static bool holds(ir::DType wide, ir::DType narrow)
    {
        using enum ir::DType;
        static constexpr std::array floats{Float32, Float16, BFloat16};
        if (wide == narrow)
            return true;
        if (narrow == Bool)
            return ir::isNumeric(wide);
        const std::size_t bits = ir::bitWidth(wide).value_or(0), fewer = ir::bitWidth(narrow).value_or(64);
        const std::size_t significand = wide == Float64 ? 53 : wide == Float32 ? 24 : 0;
        if (std::ranges::contains(floats, narrow))
            return significand > 0 && bits > fewer;
        if (!ir::isInteger(narrow) || !ir::isInteger(wide))
            return ir::isInteger(narrow) && fewer < significand;
        return bits > fewer && (ir::isSigned(wide) || !ir::isSigned(narrow));
    }

    // ---- order

    void permuteOnce(const NodeRef &outer, const NodeRef &inner)
    {
        auto axes = permutationOf(m_rewriter, outer);
        const auto first = permutationOf(m_rewriter, inner);
        const Operand *operand = source(inner);
        if (!axes || !first || first->size() != axes->size() || !operand || !isViewOf(outer, *operand))
            return;
        ir::List order;
        for (const std::size_t axis : *axes)
            order.items.push_back(static_cast<std::int64_t>((*first)[axis]));
        const bool isOnnx = outer.isOnnx();
        m_rewriter.setArguments(outer,
                                {{isOnnx ? ir::NameId{} : m_rewriter.text("self"), *operand},
                                 {m_rewriter.text(isOnnx ? "perm" : "dims"), std::move(order)}});
        if (!isOnnx)
            m_rewriter.setOperator(outer, "aten", "permute", "");
    }

    /// Whether a permutation is a view of its operand, or a node of ONNX, which has no views. A permutation of torch
    /// may also be a copy, and callers that get the result see the difference.
    bool isViewOf(const NodeRef &node, const Operand &operand)
    {
        const ops::Fact before = m_rewriter.fact(operand), after = m_rewriter.fact(node.output(0));
        const ops::TensorFact *a = ops::asTensor(before), *b = ops::asTensor(after);
        return node.isOnnx() || (a && b && a->storage != ops::StorageNumber::None && a->storage == b->storage);
    }

    /// Rewrites where(not c, a, b) as where(c, b, a).
    void exchangeBranches(const NodeRef &node)
    {
        const Operand *chosen = m_matching.operand(node, 1), *other = m_matching.operand(node, 2);
        const auto negation = m_matching.maker(m_matching.operand(node, 0), node);
        const Operand *condition =
            negation && m_rewriter.kind(*negation) == ops::kind::logicalNot ? source(*negation) : nullptr;
        const auto type = condition ? m_matching.tensor(*condition) : std::nullopt;
        if (!type || type->dtype != ir::DType::Bool || !node.isOnnx() || !chosen || !other)
            return;
        m_rewriter.setArguments(node, {{{}, *condition}, {{}, *other}, {{}, *chosen}});
    }

    /// Merges a concatenation of concatenations along one axis into one.
    void joinAtOnce(const NodeRef &node)
    {
        if (!node.isOnnx())
            return;
        std::vector<ir::Argument> arguments;
        for (const ir::Argument &argument : node->arguments) {
            const auto inner = m_matching.ownMaker(&argument.value, node);
            if (argument.name != ir::NameId{} || !inner || m_rewriter.kind(*inner) != ops::kind::cat
                || !hasAxisOf(*inner, node)) {
                arguments.push_back(argument);
                continue;
            }
            for (const ir::Argument &item : (*inner)->arguments)
                if (item.name == ir::NameId{})
                    arguments.push_back(item);
        }
        if (arguments.size() > node->arguments.size())
            m_rewriter.setArguments(node, std::move(arguments));
    }

    bool hasAxisOf(const NodeRef &inner, const NodeRef &outer)
    {
        const Operand *a = inner.argument("axis"), *b = outer.argument("axis");
        return a && b && *a == *b;
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
};

} // namespace

extern const Pass mergeChains;
const Pass mergeChains{"merge-chains",
                       "Merges operators one after another of which one does what both do: activations, bounds, "
                       "conversions, transpositions, concatenations.",
                       {},
                       runOf<Chains>};

} // namespace cutaway::passes
