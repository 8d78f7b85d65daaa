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

/// Finds a library function by its full name: "torch.nn.functional.softmax", "torch.nn.modules.conv.Conv2d",
/// "torch.Tensor.float".
std::optional<LibraryFunction> libraryFunction(std::string_view name);

/// Lowers the body of `function` and returns its result. Throws NotKnown where a require() in it does not hold.
Term runLibrary(GraphLowering &graph, const LibraryFunction &function, const GivenArguments &given);

/// The source texts of the library, in the language that fx/read/parser.h reads. `aten.add(a, b)` calls an operator.
/// Besides Python's own functions, the library may call `require(condition, 'why not otherwise')`, `is_list(x)`,
/// `repeated(x, n)` and `cutaway.sqrt(n)`; `def a.f|g()` defines a function with two names.
extern const std::string_view libraryOfModules;
extern const std::string_view libraryOfQuantizedModules;
extern const std::string_view libraryOfFunctions;
extern const std::string_view libraryOfTensors;

} // namespace cutaway::formats::fx
