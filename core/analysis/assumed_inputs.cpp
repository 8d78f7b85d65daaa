// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/assumed_inputs.h"

#include "core/base/checked.h"
#include "core/base/formatted.h"
#include "core/ir/node_ref.h"
#include "core/ops/row_names.h"
#include "core/ops/torch/signatures.h"

#include <algorithm>
#include <array>

namespace cutaway::analysis {

namespace {

using ir::Dim;
using ir::Shape;

/// Returns the shape that an operator requires of its first tensor argument, from the shape of its weight. Dimensions
/// that may have any size are UnknownDim.
using Wanted = Shape (*)(std::span<const std::int64_t> weight);

/// An image with as many spatial dimensions as the kernel, whose channels are dimension 1: see channelsOf().
Shape image(std::span<const std::int64_t> weight)
{
    return Shape(std::max<std::size_t>(weight.size(), 3), ir::UnknownDim{});
}

Shape transposedImage(std::span<const std::int64_t> weight)
{
    Shape shape = image(weight);
    shape[1] = weight[0];
    return shape;
}

bool isOfImages(Wanted wanted) { return wanted == image || wanted == transposedImage; }

Shape rowsOfInputs(std::span<const std::int64_t> weight)
{
    return {ir::UnknownDim{}, weight.size() == 2 ? Dim(weight[1]) : Dim(ir::UnknownDim{})};
}

Shape rowsOfFirst(std::span<const std::int64_t> weight)
{
    return {ir::UnknownDim{}, weight.size() == 2 ? Dim(weight[0]) : Dim(ir::UnknownDim{})};
}

Shape tokens(std::span<const std::int64_t>) { return {ir::UnknownDim{}, ir::UnknownDim{}}; }

struct Reader {
    ops::RowNames names;
    Wanted wanted;
    bool isOfIndices = false;
};

constexpr std::array readers{
    Reader{"aten::conv1d aten::conv2d aten::conv3d aten::_convolution aten::convolution onnx::Conv", image},
    Reader{"aten::conv_transpose2d onnx::ConvTranspose", transposedImage},
    Reader{"aten::linear", rowsOfInputs},
    Reader{"aten::matmul onnx::MatMul", rowsOfFirst},
    Reader{"aten::embedding", tokens, true},
};

/// Returns the first weight among the arguments of a node; nullptr if there is none.
const ir::Tensor *weightOf(const ir::Model &model, const ir::NodeRef &node)
{
    for (const ir::Argument &argument : node->arguments)
        if (const auto value = ir::valueOf(node.graph(), &argument.value); value && value->weight())
            return &model.at(*value->weight());
    return nullptr;
}

/// Returns the number of channels of the tensor that a convolution reads; unknown if it does not follow from the
/// convolution's arguments.
Dim channelsOf(const ir::NodeRef &node, ops::Signatures &signatures, std::span<const std::int64_t> weight)
{
    const ops::Signature *signature = signatures.of(node->op);
    const bool isOnnx = node.dialect() == "onnx";
    const ir::Operand *groups = ops::givenArgument(node, signature, isOnnx ? "group" : "groups");
    const ir::Operand *transposed = ops::givenArgument(node, signature, "transposed");
    const std::int64_t *count = groups ? groups->as<std::int64_t>() : nullptr;
    const bool *turned = transposed ? transposed->as<bool>() : nullptr;
    if ((groups && !count) || (transposed && !turned))
        return ir::UnknownDim{};
    const auto channels = turned && *turned ? weight[0] : checkedMultiply(weight[1], count ? *count : 1);
    return channels && *channels > 0 ? Dim(*channels) : Dim(ir::UnknownDim{});
}

/// Returns the tensor type that the value's first known reader with a weight requires; nothing if there is none.
std::optional<ir::TensorType> wantedOf(const ir::Model &model, const ir::ValueRef &value)
{
    ops::Signatures signatures(*model.context);
    for (const ir::Use &use : value->uses) {
        const auto *id = std::get_if<ir::NodeId>(&use);
        if (!id)
            continue;
        const ir::NodeRef node(value.graph(), *id);
        const auto reader = std::ranges::find_if(
            readers, [&](const Reader &each) { return each.names.has(node.dialect(), node.opName()); });
        const ir::Tensor *weight = weightOf(model, node);
        if (reader == readers.end() || !weight || (isOfImages(reader->wanted) && weight->shape.size() < 3))
            continue;
        ir::TensorType type;
        type.dtype = reader->isOfIndices ? ir::DType::Int64 : weight->dtype;
        type.shape = reader->wanted(weight->shape);
        if (reader->wanted == image)
            (*type.shape)[1] = channelsOf(node, signatures, weight->shape);
        return type;
    }
    return std::nullopt;
}

bool isKnown(const Dim &dim) { return !std::holds_alternative<ir::UnknownDim>(dim); }

/// Returns the type of an input some of whose sizes are not known. If the file does not state the rank, the shape and a
/// missing dtype are those of wantedOf(). Returns nothing if all sizes are known, or if the rank cannot be found.
std::optional<ir::TensorType> openType(const ir::Model &model, const ir::ValueRef &input, ir::TensorType declared)
{
    if (declared.shape)
        return std::ranges::all_of(*declared.shape, isKnown) ? std::nullopt : std::optional(std::move(declared));
    const auto wanted = wantedOf(model, input);
    if (!wanted)
        return std::nullopt;
    declared.shape = wanted->shape;
    if (!declared.dtype)
        declared.dtype = wanted->dtype;
    return declared;
}

std::string freshSymbol(ir::Model &model, std::string name)
{
    while (std::ranges::contains(model.symbols, name, &ir::Symbol::name))
        name += "_";
    model.symbols.push_back({name, {}, {}, {}});
    return name;
}

} // namespace

void assumeInputs(ir::Model &model, ir::FunctionId id, std::span<const std::string> given)
{
    ir::Function &function = model.functions[id.index];
    for (const ir::FunctionInput &input : function.inputs) {
        const auto value = ir::valueOf(function.graph, &input.value);
        const std::string name(model.context->text(input.name));
        if (!value || input.kind != ir::FunctionInput::Kind::User || std::ranges::contains(given, name))
            continue;
        const auto *declared = value->tensorType();
        auto type = declared ? openType(model, *value, *declared) : std::nullopt;
        if (!type)
            continue;
        for (std::size_t i = 0; i < type->shape->size(); ++i)
            if (!isKnown((*type->shape)[i]))
                (*type->shape)[i] = symbolic::Expr::symbol(freshSymbol(model, formatted("{}_{}", name, i)));
        if (!declared->shape)
            model.diagnostics.push_back(
                {ir::Severity::Info, std::string(assumedInput),
                 formatted("the file does not say what '{}' is; it is taken as {}{}, as its first reader needs it",
                           name, type->dtype ? ir::name(*type->dtype) : "a tensor of sizes", ir::print(*type->shape)),
                 id, std::nullopt});
        function.graph.setType(*value, model.context->type(*type));
    }
}

} // namespace cutaway::analysis
