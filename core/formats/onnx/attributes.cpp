// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/attributes.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/limits.h"
#include "core/formats/onnx/tensors.h"
#include "core/formats/onnx/types.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace cutaway::formats::onnx {

namespace {

using ir::Operand;

/// The field that holds the value of each type, in the order of AttributeType.
constexpr std::array<std::uint32_t, 15> valueFields{0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 22, 23, 14, 15};

std::uint32_t fieldOf(AttributeType type) { return valueFields[static_cast<std::size_t>(type)]; }

bool hasValue(const AttributeProto &attribute) { return attribute.last.number() == fieldOf(attribute.type); }

AttributeType typeOfField(std::uint32_t number)
{
    for (std::size_t i = 1; i < valueFields.size(); ++i)
        if (valueFields[i] == number)
            return static_cast<AttributeType>(i);
    return AttributeType::None;
}

std::vector<float> readFloats(const AttributeProto &attribute)
{
    std::vector<float> numbers;
    MessageReader reader(attribute.message);
    for (Field field; reader.next(field);) {
        if (field.tag == fixed32Field(7)) {
            numbers.push_back(field.real());
        } else if (field.tag == bytesField(7)) {
            const std::size_t count = field.payload.bytes.size() / sizeof(float);
            numbers.resize(numbers.size() + count);
            if (count > 0)
                std::memcpy(numbers.data() + numbers.size() - count, field.payload.bytes.data(), count * sizeof(float));
        }
    }
    return numbers;
}

std::vector<std::int64_t> readIntegers(const AttributeProto &attribute)
{
    std::vector<std::int64_t> numbers;
    MessageReader reader(attribute.message);
    for (Field field; reader.next(field);)
        if (field.number() == 8)
            forEachVarint(field, [&](std::uint64_t n) { numbers.push_back(static_cast<std::int64_t>(n)); });
    return numbers;
}

std::vector<std::string> readStrings(const AttributeProto &attribute)
{
    std::vector<std::string> texts;
    MessageReader reader(attribute.message);
    for (Field field; reader.next(field);)
        if (field.tag == bytesField(9))
            texts.emplace_back(field.text());
    return texts;
}

template <class T>
std::vector<std::byte> bytesOf(std::span<const T> numbers)
{
    const auto bytes = std::as_bytes(numbers);
    return {bytes.begin(), bytes.end()};
}

std::vector<std::int64_t> shapeOf(std::size_t length) { return {static_cast<std::int64_t>(length)}; }

} // namespace

AttributeProto readAttribute(const Message &message)
{
    AttributeProto attribute;
    attribute.message = message;
    std::uint64_t type = 0;
    MessageReader reader(message);
    for (Field field; reader.next(field);) {
        switch (field.tag) {
        case bytesField(1):
            attribute.name = field.text();
            break;
        case bytesField(13):
            attribute.documentation = field.text();
            break;
        case varintField(20):
            type = field.value;
            break;
        case bytesField(21):
            attribute.reference = field.text();
            break;
        default:
            if (typeOfField(field.number()) != AttributeType::None)
                attribute.last = field;
        }
    }
    if (type >= valueFields.size())
        unusable(formatted("attribute {} has type {}; known are 1 to 14", shown(attribute.name), type),
                 formatted("byte {}", message.offset()));
    attribute.type = type != 0 ? static_cast<AttributeType>(type) : typeOfField(attribute.last.number());
    return attribute;
}

AttributeReader::AttributeReader(ir::Model &model, TensorReader &tensors, TypeReader &types)
    : m_model(model),
      m_tensors(tensors),
      m_types(types)
{
}

template <class Make>
Operand AttributeReader::list(const AttributeProto &attribute, Make &&make)
{
    ir::List items;
    MessageReader reader(attribute.message);
    for (Field field; reader.next(field);)
        if (field.tag == bytesField(fieldOf(attribute.type)))
            items.items.push_back(make(field.payload));
    return items;
}

Operand AttributeReader::operand(const AttributeProto &attribute)
{
    if (!attribute.reference.empty())
        return ir::Dict{{ir::String{m_model.context->name("ref_attr_name")},
                         ir::String{m_model.context->name(attribute.reference)},
                         ir::String{m_model.context->name("type")}, static_cast<std::int64_t>(attribute.type)}};
    // The field is absent if the value is a number 0 or an empty list.
    const Field value = hasValue(attribute) ? attribute.last : Field();
    switch (attribute.type) {
    case AttributeType::Float:
        return shortestDecimal(value.real());
    case AttributeType::Int:
        return value.integer();
    case AttributeType::String:
        return ir::String{m_model.context->name(value.text())};
    case AttributeType::Floats:
        return floats(attribute);
    case AttributeType::Ints:
        return integers(attribute);
    case AttributeType::Strings:
        return strings(attribute);
    default:
        return ofMessages(attribute);
    }
}

Operand AttributeReader::ofMessages(const AttributeProto &attribute)
{
    const auto constantOf = [&](const Message &tensor) { return m_tensors.constant(tensor, {}); };
    const auto sparseOf = [&](const Message &tensor) { return m_tensors.sparse(tensor, {}); };
    const auto typeOf = [&](const Message &type) { return m_types.type(type).id; };
    const auto single = [&](auto make) {
        return hasValue(attribute) ? Operand(make(attribute.last.payload)) : Operand(ir::None{});
    };
    switch (attribute.type) {
    case AttributeType::Tensor:
        return single(constantOf);
    case AttributeType::SparseTensor:
        return single(sparseOf);
    case AttributeType::TypeProto:
        return single(typeOf);
    case AttributeType::Tensors:
        return list(attribute, constantOf);
    case AttributeType::SparseTensors:
        return list(attribute, sparseOf);
    case AttributeType::TypeProtos:
        return list(attribute, typeOf);
    default:
        return ir::None{};
    }
}

Operand AttributeReader::floats(const AttributeProto &attribute)
{
    const std::vector<float> numbers = readFloats(attribute);
    if (numbers.size() > limits::maxNumberListLength)
        return m_tensors.constant(attribute.name, ir::DType::Float32, shapeOf(numbers.size()), bytesOf<float>(numbers));
    std::vector<Operand> items;
    items.reserve(numbers.size());
    for (const float x : numbers)
        items.emplace_back(shortestDecimal(x));
    return ir::List{std::move(items)};
}

Operand AttributeReader::integers(const AttributeProto &attribute)
{
    const std::vector<std::int64_t> numbers = readIntegers(attribute);
    if (numbers.size() > limits::maxNumberListLength)
        return m_tensors.constant(attribute.name, ir::DType::Int64, shapeOf(numbers.size()),
                                  bytesOf<std::int64_t>(numbers));
    return ir::List{{numbers.begin(), numbers.end()}};
}

Operand AttributeReader::strings(const AttributeProto &attribute)
{
    const auto textOf = [&](const Message &text) { return ir::String{m_model.context->name(text.text())}; };
    std::vector<std::string> texts = readStrings(attribute);
    if (texts.size() <= limits::maxNumberListLength)
        return list(attribute, textOf);
    const auto shape = shapeOf(texts.size());
    return m_tensors.constant(attribute.name, shape, std::move(texts));
}

std::optional<ir::TensorId> AttributeReader::constant(const AttributeProto &attribute, std::string_view name)
{
    using enum AttributeType;
    constexpr std::pair<std::string_view, AttributeType> ofConstant[] = {
        {"value", Tensor},        {"sparse_value", SparseTensor}, {"value_float", Float}, {"value_int", Int},
        {"value_string", String}, {"value_floats", Floats},       {"value_ints", Ints},   {"value_strings", Strings},
    };
    if (!attribute.reference.empty() || !std::ranges::contains(ofConstant, std::pair(attribute.name, attribute.type)))
        return std::nullopt;
    const auto numbers = [&](ir::DType dtype, std::vector<std::int64_t> shape, const auto &values) {
        return m_tensors.constant(name, dtype, std::move(shape), bytesOf(std::span(values)));
    };
    const auto list = [&](ir::DType dtype, const auto &values) {
        return numbers(dtype, shapeOf(values.size()), values);
    };
    const Field &last = attribute.last;
    switch (attribute.type) {
    case Tensor:
        return hasValue(attribute) ? std::optional(m_tensors.constant(last.payload, name)) : std::nullopt;
    case SparseTensor:
        return hasValue(attribute) ? std::optional(m_tensors.sparse(last.payload, name)) : std::nullopt;
    case Float:
        return numbers(ir::DType::Float32, {}, std::vector{last.real()});
    case Int:
        return numbers(ir::DType::Int64, {}, std::vector{last.integer()});
    case String:
        return m_tensors.constant(name, {}, std::vector{std::string(last.text())});
    case Floats:
        return list(ir::DType::Float32, readFloats(attribute));
    case Ints:
        return list(ir::DType::Int64, readIntegers(attribute));
    default:
        return m_tensors.constant(name, shapeOf(readStrings(attribute).size()), readStrings(attribute));
    }
}

} // namespace cutaway::formats::onnx
