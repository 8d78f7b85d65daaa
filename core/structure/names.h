// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/structure/flow.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace cutaway::structure {

/// What a name is given by.
struct Content {
    std::array<std::uint32_t, roleCount> roles{}; ///< how many places have each role
    std::uint32_t places = 0;
    std::uint32_t branches = 0; ///< 0: it is no fork
    Role first = Role::Other, last = Role::Other;
    bool isSkipped = false; ///< its last place also reads what there was before it
    bool isUnit = false;    ///< one of several alike
    bool isErf = false;     ///< a normal distribution is computed
    bool isRoot = false;    ///< a root is

    std::uint32_t count(Role role) const { return roles[static_cast<std::size_t>(role)]; }
};

/// The pattern that it is an instance of; "" if it is none.
std::string_view patternOf(const Content &content, std::span<const Role> weighted);

bool isPattern(std::string_view name);
/// Whether it is made of parts that are patterns themselves: a transformer block, an inception block.
bool isCompound(std::string_view name);

/// "6 conv, 2 linear": the most telling operators.
std::string summaryOf(const Content &content);

} // namespace cutaway::structure
