// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::symbolic {

class Expr;

/// Whether two integers are equal for all values of their symbols within the symbols' ranges. It is proved by
/// algebra; false if no proof is found.
bool isProvablyEqual(const Expr &a, const Expr &b);

} // namespace cutaway::symbolic
