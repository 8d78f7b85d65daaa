// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/base/result.h"

#include <string>
#include <vector>

namespace cutaway::passes {

/// Returns the model with the function made ready for extraction: calls are inlined and writes in place become values,
/// so that a value needs only what its node reads. Errors (Usage): writes in place are left, with the node; errors of
/// the passes.
Result<ir::Model> withoutWrites(const ir::Model &model, ir::FunctionId function);

/// Finds the values of `model` that `texts` name, by their names in the file (`asRead` is the model as it was read) or
/// in `model`, "%7". A text names one value, or several with commas between them; names may have commas themselves.
/// `what`: the values' purpose, for messages. Errors (Usage): all names that are no value of the body, with similar
/// names.
Result<std::vector<ir::ValueId>> valuesNamed(const ir::Model &model, const ir::Model &asRead, ir::FunctionId function,
                                             const std::vector<std::string> &texts, const std::string &what);

/// A part of a function as a separate model.
struct Extracted {
    ir::Model model;
    std::vector<ir::ValueId> inputs; ///< the values of the source function that became inputs, in their order
    /// The names of the values that became constants, since they follow from the types of other inputs.
    std::vector<std::string> constants;
};

/// Returns the part of the function that computes `to` from `from`, with the weights that it reads. An empty `from`
/// stands for the function's inputs, an empty `to` for its results. Errors (Usage): an input that is needed and not in
/// `from`; a value of `from` that nothing of `to` needs; a value of `to` that needs nothing of `from`; a value of
/// `from` without a known dtype. Each error names all such values.
Result<Extracted> extracted(const ir::Model &model, ir::FunctionId function, const std::vector<ir::ValueId> &from,
                            const std::vector<ir::ValueId> &to, const analysis::Shapes &shapes);

} // namespace cutaway::passes
