// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/types.h"

#include "core/formats/limits.h"

namespace cutaway::formats::torchscript {

namespace {

using ir::CompoundType;
using ir::PlainType;

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
    if (!isCompound(*name))
        return ofClass(*name);
    std::vector<ir::TypeId> elements;
    for (const ExpressionId argument : arguments)
        elements.push_back(of(tree, argument));
    return compoundNamed(*name, std::move(elements));
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
    if (const ir::TypeId leaf = python::Types::named(qualifiedName); leaf != ir::TypeId{})
        return m_classes.emplace(qualifiedName, leaf).first->second;
    const ClassDefinition *definition = m_code.findClass(qualifiedName);
    ir::Type type = ir::ClassType{classKind(definition), m_context.name(qualifiedName)};
    // The type is entered before its fields are read, because they may refer to it.
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

/// Returns the number of types that a type consists of, itself included and named tuples expanded.
std::size_t Types::sizeOf(const CompoundType &type)
{
    std::size_t size = 1;
    for (const ir::TypeId element : type.elements) {
        const auto *inner = std::get_if<CompoundType>(&m_context.at(element));
        size += inner ? sizeOf(*inner) : 1;
    }
    return size;
}

ir::TypeId Types::ofConstant(const ir::Operand &operand)
{
    if (const auto *object = operand.as<ir::ObjectId>())
        return ofClass(m_context.text(m_model.at(*object).className));
    const auto *list = operand.as<ir::List>();
    if (!list)
        return python::Types::ofConstant(operand);
    std::vector<ir::TypeId> types;
    for (const ir::Operand &item : list->items)
        types.push_back(ofConstant(item));
    return list->kind == ir::List::Kind::Tuple ? compound(CompoundType::Kind::Tuple, std::move(types))
                                               : compound(CompoundType::Kind::List, {join(types)});
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
