// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/shapes.h"

namespace cutaway::analysis {

/// The symbols that propagation made up and that the sizes of values mention, in the order of their numbers. The file
/// has no names for them.
std::vector<DataSize> dataSizesIn(const Shapes &shapes);

/// The formulas of symbols for which the file gives a range, each with that range: "s0 + 1" and "4 to 7". Readers keep
/// them among the metadata, as "range of s0 + 1".
std::vector<std::pair<std::string, std::string>> formulaRanges(const ir::Model &model);

/// Whether a symbol stands for a number of the data that is not known to be a size.
bool mayBeNegative(const DataSize &size);

} // namespace cutaway::analysis
