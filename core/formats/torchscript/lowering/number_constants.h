// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/objects.h"
#include "core/ir/model.h"

namespace cutaway::formats::torchscript {

/// Replaces constants by numbers in the functions of the model where torch takes them as numbers: a tensor without
/// dimensions of the table of constants, as what is added, subtracted, multiplied or divided by.
/// torch.jit.trace writes `x * 0.5` with a float64 tensor for 0.5; CanonicalizeOps
/// (torch/csrc/jit/passes/canonicalize_graph_fuser_ops.cpp) makes it a number again before a loaded file is run, so
/// that the product of float32 or integers is float32. In all other operators, and where a module's attribute is
/// the operand, it is a tensor.
void useConstantsAsNumbers(ir::Model &model, const Constants &constants);

} // namespace cutaway::formats::torchscript
