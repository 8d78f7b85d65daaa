// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> controlFlowOperators();

namespace kind {
inline constexpr OperatorKind cond{"cond"};
inline constexpr OperatorKind ifElse{"if"};
inline constexpr OperatorKind loop{"loop"};
} // namespace kind

} // namespace cutaway::ops
