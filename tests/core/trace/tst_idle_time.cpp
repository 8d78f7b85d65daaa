// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/idle_time.h"
#include "tests/core/trace/recorded.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

using trace::Category;

TEST(Gaps, areWhereNoneOfSomeEventsRuns)
{
    const trace::Trace some = recorded({{"0/7", 0, 20, Category::Device, "a"},
                                        {"0/7", 30, 30, Category::Device, "b"},
                                        {"0/8", 40, 5, Category::Device, "c"},
                                        {"0/7", 60, 10, Category::Device, "d"},
                                        {"0/7", 95, 30, Category::Device, "e"},
                                        {"0/7", 200, 30, Category::Device, "f"}});
    const auto gaps = trace::gapsBetween({5, 4, 3, 2, 1, 0}, some.events, 10, 100);
    ASSERT_EQ(gaps.size(), 2U);
    EXPECT_EQ(gaps[0].start, 20);
    EXPECT_EQ(gaps[0].end, 30);
    EXPECT_EQ(gaps[0].endedBy, 1U);
    EXPECT_EQ(gaps[1].start, 70);
    EXPECT_EQ(gaps[1].end, 95);
    EXPECT_EQ(gaps[1].endedBy, 4U);
    const auto last = trace::gapsBetween({0}, some.events, 10, 100);
    ASSERT_EQ(last.size(), 1U);
    EXPECT_FALSE(last[0].endedBy);
    EXPECT_EQ(trace::gapsBetween({}, some.events, 10, 10).size(), 0U);
}

/// Two iterations of 100 ns with kernels on two streams of a device.
struct Working {
    ir::NodeId mm{3};
    trace::Trace trace = recorded({{"2/2", 0, 100, Category::Annotation, "ProfilerStep#1"},
                                   {"2/2", 10, 20, Category::Operator, "aten::mm"},
                                   {"0/7", 20, 40, Category::Device, "gemm"},
                                   {"0/8", 50, 20, Category::Device, "copy"},
                                   {"0/7", 90, 30, Category::Device, "splitK"},
                                   {"2/2", 100, 100, Category::Annotation, "ProfilerStep#2"}});
    trace::Linked linked;

    Working()
    {
        for (trace::Event &event : trace.events)
            if (event.category == Category::Device) {
                event.details = 1;
                trace.details.resize(2);
                trace.details[1].device = 0;
            }
        linked.iterations = {iteration("ProfilerStep#1", 0, 100), iteration("ProfilerStep#2", 100, 100)};
        linked.devices = {{2, 1, linkOf(mm)}, {3, {}, {}}, {4, 1, linkOf(mm)}};
    }
};

TEST(IdleTimes, areThoseOfTheDeviceAndOfEachStream)
{
    const Working run;
    const auto times = trace::idleTimes(run.trace, run.linked);
    ASSERT_EQ(times.size(), 3U);
    EXPECT_EQ(times[0].device, 0);
    EXPECT_FALSE(times[0].stream);
    EXPECT_EQ(times[0].total, 200);
    EXPECT_EQ(times[0].idle, 20 + 20 + 80); // to 20, from 70 to 90, and from 120 to the end
    EXPECT_EQ(run.trace.texts.at(*times[1].stream), "0/7");
    EXPECT_EQ(times[1].idle, 20 + 30 + 80);
    EXPECT_EQ(run.trace.texts.at(*times[2].stream), "0/8");
    EXPECT_EQ(times[2].total, 100); // it works in the first iteration alone
    EXPECT_EQ(times[2].idle, 80);
}

TEST(IdleTimes, areSummedByTheOperatorThatEndedThem)
{
    const Working run;
    const auto times = trace::idleTimes(run.trace, run.linked);
    ASSERT_EQ(times[0].waits.size(), 2U);
    const trace::Wait &end = times[0].waits[0], &forMm = times[0].waits[1];
    EXPECT_EQ(end.time, 80);
    EXPECT_FALSE(end.operation); // the iteration ended
    EXPECT_EQ(forMm.time, 40);
    EXPECT_EQ(forMm.count, 2);
    EXPECT_EQ(forMm.operation, 1U);
    EXPECT_EQ(forMm.nodes, std::vector{run.mm});
    EXPECT_FALSE(times[2].waits.front().operation); // the operator of the copy is unknown
}

/// Each iteration and each kernel lies over all others for a while.
TEST(IdleTimes, ofManyIterationsThatOverlapTakeNoLongerThanOthers)
{
    constexpr int count = 200'000;
    trace::Trace run;
    trace::Linked linked;
    for (int i = 0; i < count; ++i) {
        trace::Event event;
        event.start = i;
        event.duration = 2 * count;
        event.category = Category::Device;
        run.events.push_back(event);
        linked.devices.push_back({static_cast<trace::EventIndex>(i), {}, {}});
        linked.iterations.push_back(iteration("run", i, 2 * count));
    }
    const auto times = trace::idleTimes(run, linked);
    ASSERT_EQ(times.size(), 1U);
    EXPECT_EQ(times[0].total, 3 * count - 1);
    EXPECT_EQ(times[0].idle, 0);
}

struct OverlapRow {
    const char *name;
    std::vector<trace::Iteration> iterations; ///< iterations of 300 ns, with a kernel from 20 to 60
    double total, idle;
};

class OverlappingIterations : public testing::TestWithParam<OverlapRow> { };

/// Two threads run the model at the same time.
TEST_P(OverlappingIterations, countTheirTimeOnce)
{
    trace::Trace run =
        recorded({{"0/7", 20, 40, Category::Device, "gemm"}, {"0/7", 210, 20, Category::Device, "gemm"}});
    trace::Linked linked;
    linked.iterations = GetParam().iterations;
    linked.devices = {{0, {}, {}}, {1, {}, {}}};
    const auto times = trace::idleTimes(run, linked);
    ASSERT_EQ(times.size(), 1U);
    EXPECT_EQ(times[0].total, GetParam().total);
    EXPECT_EQ(times[0].idle, GetParam().idle);
}

INSTANTIATE_TEST_SUITE_P(
    Idle, OverlappingIterations,
    testing::Values(OverlapRow{"eachBehindTheOther", {iteration("a", 0, 100), iteration("b", 200, 100)}, 200, 140},
                    OverlapRow{"inPart", {iteration("a", 0, 100), iteration("b", 50, 100)}, 150, 110},
                    OverlapRow{"oneInTheOther", {iteration("a", 0, 300), iteration("b", 10, 20)}, 300, 240},
                    OverlapRow{"aLongOneAroundShortOnes",
                               {iteration("a", 0, 300), iteration("b", 10, 20), iteration("c", 100, 20)},
                               300,
                               240},
                    OverlapRow{"theSame", {iteration("a", 0, 100), iteration("b", 0, 100)}, 100, 60}),
    [](const auto &row) { return std::string(row.param.name); });

TEST(IdleTimes, ofADeviceWithOneStreamAreToldOnce)
{
    Working run;
    run.linked.devices.erase(run.linked.devices.begin() + 1);
    EXPECT_EQ(trace::idleTimes(run.trace, run.linked).size(), 1U);
    run.linked.devices.clear();
    EXPECT_TRUE(trace::idleTimes(run.trace, run.linked).empty());
}

} // namespace
} // namespace cutaway::test
