// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/matching.h"

namespace cutaway::diff {

/// Finds nodes of one side that are folded into the preceding matched node on the other: a bias added to a matrix
/// product, a batch norm folded into a convolution. The matched node absorbs them.
void absorbFolded(Matching &matching);

} // namespace cutaway::diff
