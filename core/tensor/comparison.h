// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/tensor/values.h"

namespace cutaway::tensor {

/// The differences of two tensors of one shape, number by number. The real and imaginary parts of complex elements are
/// such numbers, and an element differs if one of them does; for a quantized element it is the number that it stands
/// for. Two NaNs are the same, and so are 0 and -0.
struct Comparison {
    std::uint64_t elements = 0;
    std::uint64_t differing = 0;
    std::optional<std::uint64_t> firstDifference; ///< the element's row-major position
    double maxAbsolute = 0;                       ///< infinite: a NaN or an infinity on one side only
    double maxRelative = 0;                       ///< |a - b| / max(|a|, |b|), 0 to 2; 2 where the distance is infinite
    std::uint64_t maxAbsoluteAt = 0, maxRelativeAt = 0;
};

/// Compares two tensors. Integers of one dtype are compared exactly; distances are of the numbers rounded to 53 bits.
/// Errors: other shapes, or only one tensor of complex numbers (Usage); a file changed meanwhile; cancelled.
Result<Comparison> compare(const Values &a, const Values &b, const Task &task = {});

} // namespace cutaway::tensor
