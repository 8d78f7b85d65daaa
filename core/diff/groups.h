// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/proof/checks.h"

namespace cutaway::diff {

/// Items without partners that stand for each other; one side may have none.
struct ItemGroup {
    std::vector<std::uint32_t> a, b; ///< ascending
    /// Whether the readers of the group get the same on both sides.
    Verdict::Kind kind = Verdict::Kind::Same;
    double largestError = 0, allowed = 0;
    std::string reason = {}; ///< why it is not known
};

/// Whether both nodes read the same, for each pair.
struct ReadsCompared {
    std::vector<ItemGroup> groups; ///< all items without partners that compute, in the order of A
    /// By item of A: the index of a tensor that the item reads and that differs from the one on the other side,
    /// although no unmatched item computes it: only nodes that move data lie between. Indices count the tensors that
    /// depend on inputs.
    std::vector<std::optional<std::size_t>> otherReads;
    std::vector<bool> readsSame; ///< by item of A: all that the pair reads is known to be the same
    /// A matched item reads a tensor that cannot be computed, and neither side has unmatched items before it.
    struct Unknown {
        std::uint32_t itemA;
        std::size_t place; ///< which tensor the item reads, among those that depend on inputs
        std::string reason;
    };
    std::vector<Unknown> unknown; ///< in the order of A
};

/// Finds which items without partners stand for each other: those between the same pairs and the same operand of a pair
/// after them. Computes them to tell whether they are equivalent. `isExact`: pairs that read no results of such items
/// are not looked at.
ReadsCompared compareReads(const Matching &matching, Checks &checks, bool isExact);

/// The pairs with the items that they absorbed.
std::vector<ItemGroup> foldedGroups(const Matching &matching);

/// Connected items without partners that lie between the same pairs, on both sides. O(edges · log).
std::vector<ItemGroup> groupsBetweenPairs(const Matching &matching);

} // namespace cutaway::diff
