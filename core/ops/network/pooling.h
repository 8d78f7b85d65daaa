// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> poolingOperators();

namespace kind {
inline constexpr OperatorKind adaptiveAvgPool{"adaptiveavgpool"};
inline constexpr OperatorKind adaptiveMaxPool{"adaptivemaxpool"};
inline constexpr OperatorKind avgPool{"avgpool"};
inline constexpr OperatorKind maxPool{"maxpool"};
} // namespace kind

} // namespace cutaway::ops
