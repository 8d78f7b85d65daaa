// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/arguments/reduce_arguments.h"
#include "core/ops/network/normalization.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/ops/tensor/reduction.h"
#include "core/passes/fusing.h"
#include "core/passes/left_over.h"
#include "core/passes/matching.h"
#include "core/rewrite/layouts.h"

#include <algorithm>

// Layer normalization is d / √(mean(d²) + epsilon)·weight + bias with d = x - mean(x), where the means are over the
// last dimensions. The match begins at the division and goes up to x; everything between must be read by nothing else.
// Then it goes down to the weight and the bias: constants of the normalized shape with which the only reader
// multiplies, or which it adds.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;

struct LayerNorm {
    Operand input;
    ir::Shape shape; ///< the shape of the dimensions that are normalized
    double epsilon = 0;
    std::optional<Operand> weight, bias;
    std::vector<NodeId> nodes; ///< the nodes to remove
};

class LayerNormFusion {
public:
    LayerNormFusion(rewrite::Rewriter &rewriter, const Settings &settings)
        : m_rewriter(rewriter),
          m_matching(rewriter),
          m_layouts(rewriter),
          m_mayUseContrib(settings.flag("contrib"))
    {
    }

    void run()
    {
        LeftOver left;
        for (const NodeRef node : m_rewriter.nodes()) {
            if (m_matching.is(node, ops::kind::div))
                if (auto norm = match(node)) {
                    if (m_mayUseContrib || m_matching.opset(node) >= firstOpset) {
                        replace(node, std::move(*norm));
                        left.done();
                    } else {
                        left.leave("ONNX has LayerNormalization from operator set 17 on, and ONNX Runtime, which the "
                                   "option contrib stands for, in every one");
                    }
                }
            if (m_mayUseContrib && m_matching.is(node, ops::kind::layerNorm) && node.isOnnx())
                takeSumIn(node);
        }
        m_rewriter.remark(left.print("layer normalizations are not fused"));
    }

private:
    static constexpr std::int64_t firstOpset = 17;

    // ---- matching

    std::optional<LayerNorm> match(const NodeRef &division)
    {
        LayerNorm found;
        const auto centred = m_matching.maker(m_matching.operand(division, 0), division);
        const auto root = m_matching.ownMaker(m_matching.operand(division, 1), division);
        if (!m_matching.isPlainArithmetic(division) || !centred || !root || !matchRoot(found, *root, *centred)
            || !matchCentred(found, *centred))
            return std::nullopt;
        found.nodes.push_back(division);
        const auto input = m_matching.tensor(found.input);
        const bool liesAsWell = division.isOnnx() || m_layouts.isRowMajor(*found.input.as<ir::ValueId>());
        return liesAsWell && m_matching.haveOneType(found.input, division.output(0)) && ir::isFloat(*input->dtype)
            ? std::optional(std::move(found))
            : std::nullopt;
    }

    /// Matches √(mean(d²) + epsilon).
    bool matchRoot(LayerNorm &found, const NodeRef &root, const NodeRef &centred)
    {
        const auto sum = m_rewriter.kind(root) == ops::kind::sqrt
            ? m_matching.ownMaker(m_matching.operand(root, 0), root)
            : std::nullopt;
        if (!sum || m_rewriter.kind(*sum) != ops::kind::add || !m_matching.isPlainArithmetic(*sum))
            return false;
        for (const std::size_t side : {0U, 1U}) {
            const auto epsilon = m_matching.number(m_matching.operand(*sum, 1 - side));
            const auto mean = m_matching.ownMaker(m_matching.operand(*sum, side), *sum);
            if (!epsilon || *epsilon < 0 || !mean || !meansLast(found, *mean))
                continue;
            const auto square = m_matching.ownMaker(m_matching.operand(*mean, 0), *mean);
            if (!square || !isSquare(*square, centred))
                return false;
            found.epsilon = *epsilon;
            found.nodes = {*square, *mean, *sum, root};
            return isReadOnlyBy(centred.output(0), *square);
        }
        return false;
    }

    /// Whether only the square and the division read the difference.
    bool isReadOnlyBy(const ir::ValueRef &difference, NodeId square)
    {
        std::size_t others = 0;
        for (const ir::Use &use : difference->uses) {
            const auto *reader = std::get_if<NodeId>(&use);
            others += reader && *reader == square ? 0 : 1;
        }
        return others == 1;
    }

    bool isSquare(const NodeRef &node, const NodeRef &of)
    {
        const Operand difference = of.output(0).id();
        const Operand *a = m_matching.operand(node, 0), *b = m_matching.operand(node, 1);
        if (!a || !b || *a != difference)
            return false;
        return m_rewriter.kind(node) == ops::kind::pow ? m_matching.number(b) == 2.0
                                                       : m_rewriter.kind(node) == ops::kind::mul && *b == difference;
    }

    /// Matches x - mean(x).
    bool matchCentred(LayerNorm &found, const NodeRef &node)
    {
        const Operand *input = m_matching.operand(node, 0);
        const auto mean = m_matching.ownMaker(m_matching.operand(node, 1), node);
        const Operand *meaned = mean ? m_matching.operand(*mean, 0) : nullptr;
        if (m_rewriter.kind(node) != ops::kind::sub || !m_matching.isPlainArithmetic(node) || !input || !meaned
            || !input->as<ir::ValueId>() || *input != *meaned)
            return false;
        const ir::Shape shape = found.shape;
        if (!meansLast(found, *mean) || found.shape != shape)
            return false;
        found.input = *input;
        found.nodes.insert(found.nodes.begin(), {*mean, node});
        return true;
    }

    /// Whether a node is the mean over the last dimensions of a tensor of known shape, and keeps these dimensions with
    /// size 1.
    bool meansLast(LayerNorm &found, const NodeRef &node)
    {
        const Operand *operand = m_matching.operand(node, 0);
        const auto input = operand ? m_matching.tensor(*operand) : std::nullopt;
        if (m_rewriter.kind(node) != ops::kind::mean || !input)
            return false;
        const ops::Call call = m_rewriter.call(node);
        const ops::ReduceArguments given = ops::reduceArguments(call);
        const auto reduced = given.reducedDimensions(input->shape->size());
        if (!reduced || given.keepDim != true || given.dtype || !std::ranges::is_sorted(*reduced) || reduced->empty()
            || !reduced->back())
            return false;
        const auto first = std::ranges::find(*reduced, true) - reduced->begin();
        found.shape.assign(input->shape->begin() + first, input->shape->end());
        return std::ranges::all_of(found.shape, [](const ir::Dim &size) { return ops::number(size).has_value(); });
    }

    // ---- the weight and the bias

    /// Returns the operand beside the result of `node` in `reader`, if `reader` is of this kind and the operand is a
    /// constant of the normalized shape and dtype.
    std::optional<Operand> beside(const NodeRef &node, const NodeRef &reader, ops::OperatorKind kind,
                                  const LayerNorm &found)
    {
        if (m_rewriter.kind(reader) != kind || !m_matching.isPlainArithmetic(reader))
            return std::nullopt;
        const Operand made = node.output(0).id();
        const Operand *a = m_matching.operand(reader, 0), *b = m_matching.operand(reader, 1);
        const Operand *other = a && *a == made ? b : a;
        const auto type = other ? m_matching.tensor(*other) : std::nullopt;
        const bool fits = type && type->dtype == m_matching.tensor(found.input)->dtype && *type->shape == found.shape
            && m_rewriter.constant(*other);
        return fits ? std::optional(*other) : std::nullopt;
    }

    /// If the only reader of `last` combines it with a constant, adds that reader to the match and returns it; else
    /// returns `last`.
    NodeRef takeIn(LayerNorm &found, std::optional<Operand> LayerNorm::*part, ops::OperatorKind kind, NodeRef last)
    {
        const auto reader = m_matching.onlyReader(last);
        const auto constant = reader ? beside(last, *reader, kind, found) : std::nullopt;
        if (!constant)
            return last;
        found.*part = constant;
        found.nodes.push_back(*reader);
        return *reader;
    }

    NodeRef takeScaleIn(LayerNorm &found, NodeRef last)
    {
        last = takeIn(found, &LayerNorm::weight, ops::kind::mul, last);
        return found.weight || !last.isOnnx() ? takeIn(found, &LayerNorm::bias, ops::kind::add, last) : last;
    }

    // ---- writing

    void replace(const NodeRef &division, LayerNorm found)
    {
        const NodeRef last = takeScaleIn(found, division);
        const bool isOnnx = last.isOnnx();
        fuse(m_rewriter, found.nodes, last,
             {.dialect = isOnnx ? "onnx" : "aten",
              .name = isOnnx ? "LayerNormalization" : "layer_norm",
              .arguments = isOnnx ? onnxArguments(found) : atenArguments(found)});
        std::ranges::for_each(found.nodes, [&](NodeId node) { m_rewriter.remove(node); });
    }

    std::vector<ir::Argument> onnxArguments(const LayerNorm &found)
    {
        const Operand weight = found.weight ? *found.weight : ones(found);
        std::vector<ir::Argument> arguments{{{}, found.input}, {{}, weight}};
        if (found.bias)
            arguments.push_back({{}, *found.bias});
        arguments.push_back({m_rewriter.text("axis"), -std::ssize(found.shape)});
        arguments.push_back({m_rewriter.text("epsilon"), found.epsilon});
        return arguments;
    }

    Operand ones(const LayerNorm &found)
    {
        std::vector<std::int64_t> shape;
        for (const ir::Dim &size : found.shape)
            shape.push_back(*ops::number(size));
        const ir::DType dtype = *m_matching.tensor(found.input)->dtype;
        const std::vector<double> all(static_cast<std::size_t>(*ir::elementCount(found.shape)), 1.0);
        return m_rewriter.addConstant("ones", dtype, std::move(shape), ir::encodeNumbers(dtype, all));
    }

    std::vector<ir::Argument> atenArguments(const LayerNorm &found)
    {
        ir::List shape;
        for (const ir::Dim &size : found.shape)
            shape.items.push_back(*ops::number(size));
        std::vector<ir::Argument> arguments{{m_rewriter.text("input"), found.input},
                                            {m_rewriter.text("normalized_shape"), std::move(shape)}};
        if (found.weight)
            arguments.push_back({m_rewriter.text("weight"), *found.weight});
        if (found.bias)
            arguments.push_back({m_rewriter.text("bias"), *found.bias});
        arguments.push_back({m_rewriter.text("eps"), found.epsilon});
        return arguments;
    }

    // ---- ONNX Runtime's own operator

    /// If the input is the sum of two tensors of three dimensions and the last one is normalized, makes a
    /// SkipLayerNormalization, which adds them itself.
    void takeSumIn(const NodeRef &norm)
    {
        const auto sum = m_matching.ownMaker(m_matching.operand(norm, 0), norm);
        const Operand *a = sum ? summand(*sum, 0) : nullptr, *b = sum ? summand(*sum, 1) : nullptr;
        if (!a || !b || !m_matching.haveOneType(*a, *b) || m_matching.tensor(*a)->dtype != ir::DType::Float32
            || !isAlongTheLastOfThree(norm, *a))
            return;
        const Operand *epsilon = norm.argument("epsilon");
        std::vector<ir::Argument> arguments{{{}, *a}, {{}, *b}, {{}, *m_matching.operand(norm, 1)}};
        if (const Operand *bias = m_matching.operand(norm, 2))
            arguments.push_back({{}, *bias});
        arguments.push_back({m_rewriter.text("epsilon"), epsilon ? *epsilon : Operand(1e-5)});
        fuse(m_rewriter, {*sum, norm}, norm,
             {.dialect = "com.microsoft", .name = "SkipLayerNormalization", .arguments = std::move(arguments)});
        m_rewriter.remove(norm);
        m_rewriter.remove(*sum);
    }

    /// Returns the operand of a sum at `side`, if it is no constant; else nullptr.
    const Operand *summand(const NodeRef &sum, std::size_t side)
    {
        const Operand *operand = m_rewriter.kind(sum) == ops::kind::add ? m_matching.operand(sum, side) : nullptr;
        return operand && operand->as<ir::ValueId>() && !m_rewriter.constant(*operand) ? operand : nullptr;
    }

    bool isAlongTheLastOfThree(const NodeRef &norm, const Operand &input)
    {
        const Operand *axis = norm.argument("axis");
        return m_matching.tensor(input)->shape->size() == 3 && !norm.argument("stash_type")
            && (!axis || *axis == Operand(std::int64_t{-1}) || *axis == Operand(std::int64_t{2}));
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
    rewrite::Layouts m_layouts;
    bool m_mayUseContrib;
};

} // namespace

extern const Pass fuseLayerNorm;
const Pass fuseLayerNorm{
    "fuse-layer-norm",
    "Fuses what a layer normalization computes into one operator; results change within rounding.",
    {{"contrib", "whether sums before it go into ONNX Runtime's own SkipLayerNormalization", false}},
    runOf<LayerNormFusion>,
    false};

} // namespace cutaway::passes
