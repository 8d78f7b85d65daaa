// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/symbolic/expr.h"

namespace cutaway::symbolic {

/// Returns the range of an operation's result from the ranges of its operands.
Range rangeOf(Kind kind, const std::vector<Expr> &operands);

} // namespace cutaway::symbolic
