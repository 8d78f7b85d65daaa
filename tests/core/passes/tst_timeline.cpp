// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/scheduling/plan.h"
#include "core/passes/scheduling/timeline.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>
#include <random>
#include <tuple>

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

/// Seconds from the start of each job to the end of all that needs it.
std::vector<double> pathsBehind(const std::vector<Job> &jobs)
{
    std::vector<double> path(jobs.size());
    for (std::size_t i = jobs.size(); i-- > 0;) {
        path[i] += jobs[i].seconds;
        for (const Job::Needed &need : jobs[i].needs) {
            const bool isSent = jobs[need.job].on.device != jobs[i].on.device;
            path[need.job] =
                std::max(path[need.job], path[i] + (isSent ? slowLink.latency + need.bytes / slowLink.bandwidth : 0));
        }
    }
    return path;
}

/// The schedule as it is defined: each time all jobs are looked at.
std::vector<std::size_t> byLookingAtAll(const std::vector<Job> &jobs)
{
    const std::vector<double> path = pathsBehind(jobs);
    std::vector<std::size_t> order;
    while (order.size() < jobs.size()) {
        std::optional<std::tuple<double, double, std::size_t>> first;
        for (std::size_t job = 0; job < jobs.size(); ++job) {
            const auto isIssued = [&](const Job::Needed &need) { return std::ranges::contains(order, need.job); };
            if (std::ranges::contains(order, job) || !std::ranges::all_of(jobs[job].needs, isIssued))
                continue;
            std::vector<std::size_t> with = order;
            with.push_back(job);
            const std::tuple rank(passes::simulated(jobs, with, slowLink).start[job], -path[job], job);
            first = first ? std::min(*first, rank) : rank;
        }
        order.push_back(std::get<2>(*first));
    }
    return order;
}

TEST(Timeline, isScheduledAsIfAllJobsWereLookedAtEachTime)
{
    std::mt19937 random(1);
    for (int round = 0; round < 100; ++round) {
        std::vector<Job> jobs;
        std::vector<double> bytes; // the bytes that each job passes on
        for (std::size_t i = 0; i < 20; ++i) {
            Job job{{random() % 2, random() % 2}, static_cast<double>(random() % 4), {}};
            if (i > 0 && random() % 3 != 0) // one need at most: of several the links are not foreseen
                job.needs.push_back({random() % i, 0});
            for (Job::Needed &need : job.needs)
                need.bytes = bytes[need.job];
            bytes.push_back(static_cast<double>(random() % 40));
            jobs.push_back(std::move(job));
        }
        EXPECT_EQ(passes::scheduled(jobs, slowLink), byLookingAtAll(jobs)) << "round " << round;
    }
}

TEST(Timeline, hundredThousandJobsThatNeedNothingTakeNoTime)
{
    const std::vector<Job> jobs(100'000, Job{{0, 0}, 1, {}});
    EXPECT_EQ(passes::scheduled(jobs, slowLink), inOrder(jobs.size()));
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
