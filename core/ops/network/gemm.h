// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

/// Products of ONNX whose factors are transposed by attributes, or packed.
namespace cutaway::ops {

// Gemm, FusedMatMul: transA, transB, transBatchA, transBatchB.
Facts gemm(const Call &call);
Cost gemmCost(const Call &call, std::span<const Fact> results);

// QGemm: each factor is followed by its scale and zero point.
Facts quantizedGemm(const Call &call);
Cost quantizedGemmCost(const Call &call, std::span<const Fact> results);

// MatMulNBits and its kind: the weight is packed, the attributes K and N are its sizes.
Facts packedMatmul(const Call &call);
Cost packedMatmulCost(const Call &call, std::span<const Fact> results);

} // namespace cutaway::ops
