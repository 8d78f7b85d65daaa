// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/proof/checks.h"

namespace cutaway::diff {

/// Items without partners that correspond to each other; one side may have none.
struct ItemGroup {
    std::vector<std::uint32_t> a, b; ///< ascending
    /// Whether the readers of the group get the same values on both sides.
    Verdict::Kind kind = Verdict::Kind::Same;
    double largestError = 0, allowed = 0;
    std::string reason = {}; ///< why it is unknown whether the results are the same
};

/// For each pair, whether both nodes read the same values.
struct ReadsCompared {
    std::vector<ItemGroup> groups; ///< all items without partners that compute, in the order of A
    /// By item of A: the index of an operand that differs from the partner's although no unmatched item computes it,
    /// only nodes that move data. Indices count the operands that depend on inputs.
    std::vector<std::optional<std::size_t>> otherReads;
    std::vector<bool> readsSame; ///< by item of A: whether all operands of the pair are known to be the same
    /// An operand of a matched item that cannot be computed, where neither side has unmatched items before it.
    struct Unknown {
        std::uint32_t itemA;
        std::size_t place; ///< the index of the operand, among those of the item that depend on inputs
        std::string reason;
    };
    std::vector<Unknown> unknown; ///< in the order of A
};

/// Finds which items without partners stand for each other: those that lie between the same pairs and lead to the same
/// operand of a later pair. They are computed to find whether they are equivalent. `isExact`: pairs that read no
/// results of such items are skipped.
ReadsCompared compareReads(const Matching &matching, Checks &checks, bool isExact);

/// Returns a group for each pair that absorbed items: the pair with these items.
std::vector<ItemGroup> foldedGroups(const Matching &matching);

/// Returns groups of connected items without partners, of both sides, that lie between the same pairs. O(edges · log)
std::vector<ItemGroup> groupsBetweenPairs(const Matching &matching);

} // namespace cutaway::diff
