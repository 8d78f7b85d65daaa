// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/operator_calls.h"

namespace cutaway::formats::torchscript {

/// Gives an operator with several names the name that torch gives it when it loads code (normalize_ops.cpp): swapaxes
/// is transpose, rsub is sub with its operands exchanged. A Boolean that is compared by `is` is compared by `==`.
void normalize(const ir::Context &context, OperatorCall &call);

} // namespace cutaway::formats::torchscript
