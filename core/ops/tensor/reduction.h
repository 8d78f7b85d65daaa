// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> reductionOperators();

namespace kind {
inline constexpr OperatorKind amax{"amax"};
inline constexpr OperatorKind amin{"amin"};
inline constexpr OperatorKind mean{"mean"};
inline constexpr OperatorKind prod{"prod"};
inline constexpr OperatorKind sum{"sum"};
} // namespace kind

} // namespace cutaway::ops
