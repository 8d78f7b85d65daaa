// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/ids.h"

namespace cutaway::ir {

struct Model;

/// Whether two tensors have the same dtype, shape and elements, bit by bit. The bytes are compared in place; only if
/// the elements in `a` are not contiguous, they are copied to memory first. Errors: those of visitElements().
Result<bool> haveSameElements(const Model &a, TensorId inA, const Model &b, TensorId inB);

} // namespace cutaway::ir
