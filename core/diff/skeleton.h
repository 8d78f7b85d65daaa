// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/outline.h"

namespace cutaway::diff {

/// An outline without what is not looked at now: who reads something through the rest reads it directly.
struct Skeleton {
    struct Consumer {
        std::uint32_t place;
        std::uint32_t position; ///< among the consumer's producers
    };
    std::vector<std::uint32_t> items;                  ///< of the outline, in its order
    std::vector<std::vector<std::uint32_t>> producers; ///< places in `items`, in the order of the operands
    std::vector<std::vector<Consumer>> consumers;
};

/// Inputs and outputs are always kept. What stands aside and is not kept conducts nothing. O(edges).
Skeleton contracted(const Outline &outline, const std::vector<bool> &isKept);

} // namespace cutaway::diff
