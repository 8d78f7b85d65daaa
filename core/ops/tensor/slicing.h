// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> slicingOperators();

namespace kind {
inline constexpr OperatorKind narrow{"narrow"};
inline constexpr OperatorKind slice{"slice"};
} // namespace kind

} // namespace cutaway::ops
