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

// Groups of kinds that are treated alike; the kinds of a group are neighbours in Kind.
constexpr bool isDivision(Kind kind) { return kind >= Kind::FloorDivide && kind <= Kind::Modulo; }
constexpr bool isExtreme(Kind kind) { return kind == Kind::Minimum || kind == Kind::Maximum; }
constexpr bool isRounding(Kind kind) { return kind >= Kind::Floor && kind <= Kind::Round; }
constexpr bool isComparison(Kind kind) { return kind >= Kind::Equal && kind <= Kind::GreaterEqual; }
constexpr bool isConnective(Kind kind) { return kind == Kind::And || kind == Kind::Or; }

/// Returns the kind of a function by any name: sympy's, torch's (`FloorDiv`) or the one print() writes (`ceildiv`).
std::optional<Kind> kindOfFunction(std::string_view name);
/// Whether parse() knows a function with this name; the name of a Call is then printed backquoted.
bool isKnownFunction(std::string_view name);
/// Returns the name of the function that print() writes for this kind; empty for operators.
std::string_view functionName(Kind kind);

/// Whether a name has only letters, digits and underscores, does not start with a digit, and is not a reserved word
/// (`and`, `True`).
bool isIdentifier(std::string_view name);

} // namespace cutaway::symbolic
