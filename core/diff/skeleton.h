// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/outline.h"

namespace cutaway::diff {

/// An outline without what is not looked at now: who reads something through the rest reads it directly.
struct Skeleton {
    std::vector<std::uint32_t> items;                             ///< of the outline, in its order
    std::vector<std::vector<std::uint32_t>> producers, consumers; ///< places in `items`
};

/// Inputs and outputs are always kept. What stands aside and is not kept conducts nothing. O(edges).
Skeleton contracted(const Outline &outline, const std::vector<bool> &isKept);

} // namespace cutaway::diff
