// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace cutaway::test {
namespace {

using nlohmann::json;

constexpr const char *log = R"(V1127 09:41:53.776 2 torch/o.py:1] [0/0] [__graph_code]  ===== __compiled_fn_1 =====
V1127 09:41:53.776 2 torch/o.py:1] [0/0] [__graph_code]  a.py class GraphModule(torch.nn.Module):
V1127 09:41:53.776 2 torch/o.py:1] [0/0] [__graph_code]     def forward(self, x: "f32[4, 8]", w: "f32[16, 8]", b: "f32[16]"):
V1127 09:41:53.776 2 torch/o.py:1] [0/0] [__graph_code]         h: "f32[4, 16]" = torch._C._nn.linear(x, w, b)
V1127 09:41:53.776 2 torch/o.py:1] [0/0] [__graph_code]         r: "f32[4, 16]" = torch.relu(h)
V1127 09:41:53.776 2 torch/o.py:1] [0/0] [__graph_code]         return (r,)
V1127 09:41:53.777 2 torch/c.py:1] [0/0] [__post_grad_graphs]  ===== AFTER POST GRAD =====
V1127 09:41:53.777 2 torch/c.py:1] [0/0] [__post_grad_graphs]  a.py class GraphModule(torch.nn.Module):
V1127 09:41:53.777 2 torch/c.py:1] [0/0] [__post_grad_graphs]     def forward(self, arg0_1: "f32[4, 8]", arg1_1: "f32[16, 8]", arg2_1: "f32[16]"):
V1127 09:41:53.777 2 torch/c.py:1] [0/0] [__post_grad_graphs]         permute: "f32[8, 16]" = torch.ops.aten.permute.default(arg1_1, [1, 0])
V1127 09:41:53.777 2 torch/c.py:1] [0/0] [__post_grad_graphs]         addmm: "f32[4, 16]" = torch.ops.aten.addmm.default(arg2_1, arg0_1, permute)
V1127 09:41:53.777 2 torch/c.py:1] [0/0] [__post_grad_graphs]         relu: "f32[4, 16]" = torch.ops.aten.relu.default(addmm)
V1127 09:41:53.777 2 torch/c.py:1] [0/0] [__post_grad_graphs]         return (relu,)
)";

/// run.txt: a log of one compilation with two graphs.
class Steps : public Program {
protected:
    Steps() { write("run.txt", log); }

    std::string step(const std::string &name) const { return path("run.txt") + "#0/0/" + name; }

    json report(std::vector<std::string> arguments)
    {
        arguments.emplace_back("--json");
        const ProcessOutput output = run(arguments);
        EXPECT_EQ(output.exitCode, 0) << output.standardError;
        const json parsed = json::parse(output.standardOutput, nullptr, false);
        EXPECT_FALSE(parsed.is_discarded()) << output.standardOutput;
        return parsed.is_discarded() ? json::object() : parsed;
    }
};

TEST_F(Steps, areListedWithAddresses)
{
    const json listed = report({"steps", path("run.txt")});
    EXPECT_EQ(listed["schema"], "cutaway.steps/1");
    ASSERT_EQ(listed["sequences"].size(), 1U);
    const json &steps = listed["sequences"][0]["steps"];
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0]["address"], step("__compiled_fn_1"));
    EXPECT_EQ(steps[1]["nodes"], 3);
    EXPECT_EQ(steps[1]["changed"], true);
}

TEST_F(Steps, areListedOfOneCompilationByItsAddress)
{
    EXPECT_EQ(report({"steps", path("run.txt") + "#0/0"})["sequences"][0]["steps"].size(), 2U);
    EXPECT_EQ(report({"steps", step("AFTER_POST_GRAD")})["sequences"][0]["steps"].size(), 1U);
    EXPECT_EQ(run({"steps", path("run.txt") + "#7/0"}).exitCode, 3);
}

TEST_F(Steps, openByTheirAddresses)
{
    const json opened = report({"inspect", step("AFTER_POST_GRAD")});
    EXPECT_EQ(opened["totals"]["nodes"], 3);
    EXPECT_EQ(run({"print", step("AFTER_POST_GRAD")}).exitCode, 0);
    EXPECT_EQ(run({"query", step("AFTER_POST_GRAD"), "op:relu"}).exitCode, 0);
    EXPECT_EQ(run({"diff", step("AFTER_POST_GRAD"), step("AFTER_POST_GRAD")}).exitCode, 0);
}

TEST_F(Steps, aFileOfTheWholeNameGoesFirst)
{
    write("run.txt#0", "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x\n");
    EXPECT_EQ(report({"inspect", path("run.txt#0")})["totals"]["nodes"], 0);
}

TEST_F(Steps, anAddressOfNothingIsAnErrorWithTheOthers)
{
    const ProcessOutput output = run({"inspect", step("AFTER_POST")});
    EXPECT_EQ(output.exitCode, 3);
    EXPECT_TRUE(output.standardError.contains("0/0/AFTER_POST_GRAD")) << output.standardError;
}

TEST_F(Steps, aLogOfSeveralGraphsAsksForOne)
{
    const ProcessOutput output = run({"inspect", path("run.txt")});
    EXPECT_EQ(output.exitCode, 3);
    EXPECT_TRUE(output.standardError.contains("2 graphs")) << output.standardError;
}

TEST_F(Steps, nodesAreMappedByWhatTheyCompute)
{
    const json mapped = report({"steps", step("__compiled_fn_1"), step("AFTER_POST_GRAD"), "--map"});
    EXPECT_EQ(mapped["schema"], "cutaway.mapping/1");
    std::map<std::string, std::vector<std::string>> from;
    for (const json &pair : mapped["pairs"])
        from[pair["node"]] = pair["from"];
    EXPECT_EQ(from["permute"], std::vector<std::string>{"h"});
    EXPECT_EQ(from["addmm"], std::vector<std::string>{"h"});
    EXPECT_EQ(from["relu"], std::vector<std::string>{"r"});
}

TEST_F(Steps, tellWhatBecameOfANode)
{
    const json blamed = report({"steps", step("__compiled_fn_1"), "--of", "h"});
    EXPECT_EQ(blamed["schema"], "cutaway.blame/1");
    ASSERT_EQ(blamed["history"].size(), 2U);
    EXPECT_EQ(blamed["history"][0]["event"], "made");
    EXPECT_EQ(blamed["history"][1]["nodes"], (std::vector<std::string>{"permute", "addmm"}));
    EXPECT_EQ(run({"steps", step("__compiled_fn_1"), "--of", "none"}).exitCode, 3);
}

TEST_F(Steps, tellWhatBecameOfAValueAndOfAModule)
{
    write("modules.txt", R"(graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return relu
)");
    const json node = report({"steps", path("modules.txt"), "--of", "relu"});
    EXPECT_EQ(node["history"][0]["event"], "made");
    const ProcessOutput none = run({"steps", path("modules.txt"), "--of", "rely"});
    EXPECT_TRUE(none.standardError.contains("no node, value or module 'rely'; similar nodes: relu"))
        << none.standardError;
}

TEST_F(Steps, tellWhatEachDidByPatterns)
{
    const json listed = report({"steps", path("run.txt"), "--patterns"});
    const json &steps = listed["sequences"][0]["steps"];
    EXPECT_EQ(steps[0]["patterns"], json::array());
    ASSERT_FALSE(steps[1]["patterns"].empty());
    const json &first = steps[1]["patterns"][0];
    EXPECT_EQ(first["text"], "linear → permute + addmm");
    EXPECT_EQ(first["kind"], "replaced");
    EXPECT_EQ(first["before"], json::parse(R"([{"operator": "linear", "count": 1}])"));
    const ProcessOutput text = run({"steps", path("run.txt"), "--patterns"});
    EXPECT_TRUE(text.standardOutput.contains("linear → permute + addmm")) << text.standardOutput;
    EXPECT_FALSE(report({"steps", path("run.txt")})["sequences"][0]["steps"][1].contains("patterns"));
}

TEST_F(Steps, areComparedWithThoseOfAnotherLog)
{
    std::string other = log;
    other.replace(other.rfind("aten.relu"), 9, "aten.tanh");
    write("other.txt", other);
    EXPECT_EQ(run({"steps", path("run.txt"), "--against", path("run.txt")}).exitCode, 0);
    const ProcessOutput text = run({"steps", path("run.txt"), "--against", path("other.txt")});
    EXPECT_EQ(text.exitCode, 1) << text.standardError;
    EXPECT_TRUE(text.standardOutput.contains("aten::relu.default 1 → 0, aten::tanh.default 0 → 1"))
        << text.standardOutput;
    EXPECT_TRUE(text.standardOutput.ends_with("1 of 2 stages in 1 compilation differs; first: 0/0, AFTER POST GRAD.\n"))
        << text.standardOutput;
    const json compared =
        json::parse(run({"steps", path("run.txt"), "--against", path("other.txt"), "--json"}).standardOutput);
    EXPECT_EQ(compared["schema"], "cutaway.steps-diff/1");
    EXPECT_EQ(compared["verdict"], "differs");
    EXPECT_EQ(compared["sequences"][0]["first_difference"], "AFTER POST GRAD");
    EXPECT_EQ(compared["sequences"][0]["steps"][0]["verdict"], "same");
    const ProcessOutput page =
        run({"steps", step("AFTER_POST_GRAD"), "--against", path("other.txt") + "#0/0/AFTER_POST_GRAD", "--markdown"});
    EXPECT_EQ(page.exitCode, 1);
    EXPECT_TRUE(page.standardOutput.contains("| AFTER POST GRAD |")
                || page.standardOutput.contains("`AFTER POST GRAD`"))
        << page.standardOutput;
    EXPECT_EQ(run({"steps", path("run.txt"), "--against", path("missing.txt")}).exitCode, 3);
    EXPECT_EQ(run({"steps", path("run.txt"), "--against", path("other.txt"), "-o", path("compared.html")}).exitCode, 1);
    EXPECT_TRUE(std::ranges::contains(files(), "compared.html"));
}

TEST_F(Steps, aStageThatCannotBeReadIsNotKnownToBeTheSame)
{
    const std::string whole = log;
    write("cut.txt", whole.substr(0, whole.rfind("V1127")));
    const ProcessOutput text = run({"steps", path("run.txt"), "--against", path("cut.txt")});
    EXPECT_EQ(text.exitCode, 1) << text.standardError;
    EXPECT_TRUE(
        text.standardOutput.ends_with("No difference was found in 2 stages of 1 compilation; of 1 it is not known.\n"))
        << text.standardOutput;
    const ProcessOutput page = run({"steps", path("run.txt"), "--against", path("cut.txt"), "--markdown"});
    EXPECT_TRUE(page.standardOutput.contains("| not known |")) << page.standardOutput;
    for (const std::string &each : {text.standardOutput, page.standardOutput})
        EXPECT_TRUE(each.contains("cut.txt:8: the text of this graph ends before its results")) << each;
    const json compared =
        json::parse(run({"steps", path("run.txt"), "--against", path("cut.txt"), "--json"}).standardOutput);
    EXPECT_TRUE(compared["diagnostics"]["a"].empty());
    EXPECT_EQ(compared["diagnostics"]["b"][0]["message"], "the text of this graph ends before its results");
    EXPECT_EQ(compared["diagnostics"]["b"][0]["line"], 8);
}

TEST_F(Steps, anotherStatusIsToldAsTheDifference)
{
    const auto compilation = [](const std::string &fields) {
        return R"(V1127 09:42:10.020000 2 torch/a.py:1] {"compilation_metrics": {"co_name": "f")" + fields
            + R"(}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0})" + "\n";
    };
    write("a.log", compilation(""));
    write("b.log", compilation(R"(, "fail_type": "Unsupported")"));
    const ProcessOutput text = run({"steps", path("a.log"), "--against", path("b.log")});
    EXPECT_EQ(text.exitCode, 1) << text.standardError;
    EXPECT_TRUE(text.standardOutput.contains("\n  status: empty → failed\n")) << text.standardOutput;
    EXPECT_TRUE(text.standardOutput.ends_with("; first: 0/0, status: empty → failed.\n")) << text.standardOutput;
}

TEST_F(Steps, logsWithoutCompilationsAreNotTheSame)
{
    write("empty.log",
          R"(V1127 09:42:10.020000 2 torch/a.py:1] {"str": ["a.py", 0]})"
          "\n");
    const ProcessOutput text = run({"steps", path("empty.log"), "--against", path("empty.log")});
    EXPECT_EQ(text.exitCode, 1) << text.standardError;
    EXPECT_TRUE(text.standardOutput.ends_with("There is nothing to compare.\n")) << text.standardOutput;
}

TEST_F(Steps, areWrittenAsReportsWithPictures)
{
    EXPECT_EQ(run({"steps", path("run.txt"), "-o", path("run.html")}).exitCode, 0);
    const std::string page = shell("cat " + path("run.html")).standardOutput;
    for (const char *wanted : {"AFTER POST GRAD", "aten::addmm", "<svg", "Changed nodes"})
        EXPECT_TRUE(page.contains(wanted)) << wanted;
    EXPECT_FALSE(page.contains("src=\"http"));
    const ProcessOutput text = run({"steps", path("run.txt"), "--markdown"});
    EXPECT_EQ(text.exitCode, 0) << text.standardError;
    EXPECT_TRUE(text.standardOutput.contains("## Compilations")) << text.standardOutput;
    EXPECT_EQ(run({"steps", path("run.txt"), "--sequence", path("pictures")}).exitCode, 0);
    const std::string pictures = shell("ls " + path("pictures")).standardOutput;
    EXPECT_EQ(pictures, "1-0-0-00-file.svg\n1-0-0-01-AFTER-POST-GRAD.svg\nindex.html\nindex.md\n");
}

TEST_F(Steps, thatChangedNothingAreCountedInAReport)
{
    constexpr std::string_view title = "AFTER POST GRAD";
    std::string same = std::string(log).substr(std::string_view(log).find("V1127 09:41:53.777"));
    same.replace(same.find(title), title.size(), "ONCE MORE");
    write("again.txt", log + same);
    const ProcessOutput text = run({"steps", path("again.txt"), "--markdown"});
    EXPECT_EQ(text.exitCode, 0) << text.standardError;
    EXPECT_TRUE(text.standardOutput.contains("1 step changed nothing.")) << text.standardOutput;
    EXPECT_FALSE(text.standardOutput.contains("| nothing |")) << text.standardOutput;
    EXPECT_TRUE(text.standardOutput.contains("AFTER POST GRAD")) << text.standardOutput;
}

TEST_F(Steps, areNotWrittenInAnUnknownForm)
{
    EXPECT_EQ(run({"steps", path("run.txt"), "-o", path("run.pdf")}).exitCode, 2);
    EXPECT_EQ(run({"steps", path("run.txt"), "--json", "-o", path("run.md")}).exitCode, 2);
    EXPECT_NE(run({"steps", path("run.txt"), "-o", path("missing/run.md")}).exitCode, 0);
    EXPECT_EQ(run({"steps", step("AFTER_POST_GRAD"), "--of", "relu", "-o", path("run.md")}).exitCode, 2);
    EXPECT_EQ(run({"steps", path("run.txt"), path("run.txt"), "--map", "--markdown"}).exitCode, 2);
}

TEST_F(Steps, areATextForPeople)
{
    const ProcessOutput output = run({"steps", path("run.txt")});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_TRUE(output.standardOutput.starts_with("0/0\n  __compiled_fn_1")) << output.standardOutput;
}

TEST_F(Steps, whatIsSavedForTheBackwardIsListedWithAll)
{
    write("train.txt", R"(I1127 09:41:53.776 2 torch/a.py:1] [0/0] [__aot_graphs]  ===== Forward graph 0 =====
I1127 09:41:53.776 2 torch/a.py:1] [0/0] [__aot_graphs]  a.py class GraphModule(torch.nn.Module):
I1127 09:41:53.776 2 torch/a.py:1] [0/0] [__aot_graphs]     def forward(self, primals_1: "f32[4, 8]"):
I1127 09:41:53.776 2 torch/a.py:1] [0/0] [__aot_graphs]         exp: "f32[4, 8]" = torch.ops.aten.exp.default(primals_1)
I1127 09:41:53.776 2 torch/a.py:1] [0/0] [__aot_graphs]         return (exp, exp)
I1127 09:41:53.777 2 torch/a.py:2] [0/0] [__aot_graphs]  ===== Backward graph 0 =====
I1127 09:41:53.777 2 torch/a.py:2] [0/0] [__aot_graphs]  a.py class GraphModule(torch.nn.Module):
I1127 09:41:53.777 2 torch/a.py:2] [0/0] [__aot_graphs]     def forward(self, exp: "f32[4, 8]", tangents_1: "f32[4, 8]"):
I1127 09:41:53.777 2 torch/a.py:2] [0/0] [__aot_graphs]         mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(tangents_1, exp)
I1127 09:41:53.777 2 torch/a.py:2] [0/0] [__aot_graphs]         return (mul,)
)");
    const std::string row = "    exp  float32[4, 8]  128 B  made by exp  needed by mul\n";
    EXPECT_TRUE(run({"steps", path("train.txt"), "--all"}).standardOutput.contains(row));
    const std::string text = run({"steps", path("train.txt")}).standardOutput;
    EXPECT_TRUE(text.contains("1 value is saved") && !text.contains(row)) << text;
}

TEST_F(Steps, graphsOfDebugFoldersHaveTheNameOfTheirFolder)
{
    for (const char *name : {"debug", "debug/model__0_inference_0.0", "debug/model__1_inference_1.1"})
        std::filesystem::create_directory(path(name));
    const std::string graph = "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x\n";
    write("debug/model__0_inference_0.0/fx_graph_readable.py", graph);
    write("debug/model__1_inference_1.1/fx_graph_readable.py", graph);
    const std::string text = run({"steps", path("debug")}).standardOutput;
    EXPECT_TRUE(text.starts_with("model__0_inference_0.0\n")) << text;
    EXPECT_TRUE(text.contains("\nmodel__1_inference_1.1\n")) << text;
}

TEST_F(Steps, whatIsNoSourceIsAnError)
{
    write("prose.txt", "There is no graph in this text.\n");
    EXPECT_EQ(run({"steps", path("prose.txt")}).exitCode, 3);
    EXPECT_EQ(run({"steps", path("missing.log")}).exitCode, 3);
    EXPECT_EQ(run({"steps", path("run.txt"), "--map"}).exitCode, 2);
}

} // namespace
} // namespace cutaway::test
