// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/matching.h"

namespace cutaway::diff {

/// Several items of A that compute the same as several of B.
struct ItemGroup {
    std::vector<std::uint32_t> a, b;
    std::string_view reason;
};

/// The pairs with the items they absorbed, and connected unmatched items of both sides that lie between the same pairs:
/// a GELU and its Erf, a scaled dot product attention and its matrix products. No group contains views or conversions.
/// O(edges · log).
std::vector<ItemGroup> groupsOf(const Matching &matching);

} // namespace cutaway::diff
