// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/memory_use.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/trace/written_trace.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

std::string memoryEvent(int time, int bytes, int address, int deviceType = 0)
{
    return formatted(R"(, {{"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": {}, "args": {{"Bytes": {}, )"
                     R"("Addr": {}, "Device Type": {}, "Device Id": 0}}}})",
                     time, bytes, address, deviceType);
}

/// The memory of a run of two nodes, relu from 10 to 20 µs and neg from 20 to 30 µs, with these events.
std::vector<trace::MemoryUse> useOf(const std::string &events)
{
    const auto recorded = readTrace(formatted(R"({{"schemaVersion": 1, "traceEvents": [
{{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 1, "tid": 1, "ts": 10, "dur": 10}},
{{"ph": "X", "cat": "cpu_op", "name": "aten::neg", "pid": 1, "tid": 1, "ts": 21, "dur": 9}}{}]}})",
                                              events));
    const ir::Model model =
        modelOf("(%x: float32[4]) { %a = aten::relu.default(self=%x) %b = aten::neg.default(self=%a) return %b }");
    if (!recorded)
        return {};
    return trace::memoryUse(*recorded, trace::link(*recorded, model, analysis::analyse(model, ir::FunctionId{0})));
}

TEST(TraceMemory, hasWhatIsLiveAtThePeakAndWhatTookIt)
{
    const auto uses = useOf(memoryEvent(12, 100, 1) + memoryEvent(13, 50, 2) + memoryEvent(14, -50, 2)
                            + memoryEvent(22, 80, 3) + memoryEvent(25, -100, 1) + memoryEvent(40, 10, 4));
    ASSERT_EQ(uses.size(), 1U);
    EXPECT_EQ(uses[0].peakBytes(), 180);
    EXPECT_EQ(uses[0].curve[uses[0].peak].time, 22'000);
    ASSERT_EQ(uses[0].liveAtPeak.size(), 2U);
    EXPECT_EQ(uses[0].liveAtPeak[0].bytes, 100);
    EXPECT_EQ(uses[0].liveAtPeak[0].row, 0U);
    EXPECT_EQ(uses[0].liveAtPeak[1].bytes, 80);
    EXPECT_EQ(uses[0].liveAtPeak[1].row, 1U);
    EXPECT_EQ(uses[0].releasedUnseen, 0U);
}

TEST(TraceMemory, ofATimeIsTheMostThatIsTakenInIt)
{
    const auto uses = useOf(memoryEvent(12, 100, 1) + memoryEvent(13, 50, 2) + memoryEvent(14, -50, 2)
                            + memoryEvent(22, 80, 3) + memoryEvent(25, -100, 1));
    ASSERT_EQ(uses.size(), 1U);
    EXPECT_EQ(uses[0].mostWithin(0, 11'000), 0);
    EXPECT_EQ(uses[0].mostWithin(10'000, 20'000), 150);
    EXPECT_EQ(uses[0].mostWithin(15'000, 20'000), 100);
    EXPECT_EQ(uses[0].mostWithin(15'000, 22'000), 180);
    EXPECT_EQ(uses[0].mostWithin(25'000, 90'000), 80);
}

TEST(TraceMemory, isToldForEachDevice)
{
    const auto uses = useOf(memoryEvent(12, 100, 1) + memoryEvent(13, 70, 1, 1) + memoryEvent(14, -70, 1, 1));
    ASSERT_EQ(uses.size(), 2U);
    EXPECT_EQ(uses[0].peakBytes(), 100);
    EXPECT_EQ(uses[1].peakBytes(), 70);
    EXPECT_EQ(uses[1].liveAtPeak.size(), 1U);
}

TEST(TraceMemory, isOfTheRowAroundManyThatAreOver)
{
    constexpr const char *event =
        R"(, {{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": 1, "ts": {}, "dur": {}}})";
    std::string events = formatted(event, "user_annotation", "ProfilerStep#1", 0, 2000)
        + formatted(event, "user_annotation", "optimizer", 100, 1000);
    for (int i = 0; i < 300; ++i)
        events += formatted(event, "cpu_op", "aten::add_", 101 + 2 * i, 1);
    const auto uses = useOf(events + memoryEvent(900, 100, 1) + memoryEvent(1500, 50, 2));
    ASSERT_EQ(uses.size(), 1U);
    ASSERT_EQ(uses[0].liveAtPeak.size(), 2U);
    EXPECT_TRUE(uses[0].liveAtPeak[0].row.has_value()); // the optimizer
    EXPECT_FALSE(uses[0].liveAtPeak[1].row.has_value());
}

TEST(TraceMemory, isThatOfTheRunWhereOlderIsReleased)
{
    const auto uses = useOf(memoryEvent(12, -100, 9) + memoryEvent(50, 30, 1));
    ASSERT_EQ(uses.size(), 1U);
    EXPECT_EQ(uses[0].releasedUnseen, 1U);
    EXPECT_EQ(uses[0].peakBytes(), 30);
    ASSERT_EQ(uses[0].liveAtPeak.size(), 1U);
    EXPECT_FALSE(uses[0].liveAtPeak[0].row.has_value()); // no operator was running
}

TEST(TraceMemory, takenAnewWithoutAReleaseIsCountedOnce)
{
    const auto uses = useOf(memoryEvent(12, 100, 9) + memoryEvent(50, 30, 9));
    ASSERT_EQ(uses.size(), 1U);
    EXPECT_EQ(uses[0].peakBytes(), 100);
    EXPECT_EQ(uses[0].curve.back().bytes, 30);
}

/// The first of three iterations takes ten times as long as the others, and most memory.
TEST(TraceMemory, hasItsPeakBehindTheWarmUp)
{
    constexpr const char *step =
        R"(, {{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#{}", "pid": 1, "tid": 1, "ts": {}, "dur": {}}})";
    const std::string steps =
        formatted(step, 1, 0, 1000) + formatted(step, 2, 1000, 100) + formatted(step, 3, 1100, 100);
    const auto uses = useOf(steps + memoryEvent(12, 900, 1) + memoryEvent(13, 30, 2) + memoryEvent(14, -900, 1)
                            + memoryEvent(1010, 50, 3) + memoryEvent(1020, -50, 3));
    ASSERT_EQ(uses.size(), 1U);
    EXPECT_EQ(uses[0].peakBytes(), 80); // includes memory that the warm-up has kept
    EXPECT_EQ(uses[0].warmUpPeak, 930);
    ASSERT_EQ(uses[0].liveAtPeak.size(), 2U);
    EXPECT_EQ(uses[0].liveAtPeak[0].bytes, 50);
    const auto inWarmUpAlone = useOf(steps + memoryEvent(12, 900, 1));
    ASSERT_EQ(inWarmUpAlone.size(), 1U);
    EXPECT_EQ(inWarmUpAlone[0].peakBytes(), 900);
    EXPECT_EQ(inWarmUpAlone[0].warmUpPeak, 0);
}

TEST(TraceMemory, ofANodeIsTheMostWhileItIsCalledOnEachDevice)
{
    const auto uses = useOf(memoryEvent(12, 100, 1) + memoryEvent(22, 80, 3) + memoryEvent(25, 500, 1, 1));
    ASSERT_EQ(uses.size(), 2U);
    const std::map<ir::NodeId, std::int64_t> host{{ir::NodeId{0}, 100}, {ir::NodeId{1}, 180}};
    const std::map<ir::NodeId, std::int64_t> device{{ir::NodeId{0}, 0}, {ir::NodeId{1}, 500}};
    EXPECT_EQ(uses[0].byNode, host);
    EXPECT_EQ(uses[1].byNode, device);
}

TEST(TraceMemory, isNothingWithoutEvents) { EXPECT_TRUE(useOf("").empty()); }

} // namespace
} // namespace cutaway::test
