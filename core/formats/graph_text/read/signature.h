// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::formats::graph_text {

/// An input in the signature of a printed program.
struct InputSpec {
    ir::FunctionInput::Kind kind = ir::FunctionInput::Kind::User;
    std::string target;
    bool persistent = true;
    std::string type = {}; ///< the type that the text gives to it in another graph; "" if unknown
    bool operator==(const InputSpec &) const = default;
};
/// The inputs of a graph by the names of their placeholders, and its attributes by names such as "self.fc.weight".
using InputSpecs = std::map<std::string, InputSpec, std::less<>>;
struct OutputSpec {
    ir::FunctionOutput::Kind kind = ir::FunctionOutput::Kind::User;
    std::string_view target;
};

/// The target of an output of the kind User that is no result of the model, but is saved for the backward pass.
constexpr std::string_view savedForBackward = "backward";

/// The inputs and outputs of an exported program.
struct Signature {
    InputSpecs inputs;
    std::vector<OutputSpec> outputs; ///< one for each result, in order
};

/// Reads the text after "Graph signature:": a line for each input and output, or, up to torch 2.6, one line with the
/// printed Python object. Malformed entries are skipped.
Signature readSignature(std::string_view text);

/// Reads "{s0: VR[2, 64], u0: VR[0, int_oo]}", which follows "Range constraints:".
std::vector<ir::Symbol> readRanges(std::string_view text);

/// Reads the name that Dynamo gives to a placeholder, and which it makes of the Python expression for the tensor:
/// "L_self_modules_fc_parameters_weight_" is the parameter "fc.weight". If it names no module, only members of "self"
/// and of a global count as weights: "L_all_parameters_" is an input. A path in which names themselves contain
/// "_modules_" or "_parameters_" is split there, too.
InputSpec inputSpecNamed(std::string_view name);

/// Returns the kind and target of an attribute of a graph module, `self.fc.weight` or, as Dynamo named it up to torch
/// 2.4, `self.L__self___fc_weight`, judged by the names that torch's own modules use: weights and biases are
/// parameters, running statistics are buffers. `path` lacks the "self."; for Dynamo's names the target is the part
/// after "self".
InputSpec attributeSpec(std::string_view path);

/// Reads the comments that torch 2.14 prints after the inputs and results of AOTAutograd's graphs:
/// "ParamAOTInput(target='fc.weight')".
InputSpec inputSpecOf(std::string_view comment);

} // namespace cutaway::formats::graph_text
