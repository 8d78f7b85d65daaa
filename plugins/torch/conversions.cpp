// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/conversions.h"

#include <algorithm>
#include <array>

namespace cutaway::plugins {

using c10::TypePtr;

bool isAny(const TypePtr &type) { return type->kind() == c10::TypeKind::AnyType; }

TypePtr withoutOptional(const TypePtr &type)
{
    const auto *optional = type ? type->castRaw<c10::OptionalType>() : nullptr;
    return optional ? optional->getElementType() : type;
}

bool isSomething(const TypePtr &type)
{
    using c10::TypeKind;
    static constexpr std::array others{TypeKind::OptionalType, TypeKind::NoneType, TypeKind::AnyType, TypeKind::VarType,
                                       TypeKind::UnionType};
    return !std::ranges::contains(others, type->kind());
}

std::optional<c10::Symbol> conversion(const TypePtr &from, const TypePtr &to)
{
    using c10::TypeKind;
    namespace aten = c10::aten;
    if (from->kind() == TypeKind::IntType && to->kind() == TypeKind::FloatType)
        return aten::Float;
    if (from->kind() != TypeKind::TensorType)
        return std::nullopt;
    switch (to->kind()) {
    case TypeKind::IntType:
        return aten::IntImplicit;
    case TypeKind::FloatType:
        return aten::FloatImplicit;
    case TypeKind::NumberType:
        return aten::ScalarImplicit;
    case TypeKind::BoolType:
        return aten::Bool;
    default:
        return std::nullopt;
    }
}

bool isNumber(const TypePtr &type) { return type->isSubtypeOf(*c10::NumberType::get()); }

} // namespace cutaway::plugins
