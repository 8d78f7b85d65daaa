// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/types.h"

#include "core/formats/limits.h"

#include <algorithm>
#include <array>
#include <span>

namespace cutaway::formats::torchscript {

namespace {

using ir::CompoundType;
using ir::NumberType;
using ir::PlainType;
using Schema = ops::SchemaType;

/// Types without parts, as code and schemas write them. In code and for overloads dtypes, layouts and memory formats
/// are ints. The first name of a type is the one that schemas know it by.
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

std::optional<CompoundType::Kind> compoundNamed(std::string_view name)
{
    const auto found = std::ranges::find(compounds, name, &std::pair<std::string_view, CompoundType::Kind>::first);
    return found == compounds.end() ? std::nullopt : std::optional(found->second);
}

std::optional<ir::Type> leafNamed(std::string_view name)
{
    const auto found = std::ranges::find(leaves(), name, &std::pair<std::string_view, ir::Type>::first);
    return found == leaves().end() ? std::nullopt : std::optional(found->second);
}

ir::ClassType::Kind classKind(const ClassDefinition *definition)
{
    if (!definition)
        return ir::ClassType::Kind::Opaque;
    switch (definition->syntax->kind) {
    case Class::Kind::Module:
        return ir::ClassType::Kind::Module;
    case Class::Kind::Enum:
        return ir::ClassType::Kind::Enum;
    case Class::Kind::Interface:
    case Class::Kind::ModuleInterface:
        return ir::ClassType::Kind::Interface;
    default:
        return ir::ClassType::Kind::Object;
    }
}

bool isFixed(CompoundType::Kind kind, std::size_t elements)
{
    using enum CompoundType::Kind;
    return kind == Tuple || kind == Union || elements == (kind == Dict ? 2 : 1);
}

} // namespace

ir::TypeId Types::of(const Tree &tree, ExpressionId syntax)
{
    const auto *subscript = std::get_if<Subscript>(&tree.at(syntax).kind);
    const auto name = typeName(tree, subscript ? subscript->object : syntax);
    if (!name)
        return {};
    const auto arguments = subscript ? itemsOf(tree, subscript->index) : std::span<const ExpressionId>();
    if (*name == "Final" && arguments.size() == 1)
        return of(tree, arguments[0]);
    const auto kind = compoundNamed(*name);
    if (!kind)
        return ofClass(*name);
    std::vector<ir::TypeId> elements;
    for (const ExpressionId argument : arguments)
        elements.push_back(of(tree, argument));
    return isFixed(*kind, elements.size()) ? compound(*kind, std::move(elements)) : ir::TypeId{};
}

ir::TypeId Types::parsed(std::string_view text)
{
    const auto file = parseType(text);
    return file && !file->tree.expressions.empty()
        ? of(file->tree, ExpressionId{static_cast<std::uint32_t>(file->tree.expressions.size() - 1)})
        : ir::TypeId{};
}

ir::TypeId Types::ofClass(std::string_view qualifiedName)
{
    if (const auto known = m_classes.find(qualifiedName); known != m_classes.end())
        return known->second;
    if (const auto leaf = leafNamed(qualifiedName))
        return m_classes.emplace(qualifiedName, m_context.type(*leaf)).first->second;
    const ClassDefinition *definition = m_code.findClass(qualifiedName);
    ir::Type type = ir::ClassType{classKind(definition), m_context.name(qualifiedName)};
    // The type is entered before its fields are read, since they may refer to it.
    m_classes.emplace(qualifiedName, m_context.type(type));
    if (definition && definition->syntax->kind == Class::Kind::NamedTuple
        && m_openTuples < limits::maxNamedTupleDepth) {
        ++m_openTuples;
        if (CompoundType tuple = namedTuple(*definition); sizeOf(tuple) <= limits::maxNamedTupleFields)
            type = std::move(tuple);
        --m_openTuples;
    }
    return m_classes[std::string(qualifiedName)] = m_context.type(type);
}

ir::CompoundType Types::namedTuple(const ClassDefinition &definition)
{
    CompoundType tuple{CompoundType::Kind::Tuple, {}, {}, m_context.name(definition.name)};
    for (const Field &field : definition.syntax->fields) {
        if (!field.type)
            continue;
        tuple.elements.push_back(of(definition.unit->file.tree, *field.type));
        tuple.fieldNames.push_back(m_context.name(field.name));
    }
    return tuple;
}

/// Leaves of the type written out.
std::size_t Types::sizeOf(const CompoundType &type)
{
    std::size_t size = 1;
    for (const ir::TypeId element : type.elements) {
        const auto *inner = std::get_if<CompoundType>(&m_context.at(element));
        size += inner ? sizeOf(*inner) : 1;
    }
    return size;
}

ir::TypeId Types::of(const Schema &type)
{
    std::vector<ir::TypeId> elements;
    for (const Schema &element : type.elements)
        elements.push_back(of(element));
    switch (type.kind) {
    case Schema::Kind::Plain:
        return ofClass(type.name);
    case Schema::Kind::List:
        return compound(CompoundType::Kind::List, std::move(elements));
    case Schema::Kind::Optional:
        return compound(CompoundType::Kind::Optional, std::move(elements));
    case Schema::Kind::Tuple:
        return compound(CompoundType::Kind::Tuple, std::move(elements));
    case Schema::Kind::Generic:
        if (const auto kind = compoundNamed(type.name); kind && isFixed(*kind, elements.size()))
            return compound(*kind, std::move(elements));
        return {};
    default:
        return {};
    }
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
    if (const auto *tuple = std::get_if<CompoundType>(&type)) {
        Schema out{Schema::Kind::Generic, {}, {}, {}, {}};
        for (const ir::TypeId element : tuple->elements)
            out.elements.push_back(schemaType(element));
        if (tuple->kind == CompoundType::Kind::List)
            // Only a literal's elements are of no known type.
            out.kind = out.elements[0].kind == Schema::Kind::Unknown ? Schema::Kind::EmptyList : Schema::Kind::List;
        else if (tuple->kind == CompoundType::Kind::Optional)
            out.kind = Schema::Kind::Optional;
        else if (tuple->kind == CompoundType::Kind::Tuple)
            out.kind = Schema::Kind::Tuple;
        else
            out.name =
                std::ranges::find(compounds, tuple->kind, &std::pair<std::string_view, CompoundType::Kind>::second)
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

ir::TypeId Types::tensor() { return ofClass("Tensor"); }

ir::TypeId Types::number(NumberType::Kind kind) { return m_context.type(NumberType{kind, {}}); }

ir::TypeId Types::plain(PlainType::Kind kind) { return m_context.type(PlainType{kind}); }

ir::TypeId Types::compound(CompoundType::Kind kind, std::vector<ir::TypeId> elements)
{
    return m_context.type(CompoundType{kind, std::move(elements), {}, {}});
}

ir::TypeId Types::ofConstant(const ir::Model &model, const ir::Operand &operand)
{
    using Number = NumberType::Kind;
    const auto elements = [&](std::span<const ir::Operand> items) {
        std::vector<ir::TypeId> types;
        for (const ir::Operand &item : items)
            types.push_back(ofConstant(model, item));
        return types;
    };
    if (operand.as<ir::None>())
        return plain(PlainType::Kind::None);
    if (operand.as<std::int64_t>())
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
        return ofTensor(model.at(*tensor));
    if (const auto *object = operand.as<ir::ObjectId>())
        return ofClass(m_context.text(model.at(*object).className));
    if (const auto *list = operand.as<ir::List>()) {
        auto types = elements(list->items);
        return list->kind == ir::List::Kind::Tuple ? compound(CompoundType::Kind::Tuple, std::move(types))
                                                   : compound(CompoundType::Kind::List, {join(types)});
    }
    return {};
}

ir::TypeId Types::ofTensor(const ir::Tensor &tensor)
{
    ir::TensorType type;
    type.dtype = tensor.dtype;
    type.layout = tensor.layout;
    type.requiresGrad = tensor.requiresGrad;
    type.shape.emplace(tensor.shape.begin(), tensor.shape.end());
    return m_context.type(type);
}

ir::TypeId Types::join(ir::TypeId a, ir::TypeId b)
{
    const ir::TypeId none = plain(PlainType::Kind::None);
    const auto optional = [&](ir::TypeId type) {
        const auto *made = std::get_if<CompoundType>(&m_context.at(type));
        const bool isOne = made && made->kind == CompoundType::Kind::Optional;
        return isOne ? type : compound(CompoundType::Kind::Optional, {type});
    };
    if (a == b || b == ir::TypeId{})
        return a;
    if (a == ir::TypeId{})
        return b;
    if (a == none || b == none)
        return optional(a == none ? b : a);
    if (optional(a) == optional(b))
        return optional(a);
    return {};
}

ir::TypeId Types::join(std::span<const ir::TypeId> types)
{
    ir::TypeId joined;
    for (const ir::TypeId type : types) {
        const bool isFirst = joined == ir::TypeId{};
        joined = join(joined, type);
        if (!isFirst && joined == ir::TypeId{})
            return {};
    }
    return joined;
}

} // namespace cutaway::formats::torchscript
