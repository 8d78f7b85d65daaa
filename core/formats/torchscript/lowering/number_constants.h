// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/objects.h"
#include "core/ir/model.h"

namespace cutaway::formats::torchscript {

/// Replaces constants by numbers in the functions of the model where torch takes them as numbers: a tensor without
/// dimensions of the table of constants, as the second operand of pointwise arithmetic. torch.jit.trace writes
/// `x * 0.5` with a float64 tensor for 0.5, which is a wrapped number again when the file is loaded, so that the
/// product of float32 or integers is float32. Attributes of modules are tensors there, too, and stay.
void useConstantsAsNumbers(ir::Model &model, const Constants &constants);

} // namespace cutaway::formats::torchscript
