// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/arguments/softmax_arguments.h"
#include "core/ops/network/activation.h"
#include "core/ops/network/matrix_product.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/ops/tensor/view.h"
#include "core/passes/fusing.h"
#include "core/passes/matching.h"
#include "core/passes/permutations.h"

#include <algorithm>
#include <cmath>

// Attention is softmax(q·kᵀ·scale + mask)·v. The match goes upwards from the last product: a dropout that does nothing,
// a softmax over the last dimension, the mask that is added, factors that are numbers, and the first product; then
// factors of its operands, and the transposition of k. Everything between the two products must be read by no other
// node and lie in one region. Operands that only broadcast are left alone, since a runtime of the fused operator may
// need them expanded.
//
// The fused operator differs in one thing: for rows in which the mask leaves nothing, newer fused operators return
// zero.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using ir::ValueId;

struct Attention {
    Operand query, key, value;
    std::optional<Operand> mask;
    bool isKeyTransposed = false; ///< whether `key` is kᵀ
    double scale = 1;
    std::vector<NodeId> nodes; ///< the nodes to remove, readers before the nodes that they read
};

class AttentionFusion {
public:
    explicit AttentionFusion(rewrite::Rewriter &rewriter) : m_rewriter(rewriter), m_matching(rewriter) { }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes())
            if (m_matching.is(node, ops::kind::matmul) && hasFused(node))
                if (auto attention = match(node))
                    replace(node, *attention);
    }

private:
    /// Whether the node's dialect has a fused operator; ONNX has had Attention since operator set 23.
    bool hasFused(const NodeRef &node) { return m_matching.opset(node) >= 23; }

    // ---- matching

    std::optional<Attention> match(const NodeRef &last)
    {
        Attention found;
        found.nodes.push_back(last);
        const Operand *value = m_matching.operand(last, 1);
        auto node = m_matching.ownMaker(m_matching.operand(last, 0), last);
        if (node && m_rewriter.kind(*node) == ops::kind::dropout) // a dropout that is pure passes its input on
            node = into(found, *node, 0);
        if (!value || !node || !isSoftmaxOfRows(*node))
            return std::nullopt;
        found.value = *value;
        const Operand *scores = m_matching.operand(*node, 0);
        found.nodes.push_back(*node);
        const auto added = m_matching.ownMaker(scores, *node);
        const bool matches = added && (matchProduct(found, *added) || matchMasked(found, *added));
        return matches && fits(found) ? std::optional(std::move(found)) : std::nullopt;
    }

    /// Adds a node to the match, and returns the producer of its operand at `position`.
    std::optional<NodeRef> into(Attention &found, const NodeRef &node, std::size_t position)
    {
        found.nodes.push_back(node);
        return m_matching.ownMaker(m_matching.operand(node, position), node);
    }

    bool isSoftmaxOfRows(const NodeRef &node)
    {
        const Operand *scores = m_matching.operand(node, 0);
        const auto known = scores ? m_matching.tensor(*scores) : std::nullopt;
        const auto result = m_matching.tensor(node.output(0));
        if (m_rewriter.kind(node) != ops::kind::softmax || !known || !result || known->dtype != result->dtype)
            return false;
        const auto axis = ops::softmaxArguments(m_rewriter.call(node)).axis;
        return axis == -1 || axis == static_cast<std::int64_t>(known->shape->size()) - 1;
    }

    /// Matches scores + mask, mask + scores, or a product that adds the mask.
    bool matchMasked(Attention &found, const NodeRef &node)
    {
        if (m_rewriter.kind(node) == ops::kind::baddbmm)
            return matchAddedProduct(found, node);
        if (m_rewriter.kind(node) != ops::kind::add || !m_matching.isPlainArithmetic(node))
            return false;
        for (const std::size_t side : {0U, 1U}) {
            Attention masked = found;
            const Operand *mask = m_matching.operand(node, 1 - side);
            const auto scores = into(masked, node, side);
            if (!scores || !mask || !matchProduct(masked, *scores)
                || !m_matching.broadcastsTo(*mask, scores->output(0).id()))
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
            if (!m_matching.broadcastsTo(*mask, node.output(0).id()))
                return false;
            found.mask = *mask;
        }
        found.scale *= *given.alpha;
        return matchOperands(found, node, 1);
    }

    /// Matches factors, and then the product above them.
    bool matchProduct(Attention &found, const NodeRef &node)
    {
        Attention scaled = found;
        std::optional<NodeRef> at = node;
        while (at && m_rewriter.kind(*at) != ops::kind::matmul) {
            const Operand *rest = takeFactor(scaled, *at);
            at = rest ? m_matching.ownMaker(rest, *at) : std::nullopt;
        }
        if (!at || !matchOperands(scaled, *at, 0))
            return false;
        found = std::move(scaled);
        return true;
    }

    /// Adds a node to the match that multiplies by a number or divides by one. Returns the operand that is not the
    /// number; nullptr for other nodes.
    const Operand *takeFactor(Attention &found, const NodeRef &node)
    {
        const auto scaled = m_matching.scaled(node);
        const auto from = scaled ? m_matching.tensor(*scaled->operand) : std::nullopt,
                   to = m_matching.tensor(node.output(0));
        // A single number changes no size, but it may add dimensions or change the dtype.
        if (!from || !to || from->dtype != to->dtype || from->shape->size() != to->shape->size())
            return nullptr;
        found.scale *= scaled->factor;
        found.nodes.push_back(node);
        return scaled->operand;
    }

    bool matchOperands(Attention &found, const NodeRef &product, std::size_t first)
    {
        const Operand *query = m_matching.operand(product, first), *key = m_matching.operand(product, first + 1);
        if (!query || !key || !query->as<ValueId>() || !key->as<ValueId>())
            return false;
        found.nodes.push_back(product);
        found.query = withoutFactors(found, *query, product);
        found.key = withoutFactors(found, *key, product);
        const auto turned = transposed(found.key);
        found.isKeyTransposed = !turned;
        if (turned) {
            const auto turning = m_matching.ownMaker(&found.key, product);
            if (turning)
                found.nodes.push_back(*turning);
            // Without a transposition, the factors above it stay in the key.
            found.key = turning ? withoutFactors(found, *turned, product) : *turned;
        }
        return true;
    }

    Operand withoutFactors(Attention &found, Operand read, const NodeRef &product)
    {
        while (const auto node = m_matching.ownMaker(&read, product)) {
            const Operand *rest = takeFactor(found, *node);
            if (!rest)
                break;
            read = Operand(*rest);
        }
        return read;
    }

    /// Returns the operand that the maker of `read` transposes by exchanging its last two dimensions; nothing if it
    /// does not.
    std::optional<Operand> transposed(const Operand &read)
    {
        const auto node = ir::valueOf(m_rewriter.graph(), &read).and_then(&ir::ValueRef::producer);
        auto axes = node && m_matching.isPlain(*node) ? permutationOf(m_rewriter, *node) : std::nullopt;
        if (!axes || axes->size() < 2)
            return std::nullopt;
        std::swap((*axes)[axes->size() - 1], (*axes)[axes->size() - 2]);
        const Operand &source = (*node)->arguments.front().value;
        return std::ranges::is_sorted(*axes) && !m_rewriter.written().contains(*source.as<ValueId>())
            ? std::optional(source)
            : std::nullopt;
    }

    /// Whether q, k and v are three tensors of one floating dtype that are equal in all dimensions but the last two.
    bool fits(const Attention &found)
    {
        const auto q = m_matching.tensor(found.query), k = m_matching.tensor(found.key),
                   v = m_matching.tensor(found.value);
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
        const bool mustLieInOrder = !isOnnx && isSeenInItsOrder(result);
        const NodeId made = m_rewriter.insertBefore(last,
                                                    {.dialect = isOnnx ? "onnx" : "aten",
                                                     .name = isOnnx ? "Attention" : "scaled_dot_product_attention",
                                                     .arguments = std::move(arguments)});
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

    /// Whether a reader of the product, such as a view, needs it in row-major order. A matrix product is in that
    /// order; the result of a fused kernel may have other strides.
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
        if (auto known = m_matching.tensor(key)) {
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

    /// Whether the scale is the default one: 1 over the square root of the head size, up to the rounding of a file's
    /// numbers.
    bool isDefaultScale(const Attention &found)
    {
        const auto size = ops::number(m_matching.tensor(found.query)->shape->back());
        return size && std::abs(found.scale * std::sqrt(static_cast<double>(*size)) - 1) < 1e-6;
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
};

} // namespace

extern const Pass fuseAttention;
const Pass fuseAttention{"fuse-attention",
                         "Fuses two matrix products with a softmax between them into one attention operator; results "
                         "change within rounding.",
                         {},
                         runOf<AttentionFusion>,
                         false};

} // namespace cutaway::passes
