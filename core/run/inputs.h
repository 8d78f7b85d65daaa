// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/protocol/backend.h"

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace cutaway::run {

/// What an input is: a tensor with its elements, one drawn from a seed, a number, text or None of which a fact says all
/// there is, or a list, tuple or dictionary of these.
struct InputParts;
using InputContent = std::variant<protocol::Tensor, protocol::DrawnTensor, ops::Fact, InputParts>;
struct InputParts {
    using Kind = protocol::InputItems::Kind;
    Kind kind = Kind::List;
    std::vector<InputContent> items; ///< of a dictionary key, value, key, value, …
};

/// An input of a function that the file binds nothing to.
struct Input {
    ir::ValueId value; ///< of the body
    std::string name;
    InputContent content;
};
using Inputs = std::vector<Input>;

using GivenTensors = std::map<std::string, protocol::Tensor, std::less<>>; ///< by the input's name

/// Those that are given, and random tensors for the others, each of the seed behind that of the one before. Errors
/// (Usage): an input whose dtype, sizes or value are not known, with its name.
Result<Inputs> makeInputs(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                          const GivenTensors &tensors, std::uint32_t seed);

/// The same for another function that is to compute the same: by name, or by position if the names are others. Errors
/// (Usage): it has another number of inputs.
Result<Inputs> inputsAlike(const ir::Model &model, ir::FunctionId function, const Inputs &inputs);

/// What the signature binds to an input of the body, if it is a tensor of the file.
const ir::FunctionInput *boundTo(const ir::Function &function, ir::ValueId value);

/// With its elements, which are made if they are to be drawn.
Result<protocol::Tensor> tensorOf(const protocol::DrawnTensor &drawn);

} // namespace cutaway::run
