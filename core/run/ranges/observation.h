// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/passes/ranges/value_ranges.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cutaway::protocol {
struct Tensor;
}

namespace cutaway::run {

/// Finds the ranges of values over several runs.
class RangeObserver {
public:
    /// `percentile`: this many of 100 elements lie in the range, and half of the others beyond either end; nothing: all
    /// elements lie in the range. `samples`: the number of runs.
    RangeObserver(std::optional<double> percentile, std::size_t samples);

    /// Adds the elements of a value in one run. Errors (Usage): more runs than `samples`; with a percentile, another
    /// number of elements than in earlier runs.
    Result<void> add(const std::string &name, const protocol::Tensor &tensor);

    /// Returns the ranges of the values whose elements were all finite.
    passes::ValueRanges ranges() const;
    /// Returns the names of the values that had elements that are not finite.
    const std::set<std::string> &unbounded() const { return m_unbounded; }

private:
    /// The smallest and the largest elements. At either end one more is kept than the range leaves out: the innermost
    /// ones are the limits of the range.
    struct Observed {
        std::size_t elements = 0, runs = 0;
        std::vector<double> low, high;
    };
    std::size_t leftOut(std::size_t elements) const;

    std::optional<double> m_percentile;
    std::size_t m_samples;
    std::map<std::string, Observed> m_values;
    std::set<std::string> m_unbounded;
};

} // namespace cutaway::run
