// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> castOperators();

namespace kind {
inline constexpr OperatorKind cast{"cast"};
inline constexpr OperatorKind castLike{"castlike"};
} // namespace kind

} // namespace cutaway::ops
