// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/operator.h"

namespace cutaway::ops {

namespace kind {
inline constexpr OperatorKind append{"append"};
inline constexpr OperatorKind clear{"clear"};
inline constexpr OperatorKind contains{"contains"};
inline constexpr OperatorKind dictionary{"dictionary"};
inline constexpr OperatorKind extend{"extend"};
inline constexpr OperatorKind getItem{"getitem"};
inline constexpr OperatorKind insert{"insert"};
inline constexpr OperatorKind items{"items"};
inline constexpr OperatorKind keys{"keys"};
inline constexpr OperatorKind list{"list"};
inline constexpr OperatorKind listOf{"listconstruct"};
inline constexpr OperatorKind listUnpack{"listunpack"};
inline constexpr OperatorKind pop{"pop"};
inline constexpr OperatorKind setItem{"setitem"};
inline constexpr OperatorKind tupleIndex{"tupleindex"};
inline constexpr OperatorKind tupleOf{"tupleconstruct"};
inline constexpr OperatorKind tupleUnpack{"tupleunpack"};
inline constexpr OperatorKind uncheckedCast{"uncheckedcast"};
inline constexpr OperatorKind uncheckedUnwrap{"uncheckedunwrapoptional"};
inline constexpr OperatorKind unwrap{"unwrapoptional"};
inline constexpr OperatorKind update{"update"};
inline constexpr OperatorKind values{"values"};
} // namespace kind

/// Operators on lists, dicts, tuples, sequences, optionals.
std::span<const Operator> containerOperators();

} // namespace cutaway::ops
