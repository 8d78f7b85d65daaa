// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/made_names.h"

#include "core/base/formatted.h"

#include <algorithm>
#include <cctype>

namespace cutaway::protocol {

namespace {

constexpr std::string_view prefix = "cutaway:made:";

bool isKept(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("_./-").contains(c); }

} // namespace

bool isPlainName(std::string_view name)
{
    return !name.empty() && std::ranges::none_of(name, [](char c) {
        return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
    });
}

std::string madeName(std::string_view value, std::size_t nth)
{
    std::string name = formatted("{}{}:", prefix, nth);
    for (const char c : value)
        name += isKept(c) ? std::string(1, c) : formatted("%{:02x}", static_cast<unsigned char>(c));
    return name;
}

bool isMadeName(std::string_view name) { return name.contains(prefix); }

} // namespace cutaway::protocol
