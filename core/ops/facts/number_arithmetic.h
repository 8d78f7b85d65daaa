// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

namespace cutaway::ops {

/// The hint for Call::freshSize() of a number that data decides: it may be negative, which no other symbol is taken to
/// be.
inline constexpr std::string_view itemHint = "item";

/// Operators on two numbers, as Python has them; comparisons give 0 or 1.
enum class Arithmetic : std::uint8_t {
    Nothing, ///< something whose values are not followed
    Add,
    Subtract,
    Multiply,
    TrueDivide,
    FloorDivide,
    TruncateDivide, ///< towards zero, as C's /
    Modulo,         ///< with the sign of the divisor
    Remainder,      ///< with the sign of the dividend, as C's %
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

// For sizes and for the elements of tensors, which may be floats: see TensorFact. Integers stay integers. A result that
// is not known, overflows or does not exist is an UnknownDim.
ir::Dim compute(Arithmetic op, const ir::Dim &a, const ir::Dim &b);
ir::Dim compute(Function function, const ir::Dim &a);

// For numbers of any kind, with a result of a given kind. A result that is not known has no value.
NumberFact compute(Arithmetic op, const NumberFact &a, const NumberFact &b, NumberFact::Kind result);
NumberFact compute(Function function, const NumberFact &a, NumberFact::Kind result);
/// Converts as int(), float() and bool() do.
NumberFact convert(const NumberFact &number, NumberFact::Kind kind);

/// The value as an element of a tensor, and back.
ir::Dim elementOf(const NumberFact &number);
NumberFact numberOf(const ir::Dim &element, NumberFact::Kind kind);
/// The result as a tensor of single precision holds it: rounded, or unknown if it is a formula that might be rounded.
ir::Dim inSinglePrecision(const ir::Dim &element);

/// The kind that Python makes of two kinds: a complex number before a float before an int. Two booleans make an int.
NumberFact::Kind commonKind(NumberFact::Kind a, NumberFact::Kind b);

/// The fact as a number, also where it may be None; nullptr if it is something else.
const NumberFact *asNumber(const Fact &fact);

} // namespace cutaway::ops
