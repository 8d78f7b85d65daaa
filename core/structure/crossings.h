// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/structure/flow.h"

namespace cutaway::structure {

/// A value of the main flow, and who reads it.
struct Passing {
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    std::uint32_t maker = none;           ///< a place; none for an input of the function
    std::vector<std::uint32_t> readers{}; ///< places, ascending
    bool isReturned = false;
};

/// How many values pass the border before each place, and the one behind the last: see crossings.cpp for those that do
/// not count.
std::vector<std::uint32_t> crossingsOf(const std::vector<Place> &places, std::vector<Passing> values);

} // namespace cutaway::structure
