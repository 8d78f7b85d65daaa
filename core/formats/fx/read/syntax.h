// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// The syntax of the code that torch.fx generates: functions of straight-line Python. Names are views of the source.
namespace cutaway::formats::fx {

using ExpressionId = ir::Id<struct FxExpressionTag>;

struct NoneLiteral { };
struct EllipsisLiteral { };
using Literal =
    std::variant<NoneLiteral, EllipsisLiteral, bool, std::int64_t, double, std::complex<double>, std::string>;

struct Name {
    std::string_view text;
};

/// `object.name`
struct Attribute {
    ExpressionId object;
    std::string_view name;
};

struct Argument {
    std::string_view keyword; ///< "": by position
    ExpressionId value;
};

struct Call {
    ExpressionId callee;
    std::vector<Argument> arguments;
};

struct Subscript {
    ExpressionId object;
    ExpressionId index;
};

/// `a:b:c` in a subscript; what is left out is nothing.
struct Slice {
    std::optional<ExpressionId> start, stop, step;
};

struct Items {
    std::vector<ExpressionId> items;
    bool isTuple = false;
};

struct Dict {
    std::vector<std::pair<ExpressionId, ExpressionId>> entries;
};

struct Unary {
    std::string_view op; ///< "-", "+", "~", "not"
    ExpressionId operand;
};

struct Binary {
    std::string_view op; ///< "+", "//", "<=", "is", "is not", "and"
    ExpressionId left, right;
};

/// `then if condition else orElse`
struct Choice {
    ExpressionId condition, then, orElse;
};

struct Expression {
    using Kind = std::variant<Literal, Name, Attribute, Call, Subscript, Slice, Items, Dict, Unary, Binary, Choice>;
    Kind kind;
    std::uint32_t offset = 0; ///< of its text in the source
    std::uint32_t length = 0;
};

/// `a = e`, `a, b = e`
struct Assign {
    std::vector<std::string_view> targets;
    bool isUnpacked = false;
    ExpressionId value;
};

/// `a = b = None`: the names are not used from here on.
struct Forget {
    std::vector<std::string_view> names;
};

/// `a += e`
struct Augment {
    ExpressionId target;
    std::string_view op; ///< "+"
    ExpressionId value;
};

struct Evaluate {
    ExpressionId value;
};

struct Return {
    std::optional<ExpressionId> value;
};

struct Statement {
    using Kind = std::variant<Assign, Forget, Augment, Evaluate, Return>;
    Kind kind;
    std::uint32_t line = 0; ///< from 1
};

struct Parameter {
    std::string_view name; ///< without its stars
    int stars = 0;
    std::optional<ExpressionId> annotation;
    std::optional<ExpressionId> value; ///< the default
};

struct Function {
    std::vector<std::string> names; ///< one, and in Cutaway's own library with dots: "torch.nn.functional.relu"
    std::vector<Parameter> parameters;
    std::vector<Statement> body;
};

struct Program {
    std::string_view source;
    std::vector<Expression> expressions; ///< children before their parents
    std::vector<Function> functions;

    const Expression &at(ExpressionId id) const { return expressions[id.index]; }
    std::string_view textOf(ExpressionId id) const { return source.substr(at(id).offset, at(id).length); }
};

} // namespace cutaway::formats::fx
