// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"
#include "core/ops/facts/fact.h"
#include "core/symbolic/expr.h"

#include <map>
#include <span>
#include <string>

namespace cutaway::request {

/// What must hold between the declared size and the one given.
struct Equation {
    symbolic::Expr declared;
    std::int64_t given;
    std::string place; ///< "input 'x', dimension 2"
};

struct GivenInputs {
    std::map<std::string, ops::Fact, std::less<>> facts; ///< by the input's name
    std::vector<Equation> equations;
};

/// Reads texts as giveInputs() does, and makes the types of tensor inputs what they give. Whether the sizes fit
/// together is for the equations to say. Errors (Usage): no such input or part of one, another kind of value or rank.
Result<GivenInputs> readInputs(ir::Model &model, ir::FunctionId function, std::span<const std::string> texts);

} // namespace cutaway::request
