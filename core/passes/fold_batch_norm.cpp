// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ir/tensor_numbers.h"
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

using ir::NodeId;
using ir::Operand;
using ir::TensorId;
using Floats = std::vector<double>;

/// What a normalization does to a channel.
struct Channels {
    Floats scale, shift;
};

/// A layer with weights. Its output channel is one of the weight's dimensions, or that and the group together.
struct Layer {
    NodeId node;
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
        for (const NodeId node : m_rewriter.nodes())
            if (!m_rewriter.isRemoved(node) && isNormalization(node))
                if (const auto layer = layerBefore(node))
                    fold(*layer, node);
    }

private:
    const Operand *argument(NodeId node, std::string_view name, std::size_t position)
    {
        return m_rewriter.argument(node, name, position);
    }

    const Operand *attribute(NodeId node, std::string_view aten, std::string_view onnx)
    {
        return m_rewriter.isOnnx(node) ? m_rewriter.argument(node, onnx) : m_rewriter.argument(node, aten, 0);
    }

    /// A number that is given; `otherwise` where none is.
    std::optional<double> number(NodeId node, std::string_view aten, std::string_view onnx, double otherwise)
    {
        const Operand *operand = attribute(node, aten, onnx);
        return operand ? ops::asFloat(m_rewriter.fact(*operand)) : std::optional(otherwise);
    }

    bool isPlainDialect(NodeId node)
    {
        return m_rewriter.dialect(node) == "aten" || m_rewriter.dialect(node) == "onnx";
    }

    // ---- the normalization

    bool isNormalization(NodeId id)
    {
        const ir::Node &node = m_rewriter.graph().at(id);
        const auto isRead = [&](ir::ValueId value) { return m_rewriter.useCount(value) > 0; };
        if (m_rewriter.kind(id) != "batchnorm" || !isPlainDialect(id) || !m_rewriter.isPure(id) || node.outputs.empty()
            || std::any_of(node.outputs.begin() + 1, node.outputs.end(), isRead))
            return false;
        const Operand *trains = attribute(id, "training", "training_mode");
        const auto flag = trains ? ops::asBool(m_rewriter.fact(*trains)) : std::optional(false);
        return flag == false && !m_rewriter.written().contains(node.outputs.front());
    }

    std::optional<TensorId> constantId(const Operand *operand)
    {
        if (!operand || !m_rewriter.constant(*operand))
            return std::nullopt;
        if (const auto *tensor = operand->as<TensorId>())
            return *tensor;
        return std::get<ir::Weight>(m_rewriter.graph().at(*operand->as<ir::ValueId>()).definition).tensor;
    }

    std::optional<Floats> floatsOf(const Operand *operand)
    {
        const auto id = constantId(operand);
        if (!id || !ir::isFloat(m_rewriter.model().at(*id).dtype))
            return std::nullopt;
        auto numbers = ir::numbersOf(m_rewriter.model(), *id);
        return numbers ? std::optional(std::get<Floats>(std::move(*numbers))) : std::nullopt;
    }

    /// So many constants, or that many times `otherwise` where none are given.
    std::optional<Floats> perChannel(const Operand *operand, std::size_t count, double otherwise)
    {
        if (!operand || operand->as<ir::None>())
            return Floats(count, otherwise);
        auto floats = floatsOf(operand);
        return floats && floats->size() == count ? floats : std::nullopt;
    }

    std::optional<Channels> channelsOf(NodeId node, std::size_t count)
    {
        const Operand *means = argument(node, "running_mean", 3), *variances = argument(node, "running_var", 4);
        const auto mean = floatsOf(means), variance = floatsOf(variances);
        const auto weight = perChannel(argument(node, "weight", 1), count, 1);
        const auto bias = perChannel(argument(node, "bias", 2), count, 0);
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
    std::optional<Layer> layerBefore(NodeId norm)
    {
        const Operand *input = argument(norm, "input", 0);
        const auto *value = input ? input->as<ir::ValueId>() : nullptr;
        const auto node = value ? m_rewriter.maker(*input) : std::nullopt;
        if (!node || m_rewriter.useCount(*value) != 1 || m_rewriter.written().contains(*value)
            || m_rewriter.isRemoved(*node) || !m_rewriter.isPure(*node) || !isPlainDialect(*node)
            || m_rewriter.graph().at(*node).parent != m_rewriter.graph().at(norm).parent)
            return std::nullopt;
        return layerOf(*node, *value);
    }

    std::optional<Layer> layerOf(NodeId node, ir::ValueId output)
    {
        const std::string &kind = m_rewriter.kind(node);
        if (kind == "conv" || kind == "convtranspose")
            return convolution(node, kind == "convtranspose");
        const ops::Fact fact = m_rewriter.fact(output);
        const ops::TensorFact *tensor = ops::asTensor(fact);
        if (!tensor || !tensor->shape || tensor->shape->size() != 2) // else the last dimension is not the channel
            return std::nullopt;
        if (kind == "linear")
            return Layer{node, "weight", "bias", 1, 2, 0};
        const bool isPlain = number(node, "alpha", "alpha", 1) == 1.0 && number(node, "beta", "beta", 1) == 1.0;
        if (kind != "gemm" || !isPlain)
            return std::nullopt;
        const bool isTurned = m_rewriter.isOnnx(node) && number(node, "", "transB", 0) != 0.0;
        return Layer{node, "mat2", "self", 1, 2, isTurned ? 0U : 1U};
    }

    std::optional<Layer> convolution(NodeId node, bool isTransposedByName)
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

    void fold(const Layer &layer, NodeId norm)
    {
        const Operand *weight = argument(layer.node, layer.weightName, layer.weightAt);
        const Operand *bias = argument(layer.node, layer.biasName, layer.biasAt);
        const auto id = constantId(weight);
        auto floats = floatsOf(weight);
        const ir::Tensor tensor = id ? m_rewriter.model().at(*id) : ir::Tensor();
        if (!floats || tensor.shape.size() <= layer.channelAxis || !isOfType(norm, tensor.dtype))
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
    bool isOfType(NodeId norm, ir::DType dtype)
    {
        const ops::Fact fact = m_rewriter.fact(m_rewriter.graph().at(norm).outputs.front());
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

    void replace(const Layer &layer, NodeId norm, const Operand &weight, const Operand &bias)
    {
        const ir::Operator op = m_rewriter.context().at(m_rewriter.graph().at(layer.node).op);
        const ir::Context &context = m_rewriter.context();
        m_rewriter.from({layer.node, norm});
        const NodeId made = m_rewriter.insertBefore(norm,
                                                    {.dialect = context.text(op.dialect),
                                                     .name = context.text(op.name),
                                                     .overload = context.text(op.overload),
                                                     .arguments = m_rewriter.graph().at(layer.node).arguments});
        setArgument(made, layer.weightName, layer.weightAt, weight);
        setArgument(made, layer.biasName, layer.biasAt, bias);
        const ir::ValueId result = m_rewriter.graph().at(norm).outputs.front();
        const ir::Value old = m_rewriter.graph().at(result);
        m_rewriter.replaceUses(result, m_rewriter.addOutput(made, old.type, m_rewriter.context().text(old.name)));
        m_rewriter.remove(norm);
        m_rewriter.remove(layer.node);
    }

    /// Under its name, or at its position among those that have none.
    void setArgument(NodeId node, std::string_view name, std::size_t onnxPosition, const Operand &value)
    {
        const auto isNamed = [](const ir::Argument &a) { return a.name != ir::NameId{}; };
        std::vector<ir::Argument> arguments = m_rewriter.graph().at(node).arguments;
        const auto unnamed = static_cast<std::size_t>(std::ranges::count_if(arguments, std::not_fn(isNamed)));
        const std::size_t position = m_rewriter.isOnnx(node) ? onnxPosition : placeInSchema(node, name);
        if (!m_rewriter.isOnnx(node) && position >= unnamed)
            return m_rewriter.setArgument(node, name, value);
        if (position >= unnamed) {
            arguments.insert(std::ranges::find_if(arguments, isNamed), ir::Argument{{}, value});
        } else {
            auto place = std::ranges::find_if_not(arguments, isNamed);
            for (std::size_t i = 0; i < position; ++i)
                place = std::find_if_not(place + 1, arguments.end(), isNamed);
            place->value = value;
        }
        m_rewriter.setArguments(node, std::move(arguments));
    }

    std::size_t placeInSchema(NodeId node, std::string_view name)
    {
        const ops::Signature *known = m_rewriter.signature(node);
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
                         "Makes batch normalization out of training a part of the convolution or linear layer before "
                         "it; numbers change as far as they are rounded.",
                         {},
                         runFoldBatchNorm,
                         false};

} // namespace cutaway::passes
