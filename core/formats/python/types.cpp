// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/python/types.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::python {

namespace {

using ir::CompoundType;
using ir::NumberType;
using ir::PlainType;
using Schema = ops::SchemaType;

/// Types without parts, with the names that code and schemas use. The first name of a type is the one in schemas.
const std::array<std::pair<std::string_view, ir::Type>, 22> &leaves()
{
    static const std::array<std::pair<std::string_view, ir::Type>, 22> table{{
        {"Tensor", ir::TensorType{}},
        {"int", NumberType{NumberType::Kind::Int, {}}},
        {"float", NumberType{NumberType::Kind::Float, {}}},
        {"bool", NumberType{NumberType::Kind::Bool, {}}},
        {"complex", NumberType{NumberType::Kind::Complex, {}}},
        {"Scalar", NumberType{NumberType::Kind::Number, {}}},
        {"str", PlainType{PlainType::Kind::String}},
        {"NoneType", PlainType{PlainType::Kind::None}},
        {"Any", PlainType{PlainType::Kind::Any}},
        {"Device", PlainType{PlainType::Kind::Device}},
        {"Generator", PlainType{PlainType::Kind::Generator}},
        {"Stream", PlainType{PlainType::Kind::Stream}},
        {"Capsule", PlainType{PlainType::Kind::Capsule}},
        {"number", NumberType{NumberType::Kind::Number, {}}},
        {"SymInt", NumberType{NumberType::Kind::Int, {}}},
        {"SymFloat", NumberType{NumberType::Kind::Float, {}}},
        {"SymBool", NumberType{NumberType::Kind::Bool, {}}},
        {"ScalarType", NumberType{NumberType::Kind::Int, {}}},
        {"Layout", NumberType{NumberType::Kind::Int, {}}},
        {"MemoryFormat", NumberType{NumberType::Kind::Int, {}}},
        {"QScheme", NumberType{NumberType::Kind::Int, {}}},
        {"Dimname", PlainType{PlainType::Kind::String}},
    }};
    return table;
}

constexpr std::array<std::pair<std::string_view, CompoundType::Kind>, 8> compounds{{
    {"List", CompoundType::Kind::List},
    {"Optional", CompoundType::Kind::Optional},
    {"Dict", CompoundType::Kind::Dict},
    {"Tuple", CompoundType::Kind::Tuple},
    {"Union", CompoundType::Kind::Union},
    {"Future", CompoundType::Kind::Future},
    {"Await", CompoundType::Kind::Await},
    {"RRef", CompoundType::Kind::RRef},
}};

} // namespace

ir::TypeId Types::compound(CompoundType::Kind kind, std::vector<ir::TypeId> elements)
{
    return m_context.type(CompoundType{kind, std::move(elements), {}, {}});
}

bool Types::isCompound(std::string_view name)
{
    return std::ranges::contains(compounds, name, &std::pair<std::string_view, CompoundType::Kind>::first);
}

ir::TypeId Types::compoundNamed(std::string_view name, std::vector<ir::TypeId> elements)
{
    using enum CompoundType::Kind;
    const auto found = std::ranges::find(compounds, name, &std::pair<std::string_view, CompoundType::Kind>::first);
    if (found == compounds.end())
        return {};
    const bool fits = found->second == Tuple || found->second == Union
        || elements.size() == (found->second == CompoundType::Kind::Dict ? 2 : 1);
    return fits ? compound(found->second, std::move(elements)) : ir::TypeId{};
}

ir::TypeId Types::named(std::string_view name)
{
    const auto found = std::ranges::find(leaves(), name, &std::pair<std::string_view, ir::Type>::first);
    return found == leaves().end() ? ir::TypeId{} : m_context.type(found->second);
}

ir::TypeId Types::of(const Schema &type)
{
    std::vector<ir::TypeId> elements;
    for (const Schema &element : type.elements)
        elements.push_back(of(element));
    switch (type.kind) {
    case Schema::Kind::Plain:
        return named(type.name);
    case Schema::Kind::List:
        return compound(CompoundType::Kind::List, std::move(elements));
    case Schema::Kind::Optional:
        return compound(CompoundType::Kind::Optional, std::move(elements));
    case Schema::Kind::Tuple:
        return compound(CompoundType::Kind::Tuple, std::move(elements));
    case Schema::Kind::Generic:
        return compoundNamed(type.name, std::move(elements));
    default:
        return {};
    }
}

ir::TypeId Types::ofConstant(const ir::Operand &operand)
{
    using Number = NumberType::Kind;
    if (operand.as<ir::None>())
        return plain(PlainType::Kind::None);
    if (operand.as<std::int64_t>() || operand.as<ir::DType>() || operand.as<ir::Layout>()
        || operand.as<ir::MemoryFormat>())
        return number(Number::Int);
    if (operand.as<double>())
        return number(Number::Float);
    if (operand.as<bool>())
        return number(Number::Bool);
    if (operand.as<std::complex<double>>())
        return number(Number::Complex);
    if (operand.as<ir::String>())
        return plain(PlainType::Kind::String);
    if (operand.as<ir::Device>())
        return plain(PlainType::Kind::Device);
    if (const auto *tensor = operand.as<ir::TensorId>())
        return ofTensor(*tensor);
    return {};
}

ir::TypeId Types::ofTensor(ir::TensorId id)
{
    const ir::Tensor &tensor = m_model.at(id);
    ir::TensorType type;
    type.dtype = tensor.dtype;
    type.layout = tensor.layout;
    type.requiresGrad = tensor.requiresGrad;
    type.shape.emplace(tensor.shape.begin(), tensor.shape.end());
    return m_context.type(type);
}

const Schema &Types::schemaType(ir::TypeId type)
{
    if (const auto known = m_schemaTypes.find(type); known != m_schemaTypes.end())
        return known->second;
    Schema converted = convert(m_context.at(type));
    return m_schemaTypes.emplace(type, std::move(converted)).first->second;
}

Schema Types::convert(const ir::Type &type)
{
    if (const auto *made = std::get_if<CompoundType>(&type)) {
        Schema out{Schema::Kind::Generic, {}, {}, {}, {}};
        for (const ir::TypeId element : made->elements)
            out.elements.push_back(schemaType(element));
        if (made->kind == CompoundType::Kind::List)
            // Only the empty list literal has items of an unknown type.
            out.kind = made->elements[0] == ir::TypeId{} ? Schema::Kind::EmptyList : Schema::Kind::List;
        else if (made->kind == CompoundType::Kind::Optional)
            out.kind = Schema::Kind::Optional;
        else if (made->kind == CompoundType::Kind::Tuple)
            out.kind = Schema::Kind::Tuple;
        else
            out.name =
                std::ranges::find(compounds, made->kind, &std::pair<std::string_view, CompoundType::Kind>::second)
                    ->first;
        if (out.kind == Schema::Kind::EmptyList)
            out.elements.clear();
        return out;
    }
    if (const auto *object = std::get_if<ir::ClassType>(&type))
        return Schema::plain(object->kind == ir::ClassType::Kind::Enum ? "AnyEnumType" : m_context.text(object->name));
    if (std::holds_alternative<ir::TensorType>(type))
        return Schema::plain("Tensor");
    const auto same = std::ranges::find(leaves(), type, &std::pair<std::string_view, ir::Type>::second);
    return same == leaves().end() ? Schema{} : Schema::plain(same->first);
}

} // namespace cutaway::formats::python
