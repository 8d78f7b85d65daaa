// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A model and a trace, and which event is which node's, tests/data/trace/*.graph.
#include "core/base/formatted.h"
#include "core/base/temporary_folder.h"
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/trace/summary.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/trace/written_trace.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace cutaway::test {
namespace {

std::string microseconds(double nanoseconds) { return formatted("{:g}", nanoseconds / 1000); }

std::string textOf(const trace::Link &link, const ir::Graph &graph)
{
    if (link.nodes.empty())
        return formatted("none: {}", link.reason);
    std::vector<std::string> names;
    for (const ir::NodeId node : link.nodes)
        names.push_back(ir::nameOf(ir::NodeRef(graph, node)));
    return formatted("{}{} by {}{}", joined(names, ", "),
                     !link.sharing                                ? ""
                         : *link.sharing == trace::Sharing::Fused ? " together"
                                                                  : " perhaps",
                     trace::name(link.evidence), link.isSure ? "" : ", not sure");
}

std::string textOf(const trace::Trace &recorded, const trace::Linked &linked, const ir::Graph &graph)
{
    std::string text;
    std::size_t iteration = ~std::size_t{0};
    for (const trace::Row &row : linked.rows) {
        if (row.iteration != iteration) {
            iteration = row.iteration;
            const trace::Iteration &each = linked.iterations[iteration];
            text += formatted("{}, {} us{}\n", each.name.empty() ? "the whole trace" : each.name,
                              microseconds(double(each.duration)), each.isWarmUp ? ", warm-up" : "");
        }
        text += formatted("  {} {} us: {}{}\n", recorded.nameOf(recorded.events[row.event]),
                          microseconds(double(row.duration)), row.phase == trace::Phase::Backward ? "gradient of " : "",
                          textOf(row.link, graph));
    }
    for (const trace::DeviceRow &row : linked.devices)
        text += formatted("device {}: {}, launched by {}\n", recorded.nameOf(recorded.events[row.event]),
                          textOf(row.link, graph),
                          row.launchedBy ? recorded.nameOf(recorded.events[*row.launchedBy]) : "?");
    for (const ir::Diagnostic &diagnostic : linked.diagnostics)
        text += formatted("{}: {}\n", ir::name(diagnostic.severity), diagnostic.message);
    return text;
}

/// "linked 5 of 8 us, unlinked 1, gaps 2", and that the sums are the whole, for each lane.
std::string sumsOf(const trace::Trace &recorded, const trace::Linked &linked, const ir::Graph &graph)
{
    const trace::Summary summary = trace::summaryOf(recorded, linked, graph);
    double nodes = 0;
    for (const auto &[node, time] : summary.nodes)
        nodes += time.time;
    EXPECT_NEAR(nodes, static_cast<double>(summary.all.linked), 1);
    for (const auto &[lane, time] : summary.lanes)
        EXPECT_GE(time.gaps(), 0);
    return formatted("linked {} of {} us, unlinked {}, gaps {}\n", microseconds(double(summary.all.linked)),
                     microseconds(double(summary.all.total)), microseconds(double(summary.all.unlinked)),
                     microseconds(double(summary.all.gaps())));
}

std::string linkedText(const GraphCase &given)
{
    const ir::Model model = parsed(given.graphs.at(0));
    const auto recorded = readTrace(traceOf(given.graphs.at(1)));
    if (!recorded)
        return "error: " + recorded.error().message;
    const auto analysis = analysis::analyse(model, ir::FunctionId{0});
    const trace::Linked linked = trace::link(*recorded, model, analysis);
    const ir::Graph &graph = model.functions.front().graph;
    return textOf(*recorded, linked, graph) + sumsOf(*recorded, linked, graph);
}

const bool hasCases = forEachCase("Traces", "trace", linkedText);

struct Unreadable {
    const char *name;
    std::string content;
};

class UnreadableTrace : public testing::TestWithParam<Unreadable> { };

TEST_P(UnreadableTrace, isAnError)
{
    const auto recorded = readTrace(GetParam().content);
    ASSERT_FALSE(recorded);
    EXPECT_EQ(recorded.error().kind, ErrorKind::Unreadable);
    EXPECT_TRUE(recorded.error().subject.ends_with("run.json"));
}

INSTANTIATE_TEST_SUITE_P(Traces, UnreadableTrace,
                         testing::Values(Unreadable{"empty", ""}, Unreadable{"prose", "no trace"},
                                         Unreadable{"numbers", "[1, 2, 3]"}, Unreadable{"picture", "\x89PNG\r\n"},
                                         Unreadable{"otherDocument",
                                                    R"({"schema": "cutaway.report/1", "nodes": [{}]})"},
                                         Unreadable{"brackets", std::string(1u << 20, '[')}),
                         [](const auto &row) { return std::string(row.param.name); });

struct FaultRow {
    const char *name;
    std::string event; ///< without its brackets, of "ph": "X"
    std::string fault;
};

class DamagedEvents : public testing::TestWithParam<FaultRow> { };

TEST_P(DamagedEvents, areCountedAndTheFirstIsExplained)
{
    const auto recorded = readTrace(formatted(R"({{"schemaVersion": 1, "traceEvents": [
{{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 1, "tid": 1, "ts": 1, "dur": 2}},
{{"cat": "cpu_op", "name": "aten::relu", "pid": 1, "tid": 1, {}}}]}})",
                                              GetParam().event));
    ASSERT_TRUE(recorded) << recorded.error().text();
    EXPECT_EQ(recorded->events.size(), 1U);
    ASSERT_EQ(recorded->diagnostics.size(), 1U);
    EXPECT_EQ(recorded->diagnostics[0].message,
              "events are damaged, and what cannot be read of them is left out: 1; the first, event 1 "
                  + GetParam().fault);
}

INSTANTIATE_TEST_SUITE_P(
    Traces, DamagedEvents,
    testing::Values(FaultRow{"noStart", R"("ph": "X", "dur": 5)", "has no \"ts\""},
                    FaultRow{"noDuration", R"("ph": "X", "ts": 5)", "has no \"dur\""},
                    FaultRow{"aDecimalComma", R"("ph": "X", "ts": "5,5", "dur": 1)",
                             "has \"5,5\" as its \"ts\", where microseconds with a decimal point were expected"},
                    FaultRow{"aNumberBeyondAllTimes", R"("ph": "X", "ts": 1, "dur": 1e300)",
                             "has 1e300 as its \"dur\", where microseconds with a decimal point were expected"},
                    FaultRow{"memoryWithoutBytes", R"("ph": "i", "ts": 5, "name": "[memory]")",
                             "has no number of \"Bytes\""}),
    [](const auto &row) { return std::string(row.param.name); });

void writePacked(const std::string &path, const std::string &content, std::size_t keep)
{
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    std::filesystem::resize_file(path, std::min<std::uintmax_t>(keep, std::filesystem::file_size(path)));
}

TEST(Traces, whatIsNoTraceIsNamed)
{
    const auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder);
    const std::string path = folder->path() / "run.json.gz";
    const auto errorOf = [&](const std::string &content, std::size_t keep = 1u << 30) {
        writePacked(path, content, keep);
        const auto recorded = trace::read(path);
        return recorded ? std::string() : recorded.error().message;
    };
    EXPECT_EQ(errorOf(traceOf("1/1 10 5 cpu_op aten::relu\n"), 20),
              "the packed file is cut off or damaged before its first event");
    const std::string tooLong = "no event of a trace has more than 64 MiB, and this file has an entry of more";
    EXPECT_EQ(errorOf("[" + std::string(80u << 20, ' ') + "{\"ph\": \"X\"}]"), tooLong);
    EXPECT_EQ(errorOf("[{\"ph\": \"" + std::string(80u << 20, 'a') + "\"}]"), tooLong);
}

TEST(Traces, aPackedTraceIsReadAsAnother)
{
    const auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder);
    const std::string path = folder->path() / "run.json.gz";
    const std::string content = traceOf("1/1 10 5 cpu_op aten::relu\n1/1 20 5.125 cpu_op aten::add\n");
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    const auto recorded = trace::read(path);
    ASSERT_TRUE(recorded) << recorded.error().text();
    ASSERT_EQ(recorded->events.size(), 2);
    EXPECT_EQ(recorded->events[1].duration, 5125);
    EXPECT_TRUE(recorded->diagnostics.empty());
}

TEST(Traces, timesAreMicrosecondsInAnyFormOfNumbers)
{
    const auto recorded = readTrace(traceOf("1/1 10.5 1.2e3 cpu_op aten::relu\n1/1 2000 0.0625 cpu_op aten::add\n"));
    ASSERT_TRUE(recorded) << recorded.error().text();
    ASSERT_EQ(recorded->events.size(), 2U);
    EXPECT_EQ(recorded->events[0].start, 10'500);
    EXPECT_EQ(recorded->events[0].duration, 1'200'000);
    EXPECT_EQ(recorded->events[1].duration, 63);
}

TEST(Traces, aBeginningAndAnEndAreAnEvent)
{
    const auto recorded = readTrace(R"([
{"ph": "B", "name": "outer", "pid": 1, "tid": 1, "ts": 10},
{"ph": "B", "name": "inner", "pid": 1, "tid": 1, "ts": 12},
{"ph": "B", "name": "other", "pid": 1, "tid": 2, "ts": 13},
{"ph": "E", "pid": 1, "tid": 1, "ts": 15},
{"ph": "E", "name": "outer", "pid": 1, "tid": 1, "ts": 20},
{"ph": "E", "pid": 1, "tid": 1, "ts": 21}
])");
    ASSERT_TRUE(recorded) << recorded.error().text();
    ASSERT_EQ(recorded->events.size(), 2U);
    EXPECT_EQ(recorded->nameOf(recorded->events[0]), "outer");
    EXPECT_EQ(recorded->events[0].duration, 10'000);
    EXPECT_EQ(recorded->nameOf(recorded->events[1]), "inner");
    EXPECT_EQ(recorded->events[1].position, 1U);
    EXPECT_EQ(recorded->events[1].duration, 3'000);
    ASSERT_EQ(recorded->diagnostics.size(), 1U); // "other" has no end, and an end has no beginning
    EXPECT_EQ(recorded->diagnostics[0].code, "trace.halves");
    EXPECT_TRUE(recorded->diagnostics[0].message.ends_with(": 2"));
}

TEST(Traces, modulesMemoryAndDevicesAreApart)
{
    const auto recorded = readTrace(R"({"deviceProperties": [{"id": 0, "name": "NVIDIA A100"}], "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 2, "tid": 2, "ts": 5, "dur": 3},
{"ph": "X", "cat": "python_function", "name": "nn.Module: ReLU_0", "pid": 2, "tid": 2, "ts": 4, "dur": 5},
{"ph": "X", "cat": "python_function", "name": "model.py(3): forward", "pid": 2, "tid": 2, "ts": 3, "dur": 7},
{"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 2, "tid": 2, "ts": 7,
 "args": {"Bytes": -64, "Device Id": 1, "Device Type": 1, "Addr": 4096}},
{"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 2, "tid": 2, "ts": 6,
 "args": {"Bytes": 64, "Device Id": -1, "Device Type": 0, "Addr": 4096}},
{"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 2, "tid": 2, "ts": 8, "args": {}}
]})");
    ASSERT_TRUE(recorded) << recorded.error().text();
    EXPECT_EQ(recorded->devices, std::vector<std::string>{"NVIDIA A100"});
    EXPECT_EQ(recorded->events.size(), 1U);
    ASSERT_EQ(recorded->modules.size(), 1U);
    EXPECT_EQ(recorded->nameOf(recorded->modules[0]), "nn.Module: ReLU_0");
    ASSERT_EQ(recorded->memory.size(), 2U);
    EXPECT_EQ(recorded->memory[0].bytes, 64);
    EXPECT_EQ(recorded->texts.at(recorded->memory[0].device), "cpu");
    EXPECT_EQ(recorded->memory[1].bytes, -64);
    EXPECT_EQ(recorded->memory[1].address, 4096U);
    EXPECT_EQ(recorded->texts.at(recorded->memory[1].device), "cuda:1");
    ASSERT_EQ(recorded->diagnostics.size(), 1U);
    EXPECT_EQ(recorded->diagnostics[0].code, "trace.damaged");
}

TEST(Traces, operatorsKeepTheIdsThatKernelsNameAndShareTheOtherDetails)
{
    const auto recorded = readTrace(traceOf("2/2 10 5 cpu_op aten::relu {\"External id\": 7, \"Input Dims\": [[ 4]]}\n"
                                            "2/2 20 5 cpu_op aten::relu {\"External id\": 8, \"Input Dims\": [[4]]}\n"
                                            "2/2 30 5 cpu_op aten::relu {\"External id\": 9, \"Input Dims\": [[4]]}\n"
                                            "0/7 40 5 kernel relu_kernel {\"External id\": 8, \"correlation\": 1}\n"));
    ASSERT_TRUE(recorded) << recorded.error().text();
    ASSERT_EQ(recorded->events.size(), 4U);
    EXPECT_EQ(recorded->events[0].details, recorded->events[2].details);
    EXPECT_FALSE(recorded->detailsOf(recorded->events[0]).externalId);
    EXPECT_EQ(recorded->detailsOf(recorded->events[1]).externalId, 8);
    EXPECT_EQ(recorded->texts.at(recorded->detailsOf(recorded->events[1]).dims), "[[4]]");
}

TEST(Traces, eventsMayLieInAnyNumberOfOthers)
{
    std::string text = "1/1 0 1000000 Session model_run\n";
    constexpr int count = 200'000;
    for (int i = 1; i < count; ++i)
        text += formatted("1/1 {} {} Node deep_kernel_time\n", i, 2 * (count - i));
    const auto recorded = readTrace(traceOf(text));
    ASSERT_TRUE(recorded);
    const ir::Model model = modelOf("(%x: float32[4]) { %r = aten::relu.default(self=%x) return %r }");
    const auto analysis = analysis::analyse(model, ir::FunctionId{0});
    EXPECT_EQ(trace::link(*recorded, model, analysis).rows.size(), count - 1);
}

TEST(Traces, aTraceLongerThanWhatIsReadAtOnceIsWhole)
{
    std::string text;
    constexpr int count = 100'000; // eleven megabytes
    for (int i = 0; i < count; ++i)
        text += formatted("1/1 {} 5 cpu_op aten::relu\n", 10 * i);
    const auto recorded = readTrace(traceOf(text));
    ASSERT_TRUE(recorded);
    ASSERT_EQ(recorded->events.size(), count);
    EXPECT_EQ(recorded->events.back().position, count - 1);
    EXPECT_TRUE(recorded->diagnostics.empty());
}

TEST(Traces, aRegionIsCalledWithoutTheAttemptOfItsCompilation)
{
    const auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder);
    std::string log;
    for (const char *line : {" ===== __compiled_fn_2 =====", " a.py class GraphModule(torch.nn.Module):",
                             "    def forward(self, x: \"f32[4]\"):",
                             "        relu: \"f32[4]\" = torch.ops.aten.relu.default(x)", "        return (relu,)"})
        log += formatted("V1127 09:55:47.728 2 torch/o.py:1] [0/0_1] [__graph_code] {}\n", line);
    const std::string path = folder->path() / "run.log";
    ASSERT_TRUE(writeWholeFile(path, log));
    const auto step = sequence::findStep(path);
    const auto model = sequence::open(path);
    const auto recorded =
        readTrace(traceOf("1/1 10 9 cpu_op Torch-Compiled Region: 0/0\n1/1 12 5 cpu_op aten::relu\n"
                          "1/1 30 9 cpu_op Torch-Compiled Region: 0/1\n1/1 32 5 cpu_op aten::relu\n"));
    ASSERT_TRUE(step && model && recorded);
    const auto linked = trace::link(*recorded, *model, analysis::analyse(*model, ir::FunctionId{0}), &*step);
    ASSERT_EQ(linked.rows.size(), 3u);
    EXPECT_EQ(linked.rows[1].link.nodes.size(), 1u);
    EXPECT_EQ(linked.rows[2].link.reason, "it is code of another graph");
}

} // namespace
} // namespace cutaway::test
