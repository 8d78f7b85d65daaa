// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/lowering/types.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::fx {

namespace {

using ir::CompoundType;
using ir::NumberType;
using ir::PlainType;
using Schema = ops::SchemaType;

/// The first name of a type is the one that schemas know it by.
const std::array<std::pair<std::string_view, ir::Type>, 18> &schemaLeaves()
{
    static const std::array<std::pair<std::string_view, ir::Type>, 18> table{{
        {"Tensor", ir::TensorType{}},
        {"int", NumberType{NumberType::Kind::Int, {}}},
        {"float", NumberType{NumberType::Kind::Float, {}}},
        {"bool", NumberType{NumberType::Kind::Bool, {}}},
        {"complex", NumberType{NumberType::Kind::Complex, {}}},
        {"Scalar", NumberType{NumberType::Kind::Number, {}}},
        {"str", PlainType{PlainType::Kind::String}},
        {"NoneType", PlainType{PlainType::Kind::None}},
        {"Device", PlainType{PlainType::Kind::Device}},
        {"Generator", PlainType{PlainType::Kind::Generator}},
        {"number", NumberType{NumberType::Kind::Number, {}}},
        {"SymInt", NumberType{NumberType::Kind::Int, {}}},
        {"SymFloat", NumberType{NumberType::Kind::Float, {}}},
        {"SymBool", NumberType{NumberType::Kind::Bool, {}}},
        {"ScalarType", NumberType{NumberType::Kind::Int, {}}},
        {"Layout", NumberType{NumberType::Kind::Int, {}}},
        {"MemoryFormat", NumberType{NumberType::Kind::Int, {}}},
        {"Any", PlainType{PlainType::Kind::Any}},
    }};
    return table;
}

} // namespace

ir::TypeId Types::compound(CompoundType::Kind kind, std::vector<ir::TypeId> elements)
{
    return m_context.type(CompoundType{kind, std::move(elements), {}, {}});
}

ir::TypeId Types::of(const Schema &type)
{
    std::vector<ir::TypeId> elements;
    for (const Schema &element : type.elements)
        elements.push_back(of(element));
    switch (type.kind) {
    case Schema::Kind::Plain: {
        const auto leaf = std::ranges::find(schemaLeaves(), type.name, &std::pair<std::string_view, ir::Type>::first);
        return leaf == schemaLeaves().end() ? ir::TypeId{} : m_context.type(leaf->second);
    }
    case Schema::Kind::List:
        return compound(CompoundType::Kind::List, std::move(elements));
    case Schema::Kind::Optional:
        return compound(CompoundType::Kind::Optional, std::move(elements));
    case Schema::Kind::Tuple:
        return compound(CompoundType::Kind::Tuple, std::move(elements));
    case Schema::Kind::Generic:
        return type.name == "Dict" && elements.size() == 2 ? compound(CompoundType::Kind::Dict, std::move(elements))
                                                           : ir::TypeId{};
    default:
        return {};
    }
}

ir::TypeId Types::listOf(std::span<const ir::TypeId> items)
{
    if (items.empty())
        return compound(CompoundType::Kind::List, {ir::TypeId{}}); // what fits every list
    const ir::TypeId none = plain(PlainType::Kind::None);
    ir::TypeId joined = none;
    bool hasNone = false;
    for (const ir::TypeId item : items) {
        const ir::TypeId type = isTensor(item) ? tensor() : item;
        hasNone = hasNone || type == none;
        if (type == none || type == joined)
            continue;
        joined = joined == none && type != ir::TypeId{} ? type : plain(PlainType::Kind::Any);
    }
    if (hasNone && joined != none && joined != plain(PlainType::Kind::Any))
        joined = compound(CompoundType::Kind::Optional, {joined});
    return compound(CompoundType::Kind::List, {joined});
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

Schema Types::schemaType(ir::TypeId id)
{
    const ir::Type &type = m_context.at(id);
    if (const auto *made = std::get_if<CompoundType>(&type)) {
        Schema out{Schema::Kind::Generic, {}, {}, {}, {}};
        for (const ir::TypeId element : made->elements)
            out.elements.push_back(schemaType(element));
        if (made->kind == CompoundType::Kind::List)
            out.kind = made->elements[0] == ir::TypeId{} ? Schema::Kind::EmptyList : Schema::Kind::List;
        else if (made->kind == CompoundType::Kind::Optional)
            out.kind = Schema::Kind::Optional;
        else if (made->kind == CompoundType::Kind::Tuple)
            out.kind = Schema::Kind::Tuple;
        else
            out.name = made->kind == CompoundType::Kind::Dict ? "Dict" : "Union";
        if (out.kind == Schema::Kind::EmptyList)
            out.elements.clear();
        return out;
    }
    if (std::holds_alternative<ir::TensorType>(type))
        return Schema::plain("Tensor");
    if (type == ir::Type(PlainType{PlainType::Kind::Any}))
        return {};
    const auto same = std::ranges::find(schemaLeaves(), type, &std::pair<std::string_view, ir::Type>::second);
    return same == schemaLeaves().end() ? Schema{} : Schema::plain(same->first);
}

} // namespace cutaway::formats::fx
