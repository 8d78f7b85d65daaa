// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace cutaway::print {

/// A feature of Cutaway for an operator: a column of docs/operators.md, a row of the window's help.
struct OperatorColumn {
    std::string_view title;
    std::string text;    ///< "by formula", "no"; "" where the column is not about this dialect
    bool isCode = false; ///< whether the text is Python or a formula
};
/// Returns the columns core ATen, to ONNX, from ONNX, Python, evaluated and formula, in this order.
std::array<OperatorColumn, 6> operatorColumns(std::string_view dialect, std::string_view name);

} // namespace cutaway::print
