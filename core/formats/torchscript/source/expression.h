// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cutaway::formats::torchscript {

using TypeId = ir::Id<struct TypeSyntaxTag>;
using ExpressionId = ir::Id<struct ExpressionTag>;

/// Where something starts, in bytes of the source. It is not a part of the meaning: trees at other positions are equal.
struct Position {
    std::uint32_t offset = 0;
    bool operator==(const Position &) const { return true; }
};

/// "Tensor", "Dict[str, __torch__.a.C]", "Final[int]". The empty tuple has no arguments.
struct Type {
    Position position;
    std::string_view name; ///< with its dots
    std::vector<TypeId> arguments;
    bool operator==(const Type &) const = default;
};

struct NoneLiteral {
    bool operator==(const NoneLiteral &) const = default;
};

/// Equal by its bits: nan is nan.
struct FloatLiteral {
    double value = 0;
    bool operator==(const FloatLiteral &other) const
    {
        return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(other.value);
    }
};

struct ComplexLiteral {
    FloatLiteral real;
    FloatLiteral imaginary;
    bool operator==(const ComplexLiteral &) const = default;
};

struct StringLiteral {
    std::string_view bytes;
    bool operator==(const StringLiteral &) const = default;
};

using Literal = std::variant<NoneLiteral, bool, std::int64_t, FloatLiteral, ComplexLiteral, StringLiteral>;

struct Name {
    std::string_view text;
    bool operator==(const Name &) const = default;
};

/// `object.name`, or `getattr(object, "name")` where the name is not an identifier.
struct Attribute {
    ExpressionId object;
    std::string_view name;
    bool operator==(const Attribute &) const = default;
};

struct Argument {
    std::optional<std::string_view> keyword; ///< empty: by position
    ExpressionId value;
    bool operator==(const Argument &) const = default;
};

struct Call {
    ExpressionId callee;
    std::vector<Argument> arguments;
    bool operator==(const Call &) const = default;
};

struct Subscript {
    ExpressionId object;
    ExpressionId index;
    bool operator==(const Subscript &) const = default;
};

struct List {
    std::vector<ExpressionId> items;
    bool operator==(const List &) const = default;
};

struct Tuple {
    std::vector<ExpressionId> items;
    bool operator==(const Tuple &) const = default;
};

struct Dict {
    std::vector<std::pair<ExpressionId, ExpressionId>> entries;
    bool operator==(const Dict &) const = default;
};

/// Minus before something else than a number; a number has its sign in its literal.
struct Negation {
    ExpressionId operand;
    bool operator==(const Negation &) const = default;
};

/// `annotate(type, value)`: a literal's type, no computation.
struct Annotate {
    TypeId type;
    ExpressionId value;
    bool operator==(const Annotate &) const = default;
};

struct UncheckedCast {
    TypeId type;
    ExpressionId value;
    bool operator==(const UncheckedCast &) const = default;
};

struct Uninitialized {
    TypeId type;
    bool operator==(const Uninitialized &) const = default;
};

struct IsInstance {
    ExpressionId value;
    std::vector<TypeId> types; ///< one of these
    bool operator==(const IsInstance &) const = default;
};

struct Expression {
    using Kind = std::variant<Literal, Name, Attribute, Call, Subscript, List, Tuple, Dict, Negation, Annotate,
                              UncheckedCast, Uninitialized, IsInstance>;
    Position position;
    Kind kind;
    bool operator==(const Expression &) const = default;
};

} // namespace cutaway::formats::torchscript
