// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/folding.h"

#include "core/base/checked.h"

#include <algorithm>
#include <cmath>

namespace cutaway::formats::torchscript {

namespace {

using Folded = std::optional<ir::Operand>;
using ir::Operand;

Folded orNothing(std::optional<std::int64_t> n) { return n ? Folded(*n) : std::nullopt; }

std::optional<double> asFloat(const Operand &operand)
{
    if (const auto *x = operand.as<double>())
        return *x;
    if (const auto *n = operand.as<std::int64_t>())
        return static_cast<double>(*n);
    return std::nullopt;
}

template <class T>
Folded compare(std::string_view name, const T &a, const T &b)
{
    if (name == "eq" || name == "__is__")
        return a == b;
    if (name == "ne" || name == "__isnot__")
        return a != b;
    if (name == "lt")
        return a < b;
    if (name == "le")
        return a <= b;
    if (name == "gt")
        return a > b;
    if (name == "ge")
        return a >= b;
    return std::nullopt;
}

Folded onBooleans(std::string_view name, bool a, bool b)
{
    if (name == "__and__")
        return a && b;
    if (name == "__or__")
        return a || b;
    if (name == "__xor__")
        return a != b;
    return compare(name, a, b);
}

std::int64_t floorModulo(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

Folded onIntegers(std::string_view name, std::int64_t a, std::int64_t b)
{
    const bool divides = b > 0;
    if (name == "add")
        return orNothing(checkedAdd(a, b));
    if (name == "sub")
        return orNothing(checkedSubtract(a, b));
    if (name == "mul")
        return orNothing(checkedMultiply(a, b));
    if (name == "floordiv" && divides)
        return (a - floorModulo(a, b)) / b;
    if (name == "remainder" && divides)
        return floorModulo(a, b);
    if (name == "div" && b != 0)
        return static_cast<double>(a) / static_cast<double>(b);
    if (name == "min")
        return std::min(a, b);
    if (name == "max")
        return std::max(a, b);
    return compare(name, a, b);
}

Folded onFloats(std::string_view name, double a, double b)
{
    if (name == "add")
        return a + b;
    if (name == "sub")
        return a - b;
    if (name == "mul")
        return a * b;
    if (name == "div" && b != 0)
        return a / b;
    if (name == "pow")
        return std::pow(a, b);
    return compare(name, a, b);
}

Folded onBoolean(std::string_view name, bool x)
{
    if (name == "__not__")
        return !x;
    return name == "Int" ? Folded(std::int64_t{x}) : std::nullopt;
}

Folded onFloat(std::string_view name, double x)
{
    if (name == "neg")
        return -x;
    if (name == "Bool")
        return x != 0;
    if (name == "Float")
        return x;
    return name == "sqrt" ? Folded(std::sqrt(x)) : std::nullopt;
}

Folded onInteger(std::string_view name, std::int64_t n)
{
    if (name == "neg")
        return orNothing(checkedSubtract<std::int64_t>(0, n));
    return name == "Int" ? Folded(n) : onFloat(name, static_cast<double>(n));
}

Folded onOne(std::string_view name, const Operand &x)
{
    if (const auto *list = x.as<ir::List>(); list && name == "len")
        return std::ssize(list->items);
    if (const auto *boolean = x.as<bool>())
        return onBoolean(name, *boolean);
    if (const auto *whole = x.as<std::int64_t>())
        return onInteger(name, *whole);
    const auto *fraction = x.as<double>();
    return fraction ? onFloat(name, *fraction) : std::nullopt;
}

Folded onTwo(const ir::Context &context, std::string_view name, const Operand &a, const Operand &b)
{
    const bool isIdentity = name == "__is__" || name == "__isnot__";
    if (isIdentity && (a.as<ir::None>() || b.as<ir::None>()))
        return (a.as<ir::None>() && b.as<ir::None>()) == (name == "__is__");
    if (a.as<bool>() && b.as<bool>())
        return onBooleans(name, *a.as<bool>(), *b.as<bool>());
    if (a.as<std::int64_t>() && b.as<std::int64_t>())
        return onIntegers(name, *a.as<std::int64_t>(), *b.as<std::int64_t>());
    if (asFloat(a) && asFloat(b))
        return onFloats(name, *asFloat(a), *asFloat(b));
    if (a.as<ir::String>() && b.as<ir::String>())
        return compare(name, context.text(a.as<ir::String>()->text), context.text(b.as<ir::String>()->text));
    return std::nullopt;
}

} // namespace

std::optional<ir::Operand> fold(const ir::Context &context, std::string_view dialect, std::string_view name,
                                std::span<const Typed> arguments)
{
    const bool isKnown = (dialect == "aten" || dialect == "prim")
        && std::ranges::all_of(arguments,
                               [](const Typed &argument) { return argument.constant != Typed::Constant::No; });
    if (!isKnown)
        return std::nullopt;
    if (arguments.size() == 1)
        return onOne(name, arguments[0].operand);
    return arguments.size() == 2 ? onTwo(context, name, arguments[0].operand, arguments[1].operand) : std::nullopt;
}

std::optional<bool> isNone(const ir::Context &context, const Typed &value)
{
    const ir::Type &type = context.at(value.seen);
    if (const auto *plain = std::get_if<ir::PlainType>(&type)) {
        if (plain->kind == ir::PlainType::Kind::None)
            return true;
        return plain->kind == ir::PlainType::Kind::Any ? std::nullopt : std::optional(false);
    }
    if (std::holds_alternative<ir::UnknownType>(type))
        return std::nullopt;
    const auto *compound = std::get_if<ir::CompoundType>(&type);
    const bool mayBe = compound
        && (compound->kind == ir::CompoundType::Kind::Optional || compound->kind == ir::CompoundType::Kind::Union);
    return mayBe ? std::nullopt : std::optional(false);
}

} // namespace cutaway::formats::torchscript
