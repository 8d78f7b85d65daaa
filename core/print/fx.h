// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <string>

namespace cutaway::print {

/// Prints a function as torch.fx lists a graph: a line per node with opcode (placeholder, get_attr, call_function,
/// call_method, output; never call_module, since modules are inlined), name, target, args and kwargs in aligned
/// columns. Each region follows as a listing of its own.
std::string fxListing(const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::print
