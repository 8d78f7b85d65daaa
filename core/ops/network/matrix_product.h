// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> matrixProductOperators();

namespace kind {
inline constexpr OperatorKind baddbmm{"baddbmm"};
inline constexpr OperatorKind gemm{"gemm"};
inline constexpr OperatorKind linear{"linear"};
inline constexpr OperatorKind matmul{"matmul"};
} // namespace kind

} // namespace cutaway::ops
