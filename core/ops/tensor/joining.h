// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// Operators that join tensors: cat, stack, meshgrid.
std::span<const Operator> joiningOperators();

namespace kind {
inline constexpr OperatorKind cat{"cat"};
} // namespace kind

} // namespace cutaway::ops
