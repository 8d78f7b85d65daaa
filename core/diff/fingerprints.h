// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/hash.h"
#include "core/diff/skeleton.h"

namespace cutaway::diff {

/// Hashes that describe a position in a skeleton by its surroundings.
struct Fingerprint {
    Hash above = 0;                    ///< a hash of the node and all of its ancestors
    Hash below = 0;                    ///< a hash of the node and all of its descendants
    Hash producers = 0, consumers = 0; ///< hashes of the direct producers alone, and of the direct consumers
    bool operator==(const Fingerprint &) const = default;
};

/// Whether the position of an operand counts.
enum class OperandOrder : std::uint8_t { Counts, Any };

/// Returns the fingerprints by position. `labels` are the hashes of the nodes themselves. A node that `isFixed` is
/// matched already, and its label stands for everything that leads to it. O(edges · log).
std::vector<Fingerprint> fingerprints(const Skeleton &skeleton, const std::vector<Hash> &labels,
                                      const std::vector<bool> &isFixed, OperandOrder order);

} // namespace cutaway::diff
