// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/syntax.h"

/// The syntax of one source file of a TorchScript archive. Names and strings are views of the source (see ParsedFile).
namespace cutaway::formats::torchscript {

using namespace python;

using ClassId = ir::Id<struct ClassTag>;

/// `name : T`; with a value, `name : Final[T] = v`, a constant; with a value and no type, an enum's member.
struct Field {
    Position position;
    std::string_view name; ///< any text: others than identifiers are written as __annotations__["0"] = T
    std::optional<ExpressionId> type;
    std::optional<ExpressionId> value;
};

/// `class Net(Module):` with its declarations and methods.
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
};

/// The tree of a file, with the classes and functions that it defines.
struct Tree : python::Tree {
    std::vector<Class> classes;
    std::vector<std::variant<ClassId, FunctionId>> definitions; ///< the file, in order

    using python::Tree::at;
    const Class &at(ClassId id) const { return classes[id.index]; }
};

/// `a, b = e` (an operation's outputs), `a, b = c, d` (each its own), `a, b, = e` (the items of one tuple or list).
struct Targets {
    std::span<const ExpressionId> names;  ///< Names, or one Attribute
    std::span<const ExpressionId> values; ///< one, or one per name
    bool areItems = false;
};
/// Views of the assignment, which has a value.
Targets targetsOf(const Tree &tree, const Assign &assign);

/// The n of `for i in range(n):`, the only kind of loop there is over items; nothing for another one.
std::optional<ExpressionId> countOf(const Tree &tree, const For &loop);

/// "__torch__.a.C" as it stands in the source, of a type or of what a type in brackets is of; nothing for what cannot
/// be the name of a type.
std::optional<std::string_view> typeName(const Tree &tree, ExpressionId id);

/// An expression that looks like a call and has a type among its arguments.
struct TypedForm {
    enum class Kind : std::uint8_t {
        Annotate,      ///< `annotate(type, value)`: a literal's type, no computation
        UncheckedCast, ///< `unchecked_cast(type, value)`
        Uninitialized, ///< `uninitialized(type)`
        IsInstance,    ///< `isinstance(value, type)`, `isinstance(value, (type, type))`
    };
    Kind kind = Kind::Annotate;
    ExpressionId type;
    std::optional<ExpressionId> value;
};
/// Nothing for another expression.
std::optional<TypedForm> typedForm(const Tree &tree, ExpressionId id);

/// The call of a function that an expression is; nullptr for another one, a typed form too.
const Call *callAt(const Tree &tree, ExpressionId id);

} // namespace cutaway::formats::torchscript
