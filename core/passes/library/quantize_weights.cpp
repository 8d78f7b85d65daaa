// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/ir/context.h"
#include "core/ir/names.h"
#include "core/ir/opsets.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/arguments/convolution_arguments.h"
#include "core/ops/arguments/matrix_product_arguments.h"
#include "core/ops/network/convolution.h"
#include "core/ops/network/matrix_product.h"
#include "core/passes/left_over.h"
#include "core/passes/pass.h"
#include "core/passes/ranges/value_ranges.h"
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

// Weights get eight bits and a scale per output channel: scale = max |w| / 127, q = round(w / scale), no zero point. In
// ONNX the file has q as an initializer, a quarter of the size of w, and DequantizeLinear computes scale·q; in ATen the
// file keeps w, and fake_quantize makes scale·q of it.
//
// With ranges that values had in runs, the input of each layer is quantized and dequantized, too: -128 to 127 stand for
// the range, widened to include 0, which is then represented exactly. In ATen these are the operators of
// quantized_decomposed, as PyTorch's own quantization of exported programs makes them, and the file has q. In ONNX a
// bias becomes int32 in multiples of the product of both scales: runtimes compute in integers only where input, weight
// and bias are quantized.

namespace cutaway::passes {

namespace {

using ir::NodeId;
using ir::NodeRef;
using ir::Operand;
using Floats = std::vector<double>;

constexpr std::int64_t maxQuantum = 127;
constexpr std::int64_t minOfInput = -128, maxOfInput = 127;

/// A layer's weight, its dimension of output channels, and the other factor of the product.
struct QuantizedLayer {
    ops::Position weight;
    std::size_t axis;
    ops::Position input;
    std::optional<ops::Position> bias = {}; ///< the argument that is added unchanged
};

/// The scale and zero point of quantized numbers: q stands for (q - zero)·scale.
struct Quanta {
    double scale = 1;
    std::int64_t zero = 0;
};

Quanta quantaOf(const ValueRange &range)
{
    const double low = std::min(range.min, 0.0), high = std::max(range.max, 0.0);
    Quanta quanta{ir::rounded(ir::DType::Float32, (high - low) / (maxOfInput - minOfInput)), 0};
    quanta.scale = quanta.scale > 0 ? quanta.scale : 1; // the range is 0 if all are zeros
    const double zero = std::nearbyint(minOfInput - low / quanta.scale);
    quanta.zero = static_cast<std::int64_t>(std::clamp<double>(zero, minOfInput, maxOfInput));
    return quanta;
}

class Quantization {
public:
    Quantization(rewrite::Rewriter &rewriter, std::optional<ValueRanges> ranges)
        : m_rewriter(rewriter),
          m_ranges(std::move(ranges))
    {
    }

    void run()
    {
        for (const NodeRef node : m_rewriter.nodes())
            if (const auto layer = layerOf(node)) {
                const std::string_view cause = quantize(node, *layer);
                count(m_left, cause);
                if (cause.empty() && m_ranges)
                    count(m_inputsLeft, quantizeInput(node, *layer));
            }
        m_rewriter.remark(m_left.print("weights of convolutions and linear layers are not quantized"));
        m_rewriter.remark(m_inputsLeft.print("inputs of layers with quantized weights are not quantized"));
    }

private:
    static void count(LeftOver &left, std::string_view cause)
    {
        if (cause.empty())
            left.done();
        else
            left.leave(cause);
    }

    /// Whether the dialect of the node has operators with scales per channel; ONNX has had them since operator set 13.
    bool hasOperators(const NodeRef &node)
    {
        return node.dialect() == "aten"
            || (node.dialect() == "onnx" && ir::opsetIn(m_rewriter.model(), m_rewriter.graph(), "onnx") >= 13);
    }

    std::optional<QuantizedLayer> layerOf(const NodeRef &node)
    {
        const ops::OperatorKind kind = m_rewriter.kind(node);
        if (kind == ops::kind::conv || kind == ops::kind::convTranspose) {
            const auto given = ops::convolutionArguments(m_rewriter.call(node));
            return given && given->transposed
                ? std::optional(QuantizedLayer{given->weight, given->outputChannelAxis(), given->input, given->bias})
                : std::nullopt;
        }
        if (kind != ops::kind::linear && kind != ops::kind::gemm && (kind != ops::kind::matmul || !node.isOnnx()))
            return std::nullopt;
        const ops::MatrixProductArguments given = ops::matrixProductArguments(m_rewriter.call(node));
        if (!given.transposeB)
            return std::nullopt;
        QuantizedLayer layer{given.b, *given.transposeB ? 0U : 1U, given.a};
        if (kind == ops::kind::gemm && given.alpha == 1 && given.beta == 1)
            layer.bias = given.added;
        return layer;
    }

    /// Quantizes the weight of a layer. Returns "", or the reason why it is left.
    std::string_view quantize(const NodeRef &node, const QuantizedLayer &layer)
    {
        if (!hasOperators(node))
            return node.isOnnx() ? "ONNX has scales per channel from opset 13 on" : "they are of another dialect";

        const auto value = ir::valueOf(m_rewriter.graph(), m_rewriter.argument(node, layer.weight));
        const auto id = value ? m_rewriter.constant(*value) : std::nullopt;
        const ir::Tensor *stored = id ? &m_rewriter.model().at(*id) : nullptr;
        if (!stored || stored->dtype != ir::DType::Float32 || stored->shape.size() < 2
            || (m_rewriter.kind(node) == ops::kind::matmul && stored->shape.size() != 2))
            return "they are no float32 constants";
        const auto made = quantized(node, *value, layer.axis);
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
        m_scales[node] = scales;
        return node.isOnnx() || m_ranges ? stored(node, tensor, name, axis, floats, scales, channelOf)
                                         : imitated(node, value, tensor, name, axis, scales);
    }

    static Floats scalesOf(const Floats &floats, std::size_t channels, const auto &channelOf)
    {
        Floats scales(channels, 0);
        for (std::size_t i = 0; i < floats.size(); ++i)
            scales[channelOf(i)] = std::max(scales[channelOf(i)], std::abs(floats[i]));
        for (double &scale : scales) {
            scale = ir::rounded(ir::DType::Float32, scale / maxQuantum);
            scale = scale == 0 ? 1 : scale; // the scale is 0 if all are zeros
        }
        return scales;
    }

    Operand constant(const std::string &name, ir::DType dtype, std::vector<std::int64_t> shape,
                     const ir::Numbers &numbers, ir::Tensor::Kind kind = ir::Tensor::Kind::Constant)
    {
        return m_rewriter.addConstant(name, dtype, std::move(shape), ir::encodeNumbers(dtype, numbers), kind);
    }

    ir::ValueId stored(const NodeRef &node, const ir::Tensor &tensor, const std::string &name, std::size_t axis,
                       const Floats &floats, const Floats &scales, const auto &channelOf)
    {
        std::vector<std::int64_t> quanta;
        for (std::size_t i = 0; i < floats.size(); ++i)
            quanta.push_back(std::clamp(static_cast<std::int64_t>(std::nearbyint(floats[i] / scales[channelOf(i)])),
                                        -maxQuantum, maxQuantum));
        const auto channels = std::ssize(scales);
        const Operand stored =
            constant(name + "_quantized", ir::DType::Int8, tensor.shape, std::move(quanta), ir::Tensor::Kind::Buffer);
        const auto place = static_cast<std::int64_t>(axis);
        if (node.isOnnx()) {
            std::vector<ir::Argument> arguments{
                {{}, stored},
                {{}, constant(name + "_scale", ir::DType::Float32, {channels}, scales, ir::Tensor::Kind::Parameter)}};
            if (m_ranges) // without zero points ONNX Runtime's product of integers takes no scales per channel
                arguments.push_back({{},
                                     constant(name + "_zero_point", ir::DType::Int8, {channels},
                                              std::vector<std::int64_t>(scales.size(), 0))});
            arguments.push_back({m_rewriter.text("axis"), place});
            return m_rewriter.makeBefore(
                node, {.dialect = "onnx", .name = "DequantizeLinear", .arguments = std::move(arguments)},
                typeOf(tensor));
        }
        const Operand zeros =
            constant(name + "_zero_point", ir::DType::Int64, {channels}, std::vector<std::int64_t>(scales.size(), 0));
        return m_rewriter.makeBefore(node,
                                     {.dialect = "quantized_decomposed",
                                      .name = "dequantize_per_channel",
                                      .arguments = {{m_rewriter.text("input"), stored},
                                                    {m_rewriter.text("scales"),
                                                     constant(name + "_scale", ir::DType::Float32, {channels}, scales)},
                                                    {m_rewriter.text("zero_points"), zeros},
                                                    {m_rewriter.text("axis"), place},
                                                    {m_rewriter.text("quant_min"), -maxQuantum},
                                                    {m_rewriter.text("quant_max"), maxQuantum},
                                                    {m_rewriter.text("dtype"), ir::DType::Int8}}},
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

    // ---- inputs

    /// Quantizes the input of a layer. Returns "", or the reason why it is left.
    std::string_view quantizeInput(const NodeRef &node, const QuantizedLayer &layer)
    {
        const auto value = ir::valueOf(m_rewriter.graph(), m_rewriter.argument(node, layer.input));
        const ops::Fact fact = value ? m_rewriter.fact(*value) : ops::Fact();
        const ops::TensorFact *tensor = ops::asTensor(fact);
        if (!tensor || tensor->dtype != ir::DType::Float32)
            return "they are not known to be float32";
        const auto range = m_ranges->find(ir::nameOf(*value));
        if (range == m_ranges->end())
            return "the ranges have no value of their name";
        const Quanta quanta = quantaOf(range->second);
        auto &made = m_inputs[{value->id(), node->parent}];
        if (!made)
            made = thereAndBack(node, *value, quanta);
        replaceOperand(node, *value, *made);
        if (node.isOnnx() && layer.bias)
            quantizeBias(node, *layer.bias, quanta.scale);
        return {};
    }

    ir::ValueId thereAndBack(const NodeRef &node, const ir::ValueRef &value, const Quanta &quanta)
    {
        const ir::TypeId real = value->type;
        ir::TensorType type = value.tensorType() ? *value.tensorType() : ir::TensorType();
        type.dtype = ir::DType::Int8;
        const ir::TypeId quantized = m_rewriter.context().type(type);
        m_rewriter.from({node});
        if (node.isOnnx()) {
            const std::string name = ir::nameOf(value);
            const Operand scale = constant(name + "_scale", ir::DType::Float32, {}, Floats{quanta.scale});
            const Operand zero =
                constant(name + "_zero_point", ir::DType::Int8, {}, std::vector<std::int64_t>{quanta.zero});
            const auto make = [&](std::string_view op, ir::ValueId x, ir::TypeId result) {
                return m_rewriter.makeBefore(
                    node, {.dialect = "onnx", .name = op, .arguments = {{{}, x}, {{}, scale}, {{}, zero}}}, result);
            };
            return make("DequantizeLinear", make("QuantizeLinear", value, quantized), real);
        }
        const auto make = [&](std::string_view op, ir::ValueId x, ir::TypeId result) {
            return m_rewriter.makeBefore(node,
                                         {.dialect = "quantized_decomposed",
                                          .name = op,
                                          .arguments = {{m_rewriter.text("input"), x},
                                                        {m_rewriter.text("scale"), quanta.scale},
                                                        {m_rewriter.text("zero_point"), quanta.zero},
                                                        {m_rewriter.text("quant_min"), minOfInput},
                                                        {m_rewriter.text("quant_max"), maxOfInput},
                                                        {m_rewriter.text("dtype"), ir::DType::Int8}}},
                                         result);
        };
        return make("dequantize_per_tensor", make("quantize_per_tensor", value, quantized), real);
    }

    /// Quantizes a bias with the product of both scales. A bias stays if it is no constant per channel, or would need
    /// more bits.
    void quantizeBias(const NodeRef &node, ops::Position position, double inputScale)
    {
        const auto value = ir::valueOf(m_rewriter.graph(), m_rewriter.argument(node, position));
        const auto id = value ? m_rewriter.constant(*value) : std::nullopt;
        const Floats &weightScales = m_scales.at(node);
        if (!id || m_rewriter.model().at(*id).dtype != ir::DType::Float32
            || m_rewriter.model().at(*id).shape != std::vector<std::int64_t>{std::ssize(weightScales)})
            return;
        const ir::Tensor tensor = m_rewriter.model().at(*id);
        const auto numbers = ir::numbersOf(m_rewriter.model(), *id);
        if (!numbers)
            return;
        const auto &floats = std::get<Floats>(*numbers);
        Floats scales;
        std::vector<std::int64_t> quanta;
        for (std::size_t i = 0; i < floats.size(); ++i) {
            scales.push_back(ir::rounded(ir::DType::Float32, inputScale * weightScales[i]));
            const double steps = std::nearbyint(floats[i] / scales.back());
            if (!(std::abs(steps) < 0x1p31))
                return;
            quanta.push_back(static_cast<std::int64_t>(steps));
        }
        const std::string name(m_rewriter.context().text(tensor.name));
        const auto channels = std::ssize(scales);
        const ir::ValueId made = m_rewriter.makeBefore(
            node,
            {.dialect = "onnx",
             .name = "DequantizeLinear",
             .arguments = {{{},
                            constant(name + "_quantized", ir::DType::Int32, {channels}, std::move(quanta),
                                     ir::Tensor::Kind::Buffer)},
                           {{}, constant(name + "_scale", ir::DType::Float32, {channels}, scales)},
                           {m_rewriter.text("axis"), std::int64_t{0}}}},
            typeOf(tensor));
        replaceOperand(node, *value, made);
    }

    ir::TypeId typeOf(const ir::Tensor &tensor)
    {
        ir::TensorType type;
        type.dtype = tensor.dtype;
        type.shape = ir::Shape(tensor.shape.begin(), tensor.shape.end());
        return m_rewriter.context().type(type);
    }

    rewrite::Rewriter &m_rewriter;
    std::optional<ValueRanges> m_ranges; ///< nothing: only weights are quantized
    /// By value and by region of the readers: the quantized and dequantized value.
    std::map<std::pair<ir::ValueId, ir::RegionId>, std::optional<ir::ValueId>> m_inputs;
    std::map<NodeId, Floats> m_scales; ///< by layer: the scales of its weights
    LeftOver m_left, m_inputsLeft;
};

/// Replaces the name of the ranges' file in the settings by its text.
Result<Settings> preparedRanges(Settings settings)
{
    const std::string given = settings.word("ranges");
    if (given.empty() || given.starts_with('{'))
        return settings;
    const auto file = MappedFile::open(given);
    if (!file)
        return usageError(file.error().message, given);
    std::string text(reinterpret_cast<const char *>(file->bytes().data()), file->bytes().size());
    if (const auto ranges = parseRanges(text); !ranges)
        return usageError(ranges.error().message, given);
    settings.set("ranges", std::move(text));
    settings.setFile("ranges", given);
    return settings;
}

Result<void> runQuantizeWeights(rewrite::Rewriter &rewriter, const Settings &settings)
{
    std::optional<ValueRanges> ranges;
    if (!settings.word("ranges").empty()) {
        CUTAWAY_TRY(ranges, parseRanges(settings.word("ranges")));
    }
    Quantization(rewriter, std::move(ranges)).run();
    return {};
}

} // namespace

extern const Pass quantizeWeights;
const Pass quantizeWeights{"quantize-dequantize",
                           "Quantizes the weights of convolutions and linear layers to 8 bits with a scale per "
                           "channel, and with ranges of values, as 'calibrate' writes them, what they read; what the "
                           "model computes changes.",
                           {{"ranges", "a file that 'calibrate' has written", std::string(), {}, true}},
                           runQuantizeWeights,
                           false,
                           {},
                           {"unused-parameters"},
                           preparedRanges};

} // namespace cutaway::passes
