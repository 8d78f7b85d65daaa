// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/hash.h"
#include "core/diff/skeleton.h"

namespace cutaway::diff {

/// Hashes of a place in a skeleton by what surrounds it.
struct Fingerprint {
    Hash above = 0;                    ///< everything that leads to it, and itself
    Hash below = 0;                    ///< everything that it leads to, and itself
    Hash producers = 0, consumers = 0; ///< its neighbours alone
    bool operator==(const Fingerprint &) const = default;
};

/// Whether it matters which operand of a node something is.
enum class OperandOrder : std::uint8_t { Counts, Any };

/// By place. `labels` are each place's own hashes; where `isFixed` the place is known and nothing behind it matters:
/// its label stands for all that leads to it. O(edges · log).
std::vector<Fingerprint> fingerprints(const Skeleton &skeleton, const std::vector<Hash> &labels,
                                      const std::vector<bool> &isFixed, OperandOrder order);

} // namespace cutaway::diff
