// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> comparisonOperators();

namespace kind {
inline constexpr OperatorKind eq{"eq"};
inline constexpr OperatorKind ge{"ge"};
inline constexpr OperatorKind gt{"gt"};
inline constexpr OperatorKind le{"le"};
inline constexpr OperatorKind logicalAnd{"logicaland"};
inline constexpr OperatorKind logicalNot{"logicalnot"};
inline constexpr OperatorKind logicalOr{"logicalor"};
inline constexpr OperatorKind logicalXor{"logicalxor"};
inline constexpr OperatorKind lt{"lt"};
inline constexpr OperatorKind maximum{"maximum"};
inline constexpr OperatorKind minimum{"minimum"};
inline constexpr OperatorKind ne{"ne"};
inline constexpr OperatorKind where{"where"};
} // namespace kind

} // namespace cutaway::ops
