// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::tensor {

/// A part of a tensor, as Python's subscript says it.
struct Slice {
    struct Range {
        std::int64_t start = 0, count = 0, step = 1;
        bool isIndex = false; ///< one index: the part has no such dimension
        bool operator==(const Range &) const = default;
    };
    std::vector<Range> ranges; ///< one for each dimension of the tensor, all inside

    /// The sizes of the part.
    std::vector<std::int64_t> shape() const;
    std::uint64_t count() const;
};

/// The slice that is the whole tensor.
Slice wholeOf(const std::vector<std::int64_t> &shape);

/// Reads "0,:,3:10,::2": an index or START:STOP:STEP per dimension, as in Python, with steps above 0; "..." stands for
/// all dimensions that are not given; without it, dimensions missing at the end are whole. Errors (Usage): text that is
/// no slice, an index outside of the tensor.
Result<Slice> parseSlice(std::string_view text, const std::vector<std::int64_t> &shape);

/// The row-major positions of a part's elements, in the part's order.
class SlicePlaces {
public:
    SlicePlaces(const std::vector<std::int64_t> &shape, const Slice &slice);

    /// The position of the k-th element of the part.
    std::uint64_t at(std::uint64_t k) const;
    /// The number of elements, from the k-th on, whose positions are consecutive; at least 1.
    std::uint64_t runAt(std::uint64_t k) const;

private:
    struct Dim {
        std::uint64_t count, stride; ///< stride: in elements of the tensor, for one step
    };
    std::vector<Dim> m_dims;
    std::uint64_t m_start = 0;
    std::uint64_t m_run = 1; ///< elements of the innermost dimensions that lie together
};

/// A matrix of `part` for a picture: its last two dimensions at the first index of the others, with at most `maxRows`
/// rows and `maxColumns` columns; where there are more, each n-th of them.
Slice matrixOf(const Slice &part, std::int64_t maxRows, std::int64_t maxColumns);

} // namespace cutaway::tensor
