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

/// A part of a formula. Names and texts are views into what was parsed.
struct Expression {
    struct Text {
        std::string_view text; ///< 'floor', without its quotes
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
        std::size_t result = 0; ///< which result, if the function has several: f(x)[1] is the second
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
    std::string_view parameter; ///< "" where it is given by position
    Expression value;
};

/// An operator as a formula of others, in the notation of Python:
///
///     scaled = self * beta; where(scaled > threshold, self, log1p(exp(scaled)) / beta) if beta != 0
///
/// Parts that have a name come first. Infix operators mean those of aten on tensors, and are computed at once of
/// numbers; `//` takes numbers only. A call means the operator of aten whose schema fits, as in TorchScript, or the
/// overload that is named; a number stands for a tensor where it takes nothing else. A condition is about what is known
/// before anything is computed.
///
/// Further functions: cast(x, dtype); dtype(x), rank(x), size(x, dim), shape(x), isSameShape(x, y);
/// isTensor(x), isFloating(x), isComplex(x); reduced(x), which is x, its mean or its sum, as the argument `reduction`
/// says. `result` stands for the operator's result where only its type is asked for.
///
/// Formulas are those of torch/_refs and torch/_decomp, or of ATen's composite kernels. Halves are computed in float32,
/// as there, where there is more than one step.
struct Formula {
    struct Part {
        std::string_view name;
        Expression value;
    };
    std::vector<Part> parts;
    std::vector<Expression> results; ///< one per result of the operator
    std::size_t steps =
        0; ///< how many operations and calls compute; where(), cast() and questions of what is known count as none
};

/// Errors (Unreadable): what was expected, and before which text.
Result<Formula> parseFormula(std::string_view text);

/// The formula of a row, which has one, read once. Any thread may call this.
const Formula &formulaOf(const Operator &row);

} // namespace cutaway::ops
