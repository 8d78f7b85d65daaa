// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/symbolic/expr.h"

namespace cutaway::symbolic {

/// The value of a kind on constant operands: Python's on integers and floats, integers checked.
/// Errors: division by zero, a result out of 64 bits, a Call.
Result<Expr> fold(Kind kind, const std::vector<Expr> &constants);

} // namespace cutaway::symbolic
