// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

namespace cutaway::ops {

/// The hint for Call::freshSize() of a number that depends on data: it may be negative, unlike all other symbols.
inline constexpr std::string_view itemHint = "item";

/// Operators on two numbers with the meaning that they have in Python; comparisons give 0 or 1.
enum class Arithmetic : std::uint8_t {
    Nothing, ///< an operator whose values are not followed
    Add,
    Subtract,
    Multiply,
    TrueDivide,
    FloorDivide,
    TruncateDivide, ///< rounds towards zero, as C's /
    Modulo,         ///< the sign is that of the divisor
    Remainder,      ///< the sign is that of the dividend, as for C's %
    Power,
    Minimum,
    Maximum,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    LogicalAnd,
    LogicalOr,
    LogicalXor,
};
/// Operators on one number. The rounding functions return an integer unchanged.
enum class Function : std::uint8_t {
    Nothing,
    Copy,
    Negate,
    Absolute,
    Sign,
    Floor,
    Ceiling,
    Round,
    Truncate,
    Root,
    BitNot,
    LogicalNot
};

// Computes sizes, and elements of tensors, which may be floats: see TensorFact. Integers stay integers. A result that
// is unknown, overflows or is not defined is an UnknownDim.
ir::Dim compute(Arithmetic op, const ir::Dim &a, const ir::Dim &b);
ir::Dim compute(Function function, const ir::Dim &a);

// Computes numbers of any kind, with a result of a given kind. An unknown result has no value.
NumberFact compute(Arithmetic op, const NumberFact &a, const NumberFact &b, NumberFact::Kind result);
NumberFact compute(Function function, const NumberFact &a, NumberFact::Kind result);
/// Converts as int(), float() and bool() do.
NumberFact convert(const NumberFact &number, NumberFact::Kind kind);

/// Returns a number as an element of a tensor (elementOf), and an element as a number.
ir::Dim elementOf(const NumberFact &number);
NumberFact numberOf(const ir::Dim &element, NumberFact::Kind kind);
/// The element as a tensor of single precision holds it: rounded, or unknown if it is a formula that might be rounded.
ir::Dim inSinglePrecision(const ir::Dim &element);

/// The kind of the result of two kinds in Python: complex before float before int. Two Booleans make an int.
NumberFact::Kind commonKind(NumberFact::Kind a, NumberFact::Kind b);

/// Returns the fact as a number, also if it may be None; nullptr for other facts.
const NumberFact *asNumber(const Fact &fact);

} // namespace cutaway::ops
