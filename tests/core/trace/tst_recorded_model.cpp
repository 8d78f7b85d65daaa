// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/recorded_model.h"

#include "core/analysis/known_devices.h"
#include "core/ir/names.h"
#include "core/trace/linked.h"
#include "core/trace/named_device.h"
#include "core/trace/run_sizes.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/trace/written_trace.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

struct RecordedRow {
    const char *name;
    std::string events, expected;
};

class RecordedModels : public testing::TestWithParam<RecordedRow> { };

/// "linear in stem.0: aten::linear", a line for each node.
TEST_P(RecordedModels, haveTheOperatorsOfAnIteration)
{
    const auto recorded = readTrace(traceOf(GetParam().events));
    ASSERT_TRUE(recorded) << recorded.error().text();
    const ir::Model model = trace::recordedModel(*recorded);
    const ir::Graph &graph = model.functions.front().graph;
    std::string text;
    for (const ir::NodeRef node : ir::nodesOf(graph))
        text +=
            formatted("{} in '{}': {}\n", ir::nameOf(node), graph.context().text(node.scope().path), node.fullName());
    EXPECT_EQ(text, GetParam().expected);
    const auto linked = trace::link(*recorded, model, analysis::analyse(model, ir::FunctionId{0}));
    const auto isNodes = [](const trace::Row &row) { return row.link.nodes.size() == 1; };
    EXPECT_EQ(std::ranges::count_if(linked.rows, isNodes), std::ranges::count(text, '\n'));
}

INSTANTIATE_TEST_SUITE_P(
    Traces, RecordedModels,
    testing::Values(
        RecordedRow{"namesAreNumbered",
                    "1/1 0 5 cpu_op aten::relu\n1/1 5 5 cpu_op aten::relu\n1/1 6 1 cpu_op aten::clamp_min\n",
                    "relu in '': aten::relu\nrelu_1 in '': aten::relu\n"},
        RecordedRow{"modulesOfTorchScript",
                    "1/1 0 50 cpu_op forward\n"
                    "1/1 5 5 cpu_op aten::conv2d {\"Module Hierarchy\": "
                    "\"TOP(CNN)::forward.stem(Sequential)::forward.0(Conv2d)::forward.\"}\n",
                    "conv2d in 'stem.0': aten::conv2d\n"},
        RecordedRow{"modulesOfPython",
                    "1/1 0 50 python_function nn.Module: Net_0\n1/1 2 10 python_function nn.Module: Linear_0\n"
                    "1/1 5 5 cpu_op aten::linear\n1/1 20 5 cpu_op aten::relu\n1/1 60 5 cpu_op aten::neg\n",
                    "linear in 'Net_0.Linear_0': aten::linear\nrelu in 'Net_0': aten::relu\nneg in '': aten::neg\n"},
        RecordedRow{"eventsWithoutANameAreLeftOut", "1/1 0 5 cpu_op\n1/1 5 5 cpu_op aten::relu\n",
                    "relu in '': aten::relu\n"},
        RecordedRow{"nodesOfOnnxRuntime",
                    "1/1 0 50 Session model_run\n1/1 5 5 Node /fc/Gemm_kernel_time {\"op_name\": \"Gemm\"}\n",
                    "/fc/Gemm in '': onnx::Gemm\n"}),
    [](const auto &row) { return std::string(row.param.name); });

struct NoteRow {
    const char *name;
    std::string events;
    std::vector<std::string> codes;
};

class RecordedNotes : public testing::TestWithParam<NoteRow> { };

TEST_P(RecordedNotes, sayWhatTheTraceDoesNotTell)
{
    const auto recorded = readTrace(traceOf(GetParam().events));
    ASSERT_TRUE(recorded) << recorded.error().text();
    std::vector<std::string> codes;
    for (const ir::Diagnostic &each : trace::recordedModel(*recorded).diagnostics)
        codes.push_back(each.code);
    EXPECT_EQ(codes, GetParam().codes);
}

INSTANTIATE_TEST_SUITE_P(
    Traces, RecordedNotes,
    testing::Values(NoteRow{"modulesAreThere",
                            "1/1 0 50 python_function nn.Module: Net_0\n1/1 5 5 cpu_op aten::linear\n",
                            {"trace.alone"}},
                    NoteRow{"modulesAreMissing", "1/1 5 5 cpu_op aten::relu\n", {"trace.alone", "trace.modules"}},
                    NoteRow{"workOnADeviceAlone", "0/7 5 5 kernel gemm\n", {"trace.empty"}}),
    [](const auto &row) { return std::string(row.param.name); });

TEST(OpenedModel, isThatOfTheTraceOrOfTheFile)
{
    const auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder);
    const auto written = [&](const char *name, const std::string &text) {
        const std::string path = (folder->path() / name).string();
        EXPECT_TRUE(writeWholeFile(path, text));
        return path;
    };
    const std::string run = written("run.json", traceOf("1/1 5 5 cpu_op aten::relu\n"));
    const auto ofTrace = trace::open(run);
    ASSERT_TRUE(ofTrace) << ofTrace.error().text();
    EXPECT_EQ(ofTrace->path, run);
    EXPECT_EQ(ofTrace->functions.front().graph.nodeCount(), 1U);
    const auto ofModel = trace::open(written("graph.txt",
                                             "class GraphModule(torch.nn.Module):\n"
                                             "    def forward(self, x: \"f32[2]\"):\n"
                                             "        relu = torch.ops.aten.relu.default(x)\n"
                                             "        return (relu,)\n"));
    ASSERT_TRUE(ofModel) << ofModel.error().text();
    EXPECT_EQ(ofModel->format, "fx-text");
    const auto cut = trace::open(written("cut.json", R"({"schemaVersion": 1, "traceEvents": [)"));
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().kind, ErrorKind::Unreadable);
    EXPECT_FALSE(trace::open((folder->path() / "none.json").string()));
}

TEST(RecordedModel, hasModulesInEachOtherUpToADepth)
{
    std::string events, hierarchy;
    for (int i = 0; i < 3000; ++i) {
        events += formatted("1/1 {} {} python_function nn.Module: M_{}\n", i, 10'000 - 2 * i, i);
        hierarchy += "M(M)::forward.";
    }
    events += "1/1 3500 5 cpu_op aten::linear\n";
    events += formatted("1/1 3510 5 cpu_op aten::relu {{\"Module Hierarchy\": \"{}\"}}\n", hierarchy);
    const auto recorded = readTrace(traceOf(events));
    ASSERT_TRUE(recorded) << recorded.error().text();
    const ir::Model model = trace::recordedModel(*recorded);
    const ir::Graph &graph = model.functions.front().graph;
    for (const ir::NodeRef node : ir::nodesOf(graph)) {
        const std::string_view path = graph.context().text(node.scope().path);
        EXPECT_TRUE(path.starts_with('M'));
        EXPECT_EQ(std::ranges::count(path, '.'), 63);
    }
    EXPECT_EQ(graph.nodeCount(), 2U);
}

struct DeviceNameRow {
    const char *name;
    std::string written, expected;
};

class NamedDevices : public testing::TestWithParam<DeviceNameRow> { };

TEST_P(NamedDevices, areFound)
{
    const auto devices = analysis::builtinDevices();
    const analysis::Device *const device = trace::deviceNamed(devices, GetParam().written);
    EXPECT_EQ(device ? device->id : "", GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Traces, NamedDevices,
                         testing::Values(DeviceNameRow{"hopper", "NVIDIA H100 80GB HBM3", "h100-sxm"},
                                         DeviceNameRow{"ampere", "NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"},
                                         DeviceNameRow{"gaming", "NVIDIA GeForce RTX 4090", "rtx-4090"},
                                         DeviceNameRow{"otherMemory", "NVIDIA A100-SXM4-40GB", ""},
                                         DeviceNameRow{"otherBoard", "NVIDIA H100 PCIe", ""},
                                         DeviceNameRow{"vendorAlone", "NVIDIA", ""}, DeviceNameRow{"nothing", "", ""},
                                         DeviceNameRow{"unknown", "SYNTHETIC GPU", ""}),
                         [](const auto &row) { return std::string(row.param.name); });

TEST(RunSizes, areThoseOfTheEvents)
{
    const ir::Model model =
        modelOf("(%x: float32[s0, s1]) { %y = aten::relu.default(self=%x) return %y }", "symbol s0\nsymbol s1\n");
    const auto analysis = analysis::analyse(model, ir::FunctionId{0});
    const auto sizesOf = [&](const std::string &events) {
        const auto recorded = readTrace(traceOf(events));
        return trace::runSizes(*recorded, trace::link(*recorded, model, analysis), model, analysis);
    };
    EXPECT_EQ(sizesOf("1/1 0 5 cpu_op aten::relu {\"Input Dims\": [[4, 7]]}\n"),
              (symbolic::Bindings{{"s0", 4}, {"s1", 7}}));
    EXPECT_EQ(sizesOf("1/1 0 5 cpu_op aten::relu {\"Input Dims\": [[4, 7]]}\n"
                      "1/1 9 5 cpu_op aten::relu {\"Input Dims\": [[4, 8]]}\n"),
              (symbolic::Bindings{{"s0", 4}}));
    EXPECT_TRUE(sizesOf("1/1 0 5 cpu_op aten::relu {\"Input Dims\": [[]]}\n").empty());
    EXPECT_TRUE(sizesOf("1/1 0 5 cpu_op aten::relu {\"Input Dims\": [[\"a\", {}]]}\n").empty());
    EXPECT_TRUE(sizesOf("1/1 0 5 cpu_op aten::relu {\"Input Dims\": [[-4, 7]]}\n").empty());
}

} // namespace
} // namespace cutaway::test
