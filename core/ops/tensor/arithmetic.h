// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

std::span<const Operator> arithmeticOperators();

namespace kind {
inline constexpr OperatorKind abs{"abs"};
inline constexpr OperatorKind add{"add"};
inline constexpr OperatorKind ceil{"ceil"};
inline constexpr OperatorKind clamp{"clamp"};
inline constexpr OperatorKind div{"div"};
inline constexpr OperatorKind erf{"erf"};
inline constexpr OperatorKind floor{"floor"};
inline constexpr OperatorKind meanOfAll{"meanofall"};
inline constexpr OperatorKind mul{"mul"};
inline constexpr OperatorKind neg{"neg"};
inline constexpr OperatorKind pow{"pow"};
inline constexpr OperatorKind round{"round"};
inline constexpr OperatorKind rsub{"rsub"};
inline constexpr OperatorKind sqrt{"sqrt"};
inline constexpr OperatorKind sub{"sub"};
inline constexpr OperatorKind sumOfAll{"sumofall"};
} // namespace kind

} // namespace cutaway::ops
