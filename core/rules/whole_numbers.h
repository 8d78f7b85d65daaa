// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/onnx_node.h"

namespace cutaway::rules::to_aten {

// Integers with scales and zero points, for the rules of several families.

/// The smallest and largest of the integers that quantized tensors have, of 4 to 16 bits; nothing for other dtypes.
std::optional<std::pair<double, double>> limitsOf(ir::DType dtype);

/// An input of integers; a constant of four bits, which torch does not have, in eight. The rule is refused for other
/// inputs of four bits.
Term wholeInput(OnnxNode &n, std::size_t position);

/// Subtracts from the input at `position` its zero point, the input at `zero`, in int32. The rule is refused if the
/// zero point has more dimensions than `zeroRank`: 1 allows one for each column.
Term centred(OnnxNode &n, std::size_t position, std::size_t zero, std::size_t zeroRank = 0);

/// Makes the first result, integers of its dtype, of real numbers that are already divided by its scale; `zero` is the
/// position of its zero point, which may be left out.
Parts requantized(OnnxNode &n, const Term &real, std::size_t zero);

/// A tensor quantized by its own range, to floats from 0 to 255 among which one stands for 0; all are float32.
struct DynamicRange {
    Term whole, scale, zero;
};
DynamicRange dynamicRange(OnnxNode &n, const Term &x);

} // namespace cutaway::rules::to_aten
