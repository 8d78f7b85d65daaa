// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/fx/lowering/graph_lowering.h"
#include "core/formats/fx/read/syntax.h"

#include <array>

namespace cutaway::formats::fx {

/// A function of Cutaway's library: what a function of torch, a module of torch.nn or a method of tensors computes.
struct LibraryFunction {
    const Program *program;
    const Function *function;
};

/// By the full name: "torch.nn.functional.softmax", "torch.nn.modules.conv.Conv2d", "torch.Tensor.float".
std::optional<LibraryFunction> libraryFunction(std::string_view name);

/// What it gives. Throws NotKnown where it requires what is not so.
Term runLibrary(GraphLowering &graph, const LibraryFunction &function, const GivenArguments &given);

/// The texts of the library, in the language that fx/read/parser.h reads; `aten.add(a, b)` is the operator. Beside
/// Python's own, it knows `require(condition, 'why not otherwise')`, `is_list(x)`, `repeated(x, n)` and
/// `cutaway.sqrt(n)`, and in `def a.f|g()` two names of a function.
extern const std::string_view libraryOfModules;
extern const std::string_view libraryOfQuantizedModules;
extern const std::string_view libraryOfFunctions;
extern const std::string_view libraryOfTensors;

} // namespace cutaway::formats::fx
