// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/statistics.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/tensor/numbers.h"
#include "core/tensor/pieces.h"

#include <algorithm>
#include <cmath>

namespace cutaway::tensor {

namespace {

class ChannelCounter {
public:
    ChannelCounter(const std::vector<std::int64_t> &shape, std::size_t dim) : m_inner(innerSize(shape, dim))
    {
        m_channels.dim = dim;
        m_channels.each.resize(static_cast<std::size_t>(shape[dim]));
    }

    void add(std::uint64_t first, std::span<const double> numbers)
    {
        while (!numbers.empty()) {
            const std::uint64_t left = m_inner - first % m_inner;
            const auto run = static_cast<std::size_t>(std::min<std::uint64_t>(left, numbers.size()));
            m_channels.each[first / m_inner % m_channels.each.size()].add(numbers.first(run));
            first += run;
            numbers = numbers.subspan(run);
        }
    }
    Channels take() { return std::move(m_channels); }

private:
    Channels m_channels;
    std::uint64_t m_inner;
};

Result<void> checkChannels(const std::vector<std::int64_t> &shape, std::optional<std::size_t> dim)
{
    if (dim && *dim >= shape.size())
        return usageError(formatted("the tensor has no dimension {}; it has {}", *dim, shape.size()));
    if (dim && shape[*dim] > maxChannels)
        return usageError(
            formatted("dimension {} has {} channels; at most {} are looked at", *dim, shape[*dim], maxChannels));
    return {};
}

void count(Histogram &histogram, std::span<const double> numbers)
{
    const auto bins = static_cast<double>(histogram.counts.size());
    // All numbers are halved, because the distance between the largest and the smallest double overflows.
    const double width = histogram.last / 2 - histogram.first / 2;
    for (const double x : numbers) {
        if (!std::isfinite(x))
            continue;
        const double share = width > 0 ? (x / 2 - histogram.first / 2) / width : 0;
        ++histogram.counts[static_cast<std::size_t>(std::min(share * bins, bins - 1))];
    }
}

} // namespace

std::optional<Statistics> statisticsOf(const protocol::Tensor &tensor)
{
    auto numbers = numbersOf(tensor);
    if (!numbers)
        return std::nullopt;
    if (protocol::partOf(tensor.dtype)) {
        std::size_t count = 0;
        for (std::size_t i = 0; i + 1 < numbers->size(); i += 2)
            (*numbers)[count++] = std::hypot((*numbers)[i], (*numbers)[i + 1]);
        numbers->resize(count);
    }
    Statistics statistics;
    statistics.add(*numbers);
    return statistics;
}

double Statistics::deviation() const
{
    return finite > 0 ? std::sqrt(squares / static_cast<double>(finite)) : std::numeric_limits<double>::quiet_NaN();
}

/// Adds numbers: first their mean, then the distances from it. Sums of squares alone lose all digits if it is large.
void Statistics::add(std::span<const double> numbers)
{
    Statistics part;
    part.count = numbers.size();
    double sum = 0;
    for (const double x : numbers) {
        if (!std::isfinite(x)) {
            ++(std::isnan(x) ? part.nans : x > 0 ? part.positiveInfinities : part.negativeInfinities);
            continue;
        }
        part.min = part.finite == 0 ? x : std::min(part.min, x);
        part.max = part.finite == 0 ? x : std::max(part.max, x);
        part.zeros += x == 0 ? 1 : 0;
        ++part.finite;
        sum += x;
    }
    if (part.finite > 0) {
        part.mean = sum / static_cast<double>(part.finite);
        for (const double x : numbers)
            if (std::isfinite(x))
                part.squares += (x - part.mean) * (x - part.mean);
    }
    add(part);
}

void Statistics::add(const Statistics &other)
{
    count += other.count;
    zeros += other.zeros;
    nans += other.nans;
    positiveInfinities += other.positiveInfinities;
    negativeInfinities += other.negativeInfinities;
    if (other.finite == 0)
        return;
    if (finite == 0) {
        min = other.min;
        max = other.max;
        mean = other.mean;
        squares = other.squares;
    } else {
        const double share = static_cast<double>(other.finite) / static_cast<double>(finite + other.finite);
        const double distance = other.mean - mean;
        min = std::min(min, other.min);
        max = std::max(max, other.max);
        mean += distance * share;
        squares += other.squares + distance * distance * share * static_cast<double>(finite);
    }
    finite += other.finite;
}

Result<Summary> summarize(const Values &values, const SummaryOptions &options, const Task &task)
{
    const std::vector<std::int64_t> &shape = values.elements().shape();
    CUTAWAY_RETURN_IF_ERROR(checkChannels(shape, options.channelDim));
    Summary summary;
    std::optional<ChannelCounter> channels;
    if (options.channelDim)
        channels.emplace(shape, *options.channelDim);
    auto done =
        forEachPiece(values, {"statistics", 0, 2}, task, [&](std::uint64_t first, std::span<const double> numbers) {
            summary.whole.add(numbers);
            if (channels)
                channels->add(first, numbers);
        });
    if (done && summary.whole.finite > 0) {
        summary.histogram = {summary.whole.min, summary.whole.max, std::vector<std::uint64_t>(options.bins)};
        done = forEachPiece(values, {"histogram", 1, 2}, task,
                            [&](std::uint64_t, std::span<const double> numbers) { count(summary.histogram, numbers); });
    }
    CUTAWAY_RETURN_IF_ERROR(done);
    if (channels)
        summary.channels = channels->take();
    return summary;
}

} // namespace cutaway::tensor
