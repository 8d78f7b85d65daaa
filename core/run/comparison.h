// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/backend.h"

#include <optional>
#include <string>
#include <vector>

namespace cutaway::run {

/// An element b of the second result agrees with a of the first if |a - b| <= atol + rtol * |a|; two NaNs agree.
struct Tolerance {
    double rtol = 1e-4, atol = 1e-5;
};

/// The distance of two tensors of equal shape. Errors are infinite where only one side is NaN.
struct Distance {
    double maxAbsolute = 0;
    double maxRelative = 0;   ///< |a - b| / max(|a|, |b|), 0 to 2
    double cosine = 1;        ///< cosine similarity; 1 if both are zero; NaN with infinities
    std::int64_t outside = 0; ///< number of elements outside of the tolerance
    std::int64_t elements = 0;
    bool operator==(const Distance &) const = default;

    /// Combines the distance with that of another value: the larger errors, the smaller cosine, all elements.
    void add(const Distance &other);
};

/// Returns the distance; nullopt if the shapes differ or a dtype is not comparable. Dtypes of numbers may differ. The
/// distance of strings is 0 or infinity.
std::optional<Distance> distance(const protocol::Tensor &a, const protocol::Tensor &b, const Tolerance &tolerance);

/// Two outputs that should be equal.
struct Compared {
    std::string a, b;                 ///< the names of the outputs
    std::optional<Distance> distance; ///< the distance; nullopt if the outputs are not comparable
    std::string reason;

    bool agrees() const { return distance && distance->outside == 0; }
};
Compared compare(const Output &a, const Output &b, const Tolerance &tolerance);

/// Matches outputs by name if B has all of A's names, else by position. An output without a counterpart is not
/// comparable.
std::vector<Compared> compare(const Outcome &a, const Outcome &b, const Tolerance &tolerance);

} // namespace cutaway::run
