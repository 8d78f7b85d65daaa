// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/matching.h"

namespace cutaway::diff {

/// Finds what one side has in a node of its own and the other inside the matched node before: the bias that is added
/// to a matrix product, the batch norm that was folded into a convolution. It is absorbed by that node.
void absorbFolded(Matching &matching);

} // namespace cutaway::diff
