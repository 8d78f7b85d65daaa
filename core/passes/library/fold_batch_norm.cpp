// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/network/convolution.h"
#include "core/ops/network/matrix_product.h"
#include "core/ops/network/normalization.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/passes/fusing.h"
#include "core/passes/left_over.h"
#include "core/passes/matching.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <expected>
#include <functional>
#include <utility>

// At inference, batch normalization is y = (x - mean) * scale + shift for each channel, with scale = weight /
// sqrt(variance + epsilon). Where x = W·a + b is a convolution or a linear layer, y is the same layer with the weights
// scale·W and the bias (b - mean) * scale + shift. A product with a constant, or a sum with one, is such a
// normalization, too, if the constant is the same for all elements of a channel.

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::TensorId;
using Floats = std::vector<double>;

/// The scale and shift that a normalization applies to each channel.
struct Channels {
    Floats scale, shift;
};

/// A layer with weights. Its output channels are a dimension of the weight, or that dimension and the groups together.
struct Layer {
    NodeRef node;
    std::size_t weight, bias; ///< positions of the arguments
    std::size_t channelAxis;  ///< the dimension of the weight that has the channels
    std::int64_t groups = 1;  ///< the number of groups, if channels are numbered within their group
    std::string_view name;    ///< the name of the operator that takes a bias: Gemm for MatMul
};

class BatchNormFolding {
public:
    explicit BatchNormFolding(rewrite::Rewriter &rewriter) : m_rewriter(rewriter), m_matching(rewriter) { }

    void run()
    {
        LeftOver left;
        for (const NodeRef node : m_rewriter.nodes()) {
            if (m_rewriter.isRemoved(node) || !isPlainDialect(node))
                continue;
            foldArithmetic(node);
            if (m_rewriter.isRemoved(node) || m_rewriter.kind(node) != ops::kind::batchNorm)
                continue;
            if (const auto folded = fold(node))
                left.done();
            else
                left.leave(folded.error());
        }
        m_rewriter.remark(left.print("batch normalizations are not folded"));
    }

private:
    using Cause = std::unexpected<std::string_view>;
    static constexpr std::string_view noLayer = "no convolution or linear layer makes their input";
    static constexpr std::string_view notConstant =
        "weights or statistics are not constants of one floating-point type";

    std::expected<void, std::string_view> fold(const NodeRef &norm)
    {
        if (const std::string_view cause = whyNoConstantFactor(norm); !cause.empty())
            return Cause(cause);
        const auto layer =
            layerBefore(norm, m_rewriter.argument(norm, ops::normalizationArguments(m_rewriter.call(norm)).input));
        if (!layer)
            return Cause(layer.error());
        return fold(*layer, norm, [&](std::size_t count) { return channelsOf(norm, count); })
            ? std::expected<void, std::string_view>()
            : Cause(notConstant);
    }

    static bool isPlainDialect(const NodeRef &node) { return node.dialect() == "aten" || node.dialect() == "onnx"; }

    // ---- the normalization

    /// Returns why the node does not multiply each channel by a constant and add another; "" if it does.
    std::string_view whyNoConstantFactor(const NodeRef &node)
    {
        const auto isRead = [&](ir::ValueId value) { return m_rewriter.useCount(value) > 0; };
        if (node->outputs.empty() || std::any_of(node->outputs.begin() + 1, node->outputs.end(), isRead))
            return "their statistics are read";
        if (ops::normalizationArguments(m_rewriter.call(node)).useInputStats != false || !m_rewriter.isPure(node))
            return "they use the statistics of their input, as in training";
        return m_rewriter.written().contains(node.output(0)) ? writtenInPlace : std::string_view();
    }

    std::optional<Floats> floatsOf(const Operand *operand)
    {
        const auto id = operand ? m_rewriter.constant(*operand) : std::nullopt;
        if (!id || !ir::isFloat(m_rewriter.model().at(*id).dtype))
            return std::nullopt;
        auto numbers = ir::numbersOf(m_rewriter.model(), *id);
        return numbers ? std::optional(std::get<Floats>(std::move(*numbers))) : std::nullopt;
    }

    /// Returns the `count` numbers of a constant operand; as many times `defaultValue` if it is not given.
    std::optional<Floats> perChannel(const Operand *operand, std::size_t count, double defaultValue)
    {
        if (!operand || operand->as<ir::None>())
            return Floats(count, defaultValue);
        auto floats = floatsOf(operand);
        return floats && floats->size() == count ? floats : std::nullopt;
    }

    std::optional<Channels> channelsOf(const NodeRef &node, std::size_t count)
    {
        const ops::NormalizationArguments given = ops::normalizationArguments(m_rewriter.call(node));
        const auto mean = floatsOf(m_rewriter.argument(node, given.mean));
        const auto variance = floatsOf(m_rewriter.argument(node, given.variance));
        const auto weight = perChannel(m_rewriter.argument(node, given.weight), count, 1);
        const auto bias = perChannel(m_rewriter.argument(node, given.bias), count, 0);
        if (!mean || !variance || !weight || !bias || !given.epsilon || !*given.epsilon || mean->size() != count
            || variance->size() != count)
            return std::nullopt;
        const double epsilon = **given.epsilon;
        Channels channels;
        for (std::size_t c = 0; c < count; ++c) {
            channels.scale.push_back((*weight)[c] / std::sqrt((*variance)[c] + epsilon));
            channels.shift.push_back((*bias)[c] - (*mean)[c] * channels.scale[c]);
        }
        const auto isFinite = [](double x) { return std::isfinite(x); };
        const bool isUsable =
            std::ranges::all_of(channels.scale, isFinite) && std::ranges::all_of(channels.shift, isFinite);
        return isUsable ? std::optional(std::move(channels)) : std::nullopt;
    }

    // ---- products and sums

    void foldArithmetic(const NodeRef &node)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        static constexpr std::array kinds{ops::kind::mul, ops::kind::div, ops::kind::add, ops::kind::sub};
        if (!std::ranges::contains(kinds, kind) || !m_matching.isPlain(node) || !m_matching.isPlainArithmetic(node))
            return;
        for (const std::size_t side : {0U, 1U}) {
            const Operand *input = m_matching.operand(node, side), *constant = m_matching.operand(node, 1 - side);
            const auto layer = input && constant && (kind != ops::kind::div || side == 0) ? layerBefore(node, input)
                                                                                          : std::unexpected(noLayer);
            // The pass fuse-gemm handles matrix products with other sums.
            if (layer && m_rewriter.kind(layer->node) != ops::kind::matmul
                && m_matching.haveOneType(*input, node.output(0).id()) && hasBatch(*layer, *input))
                return static_cast<void>(fold(
                    *layer, node, [&](std::size_t count) { return channelsOf(kind, side, *constant, *input, count); }));
        }
    }

    /// Whether the channels are the second dimension of the result: torch's convolutions also take one sample.
    bool hasBatch(const Layer &layer, const Operand &result)
    {
        const auto weight = m_matching.tensor(*m_rewriter.argument(layer.node, ops::Position(layer.weight)));
        return weight && weight->shape->size() == m_matching.tensor(result)->shape->size();
    }

    /// Returns the scale and shift that make layer·c, layer/c, layer + c or layer - c a normalization. If the layer is
    /// the operand at `side` 1, the difference is c - layer.
    std::optional<Channels> channelsOf(ops::OperatorKind kind, std::size_t side, const Operand &constant,
                                       const Operand &input, std::size_t count)
    {
        auto numbers = ofChannels(constant, m_matching.tensor(input)->shape->size(), count);
        if (!numbers || !std::ranges::all_of(*numbers, [](double x) { return std::isfinite(x); }))
            return std::nullopt;
        Channels channels{Floats(count, 1), Floats(count, 0)};
        for (std::size_t c = 0; c < count; ++c) {
            const double number = (*numbers)[c];
            if (kind == ops::kind::mul || kind == ops::kind::div) {
                channels.scale[c] = kind == ops::kind::mul ? number : 1 / number;
            } else {
                channels.shift[c] = kind == ops::kind::sub && side == 0 ? -number : number;
                channels.scale[c] = kind == ops::kind::sub && side == 1 ? -1 : 1;
            }
        }
        const bool isUsable = std::ranges::all_of(channels.scale, [](double x) { return std::isfinite(x); });
        return isUsable ? std::optional(std::move(channels)) : std::nullopt;
    }

    /// Returns one number for each channel, the second dimension of a tensor of this rank: the elements of a constant
    /// whose other dimensions are 1, or its single number repeated. Nothing for other constants.
    std::optional<Floats> ofChannels(const Operand &constant, std::size_t rank, std::size_t count)
    {
        auto numbers = m_matching.numbers(&constant);
        if (numbers && numbers->size() == 1)
            return Floats(count, numbers->front());
        const auto id = numbers ? m_rewriter.constant(constant) : std::nullopt;
        if (!id || numbers->size() != count || m_rewriter.model().at(*id).shape.size() > rank)
            return std::nullopt;
        const std::vector<std::int64_t> &shape = m_rewriter.model().at(*id).shape;
        const std::size_t place = shape.size() + 1;
        const bool isChannel = place >= rank && std::cmp_equal(shape[place - rank], count);
        return isChannel ? numbers : std::nullopt;
    }

    // ---- the layer

    /// Returns the layer that makes the input of the normalization, if nothing else reads this input; else the reason
    /// why there is no such layer.
    std::expected<Layer, std::string_view> layerBefore(const NodeRef &norm, const Operand *input)
    {
        const auto value = ir::valueOf(m_rewriter.graph(), input);
        const auto node = value.and_then(&ir::ValueRef::producer);
        const auto layer =
            node && !m_rewriter.isRemoved(*node) && isPlainDialect(*node) && (*node)->parent == norm->parent
            ? layerOf(*node, *value)
            : std::nullopt;
        if (!layer)
            return Cause(noLayer);
        if (m_rewriter.written().contains(*value) || !m_rewriter.isPure(*node))
            return Cause(writtenInPlace);
        return m_rewriter.useCount(*value) == 1 ? std::expected<Layer, std::string_view>(*layer)
                                                : Cause("others read their input, too");
    }

    std::optional<Layer> layerOf(const NodeRef &node, ir::ValueId output)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        if (kind == ops::kind::conv || kind == ops::kind::convTranspose)
            return convolution(node);
        const ops::Fact fact = m_rewriter.proven(output);
        const ops::TensorFact *tensor = ops::asTensor(fact);
        // The channels of other tensors are not the last dimension, as a product's are.
        if (!tensor || !tensor->shape || tensor->shape->size() != 2)
            return std::nullopt;
        if (kind == ops::kind::matmul && node.isOnnx() && m_matching.opset(node) >= 7)
            return plainProduct(node);
        return kind == ops::kind::linear || kind == ops::kind::gemm ? product(node) : std::nullopt;
    }

    /// Returns a product of two matrices without a bias as a layer, which becomes a Gemm when it gets a bias.
    std::optional<Layer> plainProduct(const NodeRef &node)
    {
        const Operand *a = m_matching.operand(node, 0), *weight = m_matching.operand(node, 1);
        const auto x = a ? m_matching.tensor(*a) : std::nullopt, w = weight ? m_matching.tensor(*weight) : std::nullopt;
        if (!x || !w || x->shape->size() != 2 || w->shape->size() != 2)
            return std::nullopt;
        return Layer{node, 1, 2, 1, 1, "Gemm"};
    }

    std::optional<Layer> product(const NodeRef &node)
    {
        const ops::MatrixProductArguments given = ops::matrixProductArguments(m_rewriter.call(node));
        if (given.alpha != 1.0 || given.beta != 1.0 || !given.b || !given.added || !given.transposeB)
            return std::nullopt;
        return Layer{node, *given.b, *given.added, *given.transposeB ? 0U : 1U, 1, node.opName()};
    }

    std::optional<Layer> convolution(const NodeRef &node)
    {
        const auto given = ops::convolutionArguments(m_rewriter.call(node));
        const auto groups = given ? ops::number(given->groups) : std::nullopt;
        if (!groups || *groups < 1 || !given->transposed || !given->bias)
            return std::nullopt;
        return Layer{
            node,         *given->weight, *given->bias, given->outputChannelAxis(), *given->transposed ? *groups : 1,
            node.opName()};
    }

    // ---- the new layer

    bool fold(const Layer &layer, const NodeRef &norm,
              const std::function<std::optional<Channels>(std::size_t)> &channelsFor)
    {
        const Operand *weight = m_rewriter.argument(layer.node, ops::Position(layer.weight));
        const Operand *bias = m_rewriter.argument(layer.node, ops::Position(layer.bias));
        auto floats = floatsOf(weight);
        if (!floats)
            return false;
        const ir::Tensor tensor = m_rewriter.model().at(*m_rewriter.constant(*weight));
        if (tensor.shape.size() <= layer.channelAxis || !isOfType(norm, tensor.dtype))
            return false;
        const auto count = static_cast<std::size_t>(tensor.shape[layer.channelAxis] * layer.groups);
        const auto channels = channelsFor(count);
        auto biases = channels ? perChannel(bias, count, 0) : std::nullopt;
        if (!biases || tensor.shape[0] % layer.groups != 0)
            return false;
        scale(*floats, tensor, layer, channels->scale);
        for (std::size_t c = 0; c < count; ++c)
            (*biases)[c] = (*biases)[c] * channels->scale[c] + channels->shift[c];
        const Operand folded = constant(tensor, "", tensor.shape, std::move(*floats));
        replace(layer, norm, folded, constant(tensor, "_bias", {static_cast<std::int64_t>(count)}, std::move(*biases)));
        return true;
    }

    /// Whether the result of the normalization has `dtype`, that of a weight, or no known dtype: another one shows that
    /// the user wants a conversion.
    bool isOfType(const NodeRef &norm, ir::DType dtype)
    {
        const ops::Fact fact = m_rewriter.fact(norm.output(0));
        const ops::TensorFact *tensor = ops::asTensor(fact);
        return tensor && (!tensor->dtype || *tensor->dtype == dtype);
    }

    static void scale(Floats &floats, const ir::Tensor &tensor, const Layer &layer, const Floats &scales)
    {
        std::size_t inner = 1;
        for (std::size_t d = layer.channelAxis + 1; d < tensor.shape.size(); ++d)
            inner *= static_cast<std::size_t>(tensor.shape[d]);
        const auto channels = static_cast<std::size_t>(tensor.shape[layer.channelAxis]);
        const std::size_t perGroup = floats.size() / static_cast<std::size_t>(layer.groups);
        for (std::size_t i = 0; i < floats.size(); ++i)
            floats[i] *= scales[i / inner % channels + (layer.groups > 1 ? i / perGroup * channels : 0)];
    }

    Operand constant(const ir::Tensor &like, std::string_view ending, std::vector<std::int64_t> shape, Floats floats)
    {
        const std::string name = std::string(m_rewriter.context().text(like.name)) + "_folded" + std::string(ending);
        return m_rewriter.addConstant(name, like.dtype, std::move(shape),
                                      ir::encodeNumbers(like.dtype, ir::Numbers(std::move(floats))), like.kind);
    }

    void replace(const Layer &layer, const NodeRef &norm, const Operand &weight, const Operand &bias)
    {
        const NodeRef made = fuse(m_rewriter, {layer.node, norm}, norm,
                                  {.dialect = layer.node.dialect(),
                                   .name = layer.name,
                                   .overload = layer.node.overload(),
                                   .arguments = layer.node->arguments});
        m_rewriter.setArgument(made, layer.weight, weight);
        m_rewriter.setArgument(made, layer.bias, bias);
        m_rewriter.remove(norm);
        m_rewriter.remove(layer.node);
    }

    rewrite::Rewriter &m_rewriter;
    Matching m_matching;
};

} // namespace

extern const Pass foldBatchNorm;
const Pass foldBatchNorm{"fold-batch-norm",
                         "Folds inference-mode batch normalization, and products and sums with a constant for each "
                         "channel, into the convolution or linear layer before it; results change within rounding.",
                         {},
                         runOf<BatchNormFolding>,
                         false,
                         {"functionalize"},
                         {"unused-parameters"}};

} // namespace cutaway::passes
