// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/source/syntax.h"
#include "core/ir/argument.h"
#include "core/ir/context.h"

namespace cutaway::formats::torchscript {

ir::Operand literalOperand(ir::Context &context, const Literal &literal);

/// Returns the constant that literals, or lists and tuples of them, make; nothing for another expression.
std::optional<ir::Operand> literalValue(ir::Context &context, const Tree &tree, ExpressionId id);

} // namespace cutaway::formats::torchscript
