// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/expression.h"

#include <deque>
#include <span>
#include <string>

/// Python's statements and functions, and the tree that a source is read into.
namespace cutaway::formats::python {

using StatementId = ir::Id<struct PythonStatementTag>;
using FunctionId = ir::Id<struct PythonFunctionTag>;

using Block = std::vector<StatementId>; ///< empty for `pass`

/// `x = e`, `x : T = e`, `a, b = e`, `a = b = e`
struct Assign {
    std::vector<ExpressionId> targets;
    std::optional<ExpressionId> type;
    std::optional<ExpressionId> value; ///< nothing for `x : T`
};

/// `a += e`
struct Augment {
    ExpressionId target;
    std::string_view op; ///< "+"
    ExpressionId value;
};

/// An expression statement, such as `f(x)`.
struct Evaluate {
    ExpressionId value;
};

/// `if condition:` and, if `orElse` is not empty, `else:`
struct If {
    ExpressionId condition;
    Block then;
    Block orElse;
};

/// `while condition:`
struct While {
    ExpressionId condition;
    Block body;
};

/// `for variable in items:`
struct For {
    std::string_view variable;
    ExpressionId items;
    Block body;
};

/// `with context as variable:`
struct With {
    ExpressionId context;
    std::optional<std::string_view> variable; ///< `as variable`
    Block body;
};

/// `return value`
struct Return {
    std::optional<ExpressionId> value;
};

/// A `def` in the body of a function.
struct LocalFunction {
    FunctionId function;
};

/// A statement with its position in the source.
struct Statement {
    using Kind = std::variant<Assign, Augment, Evaluate, If, While, For, With, Return, LocalFunction>;
    Kind kind;
    Position position;
    std::uint32_t line = 0; ///< from 1
};

/// A parameter of a function: `x`, `x: T = value`, `*x` or `**x`.
struct Parameter {
    Position position;
    std::string_view name; ///< the name without its stars
    int stars = 0;
    std::optional<ExpressionId> type;
    std::optional<ExpressionId> value; ///< the default value
};

/// `def name(parameters) -> result:`
struct Function {
    Position position;
    std::string_view name;
    std::vector<Parameter> parameters;
    std::optional<ExpressionId> result; ///< the annotation of the result's type
    Block body;
};

/// The tree of a source. Nodes refer to each other by id; children come before their parents, so that recursion ends.
struct Tree {
    Tree() = default;
    Tree(Tree &&) noexcept = default; // moving a deque does not move its strings
    Tree &operator=(Tree &&) noexcept = default;

    std::string_view source;
    std::vector<Expression> expressions;
    std::vector<Statement> statements;
    std::vector<Function> functions; ///< all functions, including methods and local functions
    std::deque<std::string> decoded; ///< the decoded literals that had escapes; the tree has views of them

    const Expression &at(ExpressionId id) const { return expressions[id.index]; }
    const Statement &at(StatementId id) const { return statements[id.index]; }
    const Function &at(FunctionId id) const { return functions[id.index]; }
    std::string_view textOf(ExpressionId id) const { return source.substr(at(id).position.offset, at(id).length); }
};

/// Returns the items of a tuple, or `id` alone, which then has to live as long as the result.
std::span<const ExpressionId> itemsOf(const Tree &tree, const ExpressionId &id);

/// Returns "torch.nn.functional.relu" for nested attributes of a name; nothing for other expressions.
std::optional<std::string> dottedName(const Tree &tree, ExpressionId id);

} // namespace cutaway::formats::python
