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

/// A value of torch as an operand; `tensorOperand` says what a tensor is. Throws for what no operand can be, as
/// objects.
ir::Operand operandOf(const c10::IValue &value, ir::Context &context,
                      const std::function<ir::Operand(const at::Tensor &)> &tensorOperand);
/// The same without tensors, which throw.
ir::Operand plainOperandOf(const c10::IValue &value, ir::Context &context);

/// A number that stands for what the schema of the operator calls a ScalarType, as a dtype.
ir::Operand withDType(ir::Operand operand, const c10::Argument &argument);

} // namespace cutaway::plugins
