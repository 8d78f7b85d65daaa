// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace cutaway::ops {

struct Operator;

/// A part of a formula. Names and texts are views into the parsed text.
struct Expression {
    struct Text {
        std::string_view text; ///< the text between the quotes: floor for 'floor'
    };
    /// A parameter of the operator, a named part of the formula, or one of: pi, inf, nan, True, False, None, result.
    struct Word {
        std::string_view name;
    };
    struct List {
        std::vector<Expression> items;
    };
    struct Argument;
    struct Call {
        std::string_view function; ///< "clamp", "pow.Tensor_Scalar"
        std::vector<Argument> arguments;
        std::size_t result = 0; ///< the index of the result, if the function has several: f(x)[1] is the second
    };
    /// "+", "-", "*", "/", "//", comparisons, "is", "and", "or"; "-" and "not" also with one operand.
    struct Operation {
        std::string_view sign;
        std::vector<Expression> operands;
    };
    /// "a if c else b", as c, a, b; without b the formula holds only where c is true.
    struct Choice {
        std::vector<Expression> branches;
    };
    std::variant<std::int64_t, double, Text, Word, List, Call, Operation, Choice> value;
};
struct Expression::Argument {
    std::string_view parameter; ///< "" if it is given by position
    Expression value;
};

/// An operator as a formula of others, in the notation of Python:
///
///     scaled = self * beta; where(scaled > threshold, self, log1p(exp(scaled)) / beta) if beta != 0
///
/// Parts that have a name come first. An infix operator on tensors stands for the operator of aten; on numbers it is
/// computed at once, and `//` takes only numbers. A call stands for the operator of aten whose schema fits, as in
/// TorchScript, or for the overload that it names; a number is taken for a tensor where the operator takes only
/// tensors. A condition is about what is known before anything is computed.
///
/// Further functions: cast(x, dtype); dtype(x), rank(x), size(x, dim), shape(x), isSameShape(x, y); isTensor(x),
/// isFloating(x), isComplex(x); largest(x), the largest number of its dtype; reduced(x), which is x, its mean or its
/// sum, as the argument `reduction` says; refused('why'), where the formula does not hold. `result` stands for the
/// operator's result where only its type is asked for.
///
/// Formulas are those of torch/_refs and torch/_decomp, or of ATen's composite kernels. As there, tensors of half
/// precision are computed in float32 if the formula has more than one step. A fact of an argument has to be known only
/// if the formula asks for it: dtype(x) does not need a known rank.
struct Formula {
    struct Part {
        std::string_view name;
        Expression value;
    };
    std::vector<Part> parts;
    std::vector<Expression> results; ///< one expression per result of the operator; or one call with the same results
    /// The number of operations and calls that compute; where(), cast() and questions about known facts count as none.
    std::size_t steps = 0;
};

/// Reads a formula. Errors (Unreadable): the expected syntax, and the text that follows.
Result<Formula> parseFormula(std::string_view text);

/// The formula of a row, which must have one; it is parsed only once. Any thread may call this.
const Formula &formulaOf(const Operator &row);

} // namespace cutaway::ops
