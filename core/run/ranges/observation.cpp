// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/ranges/observation.h"

#include "core/base/formatted.h"
#include "core/protocol/tensor.h"
#include "core/tensor/numbers.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace cutaway::run {

namespace {

/// Merges `elements` into `ends`, which keeps the first `kept` elements in the order of `comesFirst`.
template <class ComesFirst>
void keepEnds(std::vector<double> &ends, const std::vector<double> &elements, std::size_t kept, ComesFirst comesFirst)
{
    ends.insert(ends.end(), elements.begin(), elements.end());
    if (ends.size() <= kept)
        return;
    std::ranges::nth_element(ends, ends.begin() + static_cast<std::ptrdiff_t>(kept), comesFirst);
    ends.resize(kept);
}

} // namespace

RangeObserver::RangeObserver(std::optional<double> percentile, std::size_t samples)
    : m_percentile(percentile),
      m_samples(samples)
{
}

std::size_t RangeObserver::leftOut(std::size_t elements) const
{
    constexpr double rounding = 1e-9; // a tolerance, as a percentile such as 99.9 is not exact in binary
    const double share = m_percentile ? (100 - *m_percentile) / 200 : 0;
    return static_cast<std::size_t>(share * static_cast<double>(elements) * static_cast<double>(m_samples) + rounding);
}

Result<void> RangeObserver::add(const std::string &name, const protocol::Tensor &tensor)
{
    const auto elements = tensor::numbersOf(tensor);
    if (!elements || elements->empty() || m_unbounded.contains(name))
        return {};
    if (!std::ranges::all_of(*elements, [](double x) { return std::isfinite(x); })) {
        m_unbounded.insert(name);
        m_values.erase(name);
        return {};
    }
    Observed &observed = m_values[name];
    if (observed.runs++ == m_samples)
        return usageError("a value is given more often than there are samples", name);
    if (m_percentile && observed.elements != 0 && observed.elements != elements->size())
        return usageError(formatted("it has {} elements in one sample and {} in another; a percentile is of samples of "
                                    "one size",
                                    observed.elements, elements->size()),
                          name);
    observed.elements = elements->size();
    const std::size_t kept = leftOut(observed.elements) + 1;
    keepEnds(observed.low, *elements, kept, std::less());
    keepEnds(observed.high, *elements, kept, std::greater());
    return {};
}

passes::ValueRanges RangeObserver::ranges() const
{
    passes::ValueRanges ranges;
    for (const auto &[name, observed] : m_values)
        ranges.emplace(name, passes::ValueRange{std::ranges::max(observed.low), std::ranges::min(observed.high)});
    return ranges;
}

} // namespace cutaway::run
