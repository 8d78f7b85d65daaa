// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"
#include "small_onnx.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace cutaway::test {
namespace {

using nlohmann::json;

/// draws.onnx: eight values drawn like the input x, of which y is the sum of the last with x; and an input z that is
/// not read.
class Lint : public Program {
protected:
    Lint()
    {
        std::vector<OnnxNode> nodes;
        for (int i = 0; i < 8; ++i)
            nodes.push_back({"RandomNormalLike", {"x"}, "n" + std::to_string(i)});
        nodes.push_back({"Sum", {"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"}, "y"});
        write("draws.onnx", onnxModel(nodes, {{"x", {2}}, {"z", {2}}}, {{"y", {2}}}));
        write("newer.onnx", onnxModel({{"Gelu", {"x"}, "y"}}, {{"x", {2}}}, {{"y", {2}}}));
    }

    /// The output for a file of the folder, as JSON.
    json report(const std::string &file, std::vector<std::string> options)
    {
        std::vector<std::string> arguments{"lint", path(file)};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const ProcessOutput output = run(arguments);
        const json parsed = json::parse(output.standardOutput, nullptr, false);
        EXPECT_FALSE(parsed.is_discarded()) << output.standardOutput << output.standardError;
        return parsed.is_discarded() ? json::object() : parsed;
    }
};

std::set<std::string> rulesOf(const json &report)
{
    std::set<std::string> ids;
    for (const json &rule : report.at("rules"))
        ids.insert(rule.at("id"));
    return ids;
}

TEST_F(Lint, isSilentOnAFineModel)
{
    const ProcessOutput output = run({"lint", path("small.onnx")});
    EXPECT_EQ(output.exitCode, 0);
    EXPECT_EQ(output.standardOutput, path("small.onnx") + ": no findings\n");
}

TEST_F(Lint, printsALinePerFindingAndSumsUpWhatIsAlike)
{
    const ProcessOutput output = run({"lint", path("draws.onnx")});
    const std::string file = path("draws.onnx");
    EXPECT_EQ(output.exitCode, 0);
    EXPECT_EQ(output.standardOutput,
              file + ": /act/RandomNormalLike (onnx::RandomNormalLike in act): warning: draws random numbers [random]\n"
                  + file
                  + ": /act/RandomNormalLike (onnx::RandomNormalLike in act): warning: draws random numbers [random]\n"
                  + file + ": … and 6 more of this rule; --all-findings [random]\n" + file
                  + ": z: warning: the input \"z\" is not read [unused-input]\n" + file + ": 9 warnings\n");
    const std::string all = run({"lint", file, "--all-findings"}).standardOutput;
    EXPECT_EQ(std::ranges::count(all, '\n'), 10) << all;
}

TEST_F(Lint, exitCodeIsThatOfTheSeverity)
{
    EXPECT_EQ(run({"lint", path("draws.onnx"), "--severity", "warning"}).exitCode, 1);
    EXPECT_EQ(run({"lint", path("draws.onnx"), "--severity", "note", "--rule", "needless-cast"}).exitCode, 0);
    EXPECT_EQ(run({"lint", path("newer.onnx")}).exitCode, 1);
    EXPECT_EQ(run({"lint", path("newer.onnx"), "--no-rule", "opset-operator"}).exitCode, 0);
    EXPECT_EQ(run({"lint", path("none.onnx")}).exitCode, 3);
}

TEST_F(Lint, wrongUsage)
{
    const ProcessOutput output = run({"lint", path("small.onnx"), "--rule", "rando"});
    EXPECT_EQ(output.exitCode, 2);
    EXPECT_TRUE(output.standardError.contains("unknown rule 'rando'; there is random")) << output.standardError;
    EXPECT_EQ(run({"lint"}).exitCode, 2);
    EXPECT_EQ(run({"lint", path("small.onnx"), "--severity", "fatal"}).exitCode, 2);
    EXPECT_EQ(run({"lint", path("small.onnx"), "--rule", "opset-target"}).exitCode, 2);
    EXPECT_EQ(run({"lint", path("small.onnx"), "--json", "--sarif"}).exitCode, 2);
}

TEST_F(Lint, rulesAreChosen)
{
    const auto byDefault = rulesOf(report("small.onnx", {"--json"}));
    const auto all = rulesOf(report("small.onnx", {"--json", "--all"}));
    EXPECT_TRUE(byDefault.contains("random"));
    EXPECT_FALSE(byDefault.contains("core-aten"));
    EXPECT_TRUE(all.contains("core-aten"));
    EXPECT_TRUE(std::ranges::includes(all, byDefault));
    EXPECT_EQ(rulesOf(report("small.onnx", {"--json", "--rule", "random", "--rule", "in-place"})),
              (std::set<std::string>{"random", "in-place"}));
    EXPECT_FALSE(rulesOf(report("small.onnx", {"--json", "--no-rule", "random"})).contains("random"));
    EXPECT_TRUE(rulesOf(report("small.onnx", {"--json", "--core-aten"})).contains("core-aten"));
    const ProcessOutput list = run({"lint", "--list"});
    EXPECT_EQ(list.exitCode, 0);
    for (const std::string &id : all)
        EXPECT_TRUE(list.standardOutput.contains("\n" + id + " ")) << id;
}

TEST_F(Lint, asksForAnotherOpset)
{
    const json found = report("newer.onnx", {"--json", "--rule", "opset-operator", "--opset", "19"});
    EXPECT_EQ(found.at("findings").back().at("message"), "opset 19 has no operator Gelu");
    const json later = report("newer.onnx", {"--json", "--no-rule", "opset-operator", "--opset", "20"});
    EXPECT_EQ(later.at("totals").at("errors"), 0);
}

TEST_F(Lint, writesJson)
{
    const json found = report("draws.onnx", {"--json"});
    EXPECT_EQ(found.at("schema"), "cutaway.lint/1");
    EXPECT_EQ(found.at("model").at("path"), path("draws.onnx"));
    EXPECT_EQ(found.at("model").at("format"), "onnx");
    EXPECT_EQ(found.at("totals"), (json{{"errors", 0}, {"warnings", 9}, {"notes", 0}}));
    ASSERT_EQ(found.at("findings").size(), 9u);
    const json &first = found.at("findings").front(), &last = found.at("findings").back();
    EXPECT_EQ(first.at("rule"), "random");
    EXPECT_EQ(first.at("severity"), "warning");
    EXPECT_EQ(first.at("op"), "onnx::RandomNormalLike");
    EXPECT_EQ(first.at("node"), 0);
    EXPECT_EQ(last.at("rule"), "unused-input");
    EXPECT_EQ(last.at("name"), "z");
    EXPECT_TRUE(last.at("node").is_null());
}

/// Checks a run and its results by the rules of SARIF 2.1.0.
TEST_F(Lint, writesSarif)
{
    const json sarif = report("draws.onnx", {"--sarif"});
    EXPECT_EQ(sarif.at("version"), "2.1.0");
    ASSERT_EQ(sarif.at("runs").size(), 1u);
    const json &run = sarif.at("runs").front(), &rules = run.at("tool").at("driver").at("rules");
    EXPECT_FALSE(run.at("tool").at("driver").at("name").get<std::string>().empty());
    for (const json &rule : rules) {
        EXPECT_FALSE(rule.at("shortDescription").at("text").get<std::string>().empty());
        EXPECT_FALSE(rule.at("help").at("text").get<std::string>().empty()) << rule.at("id");
        EXPECT_TRUE((std::set<std::string>{"error", "warning", "note"})
                        .contains(rule.at("defaultConfiguration").at("level").get<std::string>()));
    }
    ASSERT_EQ(run.at("results").size(), 9u);
    for (const json &result : run.at("results")) {
        EXPECT_EQ(rules.at(result.at("ruleIndex").get<std::size_t>()).at("id"), result.at("ruleId"));
        EXPECT_EQ(result.at("level"), "warning");
        EXPECT_EQ(result.at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri"),
                  "file://" + path("draws.onnx"));
    }
    const json &first = run.at("results").front();
    EXPECT_EQ(first.at("message").at("text"), "onnx::RandomNormalLike: draws random numbers");
    EXPECT_EQ(first.at("locations").at(0).at("logicalLocations").at(0).at("fullyQualifiedName"),
              "small/act/RandomNormalLike");
}

TEST_F(Lint, escapesNamesOfFilesInUris)
{
    const json sarif = json::parse(shell("cp draws.onnx 'a b.onnx' && $CLI lint 'a b.onnx' --sarif").standardOutput);
    EXPECT_EQ(sarif.at("runs")
                  .at(0)
                  .at("results")
                  .at(0)
                  .at("locations")
                  .at(0)
                  .at("physicalLocation")
                  .at("artifactLocation")
                  .at("uri"),
              "a%20b.onnx");
}

} // namespace
} // namespace cutaway::test
