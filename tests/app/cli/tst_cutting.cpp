// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The commands extract and reduce.
#include "program.h"
#include "small_onnx.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace cutaway::test {
namespace {

using nlohmann::json;

/// net.onnx: y = -relu(sigmoid(-relu(x))).
class CuttingCommands : public Program {
protected:
    CuttingCommands()
    {
        write("net.onnx",
              onnxModel({{"Relu", {"x"}, "a"},
                         {"Neg", {"a"}, "b"},
                         {"Sigmoid", {"b"}, "c"},
                         {"Relu", {"c"}, "d"},
                         {"Neg", {"d"}, "y"}},
                        {{"x", {2, 3}}}, {{"y", {2, 3}}}));
    }

    json outputsOf(const std::string &arguments)
    {
        const ProcessOutput output = shell("\"$CLI\" run " + arguments + " --backend evaluator --json");
        const json parsed = json::parse(output.standardOutput, nullptr, false);
        EXPECT_FALSE(parsed.is_discarded()) << output.standardOutput << output.standardError;
        return parsed.is_discarded() ? json() : parsed.at("outputs");
    }
};

TEST_F(CuttingCommands, extractedPartGivesWhatTheWholeGives)
{
    const ProcessOutput output =
        shell("\"$CLI\" extract net.onnx --from b --to y -o part.onnx --save-inputs in --backend evaluator --seed 5");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_TRUE(output.standardOutput.ends_with("part.onnx: 3 of 5 nodes\n")) << output.standardOutput;
    EXPECT_EQ(outputsOf("part.onnx --input b=@in/b.npy"), outputsOf("net.onnx --seed 5"));
}

TEST_F(CuttingCommands, extractsAPartThatWasFoundOrAModule)
{
    write("blocks.onnx", onnxBlocks());
    const ProcessOutput part =
        shell("\"$CLI\" extract blocks.onnx --part '3 activation, 2 elementwise 2' -o part.onnx");
    EXPECT_EQ(part.exitCode, 0) << part.standardError;
    EXPECT_EQ(part.standardOutput, "part.onnx: 5 of 100 nodes\n");
    const ProcessOutput module = shell("\"$CLI\" extract blocks.onnx --part act -o module.onnx");
    EXPECT_EQ(module.standardOutput, "module.onnx: 100 of 100 nodes\n") << module.standardError;
    const ProcessOutput unknown = shell("\"$CLI\" extract blocks.onnx --part actt -o none.onnx");
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_TRUE(unknown.standardError.contains("'actt' is no module and no part of the graph; there is act"))
        << unknown.standardError;
    EXPECT_EQ(shell("\"$CLI\" extract blocks.onnx --part act --to Add3 -o none.onnx").exitCode, 2);
}

TEST_F(CuttingCommands, extractSavesInputsInOneFile)
{
    const ProcessOutput output = shell(
        "\"$CLI\" extract net.onnx --from b --to y -o part.onnx --save-inputs in.npz --backend evaluator --seed 5 "
        "&& python3 -c 'import zipfile; z = zipfile.ZipFile(\"in.npz\"); z.extractall(\"in\"); "
        "print(z.testzip(), z.namelist())'");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_TRUE(output.standardOutput.ends_with("None ['b.npy']\n")) << output.standardOutput;
    EXPECT_EQ(outputsOf("part.onnx --input b=@in/b.npy"), outputsOf("net.onnx --seed 5"));
}

TEST_F(CuttingCommands, extractNamesWhatIsWrong)
{
    const ProcessOutput unknown = shell("\"$CLI\" extract net.onnx --from b,bb --to yy -o part.onnx");
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_TRUE(unknown.standardError.contains("'bb'")) << unknown.standardError;
    const ProcessOutput noPath = shell("\"$CLI\" extract net.onnx --from d --to b -o part.onnx");
    EXPECT_EQ(noPath.exitCode, 2);
    EXPECT_TRUE(noPath.standardError.contains("'b' also needs 'x'")) << noPath.standardError;
    EXPECT_EQ(shell("\"$CLI\" extract net.onnx --from d --to y -o part.pt2").exitCode, 2);
    EXPECT_FALSE(std::ranges::contains(files(), "part.onnx"));
}

TEST_F(CuttingCommands, reducedModelStillDoesIt)
{
    const ProcessOutput output =
        shell("\"$CLI\" reduce net.onnx --while '\"$CLI\" print {} | grep -q Sigmoid' -o small.onnx");
    EXPECT_EQ(output.exitCode, 2) << "CLI is no variable of the command's shell: " << output.standardError;
    const ProcessOutput exported =
        shell("export CLI; \"$CLI\" reduce net.onnx --while '\"$CLI\" print {} | grep -q Sigmoid' -o small.onnx");
    EXPECT_EQ(exported.exitCode, 0) << exported.standardError;
    EXPECT_TRUE(exported.standardOutput.contains("small.onnx: 1 of 5 nodes after ")) << exported.standardOutput;
    EXPECT_TRUE(exported.standardOutput.contains("no step is left")) << exported.standardOutput;
    EXPECT_TRUE(exported.standardError.contains("nodes are left")) << exported.standardError;
    const ProcessOutput printed = shell("\"$CLI\" print small.onnx");
    EXPECT_TRUE(printed.standardOutput.contains("onnx::Sigmoid(")) << printed.standardOutput;
    EXPECT_FALSE(printed.standardOutput.contains("onnx::Relu(")) << printed.standardOutput;
}

TEST_F(CuttingCommands, reduceStopsAtLimitsAndAtInterrupts)
{
    const ProcessOutput few = shell("\"$CLI\" reduce net.onnx --while 'true {}' -o few.onnx --limit-tries 1 --quiet");
    EXPECT_EQ(few.exitCode, 0) << few.standardError;
    EXPECT_TRUE(few.standardOutput.contains("after 1 try; a limit ended it")) << few.standardOutput;
    EXPECT_EQ(few.standardError, "");
    // The third question ends the asking: the reduction is interrupted by its own command.
    const ProcessOutput stopped = shell(
        "\"$CLI\" reduce net.onnx --while 'echo >> asked; if [ $(wc -l < asked) = 3 ]; then kill -INT $PPID; sleep 20; "
        "fi; true {}' -o best.onnx; echo code $?");
    EXPECT_TRUE(stopped.standardOutput.contains("interrupted")) << stopped.standardOutput << stopped.standardError;
    EXPECT_TRUE(stopped.standardOutput.contains("code 0")) << stopped.standardOutput;
    EXPECT_TRUE(std::ranges::contains(files(), "best.onnx"));
}

TEST_F(CuttingCommands, reduceNeedsACommandThatHolds)
{
    const ProcessOutput output = shell("\"$CLI\" reduce net.onnx --while 'exit 7; {}' -o least.onnx");
    EXPECT_EQ(output.exitCode, 2);
    EXPECT_TRUE(output.standardError.contains("the command ends with 7 for the model as it is"))
        << output.standardError;
    EXPECT_EQ(shell("\"$CLI\" reduce net.onnx --while true -o least.onnx").exitCode, 2);
    EXPECT_FALSE(std::ranges::contains(files(), "least.onnx"));
}

TEST_F(CuttingCommands, convertChangesTheOpset)
{
    const ProcessOutput output = shell("\"$CLI\" convert net.onnx --opset 7 -o old.onnx");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(output.standardOutput, "old.onnx: opset 7, 5 nodes\n");
    EXPECT_EQ(outputsOf("old.onnx"), outputsOf("net.onnx"));
    write("new.onnx", onnxModel({{"Trilu", {"x"}, "y"}}, {{"x", {2, 3}}}, {{"y", {2, 3}}}));
    const ProcessOutput refused = shell("\"$CLI\" convert new.onnx --opset 9 -o old2.onnx");
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_EQ(refused.standardOutput,
              "onnx::Trilu (1 ×): it is there from opset 14 on\n    /act/Trilu\n"
              "old2.onnx is not written.\n");
    EXPECT_EQ(shell("\"$CLI\" convert net.onnx -o same.onnx").exitCode, 2);
    EXPECT_EQ(shell("\"$CLI\" convert net.onnx --opset 6 -o old.onnx").exitCode, 2);
}

TEST_F(CuttingCommands, convertMakesFloat16)
{
    const ProcessOutput output = shell("\"$CLI\" convert net.onnx --float16 -o half.onnx");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    const ProcessOutput printed = shell("\"$CLI\" print half.onnx");
    EXPECT_TRUE(printed.standardOutput.contains("%x: float32[2, 3]")) << printed.standardOutput;
    EXPECT_TRUE(printed.standardOutput.contains("%c: float16[2, 3]")) << printed.standardOutput;
    const ProcessOutput checked = shell("\"$CLI\" convert net.onnx --float16 -o half.onnx --check --backend evaluator");
    EXPECT_EQ(checked.exitCode, 0) << checked.standardOutput << checked.standardError;
    EXPECT_TRUE(checked.standardOutput.contains("within rtol 0.01")) << checked.standardOutput;
    EXPECT_EQ(shell("\"$CLI\" convert net.onnx --float16 --no-keep-io -o all.onnx").exitCode, 0);
    EXPECT_TRUE(shell("\"$CLI\" print all.onnx").standardOutput.contains("%x: float16[2, 3]"));
}

} // namespace
} // namespace cutaway::test
