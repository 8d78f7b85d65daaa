// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway::survey {

/// Words for the cells of a table on where an operator is missing; "" if it is there, or if that depends on the node.
struct Lacking {
    std::string evaluator; ///< "no rule"
    std::string onnx;      ///< why it cannot be converted to ONNX: "no rule"
    std::string opsets;    ///< the ONNX operator sets that lack it: "below 20", "from 10", "all"

    bool isNone() const { return evaluator.empty() && onnx.empty() && opsets.empty(); }
};
/// Returns what there is not for an operator.
Lacking lackingOf(std::string_view dialect, std::string_view name);

} // namespace cutaway::survey
