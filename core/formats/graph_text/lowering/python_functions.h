// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace cutaway::formats::graph_text {

/// A Python function of torch whose parameters differ from those of the operator with its name.
struct PythonFunction {
    std::string_view name; ///< the name in torch.nn.functional
    /// The parameters in order, each with the operator's name: "self=input" if Python's name differs. "-inplace": the
    /// operator lacks it, so that it must be None or False; "~_stacklevel": any value is ignored.
    std::string_view parameters;
    /// The operator of aten with the same arguments and results. "": the operator of the same name; "-": none, so
    /// that the call keeps Python's names for its arguments and has one result.
    std::string_view op = {};
};

/// Returns the row of "torch.nn.functional.batch_norm"; nullptr for functions whose parameters are the operator's.
const PythonFunction *pythonFunction(std::string_view fullName);

} // namespace cutaway::formats::graph_text
