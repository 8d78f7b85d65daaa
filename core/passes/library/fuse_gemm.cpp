// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/network/matrix_product.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/passes/fusing.h"
#include "core/passes/matching.h"
#include "core/passes/permutations.h"

#include <algorithm>
#include <numeric>
#include <ranges>

// A product of two matrices and a sum after it become Gemm, or addmm; a transposed factor becomes one of Gemm's
// attributes. For more than two dimensions, ONNX Runtime's FusedMatMul replaces nodes that exchange the last two
// dimensions of a factor, or move its first dimension behind those of the batch, and nodes that multiply a factor or
// the product by a number.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;

class GemmFusion {
public:
    GemmFusion(rewrite::Rewriter &rewriter, const Settings &settings)
        : m_rewriter(rewriter),
          m_matching(rewriter),
          m_mayUseContrib(settings.flag("contrib"))
    {
    }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes())
            if (m_matching.is(node, ops::kind::add))
                addProduct(node);
        for (const NodeRef node : m_rewriter.nodes())
            if (m_matching.is(node, ops::kind::gemm) && node.isOnnx())
                for (const std::size_t factor : {0U, 1U})
                    takeTransposeIn(node, factor);
        for (const NodeRef node : m_rewriter.nodes())
            if (m_mayUseContrib && node.isOnnx() && m_matching.is(node, ops::kind::matmul))
                scaleProduct(node);
    }

private:
    // ---- Gemm

    void addProduct(const NodeRef &sum)
    {
        if (!m_matching.isPlainArithmetic(sum))
            return;
        for (const std::size_t side : {0U, 1U}) {
            const auto product = m_matching.ownMaker(m_matching.operand(sum, side), sum);
            const Operand *added = m_matching.operand(sum, 1 - side);
            if (product && added && isOfMatrices(*product) && canBeAdded(*added, *product, sum))
                return add(*product, *added, sum);
        }
    }

    bool isMatrix(const Operand *operand)
    {
        const auto type = operand ? m_matching.tensor(*operand) : std::nullopt;
        return type && type->shape->size() == 2 && ir::isFloat(*type->dtype);
    }

    /// Whether the node is a product of matrices, or a Gemm that adds nothing yet.
    bool isOfMatrices(const NodeRef &node)
    {
        if (node.isOnnx() && m_matching.opset(node) < 7) // there an attribute controls how C is broadcast
            return false;
        const bool isGemm = m_rewriter.kind(node) == ops::kind::gemm && node.isOnnx() && !m_matching.operand(node, 2);
        return (isGemm || m_rewriter.kind(node) == ops::kind::matmul) && isMatrix(m_matching.operand(node, 0))
            && isMatrix(m_matching.operand(node, 1));
    }

    bool canBeAdded(const Operand &added, const NodeRef &product, const NodeRef &sum)
    {
        return added.as<ir::ValueId>() && m_matching.broadcastsTo(added, product.output(0).id())
            && m_matching.haveOneType(product.output(0).id(), sum.output(0).id());
    }

    void add(const NodeRef &product, const Operand &added, const NodeRef &sum)
    {
        const bool isOnnx = sum.isOnnx();
        std::vector<ir::Argument> arguments;
        if (isOnnx) {
            arguments = {{{}, *m_matching.operand(product, 0)}, {{}, *m_matching.operand(product, 1)}, {{}, added}};
            for (const ir::Argument &argument : product->arguments)
                if (argument.name != ir::NameId{})
                    arguments.push_back(argument);
        } else {
            arguments = {{m_rewriter.text("self"), added},
                         {m_rewriter.text("mat1"), *m_matching.operand(product, 0)},
                         {m_rewriter.text("mat2"), *m_matching.operand(product, 1)}};
        }
        replace({product, sum}, sum,
                {.dialect = isOnnx ? "onnx" : "aten",
                 .name = isOnnx ? "Gemm" : "addmm",
                 .arguments = std::move(arguments)});
    }

    void replace(const std::vector<NodeId> &nodes, const NodeRef &last, rewrite::Rewriter::Make make)
    {
        fuse(m_rewriter, nodes, last, std::move(make));
        for (const NodeId node : nodes | std::views::reverse)
            if (m_rewriter.useCount(m_rewriter.node(node).output(0)) == 0)
                m_rewriter.remove(node);
    }

    // ---- transposed factors

    struct Factor {
        Operand operand;
        bool isTransposed = false; ///< whether the factor's last two dimensions are exchanged
        bool isMoved = false;      ///< whether, before that, its first dimension moves behind those of the batch

        bool isPermuted() const { return isTransposed || isMoved; }
    };

    static std::vector<std::size_t> axesOf(std::size_t rank, bool isTransposed, bool isMoved)
    {
        std::vector<std::size_t> axes(rank);
        std::iota(axes.begin(), axes.end(), 0);
        if (isMoved)
            std::rotate(axes.begin(), axes.begin() + 1, axes.end() - 1);
        if (isTransposed)
            std::swap(axes[rank - 1], axes[rank - 2]);
        return axes;
    }

    /// Returns the operand before the permutation that makes it, if the product can do that permutation itself.
    std::optional<Factor> unpermuted(const Operand *operand, const NodeRef &reader)
    {
        const auto node = m_matching.maker(operand, reader);
        const auto axes = node ? permutationOf(m_rewriter, *node) : std::nullopt;
        if (!axes || axes->size() < 2)
            return std::nullopt;
        for (const bool isMoved : {false, true})
            for (const bool isTransposed : {true, false})
                if ((isMoved || isTransposed) && *axes == axesOf(axes->size(), isTransposed, isMoved))
                    return Factor{*m_matching.operand(*node, 0), isTransposed, isMoved};
        return std::nullopt;
    }

    void takeTransposeIn(const NodeRef &gemm, std::size_t factor)
    {
        const auto source = unpermuted(m_matching.operand(gemm, factor), gemm);
        const std::string_view name = factor == 0 ? "transA" : "transB";
        const Operand *given = gemm.argument(name);
        const auto *flag = given ? given->as<std::int64_t>() : nullptr;
        if (!source || source->isMoved || (given && !flag))
            return;
        const std::int64_t flipped = flag && *flag != 0 ? 0 : 1;
        m_rewriter.setArgument(gemm, factor, source->operand);
        m_rewriter.setArgument(gemm, name, flipped);
    }

    // ---- FusedMatMul

    /// Returns `operand` without the multiplications by numbers and the permutation that make it, as far as only
    /// products read their results. `mayMove`: the permutation may move the first dimension. Adds the nodes that are
    /// left out to `nodes`, and multiplies `scale` by their numbers.
    Factor stripped(const Operand &operand, const NodeRef &product, bool mayMove, double &scale,
                    std::vector<NodeId> &nodes)
    {
        Factor factor{operand};
        for (auto node = m_matching.maker(&factor.operand, product); node && isReadByProducts(*node);
             node = m_matching.maker(&factor.operand, product)) {
            const auto scaled = m_matching.scaled(*node);
            auto source = factor.isPermuted() ? std::nullopt : unpermuted(&factor.operand, product);
            if (scaled && m_matching.haveOneType(*scaled->operand, node->output(0).id())) {
                scale *= scaled->factor;
                factor.operand = Operand(*scaled->operand);
            } else if (source && (mayMove || !source->isMoved)) {
                factor = std::move(*source);
            } else {
                break;
            }
            if (!std::ranges::contains(nodes, node->id()))
                nodes.insert(nodes.begin(), *node); // in this order, the maker of an operand precedes its reader
        }
        return factor;
    }

    /// Whether all readers of the node's result are products, or its only reader is a node that is removed as well.
    bool isReadByProducts(const NodeRef &node)
    {
        return std::ranges::all_of(node.output(0)->uses, [&](const ir::Use &use) {
            const auto *reader = std::get_if<NodeId>(&use);
            const ops::OperatorKind kind = reader ? m_rewriter.kind(m_rewriter.node(*reader)) : ops::OperatorKind();
            return kind == ops::kind::matmul || (m_rewriter.useCount(node.output(0)) == 1 && reader);
        });
    }

    std::optional<NodeRef> scalingAfter(const NodeRef &product, double &scale)
    {
        const auto node = m_matching.onlyReader(product);
        const auto scaled = node ? m_matching.scaled(*node) : std::nullopt;
        if (!scaled || !m_matching.haveOneType(*scaled->operand, node->output(0).id()))
            return std::nullopt;
        scale *= scaled->factor;
        return node;
    }

    /// Makes a product a FusedMatMul that scales and permutes itself. It takes float32 on every device.
    void scaleProduct(const NodeRef &product)
    {
        const Operand *a = m_matching.operand(product, 0), *b = m_matching.operand(product, 1);
        const auto x = a ? m_matching.tensor(*a) : std::nullopt, y = b ? m_matching.tensor(*b) : std::nullopt;
        if (!x || !y || x->dtype != ir::DType::Float32 || x->shape->size() < 2 || y->shape->size() < 2)
            return;
        double scale = 1;
        std::vector<NodeId> nodes;
        const bool mayMove = x->shape->size() > 2 && x->shape->size() == y->shape->size();
        const Factor left = stripped(*a, product, mayMove, scale, nodes),
                     right = stripped(*b, product, mayMove, scale, nodes);
        nodes.push_back(product);
        NodeRef last = product;
        if (const auto after = scalingAfter(product, scale)) {
            nodes.push_back(*after);
            last = *after;
        }
        if (nodes.size() == 1)
            return;
        std::vector<ir::Argument> arguments{{{}, left.operand}, {{}, right.operand}};
        arguments.push_back({m_rewriter.text("alpha"), scale});
        arguments.push_back({m_rewriter.text("transA"), std::int64_t{left.isTransposed}});
        arguments.push_back({m_rewriter.text("transB"), std::int64_t{right.isTransposed}});
        if (left.isMoved || right.isMoved) {
            arguments.push_back({m_rewriter.text("transBatchA"), std::int64_t{left.isMoved}});
            arguments.push_back({m_rewriter.text("transBatchB"), std::int64_t{right.isMoved}});
        }
        replace(nodes, last, {.dialect = "com.microsoft", .name = "FusedMatMul", .arguments = std::move(arguments)});
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
    bool m_mayUseContrib;
};

} // namespace

extern const Pass fuseGemm;
const Pass fuseGemm{"fuse-gemm",
                    "Fuses a product of matrices with what is added to it, and with the transposition of a factor; "
                    "results change within rounding.",
                    {{"contrib", "whether products of more dimensions become ONNX Runtime's own FusedMatMul", false}},
                    runOf<GemmFusion>,
                    false};

} // namespace cutaway::passes
