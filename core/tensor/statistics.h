// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/protocol/tensor.h"
#include "core/tensor/values.h"

#include <limits>
#include <optional>

namespace cutaway::tensor {

/// Statistics of some numbers. The smallest and largest number, the mean and the standard deviation (divided by the
/// count) are those of the finite numbers, and NaN if there are none.
struct Statistics {
    std::uint64_t count = 0; ///< the number of all elements
    std::uint64_t finite = 0, zeros = 0, nans = 0, positiveInfinities = 0, negativeInfinities = 0;
    double min = std::numeric_limits<double>::quiet_NaN(), max = min, mean = min;
    double squares = 0; ///< the sum of squared distances from the mean

    std::uint64_t infinities() const { return positiveInfinities + negativeInfinities; }
    std::uint64_t notFinite() const { return nans + infinities(); }
    double deviation() const;
    void add(std::span<const double> numbers);
    void add(const Statistics &other);
};

/// Returns the statistics of the elements of `tensor`, for complex elements those of their magnitudes; nothing if the
/// elements are no numbers.
std::optional<Statistics> statisticsOf(const protocol::Tensor &tensor);

/// The counts of numbers in intervals of equal width from `first` to `last`; the number `last` is in the last interval.
struct Histogram {
    double first = 0, last = 0;
    std::vector<std::uint64_t> counts; ///< empty: there are no finite numbers
};

/// The statistics of each slice of a tensor along one dimension.
struct Channels {
    std::size_t dim = 0;
    std::vector<Statistics> each; ///< by index in the dimension
};

struct Summary {
    Statistics whole;
    Histogram histogram;
    std::optional<Channels> channels;
};

/// The number of intervals of the histogram, and the dimension whose slices each get statistics of their own.
struct SummaryOptions {
    std::size_t bins = 64;
    std::optional<std::size_t> channelDim;
};

/// The largest size of a dimension that is summarised slice by slice.
inline constexpr std::int64_t maxChannels = 1 << 20;

/// Reads all elements twice, in pieces, and reports its progress. Errors: a dimension that the tensor lacks, or that
/// has too many channels (Usage); the file changed meanwhile; cancelled.
Result<Summary> summarize(const Values &values, const SummaryOptions &options, const Task &task = {});

} // namespace cutaway::tensor
