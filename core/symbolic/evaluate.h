// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/symbolic/expr.h"

#include <map>
#include <set>
#include <string>

namespace cutaway::symbolic {

using Bindings = std::map<std::string, std::int64_t, std::less<>>;

/// Returns the names of the symbols in an expression.
std::set<std::string> symbolsOf(const Expr &expr);

/// Replaces the bound symbols by their values and folds what becomes constant, with checked integer arithmetic.
/// Errors: a division by zero, an overflow.
Result<Expr> substitute(const Expr &expr, const Bindings &bindings);

/// Symbols by name with the expressions that replace them.
using Replacements = std::map<std::string, Expr, std::less<>>;
/// Replaces symbols by expressions. Errors: those of substitute().
Result<Expr> replace(const Expr &expr, const Replacements &replacements);

} // namespace cutaway::symbolic
