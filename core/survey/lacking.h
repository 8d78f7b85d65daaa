// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cutaway::survey {

/// Where an operator is missing, in words for cells; "" where it is there, or where that depends on the node.
struct Lacking {
    std::string evaluator; ///< "no rule"
    std::string onnx;      ///< of its conversion to ONNX: "no rule"
    std::string opsets;    ///< of ONNX that have it not: "below 20", "from 10", "all"

    bool isNone() const { return evaluator.empty() && onnx.empty() && opsets.empty(); }
};
Lacking lackingOf(std::string_view dialect, std::string_view name);

} // namespace cutaway::survey
