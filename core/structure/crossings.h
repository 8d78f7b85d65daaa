// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/structure/flow.h"

namespace cutaway::structure {

/// A value of the main flow, with the positions that read it.
struct Passing {
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    std::uint32_t maker = none;           ///< the position that makes the value; none for an input of the function
    std::vector<std::uint32_t> readers{}; ///< positions, ascending
    bool isReturned = false;
};

/// Returns the number of values that cross the border before each position, and after the last one; crossings.cpp
/// explains which values are ignored.
std::vector<std::uint32_t> crossingsOf(const std::vector<Place> &places, std::vector<Passing> values);

} // namespace cutaway::structure
