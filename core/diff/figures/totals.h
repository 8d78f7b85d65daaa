// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

namespace cutaway::diff {

/// Returns the number of nodes, FLOPs, bytes of weights and peak bytes of activations of both sides.
std::vector<Figure> totalsOf(const Side &a, const Side &b);

} // namespace cutaway::diff
