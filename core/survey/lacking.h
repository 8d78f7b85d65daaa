// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway::survey {

/// Texts for a table on where an operator is missing; "" where it is not missing, or where that depends on the node.
struct Lacking {
    std::string evaluator; ///< "no rule"
    std::string onnx;      ///< why there is no conversion to ONNX: "no rule"
    std::string opsets;    ///< the ONNX operator sets without the operator: "below 20", "from 10", "all"

    bool isNone() const { return evaluator.empty() && onnx.empty() && opsets.empty(); }
};
/// Returns which rules are missing for an operator.
Lacking lackingOf(std::string_view dialect, std::string_view name);

} // namespace cutaway::survey
