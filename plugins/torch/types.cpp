// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/types.h"

#include "core/base/overloaded.h"

#include <algorithm>
#include <array>
#include <torch/custom_class.h>
#include <utility>

namespace cutaway::plugins {

namespace {

using c10::ScalarType;
using ir::DType;

/// Whether this version of torch has tensors of the dtype, with elements of whole bytes.
bool hasTensors(DType dtype)
{
    const auto number = ir::numberOf(dtype, ir::Numbering::C10);
    return number && *number < static_cast<std::int64_t>(ScalarType::Undefined) && ir::bitWidth(dtype) >= 8
        && ir::elementKind(dtype) != ir::ElementKind::Bits;
}

c10::TypePtr numberType(ir::NumberType::Kind kind)
{
    switch (kind) {
    case ir::NumberType::Kind::Int:
        return c10::IntType::get();
    case ir::NumberType::Kind::Float:
        return c10::FloatType::get();
    case ir::NumberType::Kind::Bool:
        return c10::BoolType::get();
    case ir::NumberType::Kind::Complex:
        return c10::ComplexType::get();
    case ir::NumberType::Kind::Number:
        break;
    }
    return c10::NumberType::get();
}

c10::TypePtr plainType(ir::PlainType::Kind kind)
{
    using Kind = ir::PlainType::Kind;
    switch (kind) {
    case Kind::None:
        return c10::NoneType::get();
    case Kind::String:
        return c10::StringType::get();
    case Kind::Device:
        return c10::DeviceObjType::get();
    case Kind::Layout:
    case Kind::DType:
        return c10::IntType::get();
    case Kind::Generator:
        return c10::GeneratorType::get();
    default:
        return c10::AnyType::get();
    }
}

c10::TypePtr compoundType(const ir::Context &context, const ir::CompoundType &type)
{
    using Kind = ir::CompoundType::Kind;
    std::vector<c10::TypePtr> elements;
    for (const ir::TypeId element : type.elements)
        elements.push_back(torchType(context, element));
    switch (type.kind) {
    case Kind::List:
        return c10::ListType::create(elements.at(0));
    case Kind::Optional:
        return c10::OptionalType::create(elements.at(0));
    case Kind::Dict:
        return c10::DictType::create(elements.at(0), elements.at(1));
    case Kind::Tuple:
        return c10::TupleType::create(std::move(elements));
    default:
        return c10::AnyType::get();
    }
}

/// Returns the type of a class of torch's own; torch does not know the classes of the file here.
c10::TypePtr classType(const std::string &name)
{
    const c10::TypePtr type = torch::getCustomClass(name);
    return type ? type : c10::TypePtr(c10::AnyType::get());
}

ir::TypeId compound(ir::Context &context, ir::CompoundType::Kind kind, at::ArrayRef<c10::TypePtr> elements)
{
    ir::CompoundType type;
    type.kind = kind;
    for (const c10::TypePtr &element : elements)
        type.elements.push_back(irType(context, element));
    return context.type(type);
}

} // namespace

std::optional<ScalarType> scalarType(DType dtype)
{
    const auto number = ir::numberOf(dtype, ir::Numbering::C10);
    return number && hasTensors(dtype) ? std::optional(static_cast<ScalarType>(*number)) : std::nullopt;
}

std::optional<DType> dtypeOf(ScalarType type)
{
    const auto dtype = ir::dtypeFromNumber(static_cast<std::int64_t>(type), ir::Numbering::C10);
    return dtype && hasTensors(*dtype) ? dtype : std::nullopt;
}

c10::Layout torchLayout(ir::Layout layout)
{
    switch (layout) {
    case ir::Layout::SparseCoo:
        return c10::Layout::Sparse;
    case ir::Layout::SparseCsr:
        return c10::Layout::SparseCsr;
    case ir::Layout::SparseCsc:
        return c10::Layout::SparseCsc;
    case ir::Layout::SparseBsr:
        return c10::Layout::SparseBsr;
    case ir::Layout::SparseBsc:
        return c10::Layout::SparseBsc;
    case ir::Layout::Mkldnn:
        return c10::Layout::Mkldnn;
    case ir::Layout::Jagged:
        return c10::Layout::Jagged;
    case ir::Layout::Strided:
        break;
    }
    return c10::Layout::Strided;
}

c10::MemoryFormat torchMemoryFormat(ir::MemoryFormat format)
{
    switch (format) {
    case ir::MemoryFormat::Preserve:
        return c10::MemoryFormat::Preserve;
    case ir::MemoryFormat::ChannelsLast:
        return c10::MemoryFormat::ChannelsLast;
    case ir::MemoryFormat::ChannelsLast3d:
        return c10::MemoryFormat::ChannelsLast3d;
    case ir::MemoryFormat::Contiguous:
        break;
    }
    return c10::MemoryFormat::Contiguous;
}

c10::TypePtr torchType(const ir::Context &context, ir::TypeId id)
{
    return std::visit(Overloaded{
                          [](const ir::TensorType &) -> c10::TypePtr { return c10::TensorType::get(); },
                          [](const ir::NumberType &type) { return numberType(type.kind); },
                          [](const ir::PlainType &type) { return plainType(type.kind); },
                          [&](const ir::CompoundType &type) { return compoundType(context, type); },
                          [&](const ir::ClassType &type) { return classType(std::string(context.text(type.name))); },
                          [](const auto &) -> c10::TypePtr { return c10::AnyType::get(); },
                      },
                      context.at(id));
}

ir::TypeId irType(ir::Context &context, const c10::TypePtr &type)
{
    using c10::TypeKind;
    using Compound = ir::CompoundType::Kind;
    const auto number = [&](ir::NumberType::Kind kind) { return context.type(ir::NumberType{kind, {}}); };
    const auto plain = [&](ir::PlainType::Kind kind) { return context.type(ir::PlainType{kind}); };
    switch (type->kind()) {
    case TypeKind::TensorType:
        return context.type(ir::TensorType());
    case TypeKind::IntType:
        return number(ir::NumberType::Kind::Int);
    case TypeKind::FloatType:
        return number(ir::NumberType::Kind::Float);
    case TypeKind::BoolType:
        return number(ir::NumberType::Kind::Bool);
    case TypeKind::ComplexType:
        return number(ir::NumberType::Kind::Complex);
    case TypeKind::NumberType:
        return number(ir::NumberType::Kind::Number);
    case TypeKind::NoneType:
        return plain(ir::PlainType::Kind::None);
    case TypeKind::StringType:
        return plain(ir::PlainType::Kind::String);
    case TypeKind::DeviceObjType:
        return plain(ir::PlainType::Kind::Device);
    case TypeKind::ClassType:
        return context.type(ir::ClassType{ir::ClassType::Kind::Opaque,
                                          context.name(type->castRaw<c10::ClassType>()->name()->qualifiedName())});
    case TypeKind::ListType:
        return compound(context, Compound::List, type->containedTypes());
    case TypeKind::OptionalType:
        return compound(context, Compound::Optional, type->castRaw<c10::OptionalType>()->getElementType());
    case TypeKind::DictType:
        return compound(context, Compound::Dict, type->containedTypes());
    case TypeKind::TupleType:
        return compound(context, Compound::Tuple, type->containedTypes());
    default:
        return context.type(ir::UnknownType());
    }
}

} // namespace cutaway::plugins
