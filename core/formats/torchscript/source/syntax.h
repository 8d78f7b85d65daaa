// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/syntax.h"

/// The syntax of one source file of a TorchScript archive. Names and strings are views of the source (see ParsedFile).
namespace cutaway::formats::torchscript {

using namespace python;

using ClassId = ir::Id<struct ClassTag>;

/// `name : T` is an attribute, `name : Final[T] = v` a constant, `name = v` an enum's member.
struct Field {
    Position position;
    std::string_view name; ///< may be any text; if it is no identifier, it is written as __annotations__["0"] = T
    std::optional<ExpressionId> type;
    std::optional<ExpressionId> value;
};

/// `class Net(Module):` with its declarations and methods.
struct Class {
    enum class Kind : std::uint8_t { Plain, Module, NamedTuple, Enum, Interface, ModuleInterface };
    Position position;
    std::string_view name;
    Kind kind = Kind::Plain;
    std::optional<std::vector<std::string_view>> parameters; ///< nothing: the class has no such line
    std::optional<std::vector<std::string_view>> buffers;
    std::optional<std::vector<std::string_view>> forwardPreHooks;
    std::optional<std::vector<std::string_view>> forwardHooks;
    std::vector<Field> fields;
    std::vector<FunctionId> methods;
};

/// The tree of a file, with the classes and functions that it defines.
struct Tree : python::Tree {
    std::vector<Class> classes;
    std::vector<std::variant<ClassId, FunctionId>> definitions; ///< the contents of the file, in order

    using python::Tree::at;
    const Class &at(ClassId id) const { return classes[id.index]; }
};

/// Targets: `a, b = e` (results of an operation), `a, b = c, d` (each its own), `a, b, = e` (items of a tuple or list).
struct Targets {
    std::span<const ExpressionId> names;  ///< names, or a single Attribute
    std::span<const ExpressionId> values; ///< a single value, or one per name
    bool areItems = false;
};
/// Returns views into the assignment, which must have a value.
Targets targetsOf(const Tree &tree, const Assign &assign);

/// Returns the n of `for i in range(n):`, the only kind of for loop that torch writes; nothing for another loop.
std::optional<ExpressionId> countOf(const Tree &tree, const For &loop);

/// Returns "__torch__.a.C", as in the source, for a type or the part before its brackets; nothing for others.
std::optional<std::string_view> typeName(const Tree &tree, ExpressionId id);

/// An expression that looks like a call and has a type among its arguments.
struct TypedForm {
    enum class Kind : std::uint8_t {
        Annotate,      ///< `annotate(type, value)`: gives a literal a type, and computes nothing
        UncheckedCast, ///< `unchecked_cast(type, value)`
        Uninitialized, ///< `uninitialized(type)`
        IsInstance,    ///< `isinstance(value, type)`, `isinstance(value, (type, type))`
    };
    Kind kind = Kind::Annotate;
    ExpressionId type;
    std::optional<ExpressionId> value;
};
/// Returns the typed form that an expression is; nothing for other expressions.
std::optional<TypedForm> typedForm(const Tree &tree, ExpressionId id);

/// Returns the call of a function that an expression is; nullptr for other expressions, including typed forms.
const Call *callAt(const Tree &tree, ExpressionId id);

} // namespace cutaway::formats::torchscript
