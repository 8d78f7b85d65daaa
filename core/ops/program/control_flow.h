// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

/// Operators that run regions or functions, and operators on objects, contexts and errors.
std::span<const Operator> controlFlowOperators();

namespace kind {
inline constexpr OperatorKind callFunction{"callfunction"};
inline constexpr OperatorKind callMethod{"callmethod"};
inline constexpr OperatorKind cond{"cond"};
inline constexpr OperatorKind createObject{"createobject"};
inline constexpr OperatorKind enterContext{"enter"};
inline constexpr OperatorKind exitContext{"exit"};
inline constexpr OperatorKind fork{"fork"};
inline constexpr OperatorKind getAttribute{"getattr"};
inline constexpr OperatorKind ifElse{"if"};
inline constexpr OperatorKind itemOfModules{"modulecontainerindex"};
inline constexpr OperatorKind loop{"loop"};
inline constexpr OperatorKind lowered{"lowered"};
inline constexpr OperatorKind map{"map"};
inline constexpr OperatorKind raise{"raiseexception"};
inline constexpr OperatorKind scan{"scan"};
inline constexpr OperatorKind sequenceMap{"sequencemap"};
inline constexpr OperatorKind setAttribute{"setattr"};
inline constexpr OperatorKind whileLoop{"whileloop"};
inline constexpr OperatorKind wrapWithAutocast{"wrapwithautocast"};
inline constexpr OperatorKind wrapWithSetGrad{"wrapwithsetgrad"};
} // namespace kind

} // namespace cutaway::ops
