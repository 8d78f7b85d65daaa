// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/onnx_node.h"

namespace cutaway::rules::to_aten {

// These functions handle integers with scales and zero points, for the rules of several families.

/// Returns the smallest and the largest number of an integer dtype that quantized tensors have, of 4 to 16 bits;
/// nothing for other dtypes.
std::optional<std::pair<double, double>> limitsOf(ir::DType dtype);

/// Returns an input of integers. Constants of four bits, a dtype that torch lacks, are converted to eight bits. The
/// rule is refused for other inputs of four bits.
Term wholeInput(OnnxNode &n, std::size_t position);

/// Returns the input at `position` less its zero point, the input at `zero`, in int32. The rule is refused if the zero
/// point has more dimensions than `zeroRank`: 1 allows a zero point for each column.
Term centred(OnnxNode &n, std::size_t position, std::size_t zero, std::size_t zeroRank = 0);

/// Makes the node's first result, integers of its dtype, from `real`: real numbers that are already divided by the
/// scale of the result. `zero` is the position of the result's zero point, which the node may leave out.
Parts requantized(OnnxNode &n, const Term &real, std::size_t zero);

/// A tensor quantized by its own range to numbers from 0 to 255, one of which stands for 0; all members are float32.
struct DynamicRange {
    Term whole, scale, zero;
};
DynamicRange dynamicRange(OnnxNode &n, const Term &x);

} // namespace cutaway::rules::to_aten
