// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/torchscript/code.h"
#include "core/formats/torchscript/objects.h"
#include "core/ir/model.h"

namespace cutaway::formats::torchscript {

/// Turns code into functions of the model. First come the root's methods, `forward` before the others: every call of
/// a module's method or of a function of the archive is inlined (under the module's scope), and parameters and
/// constant attributes become operands. Then comes every method and function of the archive under its full name, with
/// its calls as prim::CallMethod and prim::CallFunction. Code that cannot be understood becomes a note and an operand
/// without a value. Errors: a function that calls itself; cancelled.
Result<void> lowerCode(ir::Model &model, std::optional<int> version, const Code &code, const Objects &objects,
                       Types &types, Notes &notes, const Task &task);

} // namespace cutaway::formats::torchscript
