// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

namespace cutaway::ops {

/// For Call::freshSize(), of a number that data decides: it may be negative, which no other symbol is taken to be.
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
/// Operators on one number. The functions that round give what is given if it is an integer.
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

// On sizes and on the elements of tensors, which may be floats: see TensorFact. Whole numbers come out as such. What is
// not known, overflows or cannot be is an UnknownDim.
ir::Dim compute(Arithmetic op, const ir::Dim &a, const ir::Dim &b);
ir::Dim compute(Function function, const ir::Dim &a);

// On numbers of any kind, for a result of a given one. Where the value is not known the result has none.
NumberFact compute(Arithmetic op, const NumberFact &a, const NumberFact &b, NumberFact::Kind result);
NumberFact compute(Function function, const NumberFact &a, NumberFact::Kind result);
/// int(), float() and bool().
NumberFact convert(const NumberFact &number, NumberFact::Kind kind);

/// The value as an element of a tensor has it, and back.
ir::Dim elementOf(const NumberFact &number);
NumberFact numberOf(const ir::Dim &element, NumberFact::Kind kind);
/// A result that a tensor of single precision holds: rounded, or unknown if a formula might be.
ir::Dim inSinglePrecision(const ir::Dim &element);

/// What Python makes of two: a complex number before a float before an int. Two booleans make an int.
NumberFact::Kind commonKind(NumberFact::Kind a, NumberFact::Kind b);

/// A number, also where it may be None; nullptr if it is something else.
const NumberFact *asNumber(const Fact &fact);

} // namespace cutaway::ops
