// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_folder.h"
#include "core/run/ranges/observation.h"
#include "core/run/ranges/samples.h"
#include "core/run/tensor_file.h"
#include "core/tensor/numbers.h"

#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace cutaway::run {

namespace {

protocol::Tensor floats(std::vector<std::int64_t> shape, std::vector<float> numbers)
{
    return tensor::tensorOf(ir::DType::Float32, std::move(shape), std::as_bytes(std::span(numbers)));
}

std::vector<float> countingFrom(float first, std::size_t count)
{
    std::vector<float> numbers(count);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

TEST(Ranges, holdAllRuns)
{
    RangeObserver observer({}, 2);
    ASSERT_TRUE(observer.add("a", floats({3}, {1, 2, 3})));
    ASSERT_TRUE(observer.add("a", floats({2}, {-4, 0})));
    EXPECT_EQ(observer.ranges(), (passes::ValueRanges{{"a", {-4, 3}}}));
    EXPECT_FALSE(observer.add("a", floats({1}, {0}))); // a third run
}

TEST(Ranges, leaveOutHalfOfTheRestAtEitherEnd)
{
    RangeObserver observer(98.0, 2);
    ASSERT_TRUE(observer.add("a", floats({100}, countingFrom(0, 100))));
    ASSERT_TRUE(observer.add("a", floats({100}, countingFrom(1000, 100)))); // two of 200 at either end
    EXPECT_EQ(observer.ranges(), (passes::ValueRanges{{"a", {2, 1097}}}));
    EXPECT_FALSE(observer.add("a", floats({1}, {0})));
}

TEST(Ranges, areOfFiniteValuesAlone)
{
    RangeObserver observer({}, 2);
    ASSERT_TRUE(observer.add("mask", floats({2}, {0, -std::numeric_limits<float>::infinity()})));
    ASSERT_TRUE(observer.add("mask", floats({2}, {0, 1})));
    EXPECT_EQ(observer.ranges(), passes::ValueRanges());
    EXPECT_EQ(observer.unbounded(), std::set<std::string>{"mask"});
}

TEST(Ranges, areReadAsTheyAreWritten)
{
    const passes::Calibration calibration{"net.onnx", "evaluator", 3, 99.5, {{"a\"b", {-1.5, 2}}, {"c", {0, 0}}}};
    const auto ranges = passes::parseRanges(passes::printRanges(calibration));
    ASSERT_TRUE(ranges) << ranges.error().text();
    EXPECT_EQ(*ranges, calibration.values);
    EXPECT_FALSE(passes::parseRanges("{}"));
    EXPECT_FALSE(passes::parseRanges(R"({"schema": "cutaway.ranges/1", "values": {"a": {"min": 2, "max": 1}}})"));
}

class Samples : public testing::Test {
protected:
    Samples()
    {
        EXPECT_TRUE(writeTensor(floats({4, 2}, countingFrom(0, 8)), m_folder.path(), "x"));
        const std::vector<NamedTensor> both{{"x", floats({2, 2}, countingFrom(0, 4))},
                                            {"y", floats({2}, countingFrom(7, 2))}};
        EXPECT_TRUE(writeTensors(both, m_folder.path() / "both.npz"));
    }

    Result<std::vector<Inputs>> sampled(const std::string &text)
    {
        const std::vector<std::string> texts{text};
        return sampledInputs({{{0}, "x", protocol::DrawnTensor{"x", ir::DType::Float32, {2, 2}, 1}},
                              {{1}, "y", protocol::DrawnTensor{"y", ir::DType::Float32, {2}, 2}}},
                             texts);
    }

    TemporaryFolder m_folder = TemporaryFolder::make().value();
};

TEST_F(Samples, areRowsOfAFile)
{
    const auto samples = sampled("x=" + (m_folder.path() / "x.npy").string());
    ASSERT_TRUE(samples) << samples.error().text();
    ASSERT_EQ(samples->size(), 2U);
    EXPECT_EQ(std::get<protocol::Tensor>((*samples)[1][0].content), floats({2, 2}, countingFrom(4, 4)));
    EXPECT_TRUE(std::holds_alternative<protocol::DrawnTensor>((*samples)[1][1].content));
}

TEST_F(Samples, areOfSeveralInputs)
{
    const auto samples = sampled((m_folder.path() / "both.npz").string());
    ASSERT_TRUE(samples) << samples.error().text();
    ASSERT_EQ(samples->size(), 1U);
    EXPECT_EQ(std::get<protocol::Tensor>((*samples)[0][1].content), floats({2}, countingFrom(7, 2)));
}

TEST_F(Samples, haveToFitTheirInput)
{
    const std::string file = (m_folder.path() / "x.npy").string();
    for (const std::string &text : {"z=" + file, "y=" + file, file, "x=" + file + "none"})
        EXPECT_FALSE(sampled(text)) << text;
}

} // namespace

} // namespace cutaway::run
