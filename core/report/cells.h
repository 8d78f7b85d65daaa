// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/dim_arithmetic.h"
#include "core/report/cost_tables.h"
#include "core/report/document.h"
#include "core/request/example_sizes.h"

namespace cutaway::report {

// These functions make cells of a report's tables. Long formulas are shortened, in exact values less than in rounded
// ones; rows are sorted by the figures at the example's sizes. `atLeast`: a lower bound of a figure that is not known.
Cell flopCell(const ir::Dim &flops, const request::ExampleSizes &example, const ir::Dim &atLeast = ops::zero);
Cell bytesCell(const ir::Dim &bytes, const request::ExampleSizes &example, const ir::Dim &atLeast = ops::zero);
Cell secondsCell(std::optional<double> seconds);
Cell countCell(std::int64_t n);      ///< "1,234"
Cell largeCountCell(std::int64_t n); ///< "25.6 M"; "" for 0

// Cells for sums: "1.23 GFLOP + 3 unknown".
Cell flopCell(const CostSum &sum, const request::ExampleSizes &example);
Cell otherFlopCell(const CostSum &sum, const request::ExampleSizes &example);
Cell bytesCell(const CostSum &sum, const request::ExampleSizes &example); ///< the sum of bytes read and written
Cell secondsCell(const CostSum &sum);

/// Returns the sum of bytes read and written.
ir::Dim bytesMoved(const ops::Cost &cost);

/// Returns both texts separated by `between`, or the one that is not empty; sanitized.
std::string joinedPair(std::string_view a, std::string_view b, std::string_view between);

/// Returns at most `most` characters, with "…" as the last one if the text is cut.
std::string shortened(const std::string &text, std::size_t most);

} // namespace cutaway::report
