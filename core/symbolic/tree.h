// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/symbolic/expr.h"

#include <compare>

namespace cutaway::symbolic {

/// Makes the tree without simplification; Expr::make() uses it.
Expr makeTree(Kind kind, std::vector<Expr> operands);

/// A total structural order, equal in every run: by kind in declaration order, then by value, name, operands.
std::strong_ordering compare(const Expr &a, const Expr &b);

/// Whether the expression cannot be a float; symbols count as integers.
bool isIntegral(const Expr &expr);

} // namespace cutaway::symbolic
