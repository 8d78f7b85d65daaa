// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/hash.h"
#include "core/diff/skeleton.h"

namespace cutaway::diff {

/// Hashes that describe a position in a skeleton by its surroundings.
struct Fingerprint {
    Hash above = 0;                    ///< a hash of the node and everything that leads to it
    Hash below = 0;                    ///< a hash of the node and everything that it leads to
    Hash producers = 0, consumers = 0; ///< hashes of its direct neighbours alone
    bool operator==(const Fingerprint &) const = default;
};

/// Whether the position of an operand counts.
enum class OperandOrder : std::uint8_t { Counts, Any };

/// The fingerprints by position. `labels` are the hashes of the nodes themselves; a node that `isFixed` is matched
/// already, and its label stands for everything that leads to it. O(edges · log).
std::vector<Fingerprint> fingerprints(const Skeleton &skeleton, const std::vector<Hash> &labels,
                                      const std::vector<bool> &isFixed, OperandOrder order);

} // namespace cutaway::diff
