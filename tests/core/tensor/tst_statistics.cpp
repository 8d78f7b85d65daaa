// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/statistics.h"

#include "core/base/formatted.h"
#include "tests/core/tensor/one_tensor.h"

#include <cmath>
#include <gtest/gtest.h>

namespace cutaway::tensor {
namespace {

using enum ir::DType;

Values valuesOf(const ir::Model &model) { return Values(Elements::of(model, theTensor).value()); }

TEST(Statistics, areThoseOfTheFiniteElements)
{
    const ir::Model model = oneTensor<float>(Float32, {8}, {1, 2, 3, 0, -0.0f, NAN, INFINITY, -INFINITY});
    const Statistics all = summarize(valuesOf(model), {})->whole;
    EXPECT_EQ(all.count, 8u);
    EXPECT_EQ(all.finite, 5u);
    EXPECT_EQ(all.zeros, 2u);
    EXPECT_EQ(all.nans, 1u);
    EXPECT_EQ(all.positiveInfinities, 1u);
    EXPECT_EQ(all.negativeInfinities, 1u);
    EXPECT_EQ(all.min, 0);
    EXPECT_EQ(all.max, 3);
    EXPECT_DOUBLE_EQ(all.mean, 1.2);
    EXPECT_DOUBLE_EQ(all.deviation(), std::sqrt(1.36));
}

TEST(Statistics, ofNothingAreNotNumbers)
{
    for (const ir::Model &model : {oneTensor<float>(Float32, {0}, {}), oneTensor<float>(Float32, {1}, {NAN})}) {
        const Summary summary = summarize(valuesOf(model), {}).value();
        EXPECT_TRUE(std::isnan(summary.whole.min));
        EXPECT_TRUE(std::isnan(summary.whole.deviation()));
        EXPECT_TRUE(summary.histogram.counts.empty());
    }
}

/// Sums of squares would lose all digits here; pieces are put together.
TEST(Statistics, areExactFarFromZero)
{
    std::vector<double> numbers(300'000, 1e9);
    for (std::size_t i = 0; i < numbers.size(); i += 2)
        numbers[i] += 1;
    const Statistics all = summarize(valuesOf(oneTensor(Float64, {300'000}, numbers)), {})->whole;
    EXPECT_DOUBLE_EQ(all.mean, 1e9 + 0.5);
    EXPECT_NEAR(all.deviation(), 0.5, 1e-6);
}

TEST(Statistics, ofTwoPartsAreThoseOfTheWhole)
{
    const std::vector<double> numbers{3, -1, 4, 1, -5, 9, 2, 6};
    Statistics whole, parts, second;
    whole.add(numbers);
    parts.add(std::span(numbers).first(3));
    second.add(std::span(numbers).subspan(3));
    parts.add(second);
    EXPECT_DOUBLE_EQ(parts.mean, whole.mean);
    EXPECT_DOUBLE_EQ(parts.deviation(), whole.deviation());
    EXPECT_EQ(parts.min, -5);
    EXPECT_EQ(parts.max, 9);
}

TEST(Histogram, hasEachElementOnce)
{
    const ir::Model model = oneTensor<float>(Float32, {6}, {0, 1, 2, 3, 4, NAN});
    const Histogram histogram = summarize(valuesOf(model), {.bins = 4, .channelDim = {}})->histogram;
    EXPECT_EQ(histogram.first, 0);
    EXPECT_EQ(histogram.last, 4);
    EXPECT_EQ(histogram.counts, (std::vector<std::uint64_t>{1, 1, 1, 2}));
}

TEST(Histogram, takesEqualAndExtremeNumbers)
{
    const double most = std::numeric_limits<double>::max();
    EXPECT_EQ(
        summarize(valuesOf(oneTensor<double>(Float64, {2}, {7, 7})), {.bins = 2, .channelDim = {}})->histogram.counts,
        (std::vector<std::uint64_t>{2, 0}));
    EXPECT_EQ(summarize(valuesOf(oneTensor<double>(Float64, {3}, {-most, 0, most})), {.bins = 2, .channelDim = {}})
                  ->histogram.counts,
              (std::vector<std::uint64_t>{1, 2}));
}

TEST(Channels, areThoseOfADimension)
{
    const ir::Model model = oneTensor<std::int32_t>(Int32, {2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    const auto ranges = [&](std::size_t dim) {
        const auto summary = summarize(valuesOf(model), {.bins = 1, .channelDim = dim});
        std::string text;
        for (const Statistics &channel : summary->channels->each)
            text += formatted("{}:{}..{} ", channel.count, channel.min, channel.max);
        return text;
    };
    EXPECT_EQ(ranges(0), "6:0..5 6:6..11 ");
    EXPECT_EQ(ranges(1), "4:0..7 4:2..9 4:4..11 ");
    EXPECT_EQ(ranges(2), "6:0..10 6:1..11 ");
    EXPECT_EQ(summarize(valuesOf(model), {.bins = 1, .channelDim = 3}).error().text(),
              "the tensor has no dimension 3; it has 3");
}

TEST(Summaries, reportProgressAndStop)
{
    std::stop_source stop;
    std::vector<std::string> steps;
    const Task task{stop.get_token(), [&](std::string_view what, std::uint64_t done, std::uint64_t total) {
                        steps.push_back(formatted("{} {}/{}", what, done, total));
                        if (steps.size() == 3)
                            stop.request_stop();
                    }};
    const ir::Model model = oneTensor(UInt8, {100'000}, std::string(100'000, '\1'));
    EXPECT_EQ(summarize(valuesOf(model), {}, task).error().kind, ErrorKind::Cancelled);
    EXPECT_EQ(steps,
              (std::vector<std::string>{"statistics 0/200000", "statistics 65536/200000", "histogram 100000/200000"}));
}

} // namespace
} // namespace cutaway::tensor
