// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/torch/program.h"
#include "plugins/torch/types.h"

namespace cutaway::plugins {

/// Where an operand has its value from. `wanted`: the type to make of lists and numbers, or nothing. With `isFresh`,
/// lists are made each time, because somebody may change them. Errors (Backend): a kind of operand that has no value.
Result<Source> sourceOf(const Program &program, const ir::Graph *graph, const ir::Operand &operand,
                        const c10::TypePtr &wanted, bool isFresh);

/// The value of an operand that no value of a graph is in. Throws.
c10::IValue constantOf(const Program &program, const ir::Operand &operand, const c10::TypePtr &wanted);

} // namespace cutaway::plugins
