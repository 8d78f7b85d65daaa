// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> attentionOperators();

namespace kind {
inline constexpr OperatorKind scaledDotProductAttention{"sdpa"};
} // namespace kind

} // namespace cutaway::ops
