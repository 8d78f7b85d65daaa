// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/ids.h"

namespace cutaway::ir {

struct Model;

/// Whether two tensors have one dtype and shape and the same elements, bit by bit. The bytes are compared where they
/// lie; only elements that do not lie contiguous in `a` are gathered in memory. Errors: those of visitElements().
Result<bool> haveSameElements(const Model &a, TensorId inA, const Model &b, TensorId inB);

} // namespace cutaway::ir
