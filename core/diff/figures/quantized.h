// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

namespace cutaway::diff {

/// Returns how one side is the quantized other side: each operand is that of the partner, rounded to integers and back.
/// Nothing if there are other differences, or a weight cannot be read.
std::optional<Quantized> quantizedOf(const Side &a, const Side &b, const Difference &difference);

/// Whether the node rounds floats to integers, or makes floats of integers.
bool isRounding(const ir::NodeRef &node);

} // namespace cutaway::diff
