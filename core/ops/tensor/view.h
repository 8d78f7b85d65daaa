// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> viewOperators();

/// Whether the operator fails or returns other elements if its argument has other strides: view, as_strided.
bool dependsOnLayout(const ir::NodeRef &node);

namespace kind {
inline constexpr OperatorKind alias{"alias"};
inline constexpr OperatorKind asStrided{"asstrided"};
inline constexpr OperatorKind flatten{"flatten"};
inline constexpr OperatorKind matrixTranspose{"mt"};
inline constexpr OperatorKind permute{"permute"};
inline constexpr OperatorKind reshape{"reshape"};
inline constexpr OperatorKind squeeze{"squeeze"};
inline constexpr OperatorKind t{"t"};
inline constexpr OperatorKind transpose{"transpose"};
inline constexpr OperatorKind unsqueeze{"unsqueeze"};
} // namespace kind

} // namespace cutaway::ops
