// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

namespace cutaway::diff {

/// Whether one side is the other one quantized, and nothing else: what its nodes read is what their partners read,
/// rounded to integers and back; weights, too. Nothing where that is not so, or a weight cannot be read.
std::optional<Quantized> quantizedOf(const Side &a, const Side &b, const Difference &difference);

/// Whether the node rounds to integers, or makes floats of these.
bool isRounding(const ir::NodeRef &node);

} // namespace cutaway::diff
