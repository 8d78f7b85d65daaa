// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/quantization.h"

#include "core/ir/node_ref.h"
#include "core/ops/network/quantization.h"
#include "core/tensor/elements.h"

#include <algorithm>

namespace cutaway::tensor {

namespace {

using Found = Result<std::optional<Quantization>>;

/// The most scales that are read: more scales are those of blocks, which are not supported.
constexpr std::uint64_t maxScales = 1u << 24;

Result<std::vector<double>> listedNumbers(const ir::Model &model, ir::TensorId id)
{
    CUTAWAY_TRY(const auto elements, Elements::of(model, id));
    if (elements.width() != 1 || elements.count() > maxScales)
        return unreadable("its scales or zero points are no list of numbers");
    std::vector<double> numbers(elements.count());
    elements.read(0, numbers);
    return numbers;
}

/// Returns the numbers of an operand, which is a number or a weight.
Result<std::vector<double>> listedNumbers(const ir::Model &model, const ir::NodeRef &node, const ir::Operand *operand)
{
    if (const auto *real = operand ? operand->as<double>() : nullptr)
        return std::vector{*real};
    if (const auto *integer = operand ? operand->as<std::int64_t>() : nullptr)
        return std::vector{static_cast<double>(*integer)};
    const auto value = ir::valueOf(node.graph(), operand);
    const auto weight = value ? value->weight() : std::nullopt;
    if (!weight)
        return unreadable("its scales or zero points are computed");
    return listedNumbers(model, *weight);
}

/// Returns the quantization with these parameters, after checking them against the shape.
Found quantization(const ir::Tensor &tensor, std::vector<double> scales, std::vector<double> zeroPoints,
                   std::optional<std::int64_t> axis)
{
    Quantization found{std::move(scales), std::move(zeroPoints), 0};
    if (found.zeroPoints.empty())
        found.zeroPoints.assign(found.scales.size(), 0);
    if (found.scales.empty() || found.zeroPoints.size() != found.scales.size())
        return unreadable("it has not as many scales as zero points");
    if (found.scales.size() == 1)
        return found;
    const auto rank = static_cast<std::int64_t>(tensor.shape.size());
    const std::int64_t at = axis.value_or(0) < 0 ? *axis + rank : axis.value_or(0);
    if (!axis || at < 0 || at >= rank
        || std::cmp_not_equal(tensor.shape[static_cast<std::size_t>(at)], found.scales.size()))
        return unreadable("along which dimension it is quantized is not known");
    found.axis = static_cast<std::size_t>(at);
    return found;
}

/// Returns the quantization in a tensor's parts. A file of PyTorch has scales and zero points, but not their axis.
Found byParts(const ir::Model &model, const ir::Tensor &tensor)
{
    if (tensor.parts.size() != 2)
        return unreadable("its scale and zero point are not known");
    CUTAWAY_TRY(auto scales, listedNumbers(model, tensor.parts[0]));
    CUTAWAY_TRY(auto zeroPoints, listedNumbers(model, tensor.parts[1]));
    std::optional<std::int64_t> axis;
    if (std::ranges::count(tensor.shape, static_cast<std::int64_t>(scales.size())) == 1)
        axis = std::ranges::find(tensor.shape, static_cast<std::int64_t>(scales.size())) - tensor.shape.begin();
    return quantization(tensor, std::move(scales), std::move(zeroPoints), axis);
}

std::optional<std::int64_t> integer(const ir::Operand *operand)
{
    const auto *number = operand ? operand->as<std::int64_t>() : nullptr;
    return number ? std::optional(*number) : std::nullopt;
}

const ir::Operand *argument(const ir::NodeRef &node, std::string_view name, std::size_t position)
{
    const ir::Operand *named = node.argument(name);
    return named ? named : node.input(position);
}

/// Returns the quantization with which a node dequantizes a tensor, its first input.
Found byNode(const ir::Model &model, const ir::Tensor &tensor, const ir::NodeRef &node)
{
    const bool isOnnx = node.isOnnx();
    const bool isPerChannel = ops::kindOf(node) == ops::kind::dequantizePerChannel;
    const std::int64_t blockSize = integer(node.argument("block_size")).value_or(0);
    const ir::Operand *zero = isOnnx ? node.input(2) : argument(node, isPerChannel ? "zero_points" : "zero_point", 2);
    CUTAWAY_TRY(
        auto scales,
        listedNumbers(model, node, isOnnx ? node.input(1) : argument(node, isPerChannel ? "scales" : "scale", 1)));
    const bool hasZero = zero && !zero->as<ir::None>();
    CUTAWAY_TRY(auto zeroPoints, hasZero ? listedNumbers(model, node, zero) : std::vector<double>());
    if (blockSize != 0)
        return unreadable("it is quantized in blocks");
    const auto axis =
        isOnnx ? std::optional(integer(node.argument("axis")).value_or(1)) : integer(argument(node, "axis", 3));
    return quantization(tensor, std::move(scales), std::move(zeroPoints), axis);
}

bool dequantizes(const ir::NodeRef &node)
{
    const ops::OperatorKind kind = ops::kindOf(node);
    return kind == ops::kind::dequantizeLinear || kind == ops::kind::dequantizePerTensor
        || kind == ops::kind::dequantizePerChannel;
}

bool isSame(const Quantization &a, const Quantization &b)
{
    return a.scales == b.scales && a.zeroPoints == b.zeroPoints && a.axis == b.axis;
}

/// Returns the quantization with which all nodes of a graph that dequantize a tensor do so.
Found byReaders(const ir::Model &model, ir::TensorId id, const ir::Graph &graph, Found known)
{
    for (ir::NodeId at{0}; known && at.index < graph.nodeCount(); ++at.index) {
        const ir::NodeRef node(graph, at);
        if (node->removed || node->arguments.empty() || !dequantizes(node))
            continue;
        const auto value = ir::valueOf(graph, argument(node, "input", 0));
        if (!value || value->weight() != id)
            continue;
        Found found = byNode(model, model.at(id), node);
        if (found && *found && *known && !isSame(**found, **known))
            return unreadable("nodes dequantize it with different scales");
        known = std::move(found);
    }
    return known;
}

} // namespace

Found quantizationOf(const ir::Model &model, ir::TensorId id)
{
    const ir::Tensor &tensor = model.at(id);
    const ir::ElementKind kind = ir::elementKind(tensor.dtype);
    if (kind == ir::ElementKind::QuantizedSigned || kind == ir::ElementKind::QuantizedUnsigned)
        return byParts(model, tensor);
    Found found = std::nullopt;
    for (const ir::Function &function : model.functions)
        found = byReaders(model, id, function.graph, std::move(found));
    return found;
}

} // namespace cutaway::tensor
