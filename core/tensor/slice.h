// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::tensor {

/// A part of a tensor, as Python's subscripts describe it.
struct Slice {
    struct Range {
        std::int64_t start = 0, count = 0, step = 1;
        bool isIndex = false; ///< whether it is an index: the part then lacks this dimension
        bool operator==(const Range &) const = default;
    };
    std::vector<Range> ranges; ///< one range for each dimension of the tensor; it lies within the size of the dimension

    /// Returns the sizes of the part, without the dimensions that are an index.
    std::vector<std::int64_t> shape() const;
    std::uint64_t count() const;
};

/// Returns the slice that contains the whole tensor.
Slice wholeOf(const std::vector<std::int64_t> &shape);

/// Reads "0,:,3:10,::2": an index or START:STOP:STEP per dimension, as in Python, with steps above 0. "..." stands
/// for all dimensions that are not given; without it, dimensions that are missing at the end are whole. Errors
/// (Usage): text that is no slice, an index out of range.
Result<Slice> parseSlice(std::string_view text, const std::vector<std::int64_t> &shape);

/// The row-major positions of a part's elements, in the part's order.
class SlicePlaces {
public:
    SlicePlaces(const std::vector<std::int64_t> &shape, const Slice &slice);

    /// Returns the row-major position of the k-th element of the part.
    std::uint64_t at(std::uint64_t k) const;
    /// Returns how many elements, from the k-th on, have consecutive positions; at least 1.
    std::uint64_t runAt(std::uint64_t k) const;

private:
    struct Dim {
        std::uint64_t count, stride; ///< `stride` is the distance of one step, in elements of the tensor
    };
    std::vector<Dim> m_dims;
    std::uint64_t m_start = 0;
    std::uint64_t m_run = 1; ///< the number of elements of the innermost dimensions that lie one after the other
};

/// Returns a matrix in `part` for display: the last two dimensions at the first index of all others. If it has more
/// than `maxRows` rows or `maxColumns` columns, only every n-th row or column is in it.
Slice matrixOf(const Slice &part, std::int64_t maxRows, std::int64_t maxColumns);

} // namespace cutaway::tensor
