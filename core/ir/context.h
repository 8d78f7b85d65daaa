// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"
#include "core/ir/type.h"

#include <memory>
#include <string_view>

namespace cutaway::ir {

/// An operator's qualified name: "aten::add.Tensor" is {aten, add, Tensor}; the overload is "" if there is none. The
/// dialect may contain dots and colons ("com.microsoft").
struct Operator {
    NameId dialect;
    NameId name;
    NameId overload;
    bool operator==(const Operator &) const = default;
};

/// A source position and the position of its caller: a stack trace is a chain of these.
struct Location {
    NameId file;
    std::uint32_t line = 0; ///< 1-based; 0: unknown
    NameId function;
    NameId text;       ///< the source line, or ""
    LocationId caller; ///< LocationId{} ends the chain
    bool operator==(const Location &) const = default;
};

/// A call of a module within another one; views draw it as the box around its nodes. Two calls of a module are two
/// scopes. ScopeId{} is the root and its own parent.
struct Scope {
    ScopeId parent;
    NameId name;            ///< attribute name in the parent ("conv1", "0")
    NameId path;            ///< full module path ("layer1.0.conv1")
    NameId className;       ///< "torchvision.models.resnet.Bottleneck", or ""
    std::uint32_t call = 0; ///< 0 for the first call of this module, 1 for the second, …
    bool operator==(const Scope &) const = default;
};

/// The interned names, operators, types, source positions and scopes of a model, each stored once and addressed by a
/// 32-bit id. It only grows; ids and references stay valid. Threads may intern while others read. All graphs of a
/// model and of its history share one context.
class Context {
public:
    Context();
    ~Context();
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;

    NameId name(std::string_view text);
    OpId op(std::string_view dialect, std::string_view name, std::string_view overload = {});
    TypeId type(const Type &type);
    LocationId location(const Location &location);
    ScopeId scope(const Scope &scope);
    /// Returns the scope called `name` under `parent`; its path is the parent's path plus the name.
    ScopeId childScope(ScopeId parent, std::string_view name, std::string_view className = {}, std::uint32_t call = 0);

    std::string_view text(NameId id) const;
    const Operator &at(OpId id) const;
    const Type &at(TypeId id) const;
    const Location &at(LocationId id) const;
    const Scope &at(ScopeId id) const;

    std::uint32_t nameCount() const;
    std::uint32_t opCount() const;
    std::uint32_t typeCount() const;
    std::uint32_t locationCount() const;
    std::uint32_t scopeCount() const;

    /// Prints an operator's name: "aten::add.Tensor".
    std::string print(OpId id) const;
    /// Returns a type in the syntax of the textual form (see text.h): "float32[1, 3, 224, 224] strides[…] on "cpu"",
    /// "list<int>", "int(2*s0)".
    std::string print(TypeId id) const;
    /// Prints a type as print() does, without strides, device and requires_grad.
    std::string printBriefly(TypeId id) const;

private:
    struct Tables;
    std::unique_ptr<Tables> m_tables;
};

/// Returns the tensor type with this id; nullptr if it is another type.
const TensorType *tensorType(const Context &context, TypeId id);

} // namespace cutaway::ir
