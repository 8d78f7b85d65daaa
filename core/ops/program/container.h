// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

namespace kind {
inline constexpr OperatorKind append{"append"};
inline constexpr OperatorKind dictionary{"dictionary"};
inline constexpr OperatorKind getItem{"getitem"};
inline constexpr OperatorKind listOf{"listconstruct"};
inline constexpr OperatorKind setItem{"setitem"};
inline constexpr OperatorKind tupleOf{"tupleconstruct"};
inline constexpr OperatorKind update{"update"};
} // namespace kind

/// Operators on lists, dicts, tuples, sequences, optionals.
std::span<const Operator> containerOperators();

} // namespace cutaway::ops
