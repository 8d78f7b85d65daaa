// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

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

TEST_F(TraceProgram, isATableOfNodesByTime)
{
    const ProcessOutput output = run({"trace", path("model.txt"), path("run.json"), "--csv"});
    EXPECT_EQ(output.standardOutput,
              "name,op,scope,calls,time_us,min_us,median_us,device_us,launches\r\n"
              "mm,aten::mm.default,,1,60.500,60.500,60.500,,0\r\n"
              "relu,aten::relu.default,,1,20.000,20.000,20.000,,0\r\n");
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
