// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/library/packed_weights.h"

#include "core/base/formatted.h"
#include "core/base/limits.h"
#include "core/ir/context.h"
#include "core/ir/objects/object_parts.h"
#include "core/ir/tensors/tensor_numbers.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>
#include <cmath>

namespace cutaway::passes {

namespace {

using ir::DType;
using ir::NodeRef;
using ir::Operand;
using ir::TensorId;
using ir::ValueId;
using Doubles = std::vector<double>;
using Wholes = std::vector<std::int64_t>;

using ObjectParts = std::map<std::string, Operand>;

/// Returns the parts of the object with this path, as the file has them, by their names.
ObjectParts partsOf(const ir::Model &model, const std::string &path)
{
    const ir::ObjectParts all(model);
    ObjectParts parts;
    for (const ir::ObjectParts::Part &part : all.of(path))
        parts.emplace(part.name, part.value);
    return parts;
}

std::optional<TensorId> tensorOf(const ObjectParts &parts, std::initializer_list<const char *> names)
{
    for (const char *name : names)
        if (const auto found = parts.find(name); found != parts.end())
            if (const auto *tensor = found->second.as<TensorId>())
                return *tensor;
    return std::nullopt;
}

/// Returns the integers of a list or tuple; nothing if there is no part of this name, or if it holds something else.
std::optional<Wholes> numbersIn(const ObjectParts &parts, const std::string &name)
{
    const auto found = parts.find(name);
    const auto *list = found == parts.end() ? nullptr : found->second.as<ir::List>();
    if (!list)
        return std::nullopt;
    Wholes numbers;
    for (const Operand &item : list->items)
        if (const auto *number = item.as<std::int64_t>())
            numbers.push_back(*number);
    return numbers.size() == list->items.size() ? std::optional(std::move(numbers)) : std::nullopt;
}

std::optional<TensorId> tensorIn(const ObjectParts &parts, const std::string &list, std::size_t position)
{
    const auto found = parts.find(list);
    const auto *items = found == parts.end() ? nullptr : found->second.as<ir::List>();
    const auto *tensor = items && position < items->items.size() ? items->items[position].as<TensorId>() : nullptr;
    return tensor ? std::optional(*tensor) : std::nullopt;
}

std::optional<Wholes> wholesOf(const ir::Model &model, TensorId tensor)
{
    const auto numbers = ir::numbersOf(model, tensor);
    const auto *wholes = numbers ? std::get_if<Wholes>(&*numbers) : nullptr;
    return wholes ? std::optional(*wholes) : std::nullopt;
}

std::optional<Doubles> doublesOf(const ir::Model &model, TensorId tensor)
{
    const auto numbers = ir::numbersOf(model, tensor);
    const auto *doubles = numbers ? std::get_if<Doubles>(&*numbers) : nullptr;
    return doubles ? std::optional(*doubles) : std::nullopt;
}

Operand listOf(const Wholes &numbers) { return ir::List{{numbers.begin(), numbers.end()}}; }

ir::TypeId floats(rewrite::Rewriter &rewriter, const Wholes &shape)
{
    ir::TensorType type;
    type.dtype = DType::Float32;
    type.shape = ir::Shape(shape.begin(), shape.end());
    return rewriter.context().type(type);
}

/// Makes a node that converts integers to floats, with one scale and zero point for all channels, or one of each for
/// each channel. Returns its result.
ValueId dequantize(rewrite::Rewriter &rewriter, const NodeRef &next, const Operand &integers, DType dtype,
                   const Wholes &shape, const std::string &name, const Doubles &scales, const Wholes &zeros,
                   std::int64_t axis)
{
    const bool isWide = dtype == DType::Int32;
    const std::int64_t most = isWide ? (std::int64_t{1} << 31) - 1 : 127, least = -most - 1;
    std::vector<ir::Argument> arguments{{rewriter.text("input"), integers}};
    const bool isWhole = scales.size() == 1;
    if (isWhole) {
        arguments.push_back({rewriter.text("scale"), scales.front()});
        arguments.push_back({rewriter.text("zero_point"), zeros.front()});
    } else {
        const Wholes channels{std::ssize(scales)};
        arguments.push_back({rewriter.text("scales"),
                             rewriter.addConstant(name + "_scale", DType::Float32, channels,
                                                  ir::encodeNumbers(DType::Float32, scales))});
        if (!isWide) // ONNX Runtime's products of integers expect the zero points here
            arguments.push_back({rewriter.text("zero_points"),
                                 rewriter.addConstant(name + "_zero_point", DType::Int64, channels,
                                                      ir::encodeNumbers(DType::Int64, zeros))});
        else
            arguments.push_back({rewriter.text("zero_points"), ir::None()});
        arguments.push_back({rewriter.text("axis"), axis});
    }
    arguments.push_back({rewriter.text("quant_min"), least});
    arguments.push_back({rewriter.text("quant_max"), most});
    arguments.push_back({rewriter.text("dtype"), dtype});
    return rewriter.makeBefore(next,
                               {.dialect = "quantized_decomposed",
                                .name = isWhole ? "dequantize_per_tensor" : "dequantize_per_channel",
                                .arguments = std::move(arguments)},
                               floats(rewriter, shape));
}

} // namespace

std::optional<std::string> objectPath(rewrite::Rewriter &rewriter, const Operand &object)
{
    std::string path;
    Operand at = object;
    for (int depth = 0; depth <= limits::maxNesting; ++depth) {
        const auto before = [&](std::string_view outer) {
            return std::string(outer) + (outer.empty() || path.empty() ? "" : ".") + path;
        };
        if (const auto *constant = at.as<ir::ObjectId>())
            return before(rewriter.context().text(rewriter.model().at(*constant).name));
        const auto value = ir::valueOf(rewriter.graph(), &at);
        if (!value)
            return std::nullopt;
        const auto node = value->producer();
        if (!node)
            return path;
        const Operand *self = node->argument("self"), *name = node->argument("name");
        const auto *text = name ? name->as<ir::String>() : nullptr;
        if (rewriter.kind(*node) != ops::kind::getAttribute || !self || !text)
            return std::nullopt;
        path = before(rewriter.context().text(text->text));
        at = Operand(*self);
    }
    return std::nullopt;
}

std::optional<PackedWeight> PackedWeight::of(rewrite::Rewriter &rewriter, const Operand &object)
{
    const auto path = objectPath(rewriter, object);
    if (!path)
        return std::nullopt;
    const ir::Model &model = rewriter.model();
    const auto parts = partsOf(model, *path);
    PackedWeight made;
    if (const auto numbers = tensorIn(parts, "tensors", 0), weight = tensorIn(parts, "tensors", 1); numbers && weight) {
        made.m_weight = *weight;
        made.m_bias = tensorIn(parts, "optional_tensors", 1);
        made.m_convolution = convolutionOf(model, *numbers);
        if (!made.m_convolution)
            return std::nullopt;
    } else if (const auto held = tensorOf(parts, {"w", "weight"})) {
        made.m_weight = *held;
        made.m_bias = tensorOf(parts, {"b", "bias"});
        made.m_convolution = convolutionOf(model, parts);
        if (parts.contains("stride") && !made.m_convolution)
            return std::nullopt;
    } else {
        return std::nullopt;
    }
    const ir::Tensor &weight = model.at(made.m_weight);
    return weight.dtype == DType::QInt8 && weight.parts.size() >= 2 ? std::optional(made) : std::nullopt;
}

/// Reads the convolution from the attributes of a module of torch.ao.nn.quantized.
std::optional<PackedWeight::Convolution> PackedWeight::convolutionOf(const ir::Model &model,
                                                                     const std::map<std::string, Operand> &parts)
{
    const auto stride = numbersIn(parts, "stride"), dilation = numbersIn(parts, "dilation");
    auto padding = numbersIn(parts, "padding");
    const auto mode = parts.find("padding_mode");
    const auto *text = mode == parts.end() ? nullptr : mode->second.as<ir::String>();
    if (padding && text && model.context->text(text->text) != "zeros")
        padding->assign(padding->size(), 0); // a separate Pad pads before the convolution
    const auto groups = parts.find("groups"), transposed = parts.find("transposed");
    if (!stride || !padding || !dilation || groups == parts.end() || !groups->second.as<std::int64_t>())
        return std::nullopt;
    const Wholes outputPadding = numbersIn(parts, "output_padding").value_or(Wholes(stride->size(), 0));
    for (const Wholes *numbers : std::initializer_list<const Wholes *>{&*padding, &*dilation, &outputPadding})
        if (stride->empty() || numbers->size() != stride->size())
            return std::nullopt;
    const bool isTransposed = transposed != parts.end() && transposed->second == Operand(true);
    return Convolution{*stride, *padding, *dilation, outputPadding, *groups->second.as<std::int64_t>(), isTransposed};
}

/// Reads the convolution from [dimensions, stride…, padding…, dilation…, output padding…, groups, flags].
std::optional<PackedWeight::Convolution> PackedWeight::convolutionOf(const ir::Model &model, TensorId tensor)
{
    const auto numbers = wholesOf(model, tensor);
    if (!numbers || numbers->empty() || numbers->front() < 1 || numbers->front() > 3)
        return std::nullopt;
    const auto count = numbers->front();
    if (std::ssize(*numbers) < 3 + 4 * count)
        return std::nullopt;
    const auto group = [&](std::int64_t position) {
        const auto from = numbers->begin() + 1 + position * count;
        return Wholes(from, from + count);
    };
    const auto last = static_cast<std::size_t>(1 + 4 * count);
    return Convolution{group(0), group(1), group(2), group(3), (*numbers)[last], (*numbers)[last + 1] % 2 == 1};
}

/// Returns this weight for a convolution of one dimension. It is packed as a convolution of images of height 1, so the
/// settings of that dimension are left out.
PackedWeight PackedWeight::ofLines() const
{
    PackedWeight made = *this;
    for (Wholes *numbers : {&made.m_convolution->stride, &made.m_convolution->padding, &made.m_convolution->dilation,
                            &made.m_convolution->outputPadding})
        numbers->erase(numbers->begin());
    return made;
}

std::optional<PackedWeight::Weight> PackedWeight::dequantized(rewrite::Rewriter &rewriter, const NodeRef &next) const
{
    const ir::Tensor tensor = rewriter.model().at(m_weight);
    const auto integers = ir::numbersOf(rewriter.model(), m_weight);
    const auto scales = doublesOf(rewriter.model(), tensor.parts[0]);
    auto zeros = wholesOf(rewriter.model(), tensor.parts[1]);
    if (!zeros) {
        const auto floating = doublesOf(rewriter.model(), tensor.parts[1]);
        if (!floating || !std::ranges::all_of(*floating, [](double zero) { return std::abs(zero) < 0x1p31; }))
            return std::nullopt;
        zeros = Wholes(floating->begin(), floating->end());
    }
    if (!integers || !scales || !zeros || scales->empty() || scales->size() != zeros->size())
        return std::nullopt;
    const std::int64_t axis = m_convolution && m_convolution->isTransposed ? 1 : 0;
    const std::string name(rewriter.context().text(tensor.name));
    Wholes shape = tensor.shape;
    if (m_convolution && shape.size() == m_convolution->stride.size() + 3) {
        if (shape[2] != 1)
            return std::nullopt;
        shape.erase(shape.begin() + 2);
    }
    const ValueId stored = rewriter.addConstant(name + "_quantized", DType::Int8, shape,
                                                ir::encodeNumbers(DType::Int8, *integers), ir::Tensor::Kind::Buffer);
    return Weight{dequantize(rewriter, next, stored, DType::Int8, shape, name, *scales, *zeros, axis), *scales};
}

std::optional<Operand> PackedWeight::roundedBias(rewrite::Rewriter &rewriter, const NodeRef &next,
                                                 const Doubles &scales) const
{
    const ir::Tensor tensor = rewriter.model().at(*m_bias);
    const auto bias = doublesOf(rewriter.model(), *m_bias);
    if (!bias || (scales.size() != 1 && scales.size() != bias->size()))
        return std::nullopt;
    Wholes integers;
    for (std::size_t i = 0; i < bias->size(); ++i) {
        const double steps = std::nearbyint((*bias)[i] / scales[scales.size() == 1 ? 0 : i]);
        if (!(std::abs(steps) < 0x1p31))
            return std::nullopt;
        integers.push_back(static_cast<std::int64_t>(steps));
    }
    const std::string name(rewriter.context().text(tensor.name));
    const ValueId stored = rewriter.addConstant(name + "_quantized", DType::Int32, tensor.shape,
                                                ir::encodeNumbers(DType::Int32, integers), ir::Tensor::Kind::Buffer);
    return dequantize(rewriter, next, stored, DType::Int32, tensor.shape, name, scales, Wholes(scales.size(), 0), 0);
}

std::optional<ValueId> PackedWeight::applied(rewrite::Rewriter &rewriter, const NodeRef &next, const Operand &input,
                                             std::optional<double> inputScale, ir::TypeId result) const
{
    const ops::Fact fact = rewriter.fact(input);
    const ops::TensorFact *given = ops::asTensor(fact);
    if (m_convolution && given && given->shape && given->shape->size() + 1 == m_convolution->stride.size() + 2)
        return ofLines().applied(rewriter, next, input, inputScale, result);
    const auto weight = dequantized(rewriter, next);
    if (!weight)
        return std::nullopt;
    Operand bias;
    if (m_bias) {
        const ir::Tensor tensor = rewriter.model().at(*m_bias);
        bias = rewriter.weight(*m_bias, tensor.name, floats(rewriter, tensor.shape));
        Doubles scales = weight->scales;
        for (double &scale : scales)
            scale = ir::rounded(DType::Float32, scale * inputScale.value_or(0));
        if (const auto rounded = inputScale ? roundedBias(rewriter, next, scales) : std::nullopt)
            bias = *rounded;
    }
    if (!m_convolution)
        return rewriter.makeBefore(next,
                                   {.dialect = "aten",
                                    .name = "linear",
                                    .arguments = {{rewriter.text("input"), input},
                                                  {rewriter.text("weight"), weight->value},
                                                  {rewriter.text("bias"), bias}}},
                                   result);
    return rewriter.makeBefore(next,
                               {.dialect = "aten",
                                .name = "convolution",
                                .arguments = {{rewriter.text("input"), input},
                                              {rewriter.text("weight"), weight->value},
                                              {rewriter.text("bias"), bias},
                                              {rewriter.text("stride"), listOf(m_convolution->stride)},
                                              {rewriter.text("padding"), listOf(m_convolution->padding)},
                                              {rewriter.text("dilation"), listOf(m_convolution->dilation)},
                                              {rewriter.text("transposed"), m_convolution->isTransposed},
                                              {rewriter.text("output_padding"), listOf(m_convolution->outputPadding)},
                                              {rewriter.text("groups"), m_convolution->groups}}},
                               result);
}

} // namespace cutaway::passes
