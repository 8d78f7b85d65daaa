// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// Operators that expand, repeat and pad.
std::span<const Operator> expandingOperators();

namespace kind {
inline constexpr OperatorKind expand{"expand"};
inline constexpr OperatorKind pad{"pad"};
inline constexpr OperatorKind tile{"tile"};
} // namespace kind

} // namespace cutaway::ops
