// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"

#include <vector>

namespace cutaway::passes {

/// Returns, for each dimension of the result, the dimension of the argument, if the node only permutes dimensions.
std::optional<std::vector<std::size_t>> permutationOf(analysis::Reading &reading, const ir::NodeRef &node);

} // namespace cutaway::passes
