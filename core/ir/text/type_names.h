// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace cutaway::ir {

// The keywords of types in the textual form and JSON, in the order of the enumerators.
inline constexpr std::array<std::string_view, 5> numberNames{"int", "float", "bool", "complex", "number"};
inline constexpr std::array<std::string_view, 10> plainNames{"any",   "none",      "str",    "device",  "layout",
                                                             "dtype", "generator", "stream", "capsule", "token"};
inline constexpr std::array<std::string_view, 5> classNames{"object", "module", "interface", "enum", "opaque"};
inline constexpr std::array<std::string_view, 8> compoundNames{"list",  "optional", "dict",  "tuple",
                                                               "union", "future",   "await", "rref"};

/// The enumerator of a keyword in one of these lists.
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

} // namespace cutaway::ir
