// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/scheduling/plan.h"
#include "core/passes/scheduling/timeline.h"

#include <gtest/gtest.h>
#include <numeric>

namespace cutaway::test {
namespace {

using passes::Job;

constexpr passes::Link slowLink{.bandwidth = 10, .latency = 1};

std::vector<std::size_t> inOrder(std::size_t count)
{
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

TEST(Timeline, streamsWorkAtTheSameTime)
{
    const std::vector<Job> jobs{{{0, 0}, 3, {}}, {{0, 1}, 2, {}}, {{0, 0}, 1, {{1, 100}}}};
    const passes::Timeline timeline = passes::simulated(jobs, inOrder(3), slowLink);
    EXPECT_EQ(timeline.start, (std::vector<double>{0, 0, 3}));
    EXPECT_EQ(timeline.seconds, 4);
    EXPECT_EQ(timeline.transfers, 0U); // within a device
    EXPECT_EQ(timeline.busy.at({0, 0}), 4);
}

TEST(Timeline, sendsOnceToADeviceAndOneAfterTheOther)
{
    const std::vector<Job> jobs{
        {{0, 0}, 1, {}}, {{0, 0}, 1, {}}, {{1, 0}, 1, {{0, 20}}}, {{1, 1}, 1, {{0, 20}}}, {{1, 0}, 1, {{1, 30}}}};
    const passes::Timeline timeline = passes::simulated(jobs, inOrder(5), slowLink);
    EXPECT_EQ(timeline.start[2], 4); // made at 1, a second and two for 20 bytes
    EXPECT_EQ(timeline.start[3], 4);
    EXPECT_EQ(timeline.start[4], 8); // the link is free at 4
    EXPECT_EQ(timeline.transfers, 2U);
    EXPECT_EQ(timeline.transferBytes, 50);
    EXPECT_EQ(timeline.transferSeconds, 7);
}

TEST(Timeline, longPathsComeFirst)
{
    const std::vector<Job> jobs{{{0, 0}, 1, {}}, {{0, 0}, 1, {}}, {{0, 1}, 5, {{1, 0}}}, {{0, 0}, 1, {{2, 0}, {0, 0}}}};
    const auto order = passes::scheduled(jobs, slowLink);
    EXPECT_EQ(order, (std::vector<std::size_t>{1, 2, 0, 3}));
    EXPECT_EQ(passes::simulated(jobs, inOrder(4), slowLink).seconds, 8);
    EXPECT_EQ(passes::simulated(jobs, order, slowLink).seconds, 7);
}

class UnusablePlans : public testing::TestWithParam<std::pair<const char *, const char *>> { };

TEST_P(UnusablePlans, areUsageErrors)
{
    const auto plan = passes::parsePlan(GetParam().first);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().kind, ErrorKind::Usage);
    EXPECT_TRUE(plan.error().text().contains(GetParam().second)) << plan.error().text();
}

constexpr const char *twoDevices =
    R"({"devices": [{"name": "a", "device": "h100-sxm"}, {"name": "b", "device": "h100-sxm"}]})";

INSTANTIATE_TEST_SUITE_P(
    Rows, UnusablePlans,
    testing::Values(
        std::pair("[]", "'devices'"), std::pair(R"({"devices": [{"name": "a"}]})", "'device'"),
        std::pair(R"({"devices": [{"name": "a", "device": "none"}]})", "none"),
        std::pair(R"({"devices": [{"name": "a", "device": "h100-sxm", "streams": 0}]})", "'streams'"),
        std::pair(twoDevices, "'bandwidth'"),
        std::pair(R"({"devices": [{"name": "a", "device": "h100-sxm"}], "place": [{"node": "n", "on": "b"}]})",
                  "none of the devices"),
        std::pair(R"({"devices": [{"name": "a", "device": "h100-sxm"}], "place": [{"on": "a"}]})", "names a 'module'"),
        std::pair(R"({"devices": [{"name": "a", "device": "h100-sxm"}],)"
                  R"( "place": [{"node": "n", "on": "a", "stream": 1}]})",
                  "'stream'")));

} // namespace
} // namespace cutaway::test
