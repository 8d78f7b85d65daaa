// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

namespace cutaway::ops {

/// Returns the constant operand that a fact describes: None, a number, a dtype or another setting, a text, or a list
/// of these. Texts become names of `context`. Nothing for a tensor, or if the fact is not fully known.
std::optional<ir::Operand> constantOperand(ir::Context &context, const Fact &fact);

} // namespace cutaway::ops
