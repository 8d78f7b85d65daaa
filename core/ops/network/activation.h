// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> activationOperators();

namespace kind {
inline constexpr OperatorKind dropout{"dropout"};
inline constexpr OperatorKind logSoftmax{"logsoftmax"};
inline constexpr OperatorKind sigmoid{"sigmoid"};
inline constexpr OperatorKind softmax{"softmax"};
} // namespace kind

} // namespace cutaway::ops
