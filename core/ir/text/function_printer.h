// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/text/operand_printer.h"
#include "core/ir/text/placed_text.h"
#include "core/ir/text/text.h"

#include <span>

namespace cutaway::ir {

/// Appends functions in the textual form, with their scopes before them and their source positions after them.
/// `places` receives the position in `out`, in bytes, at which each node starts, in the order of the text.
void printFunctions(std::string &out, const Model &model, std::span<const FunctionId> functions, TextForm form,
                    std::vector<NodePlace> *places = nullptr);

} // namespace cutaway::ir
