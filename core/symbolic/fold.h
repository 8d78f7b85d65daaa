// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/symbolic/expr.h"

namespace cutaway::symbolic {

/// Applies the operation `kind` to constants, with Python's semantics and checked integer arithmetic. Errors: a
/// division by zero, a result that does not fit in 64 bits, a Call.
Result<Expr> fold(Kind kind, const std::vector<Expr> &constants);

} // namespace cutaway::symbolic
