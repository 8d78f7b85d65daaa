// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/source/expression.h"

/// The syntax of one source file of a TorchScript archive. Names and strings are views of the source (see ParsedFile).
namespace cutaway::formats::torchscript {

using StatementId = ir::Id<struct StatementTag>;
using FunctionId = ir::Id<struct FunctionSyntaxTag>;
using ClassId = ir::Id<struct ClassTag>;

using Block = std::vector<StatementId>; ///< empty for `pass`

/// `x = e`, `a, b = e` (an operation's outputs), `a, b = c, d` (each its own), `self.a = e`.
struct Assign {
    std::vector<ExpressionId> targets; ///< Names, or one Attribute
    std::optional<TypeId> type;        ///< `x : T = e`
    std::vector<ExpressionId> values;  ///< one, or one per target
    bool operator==(const Assign &) const = default;
};

/// `a, b, = e`: the items of one tuple or list.
struct Unpack {
    std::vector<ExpressionId> targets;
    ExpressionId value;
    bool operator==(const Unpack &) const = default;
};

struct Evaluate {
    ExpressionId value;
    bool operator==(const Evaluate &) const = default;
};

struct If {
    ExpressionId condition;
    Block then;
    Block orElse;
    bool operator==(const If &) const = default;
};

struct While {
    ExpressionId condition;
    Block body;
    bool operator==(const While &) const = default;
};

/// `for variable in range(count):`, the only kind there is.
struct For {
    std::string_view variable;
    ExpressionId count;
    Block body;
    bool operator==(const For &) const = default;
};

struct With {
    ExpressionId context;
    std::optional<std::string_view> variable; ///< `as variable`
    Block body;
    bool operator==(const With &) const = default;
};

struct Return {
    std::optional<ExpressionId> value;
    bool operator==(const Return &) const = default;
};

/// The body of a fork or an awaitable.
struct LocalFunction {
    FunctionId function;
    bool operator==(const LocalFunction &) const = default;
};

struct Statement {
    using Kind = std::variant<Assign, Unpack, Evaluate, If, While, For, With, Return, LocalFunction>;
    Position position;
    Kind kind;
    bool operator==(const Statement &) const = default;
};

struct Parameter {
    Position position;
    std::string_view name;
    std::optional<TypeId> type;
    std::optional<ExpressionId> value; ///< the default
    bool operator==(const Parameter &) const = default;
};

struct Function {
    Position position;
    std::string_view name;
    std::vector<Parameter> parameters;
    std::optional<TypeId> result;
    Block body;
    bool operator==(const Function &) const = default;
};

/// `name : T`; with a value, `name : Final[T] = v`, a constant; with a value and no type, an enum's member.
struct Field {
    Position position;
    std::string_view name; ///< any text: others than identifiers are written as __annotations__["0"] = T
    std::optional<TypeId> type;
    std::optional<ExpressionId> value;
    bool operator==(const Field &) const = default;
};

struct Class {
    enum class Kind : std::uint8_t { Plain, Module, NamedTuple, Enum, Interface, ModuleInterface };
    Position position;
    std::string_view name;
    Kind kind = Kind::Plain;
    std::optional<std::vector<std::string_view>> parameters; ///< empty: no line for them
    std::optional<std::vector<std::string_view>> buffers;
    std::optional<std::vector<std::string_view>> forwardPreHooks;
    std::optional<std::vector<std::string_view>> forwardHooks;
    std::vector<Field> fields;
    std::vector<FunctionId> methods;
    bool operator==(const Class &) const = default;
};

/// The syntax tree of a file. Its nodes name each other by id; children come before their parents, so a walk downwards
/// ends.
struct Tree {
    std::vector<Type> types;
    std::vector<Expression> expressions;
    std::vector<Statement> statements;
    std::vector<Function> functions; ///< methods and local functions too
    std::vector<Class> classes;
    std::vector<std::variant<ClassId, FunctionId>> definitions; ///< the file, in order
    bool operator==(const Tree &) const = default;

    const Type &at(TypeId id) const { return types[id.index]; }
    const Expression &at(ExpressionId id) const { return expressions[id.index]; }
    const Statement &at(StatementId id) const { return statements[id.index]; }
    const Function &at(FunctionId id) const { return functions[id.index]; }
    const Class &at(ClassId id) const { return classes[id.index]; }
};

} // namespace cutaway::formats::torchscript
