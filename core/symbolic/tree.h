// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/symbolic/expr.h"

#include <compare>

namespace cutaway::symbolic {

/// Makes the tree of an expression without simplifying it; Expr::make() uses it. Only a Call has a name.
Expr makeTree(Kind kind, std::vector<Expr> operands, std::string name = {});

/// Compares structure in a total order, equal in every run: by kind in declaration order, then value, name, operands.
std::strong_ordering compare(const Expr &a, const Expr &b);

} // namespace cutaway::symbolic
