// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "program.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cutaway::test {
namespace {

/// model.txt: a graph of two nodes; run.json: a run of it, with what is no node's.
class TraceProgram : public Program {
protected:
    TraceProgram()
    {
        write("model.txt", R"(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 8]", w: "f32[8, 8]"):
        mm = torch.ops.aten.mm.default(x, w)
        relu = torch.ops.aten.relu.default(mm)
        return (relu,)
)");
        write("run.json", R"({"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 2, "tid": 2, "ts": 0, "dur": 100},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 2, "tid": 2, "ts": 5, "dur": 60.5},
{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 2, "tid": 2, "ts": 70, "dur": 20},
{"ph": "X", "cat": "cpu_op", "name": "aten::copy_", "pid": 2, "tid": 2, "ts": 92, "dur": 4}
]})");
    }
};

TEST_F(TraceProgram, hasEachEventWithItsNodes)
{
    const ProcessOutput output = run({"trace", path("model.txt"), path("run.json"), "--json"});
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    const auto report = nlohmann::json::parse(output.standardOutput);
    EXPECT_EQ(report["schema"], "cutaway.trace/1");
    EXPECT_EQ(report["kind"], "kineto");
    EXPECT_EQ(report["total"], 100.0);
    EXPECT_EQ(report["linked"], 80.5);
    EXPECT_EQ(report["unlinked"], 4.0);
    EXPECT_EQ(report["gaps"], 15.5);
    ASSERT_EQ(report["rows"].size(), 3U);
    EXPECT_EQ(report["rows"][0]["event"], 1);
    EXPECT_EQ(report["rows"][0]["nodes"], nlohmann::json::array({"mm"}));
    EXPECT_EQ(report["rows"][2]["reason"], "the model has no such operator");
    EXPECT_EQ(report["modules"][0]["flops"], 256);
}

TEST_F(TraceProgram, showsATraceAloneAsAModel)
{
    const ProcessOutput inspected = run({"inspect", path("run.json")});
    ASSERT_EQ(inspected.exitCode, 0) << inspected.standardError;
    EXPECT_TRUE(inspected.standardOutput.contains("aten::relu")) << inspected.standardOutput;
    EXPECT_TRUE(inspected.standardOutput.contains("the trace has no modules")) << inspected.standardOutput;
    const ProcessOutput printed = run({"query", path("run.json"), "op:mm"});
    EXPECT_EQ(printed.exitCode, 0) << printed.standardError;
    const ProcessOutput other = run({"trace", path("run.json"), path("run.json"), "--json"});
    ASSERT_EQ(other.exitCode, 0) << other.standardError;
    EXPECT_EQ(nlohmann::json::parse(other.standardOutput)["linked"], 84.5);
}

/// A kernel runs from 20 to 50 µs of a run of 100 µs.
TEST_F(TraceProgram, tellsWhatAnIdleDeviceWaitedFor)
{
    write("device.json", R"({"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 2, "tid": 2, "ts": 0, "dur": 100},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 2, "tid": 2, "ts": 5, "dur": 60},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 2, "tid": 2, "ts": 10, "dur": 5, "args": {"correlation": 7}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 20, "dur": 30, "args": {"correlation": 7, "device": 0, "stream": 7}},
{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 2, "tid": 2, "ts": 70, "dur": 20}
]})");
    const std::vector<std::string> words{"trace", path("model.txt"), path("device.json")};
    const ProcessOutput text = run(words);
    EXPECT_TRUE(text.standardOutput.contains("device 0 had nothing to do for 70.0 µs of 100 µs (70.0 %)"))
        << text.standardOutput;
    const auto report = nlohmann::json::parse(run({words[0], words[1], words[2], "--json"}).standardOutput);
    ASSERT_EQ(report["idle"].size(), 1U);
    EXPECT_EQ(report["idle"][0]["device"], 0);
    EXPECT_EQ(report["idle"][0]["idle"], 70.0);
    ASSERT_EQ(report["idle"][0]["waits"].size(), 2U);
    EXPECT_EQ(report["idle"][0]["waits"][1]["name"], "aten::mm");
    EXPECT_EQ(report["idle"][0]["waits"][1]["nodes"], nlohmann::json::array({"mm"}));
    EXPECT_EQ(report["idle"][0]["waits"][1]["time"], 20.0);
    const ProcessOutput page = run({words[0], words[1], words[2], "--markdown"});
    EXPECT_TRUE(page.standardOutput.contains("What device 0 waited for")) << page.standardOutput;
}

TEST_F(TraceProgram, isATableOfNodesByTime)
{
    const ProcessOutput output = run({"trace", path("model.txt"), path("run.json"), "--csv"});
    EXPECT_EQ(output.standardOutput,
              "name,op,scope,calls,time_us,min_us,median_us,device_us,launches\r\n"
              "mm,aten::mm.default,,1,60.500,60.500,60.500,,0\r\n"
              "relu,aten::relu.default,,1,20.000,20.000,20.000,,0\r\n");
}

/// Six runs of the model, whose mm takes so long by turns.
std::string sixRuns(int first, int second)
{
    std::string events;
    for (int i = 0; i < 6; ++i) {
        const int at = 1000 * i, duration = i % 2 == 0 ? first : second;
        events += formatted(R"({{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 2, "tid": 2, )"
                            R"("ts": {}, "dur": {}}},
{{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 2, "tid": 2, "ts": {}, "dur": {}}},
{{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 2, "tid": 2, "ts": {}, "dur": 20}},
)",
                            at, duration + 30, at + 1, duration, at + duration + 2);
    }
    return R"({"schemaVersion": 1, "traceEvents": [)" + events + "]}";
}

TEST_F(TraceProgram, saysNoWhereTheOtherRunIsSlowerBeyondTheNoise)
{
    write("a.json", sixRuns(60, 62));
    write("b.json", sixRuns(90, 91));
    const ProcessOutput slower = run({"trace", path("model.txt"), path("a.json"), "--against", path("b.json")});
    EXPECT_EQ(slower.exitCode, 1);
    EXPECT_EQ(slower.standardOutput,
              "a run takes 91 µs in A and 120 µs in B, 1.32 times as long, which is more than the noise\n"
              "\n"
              "nodes\n"
              "        A        B  B ÷ A\n"
              "  61.0 µs  90.5 µs   1.48  mm    aten::mm.default    slower\n"
              "  20.0 µs  20.0 µs   1.00  relu  aten::relu.default  within the noise\n");
    EXPECT_EQ(run({"trace", path("model.txt"), path("b.json"), "--against", path("a.json")}).exitCode, 0);
}

TEST_F(TraceProgram, comparesForProgramsAndPages)
{
    write("a.json", sixRuns(60, 62));
    write("b.json", sixRuns(90, 91));
    const std::vector<std::string> compared{"trace", path("model.txt"), path("a.json"), "--against", path("b.json")};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), compared.begin(), compared.end());
        return run(more);
    };
    const auto report = nlohmann::json::parse(with({"--json"}).standardOutput);
    EXPECT_EQ(report["schema"], "cutaway.trace-comparison/1");
    EXPECT_EQ(report["whole"]["verdict"], "slower");
    EXPECT_EQ(report["nodes"][0]["node"], "mm");
    EXPECT_EQ(report["nodes"][0]["a_us"]["median"], 61.0);
    EXPECT_EQ(report["nodes"][0]["b_us"]["count"], 6);
    EXPECT_EQ(report["nodes"][1]["moved"], false);
    EXPECT_TRUE(with({"--csv"}).standardOutput.starts_with(
        "name,op,scope,a_us,b_us,ratio,verdict,moved\r\nmm,aten::mm.default,,61.000,90.500,1.4836,slower,no\r\n"));
    EXPECT_TRUE(with({"--markdown"}).standardOutput.contains("| `mm` "));
    EXPECT_EQ(with({"-o", path("compared.html")}).exitCode, 1);
    EXPECT_TRUE(std::ranges::contains(files(), "compared.html"));
    EXPECT_EQ(with({"-o", path("compared.pdf")}).exitCode, 2);
}

TEST_F(TraceProgram, isHeldToAssertions)
{
    write("a.json", sixRuns(60, 62));
    write("b.json", sixRuns(61, 63));
    const auto asserted = [&](const std::string &assertion, const std::vector<std::string> &more = {}) {
        std::vector<std::string> arguments{"trace", path("model.txt"), path("a.json"), "--assert", assertion};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    };
    EXPECT_EQ(asserted("time<95us,sum<85us,linked==100,flops==256").exitCode, 0);
    const ProcessOutput broken = asserted("time<50us");
    EXPECT_EQ(broken.exitCode, 1);
    EXPECT_TRUE(broken.standardOutput.ends_with("time<50us does not hold: it is 91 µs\n"));
    EXPECT_TRUE(asserted("memory<1MB").standardOutput.contains("the trace has no memory events"));
    EXPECT_TRUE(asserted("ratio<1.1").standardOutput.contains("it needs --against"));
    EXPECT_EQ(asserted("ratio<1.1", {"--against", path("b.json")}).exitCode, 0);
    EXPECT_EQ(asserted("ratio<1", {"--against", path("b.json")}).exitCode, 1);
    EXPECT_EQ(asserted("speed<1").exitCode, 2);
}

TEST_F(TraceProgram, tellsItsOperatorsWithoutAModel)
{
    const ProcessOutput output = run({"trace", path("run.json"), "--csv"});
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(output.standardOutput,
              "name,op,scope,calls,time_us,min_us,median_us,device_us,launches\r\n"
              "mm,aten::mm,,1,60.500,60.500,60.500,,0\r\n"
              "relu,aten::relu,,1,20.000,20.000,20.000,,0\r\n"
              "copy,aten::copy_,,1,4.000,4.000,4.000,,0\r\n");
}

TEST_F(TraceProgram, putsMeasuredTimesBesidePredictedOnes)
{
    const ProcessOutput output =
        run({"trace", path("model.txt"), path("run.json"), "--device", "h100-sxm", "--markdown"});
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_TRUE(output.standardOutput.contains("Predicted on NVIDIA H100 SXM5 80GB."));
    EXPECT_TRUE(output.standardOutput.contains("Measured ÷ predicted"));
    EXPECT_EQ(run({"trace", path("model.txt"), path("run.json"), "--device", "none-such"}).exitCode, 2);
}

TEST_F(TraceProgram, measuresTheMedianOfWhatDevicesTookInARun)
{
    std::string events;
    int number = 0;
    for (const int kernel : {2, 2, 80}) {
        const int at = 1000 * ++number;
        events += formatted(R"({{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#{0}", "pid": 2, "tid": 2, )"
                            R"("ts": {1}, "dur": 90}},
{{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 2, "tid": 2, "ts": {1}, "dur": 9,
 "args": {{"External id": {0}}}}},
{{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": {1}, "dur": {2}, )"
                            R"("args": {{"External id": {0}, "correlation": 1{0}}}}},
)",
                            number, at, kernel);
    }
    write("devices.json", R"({"schemaVersion": 1, "traceEvents": [)" + events + "]}");
    const auto report =
        nlohmann::json::parse(run({"trace", path("model.txt"), path("devices.json"), "--json"}).standardOutput);
    EXPECT_EQ(report["nodes"][0]["device_time"], 84.0);
    EXPECT_EQ(run({"trace", path("model.txt"), path("devices.json"), "--assert", "device<3us"}).exitCode, 0);
    EXPECT_NEAR(report["nodes"][0]["flops_per_second"].get<double>(), 256 / 2e-6, 1);
}

TEST_F(TraceProgram, tellsNoRateWhereTheTimeHasThatOfTheGradient)
{
    write("training.json", R"({"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 2, "tid": 2, "ts": 5, "dur": 10, "args": {"Sequence number": 7}},
{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 2, "tid": 2, "ts": 20, "dur": 10, "args": {"Sequence number": 8}},
{"ph": "X", "cat": "cpu_op", "name": "autograd::engine::evaluate_function: MmBackward0", "pid": 2, "tid": 3, "ts": 40,
 "dur": 20, "args": {"Sequence number": 7}}
]})");
    const auto report =
        nlohmann::json::parse(run({"trace", path("model.txt"), path("training.json"), "--json"}).standardOutput);
    ASSERT_EQ(report["nodes"][0]["node"], "mm");
    EXPECT_EQ(report["nodes"][0]["time"], 30.0);
    EXPECT_TRUE(report["nodes"][0]["flops_per_second"].is_null());
    EXPECT_FALSE(report["nodes"][1]["bytes_per_second"].is_null());
}

TEST_F(TraceProgram, comparesWithARunThatTookNoTime)
{
    write("none.json", R"({"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 2, "tid": 2, "ts": 0, "dur": 0},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 2, "tid": 2, "ts": 5, "dur": 0}
]})");
    const ProcessOutput output = run({"trace", path("model.txt"), path("none.json"), "--against", path("run.json")});
    EXPECT_EQ(output.exitCode, 0);
    EXPECT_TRUE(output.standardOutput.starts_with(
        "a run takes 0 s in A and 100 µs in B; fewer than 5 runs of a side do not tell the noise\n"))
        << output.standardOutput;
}

TEST_F(TraceProgram, hasTheMemoryAtThePeak)
{
    write("memory.json", R"({"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 2, "tid": 2, "ts": 5, "dur": 60},
{"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 2, "tid": 2, "ts": 7,
 "args": {"Bytes": 2048, "Device Id": -1, "Device Type": 0, "Addr": 4096}},
{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 2, "tid": 2, "ts": 70, "dur": 20}
]})");
    const ProcessOutput text = run({"trace", path("model.txt"), path("memory.json")});
    EXPECT_TRUE(text.standardOutput.ends_with("\n"
                                              "memory on cpu: 2.00 KiB at the peak; the largest tensors are of\n"
                                              "  2.00 KiB  mm\n"))
        << text.standardOutput;
    const auto report =
        nlohmann::json::parse(run({"trace", path("model.txt"), path("memory.json"), "--json"}).standardOutput);
    EXPECT_EQ(report["memory"][0]["peak"], 2048);
    EXPECT_EQ(report["memory"][0]["live"][0]["nodes"], nlohmann::json::array({"mm"}));
    EXPECT_EQ(report["memory"][0]["live"][0]["event"], 0);
}

TEST_F(TraceProgram, namesTheFileThatIsNoTrace)
{
    write("prose.json", "no trace");
    const ProcessOutput output = run({"trace", path("model.txt"), path("prose.json")});
    EXPECT_EQ(output.exitCode, 3);
    EXPECT_EQ(output.standardError,
              "cutaway: " + path("prose.json")
                  + ": it holds no events: expected a trace of torch.profiler, ONNX Runtime or Chrome\n");
}

} // namespace
} // namespace cutaway::test
