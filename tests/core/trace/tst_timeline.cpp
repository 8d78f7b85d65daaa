// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/timeline.h"
#include "tests/core/trace/recorded.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace cutaway::test {
namespace {

using trace::Category;
using trace::Stretch;

/// Events of one lane, a start and a duration each.
std::vector<trace::Event> eventsAt(const std::vector<std::pair<std::int64_t, std::int64_t>> &times)
{
    std::vector<trace::Event> events;
    for (const auto &[start, duration] : times) {
        events.emplace_back();
        events.back().start = start;
        events.back().duration = duration;
    }
    return events;
}

trace::LaneRow rowOf(const std::vector<trace::Event> &events)
{
    std::vector<trace::EventIndex> all(events.size());
    std::iota(all.begin(), all.end(), trace::EventIndex{0});
    return {all, events};
}

std::vector<Stretch> stretches(const trace::LaneRow &row, std::int64_t from, std::int64_t to, std::int64_t resolution)
{
    std::vector<Stretch> all;
    row.visit(from, to, resolution, [&](const Stretch &stretch) { all.push_back(stretch); });
    return all;
}

TEST(LaneRows, longEventsAreDrawnOneByOneAndShortOnesTogether)
{
    const auto events = eventsAt({{0, 10}, {11, 1}, {13, 2}, {15, 1}, {18, 30}, {60, 1}});
    const auto all = stretches(rowOf(events), 0, 100, 10);
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[0].event, 0u);
    EXPECT_EQ(all[1].count, 3u); // from 11 to 16, but not the long one that begins in the same ten
    EXPECT_EQ(all[1].event, 2u); // the longest of them
    EXPECT_EQ(all[1].busy, 4);
    EXPECT_EQ(all[1].end, 16);
    EXPECT_EQ(all[2].event, 4u);
    EXPECT_EQ(all[3].event, 5u);
}

TEST(LaneRows, onlyWhatReachesIntoTheRangeIsDrawn)
{
    const auto events = eventsAt({{0, 10}, {20, 10}, {40, 10}});
    const auto all = stretches(rowOf(events), 25, 40, 1);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].event, 1u);
    EXPECT_TRUE(stretches(rowOf(events), 10, 20, 1).empty());
    EXPECT_TRUE(stretches(rowOf({}), 0, 100, 1).empty());
}

TEST(LaneRows, theEventsInARangeAreCounted)
{
    const trace::LaneRow row = rowOf(eventsAt({{0, 10}, {20, 10}, {30, 0}}));
    EXPECT_EQ(row.countWithin(0, 100), 3U);
    EXPECT_EQ(row.countWithin(5, 21), 2U);
    EXPECT_EQ(row.countWithin(10, 20), 0U); // one has ended, the other begins
    EXPECT_EQ(row.countWithin(40, 50), 0U);
    EXPECT_EQ(row.countWithin(50, 40), 0U);
    EXPECT_EQ(rowOf({}).countWithin(0, 100), 0U);
}

TEST(LaneRows, timesBeforeZeroAreTimesLikeOthers)
{
    const auto all = stretches(rowOf(eventsAt({{-25, 1}, {-22, 1}, {-5, 1}})), -100, 100, 10);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].count, 2u);
}

/// The sum over all stretches, and each longest event, beside a look at all events.
TEST(LaneRows, noEventIsLostAtAnyResolution)
{
    std::mt19937 random(7);
    std::vector<std::pair<std::int64_t, std::int64_t>> times;
    for (std::int64_t at = 0; times.size() < 5000; at += 1 + random() % 40) {
        times.emplace_back(at, random() % 50);
        at += times.back().second;
    }
    const auto events = eventsAt(times);
    const trace::LaneRow row = rowOf(events);
    for (const std::int64_t resolution : {1, 7, 64, 1000, 30'000, 10'000'000}) {
        std::size_t next = 0;
        for (const Stretch &stretch : stretches(row, -1, events.back().end() + 1, resolution)) {
            ASSERT_EQ(stretch.start, events[next].start);
            std::int64_t busy = 0, longest = 0;
            for (std::size_t i = next; i < next + stretch.count; ++i) {
                busy += events[i].duration;
                longest = std::max(longest, events[i].duration);
            }
            next += stretch.count;
            EXPECT_EQ(stretch.busy, busy);
            EXPECT_EQ(events[stretch.event].duration, longest);
            EXPECT_EQ(stretch.end, events[next - 1].end());
        }
        EXPECT_EQ(next, events.size()) << resolution;
    }
}

TEST(LaneRows, anEventIsFoundByATimeInItOrNearIt)
{
    const auto row = rowOf(eventsAt({{0, 10}, {20, 10}}));
    EXPECT_EQ(row.at(5), 0u);
    EXPECT_EQ(row.at(25), 1u);
    EXPECT_EQ(row.at(14), std::nullopt);
    EXPECT_EQ(row.at(14, 5), 0u);
    EXPECT_EQ(row.at(17, 5), 1u);
}

/// A thread with an operator that launches two kernels on one stream, and one without a node.
struct Launching {
    ir::NodeId mm{3}, relu{4};
    trace::Trace trace = recorded({{"2/2", 0, 100, Category::Annotation, "ProfilerStep#1"},
                                   {"2/2", 10, 40, Category::Operator, "aten::mm"},
                                   {"2/2", 15, 20, Category::Operator, "aten::cublas"},
                                   {"2/2", 16, 5, Category::Launch, "cudaLaunchKernel"},
                                   {"0/7", 40, 30, Category::Device, "gemm"},
                                   {"2/2", 60, 20, Category::Operator, "aten::relu"},
                                   {"0/7", 70, 5, Category::Device, "splitK"},
                                   {"2/2", 90, 5, Category::Operator, "aten::loss"}});
    trace::Linked linked;

    Launching()
    {
        linked.iterations = {iteration("ProfilerStep#1", 0, 100)};
        linked.rows = {{1, 0, 40, {}, linkOf(mm)}, {5, 0, 20, {}, linkOf(relu)}, {7, 0, 5, {}, {}}};
        linked.rows.back().link.reason = "the model has no such operator";
        linked.devices = {{4, 2, linkOf(mm)}, {6, 2, linkOf(mm)}};
    }
};

TEST(Timelines, threadsComeBeforeStreamsAndEventsLieBelowThoseAroundThem)
{
    const Launching run;
    const trace::Timeline timeline(run.trace, run.linked);
    ASSERT_EQ(timeline.lanes().size(), 2u);
    EXPECT_EQ(timeline.lanes()[0].name, "thread 2");
    EXPECT_EQ(timeline.lanes()[0].rows.size(), 4u);
    EXPECT_EQ(timeline.lanes()[0].rows[1].events(), (std::vector<trace::EventIndex>{1, 5, 7}));
    EXPECT_EQ(timeline.lanes()[1].name, "device 0, stream 7");
    EXPECT_TRUE(timeline.lanes()[1].isOnDevice);
    EXPECT_EQ(timeline.placeOf(3)->row, 3u);
    EXPECT_EQ(timeline.start(), 0);
    EXPECT_EQ(timeline.end(), 100);
}

TEST(Timelines, eventsThatOverlapAreInRowsOfTheirOwn)
{
    const trace::Trace overlapping = recorded({{"1/1", 0, 10, Category::Operator, "a"},
                                               {"1/1", 5, 10, Category::Operator, "b"},
                                               {"1/1", 12, 10, Category::Operator, "c"},
                                               {"3/1", 12, 10, Category::Operator, "d"}});
    const trace::Linked none;
    const trace::Timeline timeline(overlapping, none);
    ASSERT_EQ(timeline.lanes().size(), 2u);
    EXPECT_EQ(timeline.lanes()[0].name, "process 1, thread 1");
    for (const trace::LaneRow &row : timeline.lanes()[0].rows)
        for (std::size_t i = 1; i < row.events().size(); ++i)
            EXPECT_LE(overlapping.events[row.events()[i - 1]].end(), overlapping.events[row.events()[i]].start);
}

/// Kernels of one stream may each begin before the one before has ended.
TEST(Timelines, aLongChainOfEventsThatOverlapTakesTurnsInTwoRows)
{
    std::vector<RecordedEvent> chain;
    for (std::int64_t i = 0; i < 100; ++i)
        chain.push_back({"0/7", i * 10, 12, Category::Device, "gemm"});
    const trace::Trace recorded = test::recorded(chain);
    const trace::Linked none;
    const trace::Timeline timeline(recorded, none);
    ASSERT_EQ(timeline.lanes().front().rows.size(), 2u);
    for (trace::EventIndex i = 0; i < recorded.events.size(); ++i)
        EXPECT_EQ(timeline.placeOf(i)->row, i % 2);
}

TEST(Timelines, eventsTooDeepInEachOtherAreInNoRowAndStillOfTheirNode)
{
    std::vector<RecordedEvent> nested;
    for (std::int64_t i = 0; i < 60; ++i)
        nested.push_back({"1/1", i, 200 - 2 * i, Category::Operator, "aten::mm"});
    const trace::Trace recorded = test::recorded(nested);
    trace::Linked linked;
    linked.rows = {{0, 0, 200, {}, linkOf({3})}};
    const trace::Timeline timeline(recorded, linked);
    EXPECT_EQ(timeline.lanes().front().rows.size(), trace::Timeline::maxRows);
    EXPECT_EQ(timeline.placeOf(39)->row, 39u);
    EXPECT_FALSE(timeline.placeOf(59));
    EXPECT_EQ(timeline.linkedEvent(59), 0u);
}

TEST(Timelines, anEventInAnotherOneIsOfItsNode)
{
    const Launching run;
    const trace::Timeline timeline(run.trace, run.linked);
    EXPECT_EQ(timeline.linkOf(0), nullptr);
    EXPECT_EQ(timeline.linkOf(3)->nodes, std::vector{run.mm});
    EXPECT_EQ(timeline.linkedEvent(3), 1u);
    EXPECT_EQ(timeline.firstNodeOf(3), run.mm);
    EXPECT_FALSE(timeline.firstNodeOf(0));
    EXPECT_FALSE(timeline.firstNodeOf(7));
    EXPECT_TRUE(timeline.linkOf(7)->nodes.empty());
    EXPECT_EQ(timeline.eventsOf(run.mm), (std::vector<trace::EventIndex>{1, 4, 6}));
    EXPECT_TRUE(timeline.eventsOf(ir::NodeId{9}).empty());
}

TEST(Timelines, launchesAreOfTheOperatorAndOfThoseAroundIt)
{
    const Launching run;
    const trace::Timeline timeline(run.trace, run.linked);
    EXPECT_EQ(timeline.launchesOf(2), (std::vector<trace::EventIndex>{4, 6}));
    EXPECT_EQ(timeline.launchesOf(1), (std::vector<trace::EventIndex>{4, 6}));
    EXPECT_TRUE(timeline.launchesOf(5).empty());
    EXPECT_EQ(timeline.launcherOf(6), 2u);
    EXPECT_EQ(timeline.launcherOf(1), std::nullopt);
    EXPECT_EQ(timeline.iterationAt(50), 0u);
    EXPECT_EQ(timeline.iterationAt(100), std::nullopt);
}

TEST(Timelines, aTraceWithoutEventsHasNoLanes)
{
    const trace::Trace empty;
    const trace::Linked none;
    EXPECT_TRUE(trace::Timeline(empty, none).lanes().empty());
}

} // namespace
} // namespace cutaway::test
