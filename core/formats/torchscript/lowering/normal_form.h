// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/operator_calls.h"

namespace cutaway::formats::torchscript {

/// Gives an operator with several names the name that torch gives it when it loads code (normalize_ops.cpp): swapaxes
/// becomes transpose, rsub becomes sub with exchanged operands, and `is` between Booleans becomes `==`.
void normalize(const ir::Context &context, OperatorCall &call);

} // namespace cutaway::formats::torchscript
