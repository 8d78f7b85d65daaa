// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/symbolic/tree.h"

// The parts of Expr::make().

namespace cutaway::symbolic {

bool isInteger(const Expr &e);
bool isInteger(const Expr &e, std::int64_t n);
/// Whether an expression has a value for all values of its symbols, and this value is an integer.
bool isTotal(const Expr &e);

/// A term or factor and how often it occurs: 2*s0 is {s0, 2} in a sum, s0**3 is {s0, 3} in a product.
struct Multiple {
    Expr base;
    std::int64_t count;
};
Multiple multipleInSum(const Expr &term);
Multiple multipleInProduct(const Expr &factor);

/// Returns a - b as one sum, with the terms of b negated one by one, so that equal terms cancel.
Expr difference(const Expr &a, const Expr &b);

// Does what make() does for the kinds of division and for Modulo.
Expr makeQuotient(Kind kind, const Expr &over, const Expr &under);
Expr makeRemainder(const Expr &over, const Expr &under);

} // namespace cutaway::symbolic
