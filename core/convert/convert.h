// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/convert/operator_table.h"
#include "core/ir/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::convert {

// The oldest and newest version of ONNX's operator set that a model can be converted to.
inline constexpr std::int64_t minOpset = 17;
inline constexpr std::int64_t maxOpset = 22;
/// The newest opset of which ONNX Runtime 1.21 implements all operators that rules make. It does not implement version
/// 22 of those that draw random numbers.
inline constexpr std::int64_t defaultOpset = 21;

struct OnnxOptions {
    std::int64_t opset = defaultOpset;
    /// Whether operators without a rule stay, in the domain "aten": the model can then be shown, and run by a runtime
    /// that has these operators.
    bool keepsUnknown = false;
    /// The user's own operators; they come before all rules and do not write to their arguments.
    OperatorTable table = {};
};

/// An operator that could not be expressed in the wanted format, and one reason for it.
struct Missing {
    std::string op;                  ///< "aten::cummax"
    std::string reason;              ///< "the rank of 'self' is not known", "its part aten::full: …"
    std::vector<std::string> places; ///< the name and source position of each node
};

/// The reason in Missing for a node that reads or makes a value which is written to in place. Nodes whose results only
/// such writes read are not translated, so the list of missing operators may lack them.
inline constexpr std::string_view writtenInPlace = "what it reads or makes is written to in place";

/// Prints each operator and reason with the number of its nodes, then the first nodes, a line each.
std::string print(const std::vector<Missing> &missing);

/// A converted model, with what it lacks and what it does not keep of its source.
struct Converted {
    ir::Model model; ///< format "onnx" or "pt2"; complete if nothing is missing
    std::vector<Missing> missing;
    std::vector<std::string> notes; ///< sentences for the user about what the result does not keep of the source
};

/// Makes an ONNX model of a function of a TorchScript or torch.export model: calls are inlined and writes in place
/// resolved, then each node becomes what the rule of its operator makes of it. Inputs stay inputs unless `given` fixes
/// them to a number, a text or None; sizes that `given` leaves open stay symbols. Errors: a function has inputs or
/// results that ONNX does not have; a pass fails; cancelled.
Result<Converted> toOnnx(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                         const OnnxOptions &options, const Task &task = {});

} // namespace cutaway::convert
