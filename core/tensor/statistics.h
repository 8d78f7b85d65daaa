// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/protocol/tensor.h"
#include "core/tensor/values.h"

#include <limits>
#include <optional>

namespace cutaway::tensor {

/// What there is to say of some numbers. Those that are finite have a smallest, a largest, a mean and a standard
/// deviation (divided by their number), which are NaN where there are none.
struct Statistics {
    std::uint64_t count = 0; ///< all numbers
    std::uint64_t finite = 0, zeros = 0, nans = 0, positiveInfinities = 0, negativeInfinities = 0;
    double min = std::numeric_limits<double>::quiet_NaN(), max = min, mean = min;
    double squares = 0; ///< the sum of squared distances from the mean

    std::uint64_t infinities() const { return positiveInfinities + negativeInfinities; }
    std::uint64_t notFinite() const { return nans + infinities(); }
    double deviation() const;
    void add(std::span<const double> numbers);
    void add(const Statistics &other);
};

/// Statistics of the elements of `tensor`, of complex ones of their magnitudes; nothing if they are no numbers.
std::optional<Statistics> statisticsOf(const protocol::Tensor &tensor);

/// How many numbers lie in each of as many intervals of equal width; the last number is in the last one.
struct Histogram {
    double first = 0, last = 0;
    std::vector<std::uint64_t> counts; ///< empty: there are no finite numbers
};

struct Channels {
    std::size_t dim = 0;
    std::vector<Statistics> each; ///< by index of the dimension
};

struct Summary {
    Statistics whole;
    Histogram histogram;
    std::optional<Channels> channels;
};

struct SummaryOptions {
    std::size_t bins = 64;
    std::optional<std::size_t> channelDim;
};

/// A dimension of so many channels is not looked at channel by channel.
inline constexpr std::int64_t maxChannels = 1 << 20;

/// Reads all elements twice, in pieces, and reports how far it is. Errors: a dimension that there is not, or of too
/// many channels (Usage); the file changed meanwhile; cancelled.
Result<Summary> summarize(const Values &values, const SummaryOptions &options, const Task &task = {});

} // namespace cutaway::tensor
