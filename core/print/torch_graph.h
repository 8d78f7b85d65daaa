// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <string>

namespace cutaway::print {

/// Prints a function as torch prints `ScriptModule.graph` (torch/csrc/jit/ir/ir.cpp, Graph::print): constants, lists
/// and tuples are nodes, and arguments that the file leaves out have the schema's defaults. The model's main function,
/// in which methods are inlined, is printed as its `inlined_graph`. torch._C.parse_ir can read the text, except for
/// names of classes.
std::string torchGraph(const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::print
