// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/symbolic/expr.h"

#include <compare>

namespace cutaway::symbolic {

/// The tree as it is given, nothing simplified; Expr::make() is built on it.
Expr makeTree(Kind kind, std::vector<Expr> operands);

/// A total order by structure, the same in every run: kinds in their order, then values, names, operands.
std::strong_ordering compare(const Expr &a, const Expr &b);

/// Whether it cannot be a float, symbols counting as integers.
bool isIntegral(const Expr &expr);

} // namespace cutaway::symbolic
