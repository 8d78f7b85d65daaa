// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> normalizationOperators();

namespace kind {
inline constexpr OperatorKind batchNorm{"batchnorm"};
inline constexpr OperatorKind groupNorm{"groupnorm"};
inline constexpr OperatorKind instanceNorm{"instancenorm"};
inline constexpr OperatorKind layerNorm{"layernorm"};
inline constexpr OperatorKind rmsNorm{"rmsnorm"};
} // namespace kind

} // namespace cutaway::ops
