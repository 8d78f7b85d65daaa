// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/outline.h"

namespace cutaway::diff {

/// An outline reduced to the items that are compared: the other items are bypassed, so that a reader is connected
/// directly to the nearest kept producers.
struct Skeleton {
    struct Consumer {
        std::uint32_t place;
        std::uint32_t position; ///< index among the consumer's producers
    };
    std::vector<std::uint32_t> items;                  ///< indices of items of the outline, ascending
    std::vector<std::vector<std::uint32_t>> producers; ///< indices into `items`, in the order of the operands
    std::vector<std::vector<Consumer>> consumers;
};

/// Returns the skeleton with the items that `isKept`, and the inputs and outputs. Items with the role Aside that are
/// not kept connect nothing. O(edges).
Skeleton contracted(const Outline &outline, const std::vector<bool> &isKept);

} // namespace cutaway::diff
