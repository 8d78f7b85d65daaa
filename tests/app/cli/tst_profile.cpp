// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

using cutaway::test::Program;
using nlohmann::json;

class WrongProfile : public Program { };

TEST_F(WrongProfile, failsAsOtherCommandsDo)
{
    EXPECT_EQ(run({"profile", path("none.onnx")}).exitCode, 3);
    EXPECT_EQ(run({"profile", path("small.onnx"), "--backend", "evaluator"}).exitCode, 2);
    for (const std::string wrong : {"time", "time<5MB", "peak<5ms", "<5ms", "time<ms", "time<5"})
        EXPECT_EQ(run({"profile", path("small.onnx"), "--assert", wrong}).exitCode, 2) << wrong;
}

/// Where the plugin was not built these are skipped.
class Profile : public Program {
protected:
    void SetUp() override
    {
        if (!std::string_view(CUTAWAY_HAS_ONNXRUNTIME).starts_with("1"))
            GTEST_SKIP() << "the plugin 'onnxruntime' was not built";
    }
};

TEST_F(Profile, tellsTheTimesOfNodes)
{
    const auto output = run({"profile", CUTAWAY_SAMPLE, "--seconds", "0.3", "--optimization", "none", "--threads", "1",
                             "--json", "--csv", path("nodes.csv"), "--trace", path("trace.json")});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    const json report = json::parse(output.standardOutput);
    EXPECT_EQ(report.at("schema"), "cutaway.profile/1");
    EXPECT_GT(report.at("whole_ms").at("median"), 0);
    EXPECT_GT(report.at("nodes").size(), 10u);
    for (const json &node : report.at("nodes"))
        EXPECT_TRUE(node.at("id").is_number()) << node;
    EXPECT_EQ(report.at("nodes").at(0).at("op"), "onnx::Conv");
    EXPECT_GT(report.at("nodes").at(0).at("flops"), 0);
    // Nodes cannot take much longer than a run; how near they come is reported, not held.
    RecordProperty("sum of nodes, ms", report.at("sum_ms").dump());
    RecordProperty("whole run, ms", report.at("whole_ms").at("median").dump());
    std::ifstream trace(path("trace.json"));
    EXPECT_EQ(json::parse(trace).at("traceEvents").size(), report.at("nodes").size());
    EXPECT_GT(std::filesystem::file_size(path("nodes.csv")), 100u);
}

TEST_F(Profile, isHeldToLimits)
{
    const std::vector<std::string> profile{"profile", CUTAWAY_SAMPLE, "--seconds", "0.1", "--assert"};
    const auto with = [&](const std::string &assertions) {
        std::vector<std::string> arguments = profile;
        arguments.push_back(assertions);
        return run(arguments);
    };
    EXPECT_EQ(with("time<60s,peak<1GB,memory>1MB").exitCode, 0);
    const auto broken = with("time<1ns");
    EXPECT_EQ(broken.exitCode, 1);
    EXPECT_NE(broken.standardOutput.find("time<1ns does not hold: it is"), std::string::npos) << broken.standardOutput;
    EXPECT_EQ(with("speed<1s").exitCode, 2);
}

} // namespace
