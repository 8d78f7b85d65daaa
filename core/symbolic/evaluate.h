// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/symbolic/expr.h"

#include <map>
#include <set>
#include <string>

namespace cutaway::symbolic {

using Bindings = std::map<std::string, std::int64_t, std::less<>>;

/// Names of the symbols in an expression.
std::set<std::string> symbolsOf(const Expr &expr);

/// The expression with the bound symbols replaced and everything that became constant computed, with integer
/// arithmetic checked: a division by zero or an overflow is an error.
Result<Expr> substitute(const Expr &expr, const Bindings &bindings);

} // namespace cutaway::symbolic
