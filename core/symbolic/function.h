// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/symbolic/expr.h"

#include <cstddef>
#include <limits>
#include <optional>

namespace cutaway::symbolic {

/// The number of operands that a kind takes.
struct Arity {
    std::size_t min = 0;
    std::size_t max = std::numeric_limits<std::size_t>::max();
    bool holds(std::size_t n) const { return min <= n && n <= max; }
};
Arity arityOf(Kind kind);

// Kinds that are treated alike are neighbours in Kind.
constexpr bool isDivision(Kind kind) { return kind >= Kind::FloorDivide && kind <= Kind::Modulo; }
constexpr bool isExtreme(Kind kind) { return kind == Kind::Minimum || kind == Kind::Maximum; }
constexpr bool isRounding(Kind kind) { return kind >= Kind::Floor && kind <= Kind::Round; }
constexpr bool isComparison(Kind kind) { return kind >= Kind::Equal && kind <= Kind::GreaterEqual; }
constexpr bool isConnective(Kind kind) { return kind == Kind::And || kind == Kind::Or; }

/// The kind of a function by any of its names: sympy's and torch's heads (`FloorDiv`) and those that print() writes
/// (`ceildiv`).
std::optional<Kind> kindOfFunction(std::string_view name);
/// Whether parse() knows a function of this name; a Call of such a name is printed backquoted.
bool isKnownFunction(std::string_view name);
/// The function name that print() writes for this kind; empty for operators.
std::string_view functionName(Kind kind);

/// Whether a name has only letters, digits and underscores, does not start with a digit, and is not a reserved word
/// (`and`, `True`).
bool isIdentifier(std::string_view name);

} // namespace cutaway::symbolic
