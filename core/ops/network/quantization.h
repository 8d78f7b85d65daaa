// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> quantizationOperators();

namespace kind {
inline constexpr OperatorKind quantizeLinear{"quantizelinear"};
inline constexpr OperatorKind quantizePerTensor{"quantizepertensor"};
inline constexpr OperatorKind quantizePerChannel{"quantizeperchannel"};
inline constexpr OperatorKind dequantizeLinear{"dequantizelinear"};
inline constexpr OperatorKind dequantizePerTensor{"dequantizepertensor"};
inline constexpr OperatorKind dequantizePerChannel{"dequantizeperchannel"};
} // namespace kind

} // namespace cutaway::ops
