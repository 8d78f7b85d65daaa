// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/value.h"

#include <array>
#include <optional>
#include <vector>

namespace cutaway::sequence {

/// A fingerprint of a computed tensor: its shape, and sums of its elements with fixed random weights.
struct ValuePrint {
    std::vector<std::int64_t> shape;
    std::array<double, 2> sums{};
    double norm = 0;      ///< the square root of the sum of the squares
    bool isPlain = false; ///< whether other tensors may have the same print: all elements are equal, or they are no
                          ///< floats
    bool isLent = false;  ///< whether the value was taken from the other graph, and so is a guess

    /// Whether both are prints of the same value, up to rounding.
    bool isSame(const ValuePrint &other) const;
};

/// An index of the prints of one graph, in which those that equal a print are found. The prints have to outlive it.
class PrintIndex {
public:
    explicit PrintIndex(const std::vector<std::optional<ValuePrint>> &prints);

    /// Returns the positions of prints that are the same as `print`, unordered. Takes O(log n + the number of prints of
    /// its shape and norm).
    std::vector<std::size_t> sameAs(const ValuePrint &print) const;

private:
    struct Entry {
        std::vector<std::int64_t> shape;
        double norm;
        std::size_t position;
    };
    const std::vector<std::optional<ValuePrint>> &m_prints;
    std::vector<Entry> m_entries; ///< sorted by shape and norm
};

/// Returns the print of a value; nothing for values that are no tensors, and for a tensor with infinities or NaNs,
/// whose sums identify nothing.
std::optional<ValuePrint> printOf(const std::optional<compute::Value> &value);

} // namespace cutaway::sequence
