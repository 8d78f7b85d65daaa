// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/ir/type.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::ir {

// The keywords of types in the textual form and JSON, in the order of the enumerators.
inline constexpr std::array<std::string_view, 5> numberNames{"int", "float", "bool", "complex", "number"};
inline constexpr std::array<std::string_view, 10> plainNames{"any",   "none",      "str",    "device",  "layout",
                                                             "dtype", "generator", "stream", "capsule", "token"};
inline constexpr std::array<std::string_view, 5> classNames{"object", "module", "interface", "enum", "opaque"};
inline constexpr std::array<std::string_view, 8> compoundNames{"list",  "optional", "dict",  "tuple",
                                                               "union", "future",   "await", "rref"};

/// Returns the enumerator of a keyword in one of these lists.
template <class Kind, std::size_t n>
std::optional<Kind> kindNamed(const std::array<std::string_view, n> &names, std::string_view name)
{
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Kind>(found - names.begin()));
}

template <class Kind, std::size_t n>
std::string_view nameOf(const std::array<std::string_view, n> &names, Kind kind)
{
    return names[static_cast<std::size_t>(kind)];
}

/// Returns what is wrong with the number of a type's elements or field names, such as "found 0 elements of the type
/// list, expected 1"; nothing if they fit.
inline std::optional<std::string> faultOf(const CompoundType &type)
{
    using enum CompoundType::Kind;
    const std::size_t count = type.elements.size(), expected = type.kind == Dict ? 2 : 1;
    if (type.kind != Tuple && type.kind != Union && count != expected)
        return "found " + quantity(count, "element") + " of the type " + std::string(nameOf(compoundNames, type.kind))
            + ", expected " + std::to_string(expected);
    if (!type.fieldNames.empty() && type.fieldNames.size() != count)
        return "a type has " + quantity(type.fieldNames.size(), "field name") + " for " + quantity(count, "field");
    return std::nullopt;
}

} // namespace cutaway::ir
