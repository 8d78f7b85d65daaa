// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_writer.h"
#include "core/ir/type.h"
#include "core/symbolic/evaluate.h"

#include <optional>
#include <string>
#include <string_view>

namespace cutaway::ir {
class Context;
}

namespace cutaway::formats::pt2 {

/// The text as a JSON string, with every character as it is.
std::string quotedJson(std::string_view text);

/// Puts one more member at the end of an object whose last bracket is still to come: `{"a":1` becomes
/// `{"a":1,"key":json`.
void addMember(std::string &object, std::string_view key, std::string_view json);

/// A size expression as torch reads it back: `Add(Symbol('s0', positive=True, integer=True), Integer(1))`.
std::string sympyText(const symbolic::Expr &expr);

/// The schema's number of a dtype, layout or memory format; 0 (unknown) if it has none.
template <class T>
std::int64_t schemaNumber(T value)
{
    return ir::numberOf(value, ir::Numbering::ExportedProgram).value_or(0);
}

/// The table of a graph that has a value's type ("tensor_values"), and the entry there.
struct TypeEntry {
    std::string_view table;
    std::string json;
};
/// Nothing for types that the schema has no table of. Only for complete types.
std::optional<TypeEntry> typeEntry(const ir::Context &context, std::string_view name, ir::TypeId type,
                                   const symbolic::Bindings &hints);

/// Whether the type has all that the schema requires: sizes, the value of a number.
bool isComplete(const ir::Type &type);

/// TensorMeta. Strides that are not known are those of a contiguous tensor. `hints`: the values of symbols in the
/// example that torch keeps with a program.
std::string tensorMeta(const ir::Context &context, const ir::TensorType &type, const symbolic::Bindings &hints = {});
std::string deviceJson(const ir::Context &context, const ir::Device &device);

} // namespace cutaway::formats::pt2
