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

/// Returns the text as a JSON string in which only quotes, backslashes and control characters are escaped.
std::string quotedJson(std::string_view text);

/// Appends a member to a JSON object whose closing bracket is still missing: `{"a":1` becomes `{"a":1,"key":json`.
void addMember(std::string &object, std::string_view key, std::string_view json);

/// Returns a size expression as torch reads it: `Add(Symbol('s0', positive=True, integer=True), Integer(1))`.
std::string sympyText(const symbolic::Expr &expr);

/// Returns the schema's number of a dtype, layout or memory format; 0 (unknown) if it has none.
template <class T>
std::int64_t schemaNumber(T value)
{
    return ir::numberOf(value, ir::Numbering::ExportedProgram).value_or(0);
}

/// An entry in the tables of a graph that have the values' types: the table ("tensor_values") and the entry in it.
struct TypeEntry {
    std::string_view table;
    std::string json;
};
/// Returns the entry for a value of a complete type; nothing for types without a table in the schema.
std::optional<TypeEntry> typeEntry(const ir::Context &context, std::string_view name, ir::TypeId type,
                                   const symbolic::Bindings &hints);

/// Whether the type has everything that the schema requires: sizes, the value of a number.
bool isComplete(const ir::Type &type);

/// Returns a TensorMeta. A tensor whose strides are not known is written as contiguous. `hints`: the values of
/// symbols in the example that torch keeps with a program.
std::string tensorMeta(const ir::Context &context, const ir::TensorType &type, const symbolic::Bindings &hints = {});
std::string deviceJson(const ir::Context &context, const ir::Device &device);

} // namespace cutaway::formats::pt2
