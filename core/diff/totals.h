// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

namespace cutaway::diff {

/// Nodes, FLOPs, bytes of weights and of activations at the peak, of both sides.
std::vector<Figure> totalsOf(const Side &a, const Side &b);

} // namespace cutaway::diff
