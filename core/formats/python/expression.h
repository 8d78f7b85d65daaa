// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/token_stream.h"
#include "core/ir/ids.h"

#include <complex>
#include <optional>
#include <variant>
#include <vector>

/// Python's expressions, also types. Names and strings are views of the source and of its Tree (see syntax.h).
namespace cutaway::formats::python {

using ExpressionId = ir::Id<struct PythonExpressionTag>;

/// A literal: `None`, `...`, a number, or a string whose escapes are resolved.
struct NoneLiteral { };
struct EllipsisLiteral { };
struct StringLiteral {
    std::string_view bytes;
};
using Literal =
    std::variant<NoneLiteral, EllipsisLiteral, bool, std::int64_t, double, std::complex<double>, StringLiteral>;

/// `x`
struct Name {
    std::string_view text;
};

/// `object.name` or `getattr(object, "name")`
struct Attribute {
    ExpressionId object;
    std::string_view name;
};

/// `x` or `keyword=x` in the brackets of a call.
struct Argument {
    std::string_view keyword; ///< "": the argument is given by position
    ExpressionId value;
};

/// `f(a, name=b)`
struct Call {
    ExpressionId callee;
    std::vector<Argument> arguments;
};

/// `x[a]`
struct Subscript {
    ExpressionId object;
    ExpressionId index; ///< a Tuple for `x[a, b]`
};

/// `a:b:c` in a subscript; a part that is nothing is omitted.
struct Slice {
    std::optional<ExpressionId> start, stop, step;
};

/// `[a, b]`
struct List {
    std::vector<ExpressionId> items;
};

/// `(a, b)`
struct Tuple {
    std::vector<ExpressionId> items;
    bool endsInComma = false; ///< whether a tuple without brackets ends in a comma: `a, b,`
};

/// `{a: b, c: d}`
struct Dict {
    std::vector<std::pair<ExpressionId, ExpressionId>> entries;
};

/// An operator before its operand. The minus of a number is part of the number's literal instead.
struct Unary {
    std::string_view op; ///< "-", "+", "~", "not"
    ExpressionId operand;
};

/// A binary operator with its operands.
struct Binary {
    std::string_view op; ///< "+", "//", "<=", "is", "is not", "and"
    ExpressionId left, right;
};

/// `then if condition else orElse`
struct Choice {
    ExpressionId condition, then, orElse;
};

/// An expression with its position in the source.
struct Expression {
    using Kind =
        std::variant<Literal, Name, Attribute, Call, Subscript, Slice, List, Tuple, Dict, Unary, Binary, Choice>;
    Kind kind;
    Position position;
    std::uint32_t length = 0; ///< length of the expression's text in the source, in bytes
};

} // namespace cutaway::formats::python
