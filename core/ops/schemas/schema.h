// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::ops {

/// A type of PyTorch's schema language. All texts here are views into the parsed text and must not outlive it.
struct SchemaType {
    enum class Kind : std::uint8_t {
        Plain,     ///< `name` alone: "Tensor", "int", "NoneType", "__torch__.torch.classes.rnn.CellParamsBase"
        Variable,  ///< `name` is a type variable: "t" stands for the same type everywhere in one schema
        List,      ///< one element type; "int[2]" has a `listSize`, and accepts a single int
        Optional,  ///< one element type, whose value may be None
        Tuple,     ///< any number of element types
        Generic,   ///< `name` and its element types: "Dict(str, Tensor)", "Future(t)"
        EmptyList, ///< the type of the literal `[]` in a call: a list of anything
        Unknown,   ///< the type of a value in a call that is not known; it fits everything
    };
    Kind kind = Kind::Unknown;
    std::string_view name;
    std::vector<SchemaType> elements;
    std::optional<std::int64_t> listSize;
    std::optional<std::string_view> alias; ///< "a", "a!", "a -> *": the alias set of the value's memory

    static SchemaType plain(std::string_view name) { return {Kind::Plain, name, {}, {}, {}}; }

    /// Whether the operator writes to the value.
    bool isWritten() const { return alias && alias->contains('!'); }
    bool operator==(const SchemaType &) const = default;
};

struct SchemaArgument {
    SchemaType type;
    std::string_view name;                        ///< "" for a result that has none
    std::optional<std::string_view> defaultValue; ///< the literal in the schema: "None", "[0, 1]", "1e-05"
    bool keywordOnly = false;
    bool operator==(const SchemaArgument &) const = default;
};

/// The signature of one overload of an operator: "aten::add.Tensor(Tensor self, …) -> Tensor".
struct Schema {
    std::string_view dialect;  ///< "aten"
    std::string_view name;     ///< "add"
    std::string_view overload; ///< "Tensor"; often ""
    std::vector<SchemaArgument> arguments;
    std::vector<SchemaArgument> returns;
    bool moreArguments = false; ///< "...": any further arguments may follow
    bool moreReturns = false;
    bool operator==(const Schema &) const = default;
};

/// Reads one schema. Errors: the expected syntax and the column.
Result<Schema> parseSchema(std::string_view text);

/// Reads a type alone: "Dict(str, Tensor[])?". Errors: the expected syntax and the column.
Result<SchemaType> parseSchemaType(std::string_view text);

/// Prints a schema as torch does, so that parsing and printing a schema of torch returns the same text.
std::string print(const Schema &schema);
std::string print(const SchemaType &type);

} // namespace cutaway::ops
