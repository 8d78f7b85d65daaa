// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

// MatMulNBits and the like of ONNX Runtime: the weight is packed, the attributes K and N are its sizes.
Answer packedMatmul(const Call &call);
Cost packedMatmulCost(const Call &call, std::span<const Fact> results);

// Products of groups: rows, columns or the inner dimension of one or both factors are divided by `offs`, or both
// factors have a dimension for the groups.
Answer groupedMatmul(const Call &call);
Cost groupedMatmulCost(const Call &call, std::span<const Fact> results);

// Products with a factor of which two in four elements are kept. They are counted as products of the matrices that the
// factors stand for, zeros included.
Answer semiSparseLinear(const Call &call);
Cost semiSparseLinearCost(const Call &call, std::span<const Fact> results);
Answer semiSparseMatmul(const Call &call);
Cost semiSparseMatmulCost(const Call &call, std::span<const Fact> results);
Answer compressedMatmul(const Call &call); ///< for cuSPARSELt, where the factor is a run of bytes

// A product with a weight of fewer bits than the input; `scale` has an element for each column of the result.
Answer mixedLinear(const Call &call);

/// The cost of a multiply-add for each element of the result and of the inner dimension.
Cost packedProductCost(const Call &call, std::span<const Fact> results);

} // namespace cutaway::ops
