// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"
#include "core/ops/facts/fact.h"
#include "core/run/inputs.h"
#include "core/symbolic/expr.h"

#include <map>

namespace cutaway::request {

/// A declared size and the given one, which must be equal.
struct Equation {
    symbolic::Expr declared;
    std::int64_t given;
    std::string place; ///< "input 'x', dimension 2"
};

struct GivenInputs {
    std::map<std::string, ops::Fact, std::less<>> facts; ///< the facts of the given inputs, by name
    std::vector<Equation> equations;
    std::map<std::string, ir::TypeId, std::less<>> replaced; ///< see analysis::Given
    run::GivenTensors tensors;
};

/// Parses texts as giveInputs() does, sets the types of tensor inputs, and adds the symbols that the sizes name to the
/// model. Whether the sizes are consistent is left to the equations. Errors: Usage: an unknown input or part of one,
/// another kind of value or rank, something given twice; Unreadable: a file of elements.
Result<GivenInputs> readInputs(ir::Model &model, ir::FunctionId function, std::span<const std::string> texts);

} // namespace cutaway::request
