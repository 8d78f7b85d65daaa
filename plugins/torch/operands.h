// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/argument.h"
#include "core/ir/context.h"

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <functional>

namespace cutaway::plugins {

/// Converts a torch value to an operand; `tensorOperand` converts tensors. Throws for values that no operand can hold,
/// such as objects.
ir::Operand operandOf(const c10::IValue &value, ir::Context &context,
                      const std::function<ir::Operand(const at::Tensor &)> &tensorOperand);
/// Converts a torch value that contains no tensors; throws for tensors, too.
ir::Operand plainOperandOf(const c10::IValue &value, ir::Context &context);

/// Converts a number to a dtype if the schema declares the argument as ScalarType.
ir::Operand withDType(ir::Operand operand, const c10::Argument &argument);

} // namespace cutaway::plugins
