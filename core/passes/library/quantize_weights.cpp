// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/network/convolution.h"
#include "core/ops/network/matrix_product.h"
#include "core/passes/left_over.h"
#include "core/passes/pass.h"
#include "core/passes/rewriter.h"

#include <algorithm>
#include <array>
#include <cmath>

// Weights of eight bits with a scale per output channel: scale = max |w| / 127, q = round(w / scale), no zero point. In
// ONNX the file has q as an initializer, a quarter of w, and DequantizeLinear gives scale·q back; in ATen it keeps w,
// and fake_quantize makes scale·q of it.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using Floats = std::vector<double>;

constexpr std::int64_t maxQuantum = 127;

/// A weight and the dimension of it that is the output channel.
struct Weight {
    ops::Position position;
    std::size_t axis;
};

class Quantization {
public:
    explicit Quantization(Rewriter &rewriter) : m_rewriter(rewriter) { }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes())
            if (const auto weight = weightOf(node)) {
                const std::string_view cause = quantize(node, *weight);
                if (cause.empty())
                    m_left.done();
                else
                    m_left.leave(cause);
            }
        m_rewriter.remark(m_left.print("weights of convolutions and linear layers are not quantized"));
    }

private:
    /// ONNX has had scales per channel since operator set 13.
    bool hasOperators(const NodeRef &node)
    {
        return node.dialect() == "aten" || (node.dialect() == "onnx" && m_rewriter.model().opset("onnx") >= 13);
    }

    std::optional<Weight> weightOf(const NodeRef &node)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        if (kind == ops::kind::conv || kind == ops::kind::convTranspose) {
            const auto given = ops::convolutionArguments(m_rewriter.call(node));
            return given && given->transposed ? std::optional(Weight{given->weight, given->outputChannelAxis()})
                                              : std::nullopt;
        }
        if (kind != ops::kind::linear && kind != ops::kind::gemm && (kind != ops::kind::matmul || !node.isOnnx()))
            return std::nullopt;
        const ops::MatrixProductArguments given = ops::matrixProductArguments(m_rewriter.call(node));
        return given.transposeB ? std::optional(Weight{given.b, *given.transposeB ? 0U : 1U}) : std::nullopt;
    }

    /// "", or why it is left.
    std::string_view quantize(const NodeRef &node, const Weight &weight)
    {
        if (!hasOperators(node))
            return node.isOnnx() ? "ONNX has scales per channel from opset 13 on" : "they are of another dialect";

        const auto value = ir::valueOf(m_rewriter.graph(), m_rewriter.argument(node, weight.position));
        const auto id = value ? m_rewriter.constant(*value) : std::nullopt;
        const ir::Tensor *stored = id ? &m_rewriter.model().at(*id) : nullptr;
        if (!stored || stored->dtype != ir::DType::Float32 || stored->shape.size() < 2
            || (m_rewriter.kind(node) == ops::kind::matmul && stored->shape.size() != 2))
            return "they are no float32 constants";
        const auto made = quantized(node, *value, weight.axis);
        if (!made)
            return "they are not finite, or their bytes are not there";
        replaceOperand(node, *value, *made);
        return {};
    }

    void replaceOperand(const NodeRef &node, ir::ValueId old, ir::ValueId made)
    {
        std::vector<ir::Argument> arguments = node->arguments;
        for (ir::Argument &argument : arguments)
            ir::replaceValue(argument.value, old, made);
        m_rewriter.setArguments(node, std::move(arguments));
    }

    std::optional<ir::ValueId> quantized(const NodeRef &node, const ir::ValueRef &value, std::size_t axis)
    {
        const ir::TensorId id = *value.weight();
        const ir::Tensor tensor = m_rewriter.model().at(id);
        const auto numbers = ir::numbersOf(m_rewriter.model(), id);
        if (!numbers)
            return std::nullopt;
        const auto &floats = std::get<Floats>(*numbers);
        std::size_t inner = 1;
        for (std::size_t d = axis + 1; d < tensor.shape.size(); ++d)
            inner *= static_cast<std::size_t>(tensor.shape[d]);
        const auto channels = static_cast<std::size_t>(tensor.shape[axis]);
        if (floats.empty() || !std::ranges::all_of(floats, [](double x) { return std::isfinite(x); }))
            return std::nullopt;
        const auto channelOf = [&](std::size_t i) { return i / inner % channels; };
        const Floats scales = scalesOf(floats, channels, channelOf);
        m_rewriter.from({node});
        const std::string name(m_rewriter.context().text(tensor.name));
        return node.isOnnx() ? stored(node, tensor, name, axis, floats, scales, channelOf)
                             : imitated(node, value, tensor, name, axis, scales);
    }

    static Floats scalesOf(const Floats &floats, std::size_t channels, const auto &channelOf)
    {
        Floats scales(channels, 0);
        for (std::size_t i = 0; i < floats.size(); ++i)
            scales[channelOf(i)] = std::max(scales[channelOf(i)], std::abs(floats[i]));
        for (double &scale : scales) {
            scale = ir::rounded(ir::DType::Float32, scale / maxQuantum);
            scale = scale == 0 ? 1 : scale; // nothing but zeros
        }
        return scales;
    }

    Operand constant(const std::string &name, ir::DType dtype, std::vector<std::int64_t> shape,
                     const ir::Numbers &numbers, ir::Tensor::Kind kind = ir::Tensor::Kind::Constant)
    {
        return m_rewriter.addConstant(name, dtype, std::move(shape), ir::encodeNumbers(dtype, numbers), kind);
    }

    ir::ValueId stored(NodeId node, const ir::Tensor &tensor, const std::string &name, std::size_t axis,
                       const Floats &floats, const Floats &scales, const auto &channelOf)
    {
        std::vector<std::int64_t> quanta;
        for (std::size_t i = 0; i < floats.size(); ++i)
            quanta.push_back(std::clamp(static_cast<std::int64_t>(std::nearbyint(floats[i] / scales[channelOf(i)])),
                                        -maxQuantum, maxQuantum));
        const auto channels = std::ssize(scales);
        return m_rewriter.makeBefore(node,
                                     {.dialect = "onnx",
                                      .name = "DequantizeLinear",
                                      .arguments = {{{},
                                                     constant(name + "_quantized", ir::DType::Int8, tensor.shape,
                                                              std::move(quanta), ir::Tensor::Kind::Buffer)},
                                                    {{},
                                                     constant(name + "_scale", ir::DType::Float32, {channels}, scales,
                                                              ir::Tensor::Kind::Parameter)},
                                                    {m_rewriter.text("axis"), static_cast<std::int64_t>(axis)}}},
                                     typeOf(tensor));
    }

    ir::ValueId imitated(NodeId node, ir::ValueId value, const ir::Tensor &tensor, const std::string &name,
                         std::size_t axis, const Floats &scales)
    {
        const auto channels = std::ssize(scales);
        const Operand zeros =
            constant(name + "_zero_point", ir::DType::Int32, {channels}, std::vector<std::int64_t>(scales.size(), 0));
        return m_rewriter.makeBefore(node,
                                     {.dialect = "aten",
                                      .name = "fake_quantize_per_channel_affine",
                                      .arguments = {{m_rewriter.text("self"), value},
                                                    {m_rewriter.text("scale"),
                                                     constant(name + "_scale", ir::DType::Float32, {channels}, scales)},
                                                    {m_rewriter.text("zero_point"), zeros},
                                                    {m_rewriter.text("axis"), static_cast<std::int64_t>(axis)},
                                                    {m_rewriter.text("quant_min"), -maxQuantum},
                                                    {m_rewriter.text("quant_max"), maxQuantum}}},
                                     typeOf(tensor));
    }

    ir::TypeId typeOf(const ir::Tensor &tensor)
    {
        ir::TensorType type;
        type.dtype = tensor.dtype;
        type.shape = ir::Shape(tensor.shape.begin(), tensor.shape.end());
        return m_rewriter.context().type(type);
    }

    Rewriter &m_rewriter;
    LeftOver m_left;
};

Result<void> runQuantizeWeights(Rewriter &rewriter, const Settings &)
{
    Quantization(rewriter).run();
    return {};
}

} // namespace

extern const Pass quantizeWeights;
const Pass quantizeWeights{"quantize-dequantize",
                           "Quantizes the weights of convolutions and linear layers to 8 bits with a scale per "
                           "channel; what the model computes changes.",
                           {},
                           runQuantizeWeights,
                           false,
                           {},
                           {"unused-parameters"}};

} // namespace cutaway::passes
