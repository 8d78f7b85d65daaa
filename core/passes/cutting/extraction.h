// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/base/result.h"

#include <string>
#include <vector>

namespace cutaway::passes {

/// A function as an extraction can begin with: calls are inlined and writes in place made values, so that what a value
/// needs is what its node reads. Errors (Usage): writes in place are left, with the node; those of passes.
Result<ir::Model> withoutWrites(const ir::Model &model, ir::FunctionId function);

/// Finds the values of `model` that `texts` name: as the file, which `asRead` is, has them, or as `model` has, "%7". A
/// text names one value, or several with commas between them; names may have commas themselves. `what` says in errors
/// what the values are for. Errors (Usage): all names that are no value of the body, with those that are near.
Result<std::vector<ir::ValueId>> valuesNamed(const ir::Model &model, const ir::Model &asRead, ir::FunctionId function,
                                             const std::vector<std::string> &texts, const std::string &what);

/// A part of a function as a model of its own.
struct Extracted {
    ir::Model model;
    std::vector<ir::ValueId> inputs;    ///< what its user's inputs are in the whole function, in their order
    std::vector<std::string> constants; ///< values that became constants: they follow from the types of other inputs
};

/// What the function computes of `from` up to `to`, with the weights that it reads. An empty `from` stands for the
/// function's inputs, an empty `to` for its results. Errors (Usage): an input that is needed and not in `from`; a value
/// of `from` that nothing of `to` needs; a value of `to` that needs nothing of `from`; a value of `from` without a
/// known dtype. Each names all of them.
Result<Extracted> extracted(const ir::Model &model, ir::FunctionId function, const std::vector<ir::ValueId> &from,
                            const std::vector<ir::ValueId> &to, const analysis::Shapes &shapes);

} // namespace cutaway::passes
