// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/network/convolution.h"
#include "core/ops/network/matrix_product.h"
#include "core/ops/network/normalization.h"
#include "core/passes/pass.h"
#include "core/passes/rewriter.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

// Out of training batch normalization is y = (x - mean) * scale + shift for each channel, with
// scale = weight / sqrt(variance + epsilon). Where x = W·a + b is a convolution or a linear layer, that is the same
// layer with the weights scale·W and the bias (b - mean) * scale + shift.

namespace cutaway::passes {

namespace {

using ir::NodeRef;
using ir::Operand;
using ir::TensorId;
using Floats = std::vector<double>;

/// What a normalization does to a channel.
struct Channels {
    Floats scale, shift;
};

/// A layer with weights. Its output channel is one of the weight's dimensions, or that and the group together.
struct Layer {
    NodeRef node;
    std::string_view weightName, biasName;
    std::size_t weightAt, biasAt; ///< inputs of ONNX
    std::size_t channelAxis;      ///< of the weight
    std::int64_t groups = 1;      ///< if the channel is one of its group
};

class BatchNormFolding {
public:
    explicit BatchNormFolding(Rewriter &rewriter) : m_rewriter(rewriter) { }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes())
            if (!m_rewriter.isRemoved(node) && isNormalization(node))
                if (const auto layer = layerBefore(node))
                    fold(*layer, node);
    }

private:
    const Operand *attribute(const NodeRef &node, std::string_view aten, std::string_view onnx)
    {
        return node.isOnnx() ? node.argument(onnx) : m_rewriter.argument(node, aten);
    }

    /// A number that is given; `defaultValue` where none is.
    std::optional<double> number(const NodeRef &node, std::string_view aten, std::string_view onnx, double defaultValue)
    {
        const Operand *operand = attribute(node, aten, onnx);
        return operand ? ops::asFloat(m_rewriter.fact(*operand)) : std::optional(defaultValue);
    }

    static bool isPlainDialect(const NodeRef &node) { return node.dialect() == "aten" || node.dialect() == "onnx"; }

    // ---- the normalization

    bool isNormalization(const NodeRef &node)
    {
        const auto isRead = [&](ir::ValueId value) { return m_rewriter.useCount(value) > 0; };
        if (m_rewriter.kind(node) != ops::kind::batchNorm || !isPlainDialect(node) || !m_rewriter.isPure(node)
            || node->outputs.empty() || std::any_of(node->outputs.begin() + 1, node->outputs.end(), isRead))
            return false;
        const Operand *trains = attribute(node, "training", "training_mode");
        const auto flag = trains ? ops::asBool(m_rewriter.fact(*trains)) : std::optional(false);
        return flag == false && !m_rewriter.written().contains(node.output(0));
    }

    std::optional<Floats> floatsOf(const Operand *operand)
    {
        const auto id = operand ? m_rewriter.constant(*operand) : std::nullopt;
        if (!id || !ir::isFloat(m_rewriter.model().at(*id).dtype))
            return std::nullopt;
        auto numbers = ir::numbersOf(m_rewriter.model(), *id);
        return numbers ? std::optional(std::get<Floats>(std::move(*numbers))) : std::nullopt;
    }

    /// So many constants, or that many times `defaultValue` where none are given.
    std::optional<Floats> perChannel(const Operand *operand, std::size_t count, double defaultValue)
    {
        if (!operand || operand->as<ir::None>())
            return Floats(count, defaultValue);
        auto floats = floatsOf(operand);
        return floats && floats->size() == count ? floats : std::nullopt;
    }

    std::optional<Channels> channelsOf(const NodeRef &node, std::size_t count)
    {
        const auto mean = floatsOf(m_rewriter.argument(node, "running_mean", 3));
        const auto variance = floatsOf(m_rewriter.argument(node, "running_var", 4));
        const auto weight = perChannel(m_rewriter.argument(node, "weight", 1), count, 1);
        const auto bias = perChannel(m_rewriter.argument(node, "bias", 2), count, 0);
        const auto epsilon = number(node, "eps", "epsilon", 1e-5);
        if (!mean || !variance || !weight || !bias || !epsilon || mean->size() != count || variance->size() != count)
            return std::nullopt;
        Channels channels;
        for (std::size_t c = 0; c < count; ++c) {
            channels.scale.push_back((*weight)[c] / std::sqrt((*variance)[c] + *epsilon));
            channels.shift.push_back((*bias)[c] - (*mean)[c] * channels.scale[c]);
        }
        const auto isFinite = [](double x) { return std::isfinite(x); };
        const bool isUsable =
            std::ranges::all_of(channels.scale, isFinite) && std::ranges::all_of(channels.shift, isFinite);
        return isUsable ? std::optional(std::move(channels)) : std::nullopt;
    }

    // ---- the layer

    /// What makes the normalization's input, for nobody else.
    std::optional<Layer> layerBefore(const NodeRef &norm)
    {
        const auto value = ir::valueOf(m_rewriter.graph(), m_rewriter.argument(norm, "input", 0));
        const auto node = value.and_then(&ir::ValueRef::producer);
        if (!node || m_rewriter.useCount(*value) != 1 || m_rewriter.written().contains(*value)
            || m_rewriter.isRemoved(*node) || !m_rewriter.isPure(*node) || !isPlainDialect(*node)
            || (*node)->parent != norm->parent)
            return std::nullopt;
        return layerOf(*node, *value);
    }

    std::optional<Layer> layerOf(const NodeRef &node, ir::ValueId output)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        if (kind == ops::kind::conv || kind == ops::kind::convTranspose)
            return convolution(node, kind == ops::kind::convTranspose);
        const ops::Fact fact = m_rewriter.fact(output);
        const ops::TensorFact *tensor = ops::asTensor(fact);
        if (!tensor || !tensor->shape || tensor->shape->size() != 2) // else the last dimension is not the channel
            return std::nullopt;
        if (kind == ops::kind::linear)
            return Layer{node, "weight", "bias", 1, 2, 0};
        const bool isPlain = number(node, "alpha", "alpha", 1) == 1.0 && number(node, "beta", "beta", 1) == 1.0;
        if (kind != ops::kind::gemm || !isPlain)
            return std::nullopt;
        const bool isTurned = node.isOnnx() && number(node, "", "transB", 0) != 0.0;
        return Layer{node, "mat2", "self", 1, 2, isTurned ? 0U : 1U};
    }

    std::optional<Layer> convolution(const NodeRef &node, bool isTransposedByName)
    {
        const Operand *flag = attribute(node, "transposed", "transposed");
        const auto given = flag ? ops::asBool(m_rewriter.fact(*flag)) : std::optional(isTransposedByName);
        const auto groups = number(node, "groups", "group", 1);
        if (!given || !groups || *groups < 1)
            return std::nullopt;
        Layer layer{node, "weight", "bias", 1, 2, *given ? 1U : 0U};
        layer.groups = *given ? static_cast<std::int64_t>(*groups) : 1;
        return layer;
    }

    // ---- the new layer

    void fold(const Layer &layer, const NodeRef &norm)
    {
        const Operand *weight = m_rewriter.argument(layer.node, layer.weightName, layer.weightAt);
        const Operand *bias = m_rewriter.argument(layer.node, layer.biasName, layer.biasAt);
        auto floats = floatsOf(weight);
        if (!floats)
            return;
        const ir::Tensor tensor = m_rewriter.model().at(*m_rewriter.constant(*weight));
        if (tensor.shape.size() <= layer.channelAxis || !isOfType(norm, tensor.dtype))
            return;
        const auto count = static_cast<std::size_t>(tensor.shape[layer.channelAxis] * layer.groups);
        const auto channels = channelsOf(norm, count);
        auto biases = channels ? perChannel(bias, count, 0) : std::nullopt;
        if (!biases || tensor.shape[0] % layer.groups != 0)
            return;
        scale(*floats, tensor, layer, channels->scale);
        for (std::size_t c = 0; c < count; ++c)
            (*biases)[c] = (*biases)[c] * channels->scale[c] + channels->shift[c];
        replace(layer, norm, constant(tensor, "", tensor.shape, std::move(*floats)),
                constant(tensor, "_bias", {static_cast<std::int64_t>(count)}, std::move(*biases)));
    }

    /// Weights of one type and results of another are somebody's conversion in between.
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
        m_rewriter.from({layer.node, norm});
        const NodeRef made = m_rewriter.insertBefore(norm,
                                                     {.dialect = layer.node.dialect(),
                                                      .name = layer.node.opName(),
                                                      .overload = layer.node.overload(),
                                                      .arguments = layer.node->arguments});
        setArgument(made, layer.weightName, layer.weightAt, weight);
        setArgument(made, layer.biasName, layer.biasAt, bias);
        const ir::ValueRef result = norm.output(0);
        m_rewriter.replaceUses(result, m_rewriter.addOutput(made, result->type, result.name()));
        m_rewriter.remove(norm);
        m_rewriter.remove(layer.node);
    }

    /// Under its name, or at its position among those that have none.
    void setArgument(const NodeRef &node, std::string_view name, std::size_t onnxPosition, const Operand &value)
    {
        const auto isNamed = [](const ir::Argument &a) { return a.name != ir::NameId{}; };
        std::vector<ir::Argument> arguments = node->arguments;
        std::size_t position = node.isOnnx() ? onnxPosition : placeInSchema(node, name);
        if (!node.isOnnx() && position >= node.inputCount())
            return m_rewriter.setArgument(node, name, value);
        if (position >= node.inputCount())
            arguments.insert(std::ranges::find_if(arguments, isNamed), ir::Argument{{}, value});
        else
            for (ir::Argument &argument : arguments)
                if (!isNamed(argument) && position-- == 0)
                    argument.value = value;
        m_rewriter.setArguments(node, std::move(arguments));
    }

    std::size_t placeInSchema(const NodeRef &node, std::string_view name)
    {
        const ops::Signature *known = m_rewriter.signature(node->op);
        if (!known)
            return std::numeric_limits<std::size_t>::max();
        const auto &declared = known->schema.arguments;
        return static_cast<std::size_t>(std::ranges::find(declared, name, &ops::SchemaArgument::name)
                                        - declared.begin());
    }

    Rewriter &m_rewriter;
};

Result<void> runFoldBatchNorm(Rewriter &rewriter, const Settings &)
{
    BatchNormFolding(rewriter).run();
    return {};
}

} // namespace

extern const Pass foldBatchNorm;
const Pass foldBatchNorm{"fold-batch-norm",
                         "Folds inference-mode batch normalization into the convolution or linear layer before it; "
                         "results change within rounding.",
                         {},
                         runFoldBatchNorm,
                         false};

} // namespace cutaway::passes
