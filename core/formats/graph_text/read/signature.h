// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::formats::graph_text {

/// An input or output as a printed program says it.
struct InputSpec {
    ir::FunctionInput::Kind kind = ir::FunctionInput::Kind::User;
    std::string target;
    bool persistent = true;
    std::string type = {}; ///< as a text prints it, where another graph does; "" where that is not known
    bool operator==(const InputSpec &) const = default;
};
/// The inputs of a graph by the names of their placeholders, and its attributes by "self.fc.weight".
using InputSpecs = std::map<std::string, InputSpec, std::less<>>;
struct OutputSpec {
    ir::FunctionOutput::Kind kind = ir::FunctionOutput::Kind::User;
    std::string_view target;
};

/// The target of an output of the kind User that is no result of the model: its backward reads it.
constexpr std::string_view savedForBackward = "backward";

/// The inputs and outputs of an exported program.
struct Signature {
    InputSpecs inputs;
    std::vector<OutputSpec> outputs; ///< one for each result, in order
};

/// Reads what stands behind "Graph signature:": a line for each input and output, or, up to torch 2.6, one line with
/// the signature's Python object. What is not understood is left out.
Signature readSignature(std::string_view text);

/// Reads "{s0: VR[2, 64], u0: VR[0, int_oo]}" behind "Range constraints:".
std::vector<ir::Symbol> readRanges(std::string_view text);

/// Reads Dynamo's name of a placeholder, which it makes of the Python expression for the tensor:
/// "L_self_modules_fc_parameters_weight_" is the parameter "fc.weight". Where no module is named, only members of
/// "self" and of a global are taken for weights, so that "L_all_parameters_" is an input. A path whose own names
/// contain "_modules_" or "_parameters_" is cut there, too.
InputSpec inputSpecNamed(std::string_view name);

/// Tells what an attribute of a graph module is, `self.fc.weight` or, as Dynamo named it up to torch 2.4,
/// `self.L__self___fc_weight`, by the names that torch's own modules give: weights and biases are parameters, running
/// statistics are buffers. `path` is without "self."; of Dynamo's names the target has what stands behind "self".
InputSpec attributeSpec(std::string_view path);

/// Reads the comments that torch 2.14 writes behind the inputs and results of AOTAutograd's graphs:
/// "ParamAOTInput(target='fc.weight')".
InputSpec inputSpecOf(std::string_view comment);

} // namespace cutaway::formats::graph_text
