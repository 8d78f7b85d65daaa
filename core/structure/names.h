// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/structure/flow.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace cutaway::structure {

/// The contents of a part, from which its name follows.
struct Content {
    std::array<std::uint32_t, roleCount> roles{}; ///< how many places have each role
    std::uint32_t places = 0;
    std::uint32_t branches = 0; ///< 0: it is no fork
    Role first = Role::Other, last = Role::Other;
    bool isSkipped = false;  ///< its last place also reads a value from before the part
    bool isUnit = false;     ///< one of several alike
    bool isErf = false;      ///< it computes a normal distribution
    bool isRoot = false;     ///< it computes a root
    bool isVariance = false; ///< it computes a variance

    std::uint32_t count(Role role) const { return roles[static_cast<std::size_t>(role)]; }
};

/// The name of the pattern that a part with these contents is an instance of; "" if there is none. `weighted`: the
/// part's weighted roles.
std::string_view patternOf(const Content &content, std::span<const Role> weighted);

/// Whether patternOf() gives such a name.
bool isPattern(std::string_view name);
/// Whether a pattern is made of parts that are patterns themselves: a transformer block, an inception block.
bool isCompound(std::string_view name);

/// The contents of the places from `begin` to `end`, of which there is at least one.
Content contentOf(const std::vector<Place> &places, std::uint32_t begin, std::uint32_t end);

/// The name of the places from `begin` on that have these contents: the pattern, a few operators, or a summary.
std::string nameOf(const ir::Context &context, const std::vector<Place> &places, const Content &content,
                   std::uint32_t begin, std::span<const Role> weighted);

/// Names the most telling operators: "6 conv, 2 linear".
std::string summaryOf(const Content &content);

} // namespace cutaway::structure
