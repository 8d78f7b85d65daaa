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

/// The content of an input: a tensor, a tensor drawn from a seed, a constant (number, string or None), or a list, tuple
/// or dictionary of these.
struct InputParts;
using InputContent = std::variant<protocol::Tensor, protocol::DrawnTensor, ops::Fact, InputParts>;
struct InputParts {
    using Kind = protocol::InputItems::Kind;
    Kind kind = Kind::List;
    std::vector<InputContent> items; ///< a dictionary has alternating keys and values
};

/// An input of a function that the file does not bind, an open weight (ir::isOpenWeight()), or a weight that is given
/// in place of the file's.
struct Input {
    ir::ValueId value; ///< the body's input or weight
    std::string name;
    InputContent content;
};
using Inputs = std::vector<Input>;

/// Tensors by the name of an input or of a part of one: "x", "xs.0".
using GivenTensors = std::map<std::string, protocol::Tensor, std::less<>>;

/// Returns the given tensors, and for the other inputs random ones within analysis::inputRanges(), with consecutive
/// seeds. Errors (Usage): the dtype, sizes or value of an input are unknown; the message has its name.
Result<Inputs> makeInputs(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                          const GivenTensors &tensors, std::uint32_t seed);

/// Returns the same inputs for another function, matched by name, or by position if the names differ. Errors (Usage):
/// the function has another number of inputs.
Result<Inputs> inputsAlike(const ir::Model &model, ir::FunctionId function, const Inputs &inputs);

/// Returns the inputs of a later state of the same graph, of which passes may have removed some. Errors (Backend): a
/// pass made a new input.
Result<Inputs> inputsOfState(const ir::Model &state, ir::FunctionId function, const Inputs &inputs);

/// Returns the signature's entry that binds this body input to a tensor of the file; nullptr if none does.
const ir::FunctionInput *boundTo(const ir::Function &function, ir::ValueId value);

/// Generates the elements of a drawn tensor. Errors: those of protocol::randomTensor().
Result<protocol::Tensor> tensorOf(const protocol::DrawnTensor &drawn);

} // namespace cutaway::run
