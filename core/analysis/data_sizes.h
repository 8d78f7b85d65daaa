// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"

namespace cutaway::analysis {

/// Returns the symbols that propagation made up and that the sizes of values mention, in the order of their numbers.
/// The file has no names for them.
std::vector<DataSize> dataSizesIn(const Shapes &shapes);

/// Returns the formulas of symbols for which the file gives a range, each with the text of that range: "s0 + 1" and "4
/// to 7". The readers of files keep these texts in the model's metadata, under keys such as "range of s0 + 1".
std::vector<std::pair<std::string, std::string>> formulaRanges(const ir::Model &model);

/// Whether the symbol stands for a number that is computed from data and may be negative, as it is not known to be a
/// size.
bool mayBeNegative(const DataSize &size);

} // namespace cutaway::analysis
