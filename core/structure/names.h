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
    std::array<std::uint32_t, roleCount> roles{}; ///< by role: the number of positions with that role
    std::uint32_t places = 0;
    std::uint32_t branches = 0; ///< the number of branches; 0 if the part is no fork
    Role first = Role::Other, last = Role::Other;
    bool isSkipped = false;  ///< whether the part's last position also reads a value from before the part
    bool isUnit = false;     ///< whether the part is one of several similar ones
    bool isErf = false;      ///< whether the part computes the error function of a normal distribution
    bool isRoot = false;     ///< whether the part computes a root
    bool isVariance = false; ///< whether the part computes a variance

    std::uint32_t count(Role role) const { return roles[static_cast<std::size_t>(role)]; }
};

/// Returns the name of the pattern that a part with these contents is an instance of; "" if there is none. `weighted`:
/// the part's weighted roles.
std::string_view patternOf(const Content &content, std::span<const Role> weighted);

/// Whether patternOf() can return the name.
bool isPattern(std::string_view name);
/// Whether a pattern consists of parts that are patterns themselves, as a transformer block or an inception block.
bool isCompound(std::string_view name);

/// Returns the contents of the positions from `begin` to `end`, of which there is at least one.
Content contentOf(const std::vector<Place> &places, std::uint32_t begin, std::uint32_t end);

/// Returns a name for positions from `begin` on with these contents: the pattern, a few operators, or a summary.
std::string nameOf(const ir::Context &context, const std::vector<Place> &places, const Content &content,
                   std::uint32_t begin, std::span<const Role> weighted);

/// Names the most telling operators: "6 conv, 2 linear".
std::string summaryOf(const Content &content);

} // namespace cutaway::structure
