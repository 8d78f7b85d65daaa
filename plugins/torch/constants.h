// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/program.h"
#include "plugins/torch/types.h"

namespace cutaway::plugins {

/// Returns the source of an operand's value. `wanted`: the type for lists and numbers; nullptr for any. `isFresh`:
/// lists are made anew each time, since they may be modified. Errors (Backend): a kind of operand without a value.
Result<Source> sourceOf(const Program &program, const ir::Graph *graph, const ir::Operand &operand,
                        const c10::TypePtr &wanted, bool isFresh);

/// Returns the value of an operand that refers to no value of a graph. Throws if there is none.
c10::IValue constantOf(const Program &program, const ir::Operand &operand, const c10::TypePtr &wanted);

} // namespace cutaway::plugins
