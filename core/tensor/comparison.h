// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/tensor/values.h"

namespace cutaway::tensor {

/// The differences between two tensors of the same shape, number by number. The numbers of a complex element are its
/// real and imaginary parts, and the element differs if one of them does; the number of a quantized element is its
/// dequantized value. Two NaNs count as equal, and so do 0 and -0.
struct Comparison {
    std::uint64_t elements = 0;
    std::uint64_t differing = 0;
    std::optional<std::uint64_t> firstDifference; ///< the element's row-major position
    double maxAbsolute = 0;                       ///< infinite if only one side has a NaN or an infinity
    double maxRelative = 0; ///< |a - b| / max(|a|, |b|), which is from 0 to 2; 2 if the distance is infinite
    std::uint64_t maxAbsoluteAt = 0, maxRelativeAt = 0;
};

/// Compares two tensors. Integers of one dtype are compared exactly; distances are of the numbers rounded to 53 bits.
/// Errors: different shapes, or only one tensor of complex numbers (Usage); a file changed meanwhile; cancelled.
Result<Comparison> compare(const Values &a, const Values &b, const Task &task = {});

} // namespace cutaway::tensor
