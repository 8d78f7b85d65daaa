// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::symbolic {

class Expr;

/// Whether two integers are equal for all values of their symbols that lie in the ranges. Proved by algebra; false
/// where no proof is found.
bool isProvablyEqual(const Expr &a, const Expr &b);

} // namespace cutaway::symbolic
