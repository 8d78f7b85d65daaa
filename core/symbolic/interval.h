// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/symbolic/expr.h"

namespace cutaway::symbolic {

/// What an operation on integers can give, from what its operands can be.
Range rangeOf(Kind kind, const std::vector<Expr> &operands);

} // namespace cutaway::symbolic
