// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

namespace cutaway::diff {

/// Both sides' number of nodes, FLOPs, bytes of weights and peak bytes of activations.
std::vector<Figure> totalsOf(const Side &a, const Side &b);

} // namespace cutaway::diff
