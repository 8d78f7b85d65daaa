// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/value.h"

#include <array>
#include <optional>
#include <vector>

namespace cutaway::sequence {

/// A computed tensor, as far as it takes to recognize it: its shape, and sums of its elements with fixed random
/// weights.
struct ValuePrint {
    std::vector<std::int64_t> shape;
    std::array<double, 2> sums{};
    double norm = 0;      ///< the root of the sum of squares
    bool isPlain = false; ///< all elements are equal, or they are no floats: other tensors may well be the same
    bool isLent = false;  ///< it could not be computed, and is taken from the other graph as a guess

    /// Whether both are one value, but for rounding.
    bool isSame(const ValuePrint &other) const;
};

/// The prints of one graph, to look for those of one value. It refers to them.
class PrintIndex {
public:
    explicit PrintIndex(const std::vector<std::optional<ValuePrint>> &prints);

    /// The positions of those that are the same as `print`, in no order. O(log n + those of its shape and norm).
    std::vector<std::size_t> sameAs(const ValuePrint &print) const;

private:
    struct Entry {
        std::vector<std::int64_t> shape;
        double norm;
        std::size_t position;
    };
    const std::vector<std::optional<ValuePrint>> &m_prints;
    std::vector<Entry> m_entries; ///< by shape and norm
};

/// Nothing for what is no tensor, and for one with infinities or no numbers: what follows from them says nothing.
std::optional<ValuePrint> printOf(const std::optional<compute::Value> &value);

} // namespace cutaway::sequence
