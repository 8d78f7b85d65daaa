// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ir/opsets.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/arguments/softmax_arguments.h"
#include "core/ops/network/activation.h"
#include "core/ops/network/matrix_product.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/ops/tensor/view.h"
#include "core/passes/pass.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <cmath>
#include <ranges>

// Attention is softmax(q·kᵀ·scale + mask)·v. The match goes upwards from the last product: a dropout that does nothing,
// a softmax over the last dimension, the mask that is added, factors that are numbers, the first product; then factors
// of its operands, and the transposition of k. Everything between the two products must be read by no other node and
// be in one region. Operands that only broadcast are left alone: who has the fused operator may want them expanded.
//
// Rows in which the mask leaves nothing are the one thing that is not the same: newer fused operators give zero there.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

struct Attention {
    Operand query, key, value;
    std::optional<Operand> mask;
    bool isKeyTransposed = false; ///< `key` is kᵀ
    double scale = 1;
    std::vector<NodeId> nodes; ///< what goes, readers before what they read
};

class Fusion {
public:
    explicit Fusion(rewrite::Rewriter &rewriter) : m_rewriter(rewriter) { }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes())
            if (!m_rewriter.isRemoved(node) && isPlain(node) && m_rewriter.kind(node) == ops::kind::matmul
                && hasFused(node))
                if (auto attention = match(node))
                    replace(node, *attention);
    }

private:
    // ---- reading

    bool isPlain(const NodeRef &node)
    {
        return (node.dialect() == "aten" || node.dialect() == "onnx") && m_rewriter.isPure(node)
            && node.outputCount() == 1;
    }

    /// ONNX has had Attention since operator set 23.
    bool hasFused(const NodeRef &node)
    {
        return !node.isOnnx() || ir::opsetIn(m_rewriter.model(), m_rewriter.graph(), "onnx") >= 23;
    }

    const Operand *operand(const NodeRef &node, std::size_t position)
    {
        return ops::givenArgument(node, m_rewriter.signature(node->op), position);
    }

    /// The node that makes an operand, if no other node reads that than `reader`.
    std::optional<NodeRef> inner(const Operand *read, const NodeRef &reader)
    {
        const auto value = ir::valueOf(m_rewriter.graph(), read);
        const auto node = value.and_then(&ir::ValueRef::producer);
        const bool isOwn = node && m_rewriter.useCount(*value) == 1 && !m_rewriter.written().contains(*value)
            && !m_rewriter.isRemoved(*node) && isPlain(*node) && (*node)->parent == reader->parent;
        return isOwn ? node : std::nullopt;
    }

    std::optional<ops::TensorFact> tensor(const Operand &read)
    {
        const ops::Fact fact = m_rewriter.proven(read);
        const ops::TensorFact *known = ops::asTensor(fact);
        return known && known->shape && known->dtype ? std::optional(*known) : std::nullopt;
    }

    /// A number that is written in the file, as it is or as a tensor of one element.
    std::optional<double> number(const Operand *read)
    {
        if (!read)
            return std::nullopt;
        const auto id = m_rewriter.constant(*read);
        if (!id)
            return read->as<ValueId>() ? std::nullopt : ops::asFloat(m_rewriter.fact(*read));
        const ir::Tensor &constant = m_rewriter.model().at(*id);
        if (ir::elementCount(constant) != 1 || constant.shape.size() > 1 || !ir::isFloat(constant.dtype))
            return std::nullopt;
        const auto numbers = ir::numbersOf(m_rewriter.model(), *id);
        return numbers ? std::optional(std::get<std::vector<double>>(*numbers).front()) : std::nullopt;
    }

    std::optional<std::int64_t> whole(const Operand *read)
    {
        const auto *number = read ? read->as<std::int64_t>() : nullptr;
        return number ? std::optional(*number) : std::nullopt;
    }

    // ---- matching

    std::optional<Attention> match(const NodeRef &last)
    {
        Attention found;
        found.nodes.push_back(last);
        const Operand *value = operand(last, 1);
        auto node = inner(operand(last, 0), last);
        if (node && m_rewriter.kind(*node) == ops::kind::dropout) // a pure one does nothing
            node = into(found, *node, 0);
        if (!value || !node || !isSoftmaxOfRows(*node))
            return std::nullopt;
        found.value = *value;
        const Operand *scores = operand(*node, 0);
        found.nodes.push_back(*node);
        const auto added = inner(scores, *node);
        const bool matches = added && (matchProduct(found, *added) || matchMasked(found, *added));
        return matches && fits(found) ? std::optional(std::move(found)) : std::nullopt;
    }

    /// Takes a node in and goes on to what makes its operand.
    std::optional<NodeRef> into(Attention &found, const NodeRef &node, std::size_t position)
    {
        found.nodes.push_back(node);
        return inner(operand(node, position), node);
    }

    bool isSoftmaxOfRows(const NodeRef &node)
    {
        const Operand *scores = operand(node, 0);
        const auto known = scores ? tensor(*scores) : std::nullopt;
        const auto result = tensor(node.output(0));
        if (m_rewriter.kind(node) != ops::kind::softmax || !known || !result || known->dtype != result->dtype)
            return false;
        const auto axis = ops::softmaxArguments(m_rewriter.call(node)).axis;
        return axis == -1 || axis == static_cast<std::int64_t>(known->shape->size()) - 1;
    }

    /// scores + mask, or mask + scores; or a product that adds it.
    bool matchMasked(Attention &found, const NodeRef &node)
    {
        if (m_rewriter.kind(node) == ops::kind::baddbmm)
            return matchAddedProduct(found, node);
        const Operand *alpha = m_rewriter.argument(node, "alpha");
        if (m_rewriter.kind(node) != ops::kind::add || (alpha && number(alpha) != 1.0))
            return false;
        for (const std::size_t side : {0U, 1U}) {
            Attention masked = found;
            const Operand *mask = operand(node, 1 - side);
            const auto scores = into(masked, node, side);
            if (!scores || !mask || !matchProduct(masked, *scores) || !keepsShape(*mask, scores->output(0)))
                continue;
            masked.mask = *mask;
            found = std::move(masked);
            return true;
        }
        return false;
    }

    bool matchAddedProduct(Attention &found, const NodeRef &node)
    {
        const ops::MatrixProductArguments given = ops::matrixProductArguments(m_rewriter.call(node));
        const Operand *mask = m_rewriter.argument(node, given.added);
        if (!mask || !given.alpha || (given.beta != 1.0 && given.beta != 0.0))
            return false;
        if (given.beta == 1.0) {
            if (!keepsShape(*mask, node.output(0)))
                return false;
            found.mask = *mask;
        }
        found.scale *= *given.alpha;
        return matchOperands(found, node, 1);
    }

    /// Whether the mask has the type of the scores and broadcasts to their shape.
    bool keepsShape(const Operand &mask, ValueId scores)
    {
        const auto a = tensor(mask), b = tensor(scores);
        if (!a || !b || a->dtype != b->dtype || a->shape->size() > b->shape->size())
            return false;
        return std::ranges::equal(
            *a->shape, *b->shape | std::views::drop(b->shape->size() - a->shape->size()),
            [](const ir::Dim &x, const ir::Dim &y) { return ops::isOne(x) || ops::isSame(x, y); });
    }

    /// Factors, then a product.
    bool matchProduct(Attention &found, const NodeRef &node)
    {
        Attention scaled = found;
        std::optional<NodeRef> at = node;
        while (at && m_rewriter.kind(*at) != ops::kind::matmul) {
            const auto side = takeFactor(scaled, *at);
            at = side ? into(scaled, *at, *side) : std::nullopt;
        }
        if (!at || !matchOperands(scaled, *at, 0))
            return false;
        found = std::move(scaled);
        return true;
    }

    /// If the node multiplies with a number or divides by one: the operand that is not it.
    std::optional<std::size_t> takeFactor(Attention &found, const NodeRef &node)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        const Operand *rounding = node.argument("rounding_mode");
        if ((kind != ops::kind::mul && kind != ops::kind::div) || (rounding && !rounding->as<ir::None>()))
            return std::nullopt;
        for (const std::size_t side : {0U, 1U}) {
            const auto factor = number(operand(node, 1 - side));
            if (!factor || *factor == 0 || !std::isfinite(*factor) || (kind == ops::kind::div && side == 1))
                continue;
            found.scale *= kind == ops::kind::mul ? *factor : 1 / *factor;
            return side;
        }
        return std::nullopt;
    }

    bool matchOperands(Attention &found, const NodeRef &product, std::size_t first)
    {
        const Operand *query = operand(product, first), *key = operand(product, first + 1);
        if (!query || !key || !query->as<ValueId>() || !key->as<ValueId>())
            return false;
        found.nodes.push_back(product);
        found.query = withoutFactors(found, *query, product);
        found.key = withoutFactors(found, *key, product);
        const auto turned = transposed(found.key);
        found.isKeyTransposed = !turned;
        if (turned) {
            if (const auto node = inner(&found.key, product))
                found.nodes.push_back(*node);
            found.key = withoutFactors(found, *turned, product);
        }
        return true;
    }

    Operand withoutFactors(Attention &found, Operand operandRead, const NodeRef &reader)
    {
        for (auto node = inner(&operandRead, reader); node; node = inner(&operandRead, reader)) {
            const auto side = takeFactor(found, *node);
            if (!side || !operand(*node, *side)->as<ValueId>())
                break;
            found.nodes.push_back(*node);
            operandRead = *operand(*node, *side);
        }
        return operandRead;
    }

    /// The operand that `read` transposes by exchanging its last two dimensions; nothing if `read` does not.
    std::optional<Operand> transposed(const Operand &read)
    {
        const auto node = ir::valueOf(m_rewriter.graph(), &read).and_then(&ir::ValueRef::producer);
        const Operand *source = node && isPlain(*node) ? operand(*node, 0) : nullptr;
        const auto known = source ? tensor(*source) : std::nullopt;
        if (!known || !source->as<ValueId>() || m_rewriter.written().contains(*source->as<ValueId>()))
            return std::nullopt;
        const auto rank = static_cast<std::int64_t>(known->shape->size());
        const ops::OperatorKind kind = m_rewriter.kind(*node);
        if (kind == ops::kind::matrixTranspose || (kind == ops::kind::transpose && exchangesLast(*node, rank))
            || (kind == ops::kind::permute && listsLast(*node, rank)))
            return *source;
        return std::nullopt;
    }

    bool exchangesLast(const NodeRef &node, std::int64_t rank)
    {
        auto a = whole(operand(node, 1)), b = whole(operand(node, 2));
        if (!a || !b)
            return false;
        const auto [low, high] = std::minmax({*a < 0 ? *a + rank : *a, *b < 0 ? *b + rank : *b});
        return low == rank - 2 && high == rank - 1;
    }

    bool listsLast(const NodeRef &node, std::int64_t rank)
    {
        const Operand *order = node.isOnnx() ? node.argument("perm") : operand(node, 1);
        const auto *list = order ? order->as<ir::List>() : nullptr;
        if (!list || std::ssize(list->items) != rank || rank < 2)
            return false;
        for (std::int64_t d = 0; d < rank; ++d) {
            const auto axis = whole(&list->items[static_cast<std::size_t>(d)]);
            const std::int64_t wanted = d < rank - 2 ? d : 2 * rank - 3 - d;
            if (!axis || (*axis < 0 ? *axis + rank : *axis) != wanted)
                return false;
        }
        return true;
    }

    /// Three tensors of one floating type with the same dimensions before their last two.
    bool fits(const Attention &found)
    {
        const auto q = tensor(found.query), k = tensor(found.key), v = tensor(found.value);
        const std::size_t rank = q ? q->shape->size() : 0;
        const bool isOnnx = m_rewriter.node(found.nodes.front()).isOnnx();
        if (!k || !v || rank < 3 || k->shape->size() != rank || v->shape->size() != rank || (isOnnx && rank != 4)
            || q->dtype != k->dtype || q->dtype != v->dtype || !ir::isFloat(*q->dtype))
            return false;
        for (std::size_t d = 0; d + 2 < rank; ++d)
            if (!ops::isSame((*q->shape)[d], (*k->shape)[d]) || !ops::isSame((*q->shape)[d], (*v->shape)[d]))
                return false;
        return std::isfinite(found.scale);
    }

    // ---- writing

    void replace(const NodeRef &last, const Attention &found)
    {
        m_rewriter.from(found.nodes);
        const bool isOnnx = last.isOnnx();
        const Operand key = found.isKeyTransposed ? turnedBack(last, found.key, isOnnx) : found.key;
        std::vector<ir::Argument> arguments = isOnnx ? onnxArguments(found, key) : atenArguments(found, key);
        const ir::ValueRef result = last.output(0);
        const NodeId made = m_rewriter.insertBefore(last,
                                                    {.dialect = isOnnx ? "onnx" : "aten",
                                                     .name = isOnnx ? "Attention" : "scaled_dot_product_attention",
                                                     .arguments = std::move(arguments)});
        const bool mustLieInOrder = !isOnnx && isSeenInItsOrder(result);
        ValueId all = m_rewriter.addOutput(made, result->type, mustLieInOrder ? "" : result.name());
        if (mustLieInOrder) {
            const NodeId copy = m_rewriter.insertBefore(
                last, {.dialect = "aten", .name = "contiguous", .arguments = {{m_rewriter.text("self"), all}}});
            all = m_rewriter.addOutput(copy, result->type, result.name());
        }
        m_rewriter.replaceUses(result, all);
        for (const NodeId node : found.nodes)
            m_rewriter.remove(node);
    }

    /// Whether a view of the product needs it to lie row by row, as a product does; fused kernels lay out as they like.
    bool isSeenInItsOrder(const ir::ValueRef &value)
    {
        return std::ranges::any_of(value->uses, [&](const ir::Use &use) {
            const auto *id = std::get_if<NodeId>(&use);
            if (!id || m_rewriter.isRemoved(*id))
                return false;
            const NodeRef user = m_rewriter.node(*id);
            const ops::OperatorKind kind = m_rewriter.kind(user);
            const bool isTurned =
                kind == ops::kind::permute || kind == ops::kind::transpose || kind == ops::kind::alias;
            return ops::dependsOnLayout(user)
                || (isTurned && user.outputCount() == 1 && isSeenInItsOrder(user.output(0)));
        });
    }

    Operand turnedBack(NodeId next, const Operand &key, bool isOnnx)
    {
        ir::List order{.items = {std::int64_t{0}, std::int64_t{1}, std::int64_t{3}, std::int64_t{2}}};
        auto arguments = isOnnx ? std::vector<ir::Argument>{{{}, key}, {m_rewriter.text("perm"), std::move(order)}}
                                : std::vector<ir::Argument>{{m_rewriter.text("self"), key},
                                                            {m_rewriter.text("dim0"), std::int64_t{-2}},
                                                            {m_rewriter.text("dim1"), std::int64_t{-1}}};
        ir::TensorType type;
        if (auto known = tensor(key)) {
            type.dtype = known->dtype;
            type.shape = known->shape;
            std::swap(*(type.shape->end() - 1), *(type.shape->end() - 2));
        }
        return m_rewriter.makeBefore(next,
                                     {.dialect = isOnnx ? "onnx" : "aten",
                                      .name = isOnnx ? "Transpose" : "transpose",
                                      .overload = isOnnx ? "" : "int",
                                      .arguments = std::move(arguments)},
                                     m_rewriter.context().type(type));
    }

    std::vector<ir::Argument> onnxArguments(const Attention &found, const Operand &key)
    {
        std::vector<ir::Argument> arguments{{{}, found.query}, {{}, key}, {{}, found.value}};
        if (found.mask)
            arguments.push_back({{}, *found.mask});
        arguments.push_back({m_rewriter.text("scale"), found.scale});
        return arguments;
    }

    std::vector<ir::Argument> atenArguments(const Attention &found, const Operand &key)
    {
        std::vector<ir::Argument> arguments{{m_rewriter.text("query"), found.query},
                                            {m_rewriter.text("key"), key},
                                            {m_rewriter.text("value"), found.value}};
        if (found.mask)
            arguments.push_back({m_rewriter.text("attn_mask"), *found.mask});
        if (!isDefaultScale(found))
            arguments.push_back({m_rewriter.text("scale"), found.scale});
        return arguments;
    }

    /// Whether the scale is the default one: 1 over the root of the head size, but for the rounding of a file's
    /// numbers.
    bool isDefaultScale(const Attention &found)
    {
        const auto size = ops::number(tensor(found.query)->shape->back());
        return size && std::abs(found.scale * std::sqrt(static_cast<double>(*size)) - 1) < 1e-6;
    }

    rewrite::Rewriter &m_rewriter;
};

Result<void> runFuseAttention(rewrite::Rewriter &rewriter, const Settings &)
{
    Fusion(rewriter).run();
    return {};
}

} // namespace

extern const Pass fuseAttention;
const Pass fuseAttention{"fuse-attention",
                         "Fuses two matrix products with a softmax between them into one attention operator; results "
                         "change within rounding.",
                         {},
                         runFuseAttention,
                         false};

} // namespace cutaway::passes
