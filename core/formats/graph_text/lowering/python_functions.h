// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace cutaway::formats::graph_text {

/// One of torch's Python functions that takes other arguments than the operator of its name.
struct PythonFunction {
    std::string_view name; ///< in torch.nn.functional
    /// In order, the operator's name of each: "self=input" where Python's differs. "-inplace" where the operator has
    /// none, so that it must be None or False; "~_stacklevel" where any value will do.
    std::string_view parameters;
    /// The operator of aten whose arguments and results it has: "" for the one of its name, which it is; "-" for none:
    /// it has the arguments under Python's names, and one result.
    std::string_view op = {};
};

/// The row of "torch.nn.functional.batch_norm"; nullptr for functions that are called as the operators are.
const PythonFunction *pythonFunction(std::string_view fullName);

} // namespace cutaway::formats::graph_text
