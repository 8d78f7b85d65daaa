// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// Operators that look at tensors: size, dim, dtype, Shape.
std::span<const Operator> sizeOperators();

namespace kind {
inline constexpr OperatorKind device{"device"};
inline constexpr OperatorKind deviceType{"type"};
inline constexpr OperatorKind isAutocastEnabled{"isautocastenabled"};
inline constexpr OperatorKind isCuda{"iscuda"};
inline constexpr OperatorKind length{"len"};
inline constexpr OperatorKind numel{"numel"};
inline constexpr OperatorKind shape{"shape"};
} // namespace kind

} // namespace cutaway::ops
