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

/// small.onnx is y = Relu(x); here are profiles of it that somebody else has taken.
class SavedProfile : public Program {
protected:
    SavedProfile()
    {
        const json report = json::parse(run({"inspect", path("small.onnx"), "--json"}).standardOutput);
        m_node = report.at("functions").at(0).at("nodes").at(0);
    }

    /// A profile in which a run takes so long and the one node half of it.
    json profile(double milliseconds) const
    {
        const auto spread = [](double median) {
            return json{{"median", median}, {"p5", 0.9 * median}, {"p95", 1.1 * median}, {"count", 20}};
        };
        const json part{{"id", m_node.at("id")}, {"name", name()}, {"op", m_node.at("op")}};
        const json node{{"id", m_node.at("id")},  {"ids", {m_node.at("id")}},       {"parts", {part}},
                        {"backend_name", name()}, {"backend_op", "Relu"},           {"start_ms", 0.1},
                        {"name", name()},         {"ms", spread(milliseconds / 2)}, {"provider", "CPU"}};
        return {{"schema", "cutaway.profile/1"},
                {"model", {{"format", "onnx"}, {"function", "small"}}},
                {"inputs", {{{"name", "x"}, {"dtype", "float32"}, {"shape", {5, 3}}}}},
                {"machine", {{"processor", "Z80"}, {"device", "cpu"}, {"libraries", json::array()}}},
                {"whole_ms", spread(milliseconds)},
                {"instrumented_ms", spread(milliseconds)},
                {"nodes", {node}}};
    }
    std::string name() const { return m_node.at("name").get<std::string>(); }

    json m_node; ///< as `inspect` tells it
};

TEST_F(SavedProfile, reopensOnItsModel)
{
    write("p.json", profile(2).dump());
    const auto output = run({"profile", path("small.onnx"), "--from", path("p.json"), "--json"});
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    const json report = json::parse(output.standardOutput);
    EXPECT_EQ(report.at("whole_ms").at("median"), 2);
    EXPECT_EQ(report.at("nodes").at(0).at("id"), m_node.at("id"));
    EXPECT_EQ(report.at("nodes").at(0).at("ms").at("median"), 1);
    EXPECT_EQ(report.at("nodes").at(0).at("bytes"), 2 * 5 * 3 * 4); // computed with the sizes of the profile
    EXPECT_EQ(report.at("machine").at("processor"), "Z80");
    write("again.json", output.standardOutput);
    const auto again = run({"profile", path("small.onnx"), "--from", path("again.json"), "--json"});
    const json same = json::parse(again.standardOutput);
    for (const char *member : {"model", "inputs", "machine", "device", "process_peak_bytes", "peak_activation_bytes"})
        EXPECT_EQ(same.at(member), report.at(member));
    EXPECT_EQ(same.at("nodes").at(0).at("parts"), report.at("nodes").at(0).at("parts"));
}

TEST_F(SavedProfile, isWrittenInOtherFormsAndHeldToLimits)
{
    write("p.json", profile(2).dump());
    const auto output = run({"profile", path("small.onnx"), "--from", path("p.json"), "--csv", path("p.csv"), "--trace",
                             path("t.json"), "--assert", "time<1ms"});
    EXPECT_EQ(output.exitCode, 1) << output.standardError;
    EXPECT_NE(output.standardOutput.find("time<1ms does not hold: it is 2 ms"), std::string::npos)
        << output.standardOutput;
    EXPECT_NE(output.standardOutput.find("on Z80"), std::string::npos) << output.standardOutput;
    EXPECT_GT(std::filesystem::file_size(path("p.csv")), 50u);
    EXPECT_GT(std::filesystem::file_size(path("t.json")), 50u);
}

TEST_F(SavedProfile, namesNodesThatTheModelDoesNotHave)
{
    json saved = profile(2);
    json other = saved.at("nodes").at(0);
    other.at("parts").at(0).at("id") = 77;
    other.at("parts").at(0).at("name") = "elsewhere";
    saved.at("nodes").push_back(other);
    write("p.json", saved.dump());
    const auto output = run({"profile", path("small.onnx"), "--from", path("p.json")});
    EXPECT_EQ(output.exitCode, 0);
    EXPECT_NE(
        output.standardOutput.find("the model does not have these nodes of the profile: 'elsewhere' (onnx::Relu)"),
        std::string::npos)
        << output.standardOutput;
}

TEST_F(SavedProfile, isRefusedWhereItIsOfAnotherModel)
{
    json saved = profile(2);
    saved.at("nodes").at(0).at("parts").at(0).at("op") = "onnx::Conv";
    write("p.json", saved.dump());
    const auto output = run({"profile", path("small.onnx"), "--from", path("p.json")});
    EXPECT_EQ(output.exitCode, 2);
    EXPECT_NE(output.standardError.find("of another model: this one has none of its nodes"), std::string::npos)
        << output.standardError;
    saved.at("model").at("format") = "pt2";
    write("p.json", saved.dump());
    EXPECT_EQ(run({"profile", path("small.onnx"), "--from", path("p.json")}).exitCode, 2);
}

TEST_F(SavedProfile, thatIsDamagedIsNamed)
{
    write("p.json", profile(2).dump().substr(0, 300));
    const auto output = run({"profile", path("small.onnx"), "--from", path("p.json")});
    EXPECT_EQ(output.exitCode, 3);
    EXPECT_NE(output.standardError.find("p.json: the profile is not JSON"), std::string::npos) << output.standardError;
    EXPECT_EQ(run({"profile", path("small.onnx"), "--from", path("none.json")}).exitCode, 3);
}

TEST_F(SavedProfile, comparesWithAnother)
{
    write("a.json", profile(2).dump());
    write("b.json", profile(3).dump());
    write("c.json", profile(2.1).dump());
    const auto slower = run({"profile", "--compare", path("a.json"), path("b.json")});
    EXPECT_EQ(slower.exitCode, 1) << slower.standardError;
    EXPECT_NE(slower.standardOutput.find("2 ms in A and 3 ms in B, 1.50 times as long\n"), std::string::npos)
        << slower.standardOutput;
    EXPECT_EQ(run({"profile", "--compare", path("b.json"), path("a.json")}).exitCode, 0);
    const auto alike = run({"profile", "--compare", path("a.json"), path("c.json")});
    EXPECT_EQ(alike.exitCode, 0);
    EXPECT_NE(alike.standardOutput.find("within the noise"), std::string::npos) << alike.standardOutput;
}

/// The ranges of few runs say little, so they fail nothing.
TEST_F(SavedProfile, ofFewRunsTellsNoNoise)
{
    json few = profile(3);
    few.at("whole_ms").at("count") = 4;
    write("a.json", profile(2).dump());
    write("b.json", few.dump());
    const auto output = run({"profile", "--compare", path("a.json"), path("b.json")});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_TRUE(
        output.standardOutput.contains("1.50 times as long; fewer than 5 runs of a side do not tell the noise\n"))
        << output.standardOutput;
    const auto asJson = run({"profile", "--compare", path("a.json"), path("b.json"), "--json"});
    const json report = json::parse(asJson.standardOutput);
    EXPECT_TRUE(report.at("whole").at("beyond_noise").is_null());
    EXPECT_EQ(report.at("nodes").at(0).at("beyond_noise"), true); // its times have enough runs
}

TEST_F(SavedProfile, comparesAsJson)
{
    json faster = profile(1);
    faster.at("machine").at("processor") = "6502";
    write("a.json", profile(2).dump());
    write("b.json", faster.dump());
    const auto output = run({"profile", "--compare", path("a.json"), path("b.json"), "--json"});
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    const json report = json::parse(output.standardOutput);
    EXPECT_EQ(report.at("schema"), "cutaway.profile-comparison/1");
    EXPECT_EQ(report.at("whole").at("ratio"), 0.5);
    EXPECT_EQ(report.at("whole").at("beyond_noise"), true);
    EXPECT_EQ(report.at("conditions").at(0).at("what"), "processor");
    EXPECT_EQ(report.at("nodes").at(0).at("name"), name());
    EXPECT_EQ(report.at("nodes").at(0).at("a_ms").at("median"), 1);
    EXPECT_EQ(report.at("nodes").at(0).at("b_ms").at("median"), 0.5);
}

TEST_F(SavedProfile, ofTwoModelsWantsBoth)
{
    json other = profile(1);
    other.at("nodes").at(0).at("parts").at(0).at("name") = "renamed";
    write("a.json", profile(2).dump());
    write("b.json", other.dump());
    const auto alone = run({"profile", "--compare", path("a.json"), path("b.json")});
    EXPECT_EQ(alone.exitCode, 2);
    EXPECT_NE(alone.standardError.find("of different models"), std::string::npos) << alone.standardError;
    EXPECT_EQ(run({"profile", path("small.onnx"), "--compare", path("a.json"), path("a.json")}).exitCode, 2);
    const auto both =
        run({"profile", path("small.onnx"), path("small.onnx"), "--compare", path("a.json"), path("a.json"), "--json"});
    ASSERT_EQ(both.exitCode, 0) << both.standardError;
    EXPECT_EQ(json::parse(both.standardOutput).at("nodes").at(0).at("b").size(), 1u);
}

TEST_F(SavedProfile, saysWhenABackendToldNoTimesOfNodes)
{
    json whole = profile(2);
    whole["nodes"] = json::array();
    write("p.json", whole.dump());
    const auto output = run({"profile", path("small.onnx"), "--from", path("p.json")});
    EXPECT_TRUE(output.standardOutput.starts_with("a run takes 2 ms")) << output.standardOutput;
    EXPECT_TRUE(output.standardOutput.contains("does not report times of single nodes")) << output.standardOutput;
    const json report =
        json::parse(run({"profile", path("small.onnx"), "--from", path("p.json"), "--json"}).standardOutput);
    EXPECT_TRUE(report.at("sum_ms").is_null()) << report;
    const auto held = run({"profile", path("small.onnx"), "--from", path("p.json"), "--assert", "sum<1s"});
    EXPECT_EQ(held.exitCode, 1);
    EXPECT_TRUE(
        held.standardOutput.ends_with("\n\nsum<1s is not known: the backend does not report times of single nodes\n"))
        << held.standardOutput;
}

TEST_F(SavedProfile, isHeldToWhatIsKnownBeforeARun)
{
    write("p.json", profile(2).dump());
    const auto output = run({"profile", path("small.onnx"), "--from", path("p.json"), "--json", "--assert",
                             "time<1ms,nodes==1", "--assert", "ops!~Relu"});
    EXPECT_EQ(output.exitCode, 1);
    EXPECT_EQ(json::parse(output.standardOutput).at("schema"), "cutaway.profile/1");
    EXPECT_EQ(output.standardError,
              "cutaway: " + path("small.onnx")
                  + ": time<1ms does not hold: it is 2 ms\n"
                    "cutaway: "
                  + path("small.onnx") + ": ops!~Relu does not hold: there is onnx::Relu\n");
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
    EXPECT_EQ(report.at("model").at("file"), "small_vision.onnx");
    EXPECT_EQ(report.at("model").at("sha256_of_ends").get<std::string>().size(), 64u);
    const json &machine = report.at("machine");
    EXPECT_EQ(machine.at("optimization"), "none");
    EXPECT_EQ(machine.at("device"), "cpu");
    EXPECT_GT(machine.at("memory_bytes"), 1 << 20);
    EXPECT_TRUE(machine.at("libraries").at(0).get<std::string>().starts_with("ONNX Runtime ")) << machine;
    EXPECT_EQ(machine.at("threads_used"), 1) << machine;
    const json &first = report.at("nodes").at(0);
    EXPECT_GT(first.at("memory_bytes"), 0);
    EXPECT_GT(first.at("predicted_memory_bytes"), 0);
    EXPECT_GT(report.at("measured_peak_activation_bytes"), 0);
    write("saved.json", output.standardOutput);
    EXPECT_EQ(run({"profile", "--compare", path("saved.json"), path("saved.json")}).exitCode, 0);
    const auto again = run({"profile", CUTAWAY_SAMPLE, "--from", path("saved.json"), "--json"});
    ASSERT_EQ(again.exitCode, 0) << again.standardError;
    EXPECT_EQ(json::parse(again.standardOutput).at("nodes").size(), report.at("nodes").size());
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
