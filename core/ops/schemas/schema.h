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

/// A type of PyTorch's schema language. All texts here are views into what was parsed and must not outlive it.
struct SchemaType {
    enum class Kind : std::uint8_t {
        Plain,     ///< `name`: "Tensor", "int", "NoneType", "__torch__.torch.classes.rnn.CellParamsBase"
        Variable,  ///< `name`: "t", any type, the same wherever it stands in one schema
        List,      ///< one element; "int[2]" has a `listSize`, and one int fills it
        Optional,  ///< one element
        Tuple,     ///< any number of elements
        Generic,   ///< `name` and its elements: "Dict(str, Tensor)", "Future(t)"
        EmptyList, ///< only a call's value has this type: the literal `[]`, a list of anything
        Unknown,   ///< only a call's value has this type: it fits everything
    };
    Kind kind = Kind::Unknown;
    std::string_view name;
    std::vector<SchemaType> elements;
    std::optional<std::int64_t> listSize;
    std::optional<std::string_view> alias; ///< "a", "a!", "a -> *": what the value shares its memory with

    static SchemaType plain(std::string_view name) { return {Kind::Plain, name, {}, {}, {}}; }

    /// Whether the operator writes to the value.
    bool isWritten() const { return alias && alias->contains('!'); }
    bool operator==(const SchemaType &) const = default;
};

struct SchemaArgument {
    SchemaType type;
    std::string_view name;                        ///< "" for a result that has none
    std::optional<std::string_view> defaultValue; ///< the literal as it is written: "None", "[0, 1]", "1e-05"
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
    bool moreArguments = false; ///< "...": any others may follow
    bool moreReturns = false;
    bool operator==(const Schema &) const = default;
};

/// Reads one schema. Errors: what was expected and at which column.
Result<Schema> parseSchema(std::string_view text);

/// Reads a type alone: "Dict(str, Tensor[])?". Errors: as above.
Result<SchemaType> parseSchemaType(std::string_view text);

/// Prints a schema in torch's own spelling, so that text that torch printed comes back.
std::string print(const Schema &schema);
std::string print(const SchemaType &type);

} // namespace cutaway::ops
