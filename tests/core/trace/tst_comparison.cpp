// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/names.h"
#include "core/trace/times.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/trace/written_trace.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

constexpr const char *graphOfThree = R"((%x: float32[4]) {
  %a = aten::relu.default(self=%x) name "relu"
  %b = aten::neg.default(self=%a) name "neg"
  %c = aten::abs.default(self=%b) name "abs"
  return %c
})";

struct Call {
    const char *name;
    int duration;
};
using Runs = std::vector<std::vector<Call>>;

/// As many runs as tell the noise.
Runs often(const Runs &runs)
{
    Runs all;
    while (all.size() < run::fewestForNoise)
        all.insert(all.end(), runs.begin(), runs.end());
    return all;
}

/// The trace of some runs, each of which calls operators one after the other, or nodes by name: "## relu ##".
std::string traceOfRuns(const Runs &runs)
{
    std::string events;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        events += formatted("1/1 {} 900 user_annotation ProfilerStep#{}\n", 1000 * run, run);
        for (std::size_t i = 0; i < runs[run].size(); ++i) {
            const auto [name, duration] = runs[run][i];
            events += formatted("1/1 {} {} {}{}\n", 1000 * run + 100 * i + 1, duration,
                                *name == '#' ? "user_annotation " : "cpu_op aten::", name);
        }
    }
    return traceOf(events);
}

/// "relu: slower; neg: gone", and what is no node's.
std::string changesOf(const Runs &before, const Runs &after)
{
    const ir::Model model = modelOf(graphOfThree);
    const auto analysis = analysis::analyse(model, ir::FunctionId{0});
    const ir::Graph &graph = model.functions.front().graph;
    const auto a = readTrace(traceOfRuns(before)), b = readTrace(traceOfRuns(after));
    if (!a || !b)
        return "unreadable";
    const trace::Linked linkedA = trace::link(*a, model, analysis), linkedB = trace::link(*b, model, analysis);
    const auto summaryA = trace::summaryOf(*a, linkedA, graph), summaryB = trace::summaryOf(*b, linkedB, graph);
    const auto comparison = trace::compare({*a, linkedA, summaryA}, {*b, linkedB, summaryB}, graph);
    std::vector<std::string> texts;
    for (const trace::NodeChange &change : comparison.nodes)
        texts.push_back(formatted("{}: {}{}", ir::nameOf(ir::NodeRef(graph, change.node)),
                                  run::name(change.time.verdict()), change.isMoved ? ", moved" : ""));
    for (const trace::OtherChange &change : comparison.others)
        texts.push_back(formatted("{}: {}", change.name, run::name(change.time.verdict())));
    return joined(texts, "; ");
}

struct ChangeRow {
    const char *name;
    Runs before, after;
    const char *expected;
};

class TraceChanges : public testing::TestWithParam<ChangeRow> { };

TEST_P(TraceChanges, areTold) { EXPECT_EQ(changesOf(GetParam().before, GetParam().after), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(
    Traces, TraceChanges,
    testing::Values(ChangeRow{"rangesThatDoNotOverlapAreMoreThanTheNoise",
                              often({{{"relu", 10}, {"neg", 20}}, {{"relu", 12}, {"neg", 22}}}),
                              often({{{"relu", 14}, {"neg", 15}}, {{"relu", 15}, {"neg", 16}}}),
                              "relu: slower; neg: faster"},
                    ChangeRow{"rangesThatOverlapAreWithinTheNoise", often({{{"relu", 10}}, {{"relu", 14}}}),
                              often({{{"relu", 13}}, {{"relu", 17}}}), "relu: within the noise"},
                    ChangeRow{"fewRunsDoNotTellTheNoise",
                              {{{"relu", 10}}, {{"relu", 11}}, {{"relu", 12}}, {{"relu", 10}}},
                              often({{{"relu", 90}}, {{"relu", 91}}}),
                              "relu: noise not known"},
                    ChangeRow{"nodesAndOtherEventsComeAndGo", often({{{"relu", 10}, {"neg", 20}, {"add", 5}}}),
                              often({{{"relu", 10}, {"abs", 20}, {"mul", 5}}}),
                              "relu: within the noise; neg: gone; abs: new; aten::add: gone; aten::mul: new"},
                    ChangeRow{"aNodeAtAnotherPlaceHasMoved",
                              {{{"## relu ##", 10}, {"## neg ##", 10}, {"## abs ##", 10}}},
                              {{{"## neg ##", 10}, {"## abs ##", 10}, {"## relu ##", 10}}},
                              "relu: noise not known, moved; neg: noise not known; abs: noise not known"}),
    [](const auto &row) { return std::string(row.param.name); });

/// Runs in which relu launches a kernel and neg works on the host alone.
TEST(TraceComparison, ofDevicesHasNoTimeForANodeWithoutKernels)
{
    const auto changed = [](int duration) {
        std::string events;
        for (int run = 0; run < 5; ++run)
            events += formatted("1/1 {0} 900 user_annotation ProfilerStep#{1}\n1/1 {2} 50 cpu_op aten::relu\n"
                                "1/1 {3} 5 cuda_runtime cudaLaunchKernel {{\"correlation\": {5}}}\n"
                                "1/1 {4} 50 cpu_op aten::neg\n"
                                "0/7 {4} {6} kernel relu {{\"correlation\": {5}, \"device\": 0}}\n",
                                1000 * run, run, 1000 * run + 1, 1000 * run + 10, 1000 * run + 100, run + 1, duration);
        return readTrace(traceOf(events));
    };
    const auto a = changed(20), b = changed(30);
    ASSERT_TRUE(a && b);
    const ir::Model model = modelOf(graphOfThree);
    const auto analysis = analysis::analyse(model, ir::FunctionId{0});
    const ir::Graph &graph = model.functions.front().graph;
    const trace::Linked linkedA = trace::link(*a, model, analysis), linkedB = trace::link(*b, model, analysis);
    const auto summaryA = trace::summaryOf(*a, linkedA, graph), summaryB = trace::summaryOf(*b, linkedB, graph);
    const auto comparison = trace::compare({*a, linkedA, summaryA}, {*b, linkedB, summaryB}, graph);
    EXPECT_TRUE(comparison.isOnDevices);
    ASSERT_EQ(comparison.nodes.size(), 1U);
    EXPECT_EQ(ir::nameOf(ir::NodeRef(graph, comparison.nodes[0].node)), "relu");
    EXPECT_EQ(comparison.nodes[0].time.verdict(), run::Verdict::Slower);

    const auto columns = trace::columnsOf(comparison, graph);
    const ir::NodeId relu = comparison.nodes[0].node;
    EXPECT_NEAR(std::get<double>(columns[0].cells[relu.index]), 10e-6, 1e-12);
    EXPECT_NEAR(std::get<double>(columns[1].cells[relu.index]), 30e-6, 1e-12);
    EXPECT_EQ(std::get<std::string>(columns[2].cells[relu.index]), "slower");
    for (const node_data::Column &column : columns)
        EXPECT_TRUE(std::holds_alternative<std::monostate>(column.cells[relu.index + 1])) << column.name;
}

TEST(TraceSpread, leavesOutTheWarmUp)
{
    const auto recorded = readTrace(traceOf("1/1 0 900 user_annotation ProfilerStep#0\n"
                                            "1/1 10 5 cpu_op aten::relu\n"
                                            "1/1 1000 100 user_annotation ProfilerStep#1\n"
                                            "1/1 1010 5 cpu_op aten::relu\n"
                                            "1/1 2000 110 user_annotation ProfilerStep#2\n"
                                            "1/1 2010 5 cpu_op aten::relu\n"));
    ASSERT_TRUE(recorded) << recorded.error().text();
    const ir::Model model = modelOf(graphOfThree);
    const auto linked = trace::link(*recorded, model, analysis::analyse(model, ir::FunctionId{0}));
    EXPECT_EQ(trace::durationsOf(linked).count, 2U);
    EXPECT_DOUBLE_EQ(trace::durationsOf(linked).median, 105e-6);
    const auto summary = trace::summaryOf(*recorded, linked, model.functions.front().graph);
    EXPECT_EQ(trace::spreadOfRuns(summary.nodes.begin()->second).count, 2U);
}

} // namespace
} // namespace cutaway::test
