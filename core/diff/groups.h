// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/matching.h"

namespace cutaway::diff {

/// Several items of A that do the same as several of B.
struct ItemGroup {
    std::vector<std::uint32_t> a, b;
    std::string_view reason;
};

/// Pairs with what they absorbed, and connected remains of both sides that stand between the same pairs: a GELU and its
/// Erf, a scaled dot product attention and its matrix products. Views and conversions are in none. O(edges · log).
std::vector<ItemGroup> groupsOf(const Matching &matching);

} // namespace cutaway::diff
