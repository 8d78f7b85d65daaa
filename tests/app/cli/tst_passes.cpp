// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"
#include "small_onnx.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace {

using cutaway::test::Program;
using nlohmann::json;

class Passes : public Program {
protected:
    /// net.onnx: y = Relu(Identity(x)) where x is float32[2, 3].
    Passes()
    {
        write("net.onnx",
              cutaway::test::onnxModel({{"Identity", {"x"}, "i"}, {"Relu", {"i"}, "y"}}, {{"x", {2, 3}}},
                                       {{"y", {2, 3}}}));
    }
};

TEST_F(Passes, areListedWithTheirOptions)
{
    const auto output = run({"passes", "list"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_NE(output.standardOutput.find("dead-code *"), std::string::npos) << output.standardOutput;
    EXPECT_NE(output.standardOutput.find("from="), std::string::npos) << output.standardOutput;
}

TEST_F(Passes, tellWhatTheyDid)
{
    const auto output = run({"passes", "run", path("net.onnx"), "--pipeline", "remove-identities,dead-code", "--json"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    const json report = json::parse(output.standardOutput);
    ASSERT_EQ(report.at("steps").size(), 2u);
    EXPECT_EQ(report.at("steps").at(0).at("removed"), json::array({0}));
    EXPECT_EQ(report.at("steps").at(0).at("max_abs_error"), nullptr);
    EXPECT_EQ(report.at("steps").at(1).at("changed"), false);
}

TEST_F(Passes, tellWhatEachDidByPatterns)
{
    const std::vector<std::string> command{"passes", "run", path("net.onnx"), "--pipeline", "remove-identities"};
    auto inJson = command;
    inJson.emplace_back("--json");
    const json patterns = json::parse(run(inJson).standardOutput).at("steps").at(0).at("patterns");
    ASSERT_EQ(patterns.size(), 1u);
    EXPECT_EQ(patterns.at(0).at("text"), "Identity gone");
    EXPECT_EQ(patterns.at(0).at("count"), 1);
    EXPECT_TRUE(run(command).standardOutput.contains("1  remove-identities  Identity gone"))
        << run(command).standardOutput;
}

TEST_F(Passes, tellWhatBecameOfANode)
{
    const std::vector<std::string> command{
        "passes", "run", path("net.onnx"), "--pipeline", "remove-identities,dead-code", "--of", "i"};
    const auto output = run(command);
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(output.standardOutput,
              "0  input file         it is there\n1  remove-identities  gone, x is read instead\n");
    auto inJson = command;
    inJson.emplace_back("--json");
    const json blamed = json::parse(run(inJson).standardOutput);
    EXPECT_EQ(blamed.at("schema"), "cutaway.blame/1");
    ASSERT_EQ(blamed.at("history").size(), 3u);
    EXPECT_EQ(blamed.at("history").at(1).at("event"), "gone");
    EXPECT_EQ(blamed.at("history").at(1).at("step"), "remove-identities");
    EXPECT_EQ(blamed.at("history").at(1).at("position"), 1);
}

TEST_F(Passes, tellNothingOfWhatIsNotThere)
{
    const auto output = run({"passes", "run", path("net.onnx"), "--of", "nowhere"});
    EXPECT_EQ(output.exitCode, 3);
    EXPECT_TRUE(output.standardError.contains("no state has a node, value or module 'nowhere'"))
        << output.standardError;
}

TEST_F(Passes, checkTheNumbers)
{
    const auto output = run({"passes", "run", path("net.onnx"), "--pipeline",
                             "remove-identities,replace-operator{from=relu to=neg}", "--check-numbers", "--json"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    const json report = json::parse(output.standardOutput);
    EXPECT_EQ(report.at("steps").at(0).at("max_abs_error"), 0);
    EXPECT_GT(report.at("steps").at(1).at("max_abs_error"), 0.01);
}

TEST_F(Passes, whoseNumbersCannotBeLookedAtAreNotVerified)
{
    write("unknown.onnx",
          cutaway::test::onnxModel({{"Identity", {"x"}, "i"}, {"Nothing", {"i"}, "y"}}, {{"x", {2, 3}}},
                                   {{"y", {2, 3}}}));
    const std::vector<std::string> command{
        "passes",          "run", path("unknown.onnx"), "--pipeline", "remove-identities",
        "--check-numbers", "-o",  path("out.onnx")};
    const auto output = run(command);
    EXPECT_EQ(output.exitCode, 1) << output.standardError;
    EXPECT_NE(output.standardOutput.find("Step 1, remove-identities, is not verified: not checked: "),
              std::string::npos)
        << output.standardOutput;
    EXPECT_NE(output.standardOutput.find("onnx::Nothing"), std::string::npos) << output.standardOutput;
    EXPECT_FALSE(std::filesystem::exists(path("out.onnx")));
    auto inJson = command;
    inJson.insert(inJson.end(), "--json");
    const json report = json::parse(run(inJson).standardOutput);
    EXPECT_EQ(report.at("steps").at(0).at("verified"), false);
    EXPECT_EQ(report.at("steps").at(0).at("max_abs_error"), nullptr);
}

TEST_F(Passes, saysWhyNumbersCannotBeChecked)
{
    const auto output = run({"passes", "run", path("small.onnx"), "--check-numbers"}); // x is float32["N", 3]
    EXPECT_EQ(output.exitCode, 2);
    EXPECT_NE(output.standardError.find("not known (x)"), std::string::npos) << output.standardError;
    EXPECT_EQ(run({"passes", "run", path("small.onnx"), "--check-numbers", "--bind", "N=2"}).exitCode, 0);
}

TEST_F(Passes, areBisected)
{
    const auto bad = run({"passes", "run", path("net.onnx"), "--bisect", "1e-6", "--pipeline",
                          "remove-identities,dead-code,replace-operator{from=relu to=neg},dead-code"});
    EXPECT_EQ(bad.exitCode, 1) << bad.standardError;
    EXPECT_EQ(bad.standardOutput.find("step 3, replace-operator{"), 0u) << bad.standardOutput;
    EXPECT_NE(bad.standardOutput.find("\nchanged in between "), std::string::npos) << bad.standardOutput;
    const auto good = run({"passes", "run", path("net.onnx"), "--bisect", "1e-6", "--pipeline", "remove-identities"});
    EXPECT_EQ(good.exitCode, 0) << good.standardError;
    EXPECT_EQ(good.standardOutput, "1 step; none changes the results by more than 1e-06\n");
}

TEST_F(Passes, areBisectedAgainWithTheInputsThatWereSaved)
{
    const std::vector<std::string> command = {
        "passes", "run", path("net.onnx"), "--pipeline", "replace-operator{from=relu to=neg}", "--bisect", "1e-6"};
    auto saving = command, again = command;
    saving.insert(saving.end(), {"--save-inputs", path("inputs")});
    const auto first = run(saving);
    EXPECT_EQ(first.exitCode, 1) << first.standardError;
    ASSERT_TRUE(std::filesystem::exists(path("inputs/x.npy")));
    again.insert(again.end(), {"--input", "x=@" + path("inputs/x.npy")});
    EXPECT_EQ(run(again).standardOutput, first.standardOutput);
}

TEST_F(Passes, areCheckedWithSeveralInputs)
{
    // y = Relu(x) and y = Abs(x) differ where x is negative: of one number, that depends on the seed.
    write("one.onnx", cutaway::test::onnxModel({{"Relu", {"x"}, "y"}}, {{"x", {1}}}, {{"y", {1}}}));
    const auto bisect = [&](const std::string &seed, const std::string &seeds) {
        return run({"passes", "run", path("one.onnx"), "--pipeline", "replace-operator{from=relu to=abs}", "--bisect",
                    "0", "--seed", seed, "--seeds", seeds});
    };
    EXPECT_EQ(bisect("1", "1").exitCode, 1);
    const auto none = bisect("3", "1");
    EXPECT_EQ(none.exitCode, 0) << none.standardOutput << none.standardError;
    const auto some = bisect("3", "3");
    EXPECT_EQ(some.exitCode, 1) << some.standardOutput << some.standardError;
    EXPECT_NE(some.standardOutput.find("(seed 5)"), std::string::npos) << some.standardOutput;
}

TEST_F(Passes, areWrittenAsPictures)
{
    const auto output =
        run({"passes", "run", path("net.onnx"), "--sequence", path("steps"), "--pipeline", "remove-identities"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    for (const std::string name : {"00-file.svg", "01-remove-identities.svg", "index.html", "index.md"})
        EXPECT_TRUE(std::filesystem::exists(path("steps/" + name))) << name;
    const auto refused = run({"passes", "run", path("net.onnx"), "--sequence", path("net.onnx") + "/steps"});
    EXPECT_EQ(refused.exitCode, 4);
    EXPECT_NE(refused.standardError.find("cannot create the folder"), std::string::npos) << refused.standardError;
}

TEST_F(Passes, thatDoNotExistAreNamedWithNearOnes)
{
    const auto output = run({"passes", "run", path("net.onnx"), "--pipeline", "deadcode"});
    EXPECT_EQ(output.exitCode, 2);
    EXPECT_NE(output.standardError.find("dead-code"), std::string::npos) << output.standardError;
    const auto option = run({"passes", "run", path("net.onnx"), "--pipeline", "replace-operator{form=relu}"});
    EXPECT_EQ(option.exitCode, 2);
    EXPECT_NE(option.standardError.find("from"), std::string::npos) << option.standardError;
}

TEST_F(Passes, thatGroupNodesAreNotWrittenAsWhatNoRuntimeKnows)
{
    write("two.onnx",
          cutaway::test::onnxModel({{"Neg", {"x"}, "i"}, {"Relu", {"i"}, "y"}}, {{"x", {2, 3}}}, {{"y", {2, 3}}}));
    const auto output =
        run({"passes", "run", path("two.onnx"), "--pipeline", "fuse-pointwise", "-o", path("out.onnx")});
    EXPECT_EQ(output.exitCode, 2);
    EXPECT_NE(output.standardError.find("cutaway::fused"), std::string::npos) << output.standardError;
    EXPECT_FALSE(std::filesystem::exists(path("out.onnx")));
    EXPECT_EQ(run({"passes", "run", path("two.onnx"), "--pipeline", "fuse-pointwise", "-o", path("out.json")}).exitCode,
              0);
}

constexpr const char *reluByNeg = R"(// the activation
graph @before(%x) {
  %r = onnx::Relu(%x)
  return %r
}
graph @after(%x) { %r = onnx::Neg(%x) return %r }
)";

TEST_F(Passes, replacePatternsOfFiles)
{
    write("swap.txt", reluByNeg);
    write("drop.txt",
          "graph @drop.before(%x) { %r = onnx::Identity(%x) return %r } graph @drop.after(%x) { return %x }");
    const auto output = run(
        {"passes", "run", path("net.onnx"), "--pattern", path("swap.txt"), "--pattern", path("drop.txt"), "--print"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_NE(output.standardOutput.find("onnx::Neg(%x)"), std::string::npos) << output.standardOutput;
    EXPECT_EQ(output.standardOutput.find("onnx::Relu"), std::string::npos) << output.standardOutput;
    const auto behind = run({"passes", "run", path("net.onnx"), "--pattern", path("swap.txt"), "--pipeline",
                             "remove-identities", "--json", "-o", path("out.onnx")});
    EXPECT_EQ(behind.exitCode, 0) << behind.standardError;
    const json steps = json::parse(behind.standardOutput).at("steps");
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps.at(1).at("pass"), "replace-pattern");
    EXPECT_EQ(steps.at(1).at("options").at("file"), "");
    EXPECT_NE(steps.at(1).at("options").at("before").get<std::string>().find("onnx::Relu"), std::string::npos);
    EXPECT_NE(run({"print", path("out.onnx")}).standardOutput.find("onnx::Neg"), std::string::npos);
}

TEST_F(Passes, replacePatternsOfPipelines)
{
    write("swap.txt", reluByNeg);
    const auto text = run({"passes", "run", path("net.onnx"), "--pipeline",
                           "replace-pattern{file=" + path("swap.txt") + "},dead-code", "--json"});
    EXPECT_EQ(text.exitCode, 0) << text.standardError;
    EXPECT_EQ(json::parse(text.standardOutput).at("steps").at(0).at("removed"), json::array({1}));
    write("swap.json", R"({"schema":"cutaway.pipeline/1","passes":[{"pass":"replace-pattern","options":{
        "before":"graph @before(%x) { %r = onnx::Relu(%x) return %r }",
        "after":"graph @after(%x) { %r = onnx::Neg(%x) return %r }"}}]})");
    const auto saved = run({"passes", "run", path("net.onnx"), "--pipeline", path("swap.json"), "--json"});
    EXPECT_EQ(saved.exitCode, 0) << saved.standardError;
    EXPECT_EQ(json::parse(saved.standardOutput).at("steps").at(0).at("removed"), json::array({1}));
}

TEST_F(Passes, tellWhatIsWrongWithAPattern)
{
    const auto refused = [&](const std::string &pattern, const std::string &message, int exitCode = 2) {
        write("swap.txt", pattern);
        const auto output = run({"passes", "run", path("net.onnx"), "--pattern", path("swap.txt")});
        EXPECT_EQ(output.exitCode, exitCode) << pattern;
        EXPECT_NE(output.standardError.find(message), std::string::npos) << output.standardError;
    };
    const std::string before = "graph @before(%x) { %r = onnx::Relu(%x) return %r }\n";
    refused("graph @before(%x) {\n  %r = onnx::Relu(%x\n}", "swap.txt, line 3, column 1)");
    refused(before, "the graph @before has no graph after it");
    refused(before + "graph @gelu.after(%x) { return %x }",
            "found the graph @gelu.after where a graph @after is expected");
    refused(before + "graph @after(%y) { return %y }", "the graph after has the input %y, which that before has not");
    refused(before + "graph @after(%x) { %r = onnx::Elu(%x, alpha=$a) return %r }",
            "the graph after has $a, which that before does not capture");
    refused(before + "graph @after(%x) { return %x, %x }", "the graph before returns 1 value and that after 2");
    refused("graph @before(%x) { %r = aten::relu(slef=%x) return %r } graph @after(%x) { return %x }",
            "aten::relu has no parameter 'slef'");
    refused("graph @before(%x, %y) { %a = onnx::Relu(%x) %b = onnx::Neg(%y) return %a, %b }\n"
            "graph @after(%x, %y) { return %x, %y }",
            "the nodes before are not connected with each other");
    const auto missing = run({"passes", "run", path("net.onnx"), "--pattern", path("none.txt")});
    EXPECT_EQ(missing.exitCode, 3);
    EXPECT_NE(missing.standardError.find("none.txt"), std::string::npos) << missing.standardError;
}

/// A weight of eight bits is an initializer, as it was, and takes a quarter of the room.
TEST_F(Passes, thatQuantizeMakeTheFileSmaller)
{
    const auto output = run(
        {"passes", "run", CUTAWAY_SAMPLE, "--pipeline", "quantize-dequantize", "-o", path("small8.onnx"), "--json"});
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    const auto before = std::filesystem::file_size(CUTAWAY_SAMPLE);
    EXPECT_LT(std::filesystem::file_size(path("small8.onnx")), before * 6 / 10);
    const std::string text = run({"print", path("small8.onnx"), "--full"}).standardOutput;
    EXPECT_TRUE(text.contains("@stem.conv.weight_quantized: int8[16, 3, 3, 3] buffer")) << text.substr(0, 2000);
}

TEST_F(Passes, leaveNothingHalfWritten)
{
    const auto before = files();
    EXPECT_EQ(run({"passes", "run", path("net.onnx"), "-o", path("none/out.onnx")}).exitCode, 4);
    EXPECT_EQ(run({"passes", "run", path("net.onnx"), "-o", "/dev/full/out.onnx"}).exitCode, 4);
    EXPECT_EQ(files(), before);
}

} // namespace
