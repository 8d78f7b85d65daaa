// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/arguments.h"

#include "core/base/overloaded.h"

#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>

namespace cutaway::plugins {

namespace {

c10::IValue listOf(const c10::IValue &number, const c10::TypePtr &element, std::int32_t length)
{
    c10::impl::GenericList list(element);
    for (std::int32_t i = 0; i < length; ++i)
        list.push_back(number);
    return list;
}

c10::IValue numberOf(const at::Tensor &tensor, c10::TypeKind kind)
{
    const c10::Scalar number = tensor.item();
    switch (kind) {
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
        return number.toLong();
    case c10::TypeKind::FloatType:
        return number.toDouble();
    case c10::TypeKind::BoolType:
        return number.toBool();
    default:
        return number;
    }
}

/// Converts an integer to a float, or a tensor to a number, if the parameter needs one; else returns the value.
c10::IValue asNumber(c10::IValue value, c10::TypeKind kind)
{
    if (value.isTensor())
        return numberOf(value.toTensor(), kind);
    return kind == c10::TypeKind::FloatType && value.isInt() ? c10::IValue(static_cast<double>(value.toInt()))
                                                             : std::move(value);
}

c10::IValue make(const Source &source, const Frame &frame);

c10::IValue made(const MadeValue &value, const Frame &frame)
{
    Values items;
    items.reserve(value.items.size());
    for (const Source &item : value.items)
        items.push_back(make(item, frame));
    if (value.kind == MadeValue::Kind::Tuple)
        return c10::ivalue::Tuple::create(std::move(items));
    if (value.kind == MadeValue::Kind::List) {
        c10::impl::GenericList list(value.element);
        list.reserve(items.size());
        for (c10::IValue &item : items)
            list.push_back(adapted(std::move(item), {value.element, {}}));
        return list;
    }
    c10::impl::GenericDict dict(value.key, value.element);
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        dict.insert_or_assign(std::move(items[i]), std::move(items[i + 1]));
    return dict;
}

c10::IValue make(const Source &source, const Frame &frame)
{
    return std::visit(Overloaded{
                          [](const c10::IValue &constant) { return constant; },
                          [&](Slot slot) { return frame.values[slot.index]; },
                          [&](const std::shared_ptr<const MadeValue> &value) { return made(*value, frame); },
                      },
                      source);
}

} // namespace

c10::IValue valueOf(const Argument &argument, const Frame &frame)
{
    return adapted(make(argument.source, frame), argument.wanted);
}

at::Tensor wrappedNumber(const c10::Scalar &number)
{
    at::Tensor tensor = c10::scalar_to_tensor(number);
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    return tensor;
}

c10::IValue adapted(c10::IValue value, const Wanted &wanted)
{
    if (!wanted.type || value.isNone())
        return value;
    const c10::Type *type = wanted.type.get();
    if (const auto *optional = type->castRaw<c10::OptionalType>())
        type = optional->getElementType().get();
    switch (type->kind()) {
    case c10::TypeKind::TensorType:
        return value.isScalar() ? c10::IValue(wrappedNumber(value.toScalar())) : value;
    case c10::TypeKind::FloatType:
    case c10::TypeKind::IntType:
    case c10::TypeKind::BoolType:
    case c10::TypeKind::NumberType:
        return asNumber(std::move(value), type->kind());
    case c10::TypeKind::ListType:
        if (value.isScalar() && wanted.length)
            return listOf(value, type->castRaw<c10::ListType>()->getElementType(), *wanted.length);
        return value;
    case c10::TypeKind::DeviceObjType:
        return value.isString() ? c10::IValue(c10::Device(value.toStringRef())) : value;
    default:
        return value;
    }
}

} // namespace cutaway::plugins
