// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <nlohmann/json.hpp>

namespace {

using cutaway::test::Program;
using nlohmann::json;

/// ONNX Runtime's levels of optimization as passes. Where the plugin was not built these are skipped.
class Optimize : public Program {
protected:
    void SetUp() override
    {
        if (!std::string_view(CUTAWAY_HAS_ONNXRUNTIME).starts_with("1"))
            GTEST_SKIP() << "the plugin 'onnxruntime' was not built";
    }

    cutaway::ProcessOutput optimize(const std::string &level, const std::vector<std::string> &more)
    {
        std::vector<std::string> arguments{"passes", "run", CUTAWAY_SAMPLE, "--pipeline",
                                           "onnxruntime/optimize{level=" + level + "}"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }
};

TEST_F(Optimize, fusesAndKeepsTheNumbers)
{
    for (const std::string level : {"basic", "extended", "all"}) {
        const auto output = optimize(level, {"-o", path(level + ".onnx"), "--json"});
        ASSERT_EQ(output.exitCode, 0) << level << output.standardError;
        const auto compared = run({"compare", CUTAWAY_SAMPLE, path(level + ".onnx"), "--optimization", "none"});
        EXPECT_EQ(compared.exitCode, 0) << level << compared.standardOutput << compared.standardError;
    }
    const json report = json::parse(optimize("extended", {"--json"}).standardOutput);
    const json &step = report.at("steps").back();
    EXPECT_EQ(step.at("verified"), true);
    EXPECT_GT(step.at("removed").size(), 5u);
    EXPECT_GT(step.at("added").size(), 1u);
}

TEST_F(Optimize, saysWhatFusedNodesWereMadeFrom)
{
    ASSERT_EQ(optimize("extended", {"-o", path("fused.json")}).exitCode, 0);
    const auto output = shell("cat fused.json");
    const json model = json::parse(output.standardOutput);
    std::size_t fused = 0;
    for (const json &node : model.at("functions").at(0).at("body").at("nodes"))
        if (node.at("op").at("dialect") == "com.microsoft") {
            ++fused;
            EXPECT_GE(node.at("origins").size(), 2u) << node;
        }
    EXPECT_GT(fused, 1u);
}

TEST_F(Optimize, isForOnnxAlone)
{
    ASSERT_EQ(run({"passes", "run", path("small.onnx"), "--pipeline", "dead-code", "-o", path("small.json")}).exitCode,
              0);
    EXPECT_EQ(optimize("most", {}).exitCode, 2);
    write("net.json", R"({"schema":"cutaway.ir/1","functions":[{"name":"f","kind":"graph","body":{}}]})");
    const auto output = run({"passes", "run", path("net.json"), "--pipeline", "onnxruntime/optimize", "--reproducer",
                             path("reproducer.json")});
    EXPECT_NE(output.exitCode, 0);
}

} // namespace
