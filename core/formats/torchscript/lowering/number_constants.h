// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/objects.h"
#include "core/ir/model.h"

namespace cutaway::formats::torchscript {

/// Replaces constants by numbers in the functions of the model where torch treats them as numbers: tensors without
/// dimensions from the table of constants that are added, subtracted, multiplied with or divided by. torch.jit.trace
/// writes `x * 0.5` with a float64 tensor for 0.5; CanonicalizeOps
/// (torch/csrc/jit/passes/canonicalize_graph_fuser_ops.cpp) makes the tensor a number again before a loaded file is
/// run, so that the product with float32 or integers is float32. In all other operators, and if the operand is a
/// module's attribute, the constant stays a tensor.
void useConstantsAsNumbers(ir::Model &model, const Constants &constants);

} // namespace cutaway::formats::torchscript
