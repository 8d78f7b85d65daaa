// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/write/constant_input.h"

#include "core/formats/onnx/attributes.h"
#include "core/formats/onnx/write/attribute_writer.h"
#include "core/formats/onnx/write/type_writer.h"

#include <algorithm>
#include <ranges>

namespace cutaway::formats::onnx {

namespace {

MessageWriter nodeOf(std::string_view attributeName, std::uint32_t field, AttributeType type,
                     const MessageWriter &value, std::string_view name)
{
    MessageWriter attribute;
    attribute.text(1, attributeName);
    attribute.message(field, value);
    attribute.number(20, static_cast<std::uint64_t>(type));
    MessageWriter node;
    node.text(2, name);
    node.text(4, "Constant");
    node.message(5, attribute);
    return node;
}

/// Adds an element to a TensorProto, in the field for its type, and returns its dtype; nothing if ONNX has none.
std::optional<ir::DType> addElement(MessageWriter &tensor, const Writing &writing, const ir::Operand &operand)
{
    if (const auto *n = operand.as<std::int64_t>())
        return tensor.integer(7, *n), ir::DType::Int64;
    if (const auto *x = operand.as<double>())
        return tensor.real(4, static_cast<float>(*x)), ir::DType::Float32;
    if (const auto *b = operand.as<bool>())
        return tensor.integer(5, *b ? 1 : 0), ir::DType::Bool;
    if (const auto *s = operand.as<ir::String>())
        return tensor.text(6, writing.text(s->text)), ir::DType::String;
    return std::nullopt;
}

} // namespace

MessageWriter constantNode(Writing &writing, ir::TensorId id, std::string_view name)
{
    if (writing.model.at(id).layout == ir::Layout::Strided)
        return nodeOf("value", 5, AttributeType::Tensor, tensorMessage(writing, id, name), name);
    return nodeOf("sparse_value", 22, AttributeType::SparseTensor, sparseMessage(writing, id, name), name);
}

std::optional<MessageWriter> constantNode(Writing &writing, const ir::Operand &operand, std::string_view name)
{
    if (const auto *id = operand.as<ir::TensorId>())
        return constantNode(writing, *id, name);
    const auto *list = operand.as<ir::List>();
    MessageWriter tensor;
    if (list)
        tensor.integer(1, static_cast<std::int64_t>(list->items.size()));
    std::optional<ir::DType> dtype = list && list->items.empty() ? std::optional(ir::DType::Int64) : std::nullopt;
    if (!list)
        dtype = addElement(tensor, writing, operand);
    for (std::size_t i = 0; list && i < list->items.size(); ++i) {
        const auto next = addElement(tensor, writing, list->items[i]);
        if (!next || (i > 0 && next != dtype))
            return std::nullopt;
        dtype = next;
    }
    if (!dtype)
        return std::nullopt;
    tensor.number(2, dataTypeOf(*dtype).value_or(0));
    return nodeOf("value", 5, AttributeType::Tensor, tensor, name);
}

MessageWriter quantizationMessage(std::string_view value, std::string_view text)
{
    MessageWriter annotation;
    annotation.text(1, value);
    for (const auto part : text | std::views::split(std::string_view(", "))) {
        const std::string_view pair(part.begin(), part.end());
        const std::size_t equals = std::min(pair.find('='), pair.size());
        annotation.entry(2, pair.substr(0, equals), pair.substr(std::min(equals + 1, pair.size())));
    }
    return annotation;
}

} // namespace cutaway::formats::onnx
