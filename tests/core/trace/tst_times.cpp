// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A trace as a profile, and what else it tells of nodes.
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/trace/read/recognize.h"
#include "core/trace/times.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/trace/recorded.h"

#include <array>
#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

using trace::Category;

constexpr const char *model = R"(model "m"
graph @forward(%x: float32[2]) {
  %a = aten::relu(self=%x)
  %b = aten::relu(self=%a)
  return %b
}
)";

constexpr double microsecond = 1e-6;

const run::TimedNodes *timeOf(const run::Timing &timing, ir::NodeId node)
{
    const auto found =
        std::ranges::find_if(timing.nodes, [&](const auto &each) { return each.nodes == std::vector{node}; });
    return found == timing.nodes.end() ? nullptr : &*found;
}

TEST(TimesOfTraces, medianIsTakenOverIterationsWithoutTheWarmUp)
{
    const ir::NodeId a{0}, b{1};
    trace::Trace recorded = test::recorded({{"1/1", 0, 9000, Category::Operator, "aten::relu"},
                                            {"1/1", 10'000, 1000, Category::Operator, "aten::relu"},
                                            {"1/1", 12'000, 500, Category::Operator, "aten::relu"},
                                            {"1/1", 20'000, 3000, Category::Operator, "aten::relu"},
                                            {"1/1", 24'000, 200, Category::Operator, "aten::loss"}});
    trace::Linked linked;
    linked.iterations = {iteration("0", 0, 9500, true), iteration("1", 10'000, 4000), iteration("2", 20'000, 6000)};
    linked.rows = {{0, 0, 9000, {}, linkOf(a)},
                   {1, 1, 1000, {}, linkOf(a)},
                   {2, 1, 500, {}, linkOf(b)},
                   {3, 2, 3000, {}, linkOf(a)},
                   {4, 2, 200, {}, {}}};
    const run::Timing timing = trace::timesOf(recorded, linked);
    EXPECT_NEAR(timing.whole.median, 5 * microsecond, 1e-12);
    EXPECT_EQ(timing.whole.count, 2u);
    ASSERT_EQ(timing.nodes.size(), 3u);
    EXPECT_NEAR(timeOf(timing, a)->measured.time.median, 2 * microsecond, 1e-12);
    EXPECT_EQ(timeOf(timing, a)->measured.time.count, 2u);
    EXPECT_NEAR(timeOf(timing, b)->measured.start, 2 * microsecond, 1e-12);
    EXPECT_TRUE(timing.nodes.back().nodes.empty()); // the loss belongs to no node, and still has its time
    EXPECT_NEAR(timing.nodes.back().measured.time.median, 0.2 * microsecond, 1e-12);
    EXPECT_NEAR(timing.inNodes.median, (1.5 + 3.2) / 2 * microsecond, 1e-12);
    EXPECT_NEAR(timing.between.median, (2.5 + 2.8) / 2 * microsecond, 1e-12);
}

TEST(TimesOfTraces, aNodeThatRanInTheWarmUpAloneHasThatTime)
{
    const trace::Trace recorded = test::recorded({{"1/1", 0, 700, Category::Operator, "aten::relu"}});
    trace::Linked linked;
    linked.iterations = {iteration("0", 0, 9500, true), iteration("1", 10'000, 4000)};
    linked.rows = {{0, 0, 700, {}, linkOf({0})}};
    const run::Timing timing = trace::timesOf(recorded, linked);
    ASSERT_EQ(timing.nodes.size(), 1u);
    EXPECT_NEAR(timing.nodes.front().measured.time.median, 0.7 * microsecond, 1e-12);
}

TEST(TimesOfTraces, nodesThatCannotBeToldApartShareTheTime)
{
    const trace::Trace recorded = test::recorded({{"1/1", 0, 800, Category::Operator, "aten::relu"}});
    trace::Linked linked;
    linked.iterations = {iteration("", 0, 800)};
    linked.rows = {{0, 0, 800, {}, {{{0}, {1}}, trace::Sharing::Ambiguous, trace::Evidence::Order, false, {}}}};
    const run::Timing timing = trace::timesOf(recorded, linked);
    ASSERT_EQ(timing.nodes.size(), 2u);
    EXPECT_NEAR(timeOf(timing, ir::NodeId{0})->measured.time.median, 0.4 * microsecond, 1e-12);
    linked.rows.front().link.sharing = trace::Sharing::Fused;
    EXPECT_EQ(trace::timesOf(recorded, linked).nodes.size(), 1u);
}

/// The second kernel runs after the iteration that launched it.
struct OnDevice {
    trace::Trace recorded = test::recorded({{"1/1", 0, 100, Category::Operator, "aten::mm"},
                                            {"0/7", 50, 2000, Category::Device, "gemm"},
                                            {"0/7", 9000, 1000, Category::Device, "splitK"}});
    trace::Linked linked;

    OnDevice()
    {
        linked.iterations = {iteration("", 0, 5000)};
        linked.rows = {{0, 0, 100, {}, linkOf({0})}};
        linked.devices = {{1, 0, linkOf({0}), 0}, {2, 0, linkOf({0}), 0}};
    }
};

TEST(TimesOfTraces, aNodeWithKernelsHasTheirTime)
{
    const OnDevice run;
    const run::Timing timing = trace::timesOf(run.recorded, run.linked);
    ASSERT_EQ(timing.nodes.size(), 2u);
    EXPECT_EQ(timing.nodes[0].measured.name, "gemm");
    EXPECT_EQ(timing.nodes[0].measured.provider, "device 0/7");
    EXPECT_NEAR(*timing.sumOfMedians(), 3 * microsecond, 1e-12);
    EXPECT_NEAR(timing.between.median, (0.05 + 2.95) * microsecond, 1e-12); // before and behind the first kernel
}

TEST(TimesOfTraces, aNodeHasTheMemoryThatIsTakenWhileItIsCalled)
{
    const OnDevice run;
    const trace::MemoryUse small{
        .device = {}, .curve = {{0, 10}, {90, 30}, {200, 5}}, .peak = 1, .liveAtPeak = {}, .byNode = {{{0}, 30}}};
    const trace::MemoryUse large{
        .device = {}, .curve = {{20, 50}, {150, 70}}, .peak = 1, .liveAtPeak = {}, .byNode = {{{0}, 50}}};
    EXPECT_EQ(trace::timesOf(run.recorded, run.linked).nodes[0].measured.memory, 0U);
    EXPECT_EQ(trace::timesOf(run.recorded, run.linked, std::array{small}).nodes[0].measured.memory, 30U);
    const run::Timing timing = trace::timesOf(run.recorded, run.linked, std::array{small, large});
    EXPECT_EQ(timing.nodes[0].measured.memory, 50U); // the memory of the device with the highest peak
    EXPECT_EQ(timing.peakActivation, 70U);
}

TEST(TimesOfTraces, columnsTellCallsSpreadAndWhatDevicesDid)
{
    const OnDevice run;
    const ir::Model graph = parsed(model);
    const ir::Graph &forward = graph.functions.front().graph;
    const auto columns = trace::columnsOf(trace::summaryOf(run.recorded, run.linked, forward), forward);
    const auto number = [&](std::string_view name) -> std::optional<double> {
        const auto column = std::ranges::find(columns, name, &node_data::Column::name);
        const double *cell = column == columns.end() ? nullptr : column->number(ir::NodeId{0});
        return cell ? std::optional(*cell) : std::nullopt;
    };
    EXPECT_EQ(number("trace.calls"), 1);
    EXPECT_EQ(number("trace.spread"), 0);
    EXPECT_DOUBLE_EQ(number("trace.host").value(), 0.1 * microsecond);
    EXPECT_DOUBLE_EQ(number("trace.waited").value(), 0.05 * microsecond); // until the first kernel
    EXPECT_DOUBLE_EQ(number("trace.device").value(), 3 * microsecond);
    EXPECT_EQ(number("trace.launches"), 2);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(columns.front().cells[1]));
}

TEST(TimesOfTraces, theSpreadIsThatOfIterationsAndNotOfSingleKernels)
{
    OnDevice run; // a kernel takes longer where the other one takes less
    run.recorded = test::recorded({{"1/1", 0, 100, Category::Operator, "aten::mm"},
                                   {"0/7", 50, 2000, Category::Device, "gemm"},
                                   {"0/7", 4000, 1000, Category::Device, "splitK"},
                                   {"1/1", 5000, 100, Category::Operator, "aten::mm"},
                                   {"0/7", 5050, 1000, Category::Device, "gemm"},
                                   {"0/7", 9000, 2000, Category::Device, "splitK"}});
    run.linked.iterations = {iteration("0", 0, 5000), iteration("1", 5000, 5000)};
    run.linked.rows = {{0, 0, 100, {}, linkOf({0})}, {3, 1, 100, {}, linkOf({0})}};
    run.linked.devices = {
        {1, 0, linkOf({0}), 0}, {2, 0, linkOf({0}), 0}, {4, 3, linkOf({0}), 1}, {5, 3, linkOf({0}), 1}};
    const ir::Model graph = parsed(model);
    const ir::Graph &forward = graph.functions.front().graph;
    const auto columns = trace::columnsOf(trace::summaryOf(run.recorded, run.linked, forward), forward);
    const auto spread = std::ranges::find(columns, "trace.spread", &node_data::Column::name);
    ASSERT_NE(spread, columns.end());
    EXPECT_DOUBLE_EQ(*spread->number(ir::NodeId{0}), 0);
}

TEST(TimesOfTraces, aTraceOfTheHostAloneHasNoColumnsOfDevices)
{
    const OnDevice run;
    trace::Linked linked = run.linked;
    linked.devices.clear();
    const ir::Model graph = parsed(model);
    const ir::Graph &forward = graph.functions.front().graph;
    const auto summary = trace::summaryOf(run.recorded, linked, forward);
    EXPECT_EQ(trace::columnsOf(summary, forward).size(), 2u);
}

struct Begun {
    const char *name, *content;
    bool isTrace;
};

class BeginningOfAFile : public testing::TestWithParam<Begun> { };

TEST_P(BeginningOfAFile, tellsWhetherItIsATrace)
{
    const auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder);
    const std::string path = folder->path() / "run.json";
    ASSERT_TRUE(writeWholeFile(path, GetParam().content));
    EXPECT_EQ(trace::recognizes(path), GetParam().isTrace);
}

INSTANTIATE_TEST_SUITE_P(
    Traces, BeginningOfAFile,
    testing::Values(Begun{"ofTorchProfiler", R"({"schemaVersion": 1, "traceEvents": [)", true},
                    Begun{"ofOnnxRuntime", "[\n{\"cat\" : \"Session\",\"ph\" : \"X\",\"ts\" :1}", true},
                    Begun{"ofATable", R"([{"node": "a", "time": 3}])", false},
                    Begun{"ofADocument", R"({"schema": "cutaway.profile/1"})", false}, Begun{"empty", "", false},
                    Begun{"ofProse", "the field \"traceEvents\" of a file", false}),
    [](const auto &row) { return std::string(row.param.name); });

TEST(Traces, aMissingFileIsNoTrace) { EXPECT_FALSE(trace::recognizes("nowhere/run.json")); }

} // namespace
} // namespace cutaway::test
