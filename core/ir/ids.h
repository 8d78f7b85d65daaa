// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace cutaway::ir {

/// A 32-bit index into one array of a model. Each kind of thing has its own id type.
template <class Tag>
struct Id {
    std::uint32_t index = 0;
    auto operator<=>(const Id &) const = default;
};

// Entries of a Context. Entry 0 of each kind is the empty one: "", no operator, unknown type, unknown source
// position, the root scope.
using NameId = Id<struct NameTag>;
using OpId = Id<struct OpTag>;
using TypeId = Id<struct TypeTag>;
using LocationId = Id<struct LocationTag>;
using ScopeId = Id<struct ScopeTag>;

// Entries of a Graph. They are never reused after a removal.
using NodeId = Id<struct NodeTag>;
using ValueId = Id<struct ValueTag>;
using RegionId = Id<struct RegionTag>;

// Entries of a Model.
using FunctionId = Id<struct FunctionTag>;
using ModuleId = Id<struct ModuleTag>;
using TensorId = Id<struct TensorTag>;
using StorageId = Id<struct StorageTag>;
using FileId = Id<struct FileTag>;
using ObjectId = Id<struct ObjectTag>;

} // namespace cutaway::ir

template <class Tag>
struct std::hash<cutaway::ir::Id<Tag>> {
    std::size_t operator()(cutaway::ir::Id<Tag> id) const noexcept { return id.index * 0x9E3779B97F4A7C15ull; }
};
