// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"
#include "small_onnx.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace {

using cutaway::test::Program;
using nlohmann::json;

class Run : public Program {
protected:
    /// net.onnx: y = Relu(Neg(x)) where x is float32[2, 3]; other.onnx has a Sigmoid in place of the Relu.
    Run()
    {
        write("net.onnx", net("Relu"));
        write("other.onnx", net("Sigmoid"));
    }

    static std::string net(const std::string &last)
    {
        return cutaway::test::onnxModel({{"Neg", {"x"}, "n"}, {last, {"n"}, "y"}}, {{"x", {2, 3}}}, {{"y", {2, 3}}});
    }

    json parsed(const cutaway::ProcessOutput &output)
    {
        const json document = json::parse(output.standardOutput, nullptr, false);
        EXPECT_FALSE(document.is_discarded()) << output.standardOutput << output.standardError;
        return document.is_discarded() ? json::object() : document;
    }
};

TEST_F(Run, givesTheResultsOfTheEvaluator)
{
    write("x.json", "[[1, -2, 3], [-4, 0.5, 0]]");
    const auto output =
        run({"run", path("net.onnx"), "--backend", "evaluator", "--input", "x=" + path("x.json"), "--json"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    const json report = parsed(output);
    EXPECT_EQ(report.at("schema"), "cutaway.run/1");
    ASSERT_EQ(report.at("outputs").size(), 1u);
    const json &y = report.at("outputs").at(0);
    EXPECT_EQ(y.at("name"), "y");
    EXPECT_EQ(y.at("dtype"), "float32");
    EXPECT_EQ(y.at("shape"), json({2, 3}));
    EXPECT_EQ(y.at("min"), 0);
    EXPECT_EQ(y.at("max"), 4);
    EXPECT_EQ(y.at("mean"), 1);
    EXPECT_EQ(y.at("sha256").get<std::string>().size(), 64u);
}

TEST_F(Run, isTheSameForTheSameSeed)
{
    const auto digest = [&](const std::string &seed) {
        const json report = parsed(run({"run", path("net.onnx"), "--backend", "evaluator", "--seed", seed, "--json"}));
        return report.at("outputs").at(0).at("sha256").get<std::string>();
    };
    EXPECT_EQ(digest("3"), digest("3"));
    EXPECT_NE(digest("3"), digest("4"));
}

TEST_F(Run, savesResultsThatItReadsAgain)
{
    const auto saved = run({"run", path("net.onnx"), "--backend", "evaluator", "--save", path("results")});
    EXPECT_EQ(saved.exitCode, 0) << saved.standardError;
    EXPECT_NE(saved.standardOutput.find("float32[2, 3]"), std::string::npos) << saved.standardOutput;
    ASSERT_TRUE(std::filesystem::exists(path("results/y.npy")));
    const auto again =
        run({"run", path("net.onnx"), "--backend", "evaluator", "--input", "x=" + path("results/y.npy"), "--json"});
    EXPECT_EQ(again.exitCode, 0) << again.standardError;
    EXPECT_EQ(parsed(again).at("outputs").at(0).at("max"), 0); // Relu(-Relu(...))
}

class Statistics : public Run {
protected:
    Statistics()
    {
        write("log.onnx", net("Log"));
        write("x.json", "[[1, -2, 3], [-4, 0.5, 0]]"); // Neg computes -1, 2, -3, 4, -0.5, 0
    }

    cutaway::ProcessOutput ran(const std::string &file, const std::vector<std::string> &more)
    {
        std::vector<std::string> arguments{
            "run", path(file), "--backend", "evaluator", "--input", "x=" + path("x.json"), "--statistics"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }
};

TEST_F(Statistics, tellWhereTheFirstNaNIsMade)
{
    const auto output = ran("log.onnx", {});
    EXPECT_EQ(output.exitCode, 1) << output.standardError;
    const std::string text = output.standardOutput.substr(0, output.standardOutput.rfind("Cutaway"));
    EXPECT_EQ(text,
              "value  of         type               min     max    mean      std  zeros  nan  inf\n"
              "x      input      float32[2, 3]       -4       3   -0.25   2.2314  16.7%\n"
              "n      onnx::Neg  float32[2, 3]       -3       4    0.25   2.2314  16.7%\n"
              "y      onnx::Log  float32[2, 3]  0.69315  1.3863  1.0397  0.34657           3    1\n"
              "first NaN: onnx::Log makes 3 of the 6 float32 numbers of 'y', from numbers up to 4 in magnitude\n"
              "first infinity: onnx::Log makes 1 of the 6 float32 numbers of 'y', from numbers up to 4 in magnitude\n");
}

TEST_F(Statistics, areInJson)
{
    const auto output = ran("log.onnx", {"--json"});
    EXPECT_EQ(output.exitCode, 1) << output.standardError;
    const json report = parsed(output);
    EXPECT_EQ(report.at("schema"), "cutaway.run/1");
    ASSERT_EQ(report.at("values").size(), 3u);
    const json &y = report.at("values").at(2);
    EXPECT_EQ(y.at("name"), "y");
    EXPECT_EQ(y.at("count"), 6);
    EXPECT_EQ(y.at("nan"), 3);
    EXPECT_EQ(y.at("minus_inf"), 1);
    EXPECT_EQ(report.at("first_nan").at("op"), "onnx::Log");
    EXPECT_EQ(report.at("first_infinity").at("value"), "y");
}

TEST_F(Statistics, areNodeDataOfOtherCommands)
{
    const auto table = ran("log.onnx", {"--csv"});
    EXPECT_EQ(table.exitCode, 1);
    EXPECT_NE(table.standardError.find("first NaN: onnx::Log"), std::string::npos) << table.standardError;
    write("run.csv", table.standardOutput);
    const auto asked =
        run({"query", path("log.onnx"), "data.run.nan>0 and data.run.min<1", "--data", path("run.csv"), "--count"});
    EXPECT_EQ(asked.standardOutput, "1\n") << asked.standardError;
}

TEST_F(Statistics, ofFiniteValuesAreNoFault)
{
    const auto output = ran("net.onnx", {});
    EXPECT_EQ(output.exitCode, 0) << output.standardOutput;
    EXPECT_NE(output.standardOutput.find("no node makes a NaN or an infinity"), std::string::npos);
    EXPECT_EQ(ran("net.onnx", {"--csv", "--json"}).exitCode, 2);
    EXPECT_EQ(run({"run", path("net.onnx"), "--csv"}).exitCode, 2);
}

TEST_F(Run, choosesSizesThatAreFree)
{
    const auto output = run({"run", path("small.onnx"), "--backend", "evaluator"}); // x is float32["N", 3]
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_NE(output.standardOutput.find("N = "), std::string::npos) << output.standardOutput;
    const auto bound = run({"run", path("small.onnx"), "--backend", "evaluator", "--bind", "N=2"});
    EXPECT_NE(bound.standardOutput.find("float32[2, 3]"), std::string::npos) << bound.standardOutput;
}

TEST_F(Run, failsAsOtherCommandsDo)
{
    EXPECT_EQ(run({"run", path("none.onnx")}).exitCode, 3);
    EXPECT_EQ(run({"run", path("net.onnx"), "--backend", "nobody"}).exitCode, 2);
    EXPECT_EQ(run({"run", path("net.onnx"), "--input", "z=1:float32"}).exitCode, 2);
    const auto missing = run({"run", path("net.onnx"), "--backend", "evaluator", "--input", "x=none.npy"});
    EXPECT_EQ(missing.exitCode, 3);
    EXPECT_NE(missing.standardError.find("none.npy"), std::string::npos) << missing.standardError;
    write("odd.npy", "no array");
    EXPECT_EQ(run({"run", path("net.onnx"), "--backend", "evaluator", "--input", "x=" + path("odd.npy")}).exitCode, 3);
    const auto alone = run({"compare", path("net.onnx")});
    EXPECT_EQ(alone.exitCode, 2);
    EXPECT_TRUE(alone.standardError.contains(path("net.onnx") + ": compare needs two files")) << alone.standardError;
    const auto device = run({"run", path("net.onnx"), "--backend", "evaluator", "--device", "cuda:0"});
    EXPECT_EQ(device.exitCode, 2);
    EXPECT_NE(device.standardError.find("the evaluator computes on the processor alone, not on 'cuda:0'"),
              std::string::npos)
        << device.standardError;
}

TEST_F(Run, isNotComparedOfSizesThatNobodyHasSaid)
{
    // As TorchScript has it: of x only that it is a tensor; the weight says what its last size must be.
    write("open.json",
          R"({"schema": "cutaway.ir/1", "format": "torchscript",
        "types": [{"kind": "unknown"}, {"kind": "tensor"}, {"kind": "tensor", "dtype": "float32", "shape": [2, 4]}],
        "storages": [{"bytes": 32, "hex": ")"
              + std::string(64, '0') + R"("}],
        "tensors": [{"name": "w", "kind": "parameter", "dtype": "float32", "shape": [2, 4], "storage": 0}],
        "functions": [{"name": "forward", "kind": "graph", "node_count": 1,
            "inputs": [{"name": "x", "kind": "user", "value": {"value": 0}}],
            "outputs": [{"name": "y", "kind": "user", "value": {"value": 2}}],
            "values": [{"name": "x", "type": 1}, {"name": "w", "type": 2, "tensor": 0}, {"name": "y", "type": 1}],
            "body": {"inputs": [0], "weights": [1], "outputs": [{"value": 2}], "nodes": [
                {"id": 0, "op": {"dialect": "aten", "name": "linear"}, "outputs": [2],
                 "arguments": [["input", {"value": 0}], ["weight", {"value": 1}]]}]}}]})");
    const auto guessed = run({"compare", path("open.json"), path("open.json"), "--backend", "evaluator"});
    EXPECT_EQ(guessed.exitCode, 2) << guessed.standardOutput;
    EXPECT_NE(guessed.standardError.find("records no size for its input 'x'; give them by --input"), std::string::npos)
        << guessed.standardError;
    const auto given =
        run({"compare", path("open.json"), path("open.json"), "--backend", "evaluator", "--input", "x=3x4:float32"});
    EXPECT_EQ(given.exitCode, 0) << given.standardError;
}

TEST_F(Run, ofTwoFilesIsCompared)
{
    const auto same =
        run({"compare", path("net.onnx"), path("net.onnx"), "--backend", "evaluator", "--values", "--json"});
    EXPECT_EQ(same.exitCode, 0) << same.standardError;
    EXPECT_EQ(parsed(same).at("within"), true);
    EXPECT_EQ(parsed(same).at("values").size(), 1u);
    EXPECT_EQ(parsed(same).at("first_difference"), nullptr);
    const auto other =
        run({"compare", path("net.onnx"), path("other.onnx"), "--backend", "evaluator", "--values", "--json"});
    EXPECT_EQ(other.exitCode, 1) << other.standardError;
    const json report = parsed(other);
    EXPECT_EQ(report.at("schema"), "cutaway.compare/1");
    EXPECT_EQ(report.at("within"), false);
    EXPECT_GT(report.at("outputs").at(0).at("max_abs"), 0.1);
    const auto errors =
        run({"compare", path("net.onnx"), path("other.onnx"), "--backend", "evaluator", "--values", "--csv"});
    EXPECT_EQ(errors.exitCode, 1);
    EXPECT_EQ(errors.standardOutput, "node,run.error,run.relative_error,run.cosine\r\n/act/Neg,0,0,1\r\n");
    const auto tolerant =
        run({"compare", path("net.onnx"), path("other.onnx"), "--backend", "evaluator", "--atol", "2"});
    EXPECT_EQ(tolerant.exitCode, 0) << tolerant.standardOutput;
}

/// The worst of the seeds is shown, and it is what that seed alone gives.
TEST_F(Run, comparesWithSeveralSeeds)
{
    const std::vector<std::string> command{"compare",   path("net.onnx"), path("other.onnx"),
                                           "--backend", "evaluator",      "--json"};
    const auto with = [&](const std::vector<std::string> &more) {
        auto arguments = command;
        arguments.insert(arguments.end(), more.begin(), more.end());
        return parsed(run(arguments));
    };
    const json worst = with({"--seed", "2", "--seeds", "4"});
    EXPECT_EQ(worst.at("seeds"), 4);
    double largest = 0;
    for (int seed = 2; seed < 6; ++seed)
        largest =
            std::max(largest, with({"--seed", std::to_string(seed)}).at("outputs").at(0).at("max_abs").get<double>());
    EXPECT_EQ(worst.at("outputs").at(0).at("max_abs"), largest);
    const int seed = worst.at("worst_seed");
    EXPECT_EQ(with({"--seed", std::to_string(seed)}).at("outputs"), worst.at("outputs"));
}

/// Where the plugin was not built these are skipped.
class RunInOnnxRuntime : public Run {
protected:
    void SetUp() override
    {
        if (!std::string_view(CUTAWAY_HAS_ONNXRUNTIME).starts_with("1"))
            GTEST_SKIP() << "the plugin 'onnxruntime' was not built";
    }
};

TEST_F(RunInOnnxRuntime, agreesWithTheEvaluator)
{
    const auto output =
        run({"compare", CUTAWAY_SAMPLE, "--backend", "onnxruntime", "--backend", "evaluator", "--values", "--json"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError << output.standardOutput;
    const json report = parsed(output);
    EXPECT_EQ(report.at("within"), true);
    EXPECT_LT(report.at("outputs").at(0).at("max_abs"), 1e-4);
    EXPECT_GT(report.at("values").size(), 10u);
    for (const json &value : report.at("values"))
        EXPECT_EQ(value.at("within"), true) << value;
}

TEST_F(RunInOnnxRuntime, takesGivenInputs)
{
    write("x.json", "[[1, -2, 3], [-4, 0.5, 0]]");
    const auto output = run({"run", path("net.onnx"), "--input", "x=" + path("x.json"), "--json"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(parsed(output).at("outputs").at(0).at("max"), 4);
    EXPECT_NE(parsed(output).at("backend").get<std::string>().find("ONNX Runtime"), std::string::npos);
}

TEST_F(RunInOnnxRuntime, saysWhatItCannotRun)
{
    write("odd.onnx", cutaway::test::onnxModel({{"Nonsense", {"x"}, "y"}}, {{"x", {2}}}, {{"y", {2}}}));
    const auto output = run({"run", path("odd.onnx")});
    EXPECT_EQ(output.exitCode, 4);
    EXPECT_NE(output.standardError.find("Nonsense"), std::string::npos) << output.standardError;
}

} // namespace
