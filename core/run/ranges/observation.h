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
    /// `percentile`: of 100 elements so many lie in the range, of the others half at either end; nothing: all do.
    /// `samples`: the number of runs.
    RangeObserver(std::optional<double> percentile, std::size_t samples);

    /// What a value is in one run. Errors (Usage): with a percentile, another number of elements than in the runs
    /// before; more runs than there are samples.
    Result<void> add(const std::string &name, const protocol::Tensor &tensor);

    /// Of the values whose elements were all finite.
    passes::ValueRanges ranges() const;
    /// The names of the others.
    const std::set<std::string> &unbounded() const { return m_unbounded; }

private:
    /// The elements that may be the ends: one more than are left out at either end.
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
