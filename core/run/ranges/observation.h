// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/passes/ranges/value_ranges.h"
#include "core/protocol/tensor.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cutaway::run {

/// Finds the ranges of values over several runs.
class RangeObserver {
public:
    /// `percentile`: so many of 100 elements lie in the range, and half of the others beyond either end; nothing: all
    /// elements lie in the range. `samples`: the number of runs.
    RangeObserver(std::optional<double> percentile, std::size_t samples);

    /// Adds the elements of a value in one run. Errors (Usage): with a percentile, another number of elements than in
    /// the runs before; more runs than there are samples.
    Result<void> add(const std::string &name, const protocol::Tensor &tensor);

    /// Returns the ranges of the values whose elements were all finite.
    passes::ValueRanges ranges() const;
    /// Returns the names of the values that had elements that are not finite.
    const std::set<std::string> &unbounded() const { return m_unbounded; }

private:
    /// The elements that may be the ends of the range: one more than are left out at either end.
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
