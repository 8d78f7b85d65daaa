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

// Versions of ONNX's operator set that a model can become one of.
inline constexpr std::int64_t minOpset = 17;
inline constexpr std::int64_t maxOpset = 22;
/// The newest of which ONNX Runtime 1.21 has all operators that rules make: of 22 it draws no random numbers.
inline constexpr std::int64_t defaultOpset = 21;

struct OnnxOptions {
    std::int64_t opset = defaultOpset;
    /// Operators without a rule stay, in the domain "aten"; the model can then be looked at, and run where these are.
    bool keepsUnknown = false;
    /// The user's own operators, which come before all rules. They do not write to their arguments.
    OperatorTable table = {};
};

/// An operator that could not be said in ONNX, for one reason.
struct Missing {
    std::string op;                  ///< "aten::cummax"
    std::string reason;              ///< "there is no rule for it", "the rank of 'self' is not known"
    std::vector<std::string> places; ///< one per node: its name, and where its source is
};

/// The reason of what would read a value that is written to; what only that reads is not looked at.
inline constexpr std::string_view writtenInPlace = "what it reads or makes is written to in place";

/// Each with its number and its first places, a line each.
std::string print(const std::vector<Missing> &missing);

struct Converted {
    ir::Model model; ///< format "onnx"; whole if nothing is missing
    std::vector<Missing> missing;
    std::vector<std::string> notes; ///< sentences: what is in the source and not in the result
};

/// Makes an ONNX model of a function of a TorchScript or torch.export model: calls are inlined, writes in place
/// resolved, then each node becomes what the rule of its operator makes of it. What is not known of `given` stays a
/// parameter. Errors: a function whose inputs or results ONNX does not have; a pass that fails; cancelled.
Result<Converted> toOnnx(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                         const OnnxOptions &options, const Task &task = {});

} // namespace cutaway::convert
