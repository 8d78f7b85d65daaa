// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

// MatMulNBits and the like of ONNX Runtime: the weight is packed, and the attributes K and N give its sizes.
Answer packedMatmul(const Call &call);
Cost packedMatmulCost(const Call &call, std::span<const Fact> results);

// Products of groups: `offs` divides the rows, the columns or the inner dimension of one or both factors into groups,
// or both factors have a dimension for the groups.
Answer groupedMatmul(const Call &call);
Cost groupedMatmulCost(const Call &call, std::span<const Fact> results);

// Products with a factor of which two in four elements are kept. They count like products of the unpacked matrices,
// zeros included.
Answer semiSparseLinear(const Call &call);
Cost semiSparseLinearCost(const Call &call, std::span<const Fact> results);
Answer semiSparseMatmul(const Call &call);
Cost semiSparseMatmulCost(const Call &call, std::span<const Fact> results);
Answer compressedMatmul(const Call &call); ///< for cuSPARSELt, which compresses the factor to bytes

// A product with a weight of fewer bits than the input; `scale` has an element for each column of the result.
Answer mixedLinear(const Call &call);

/// Returns the cost of a multiply-add for each element of the result and each element of the inner dimension.
Cost packedProductCost(const Call &call, std::span<const Fact> results);

} // namespace cutaway::ops
