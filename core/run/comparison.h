// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::run {

/// An element b of the second result agrees with a of the first if |a - b| <= atol + rtol * |a|; a number that is none
/// agrees with another that is none.
struct Tolerance {
    double rtol = 1e-4, atol = 1e-5;
};

/// How far two tensors of one shape are from each other. An infinite error: a number on one side only.
struct Distance {
    double maxAbsolute = 0;
    double maxRelative = 0;   ///< |a - b| / max(|a|, |b|), 0 to 2
    double cosine = 1;        ///< of the angle between them as vectors; 1 if both are zero; NaN with infinite ones
    std::int64_t outside = 0; ///< elements that do not agree
    std::int64_t elements = 0;
    bool operator==(const Distance &) const = default;
};

/// Nothing where they are no numbers on both sides or of other shapes. Texts have the distance of their elements: 0, or
/// infinite where they differ. Numbers of any dtype are compared with each other.
std::optional<Distance> distance(const protocol::Tensor &a, const protocol::Tensor &b, const Tolerance &tolerance);

/// Two results that are to be the same.
struct Compared {
    std::string a, b;                 ///< names
    std::optional<Distance> distance; ///< nothing: not comparable, and why
    std::string reason;

    bool agrees() const { return distance && distance->outside == 0; }
};
Compared compare(const Output &a, const Output &b, const Tolerance &tolerance);

/// By name if all of A's are among B's, else by position. What only one has is not comparable.
std::vector<Compared> compare(const Outcome &a, const Outcome &b, const Tolerance &tolerance);

} // namespace cutaway::run
