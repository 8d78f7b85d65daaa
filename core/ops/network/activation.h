// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> activationOperators();

namespace kind {
inline constexpr OperatorKind dropout{"dropout"};
inline constexpr OperatorKind gelu{"gelu"};
inline constexpr OperatorKind hardSigmoid{"hardsigmoid"};
inline constexpr OperatorKind leakyRelu{"leakyrelu"};
inline constexpr OperatorKind logSoftmax{"logsoftmax"};
inline constexpr OperatorKind relu{"relu"};
inline constexpr OperatorKind sigmoid{"sigmoid"};
inline constexpr OperatorKind softmax{"softmax"};
inline constexpr OperatorKind tanh{"tanh"};
} // namespace kind

} // namespace cutaway::ops
