// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <nlohmann/json.hpp>

namespace {

using cutaway::test::Program;
using nlohmann::json;

/// conv2d, batch_norm, and a relu in a branch that is always taken. The weights lie in a file beside it.
const std::string torchNet = R"({"schema": "cutaway.ir/1", "format": "torchscript", "files": ["weights.bin"],
  "types": [{"kind": "unknown"}, {"kind": "tensor"}, {"kind": "tensor", "dtype": "float32", "shape": [1, 2, 4, 4]},
            {"kind": "tensor", "dtype": "float32", "shape": [2, 2, 1, 1]},
            {"kind": "tensor", "dtype": "float32", "shape": [2]}],
  "locations": [{}, {"file": "net.py", "line": 7}],
  "storages": [{"bytes": 48, "range": {"file": 0, "offset": 0, "length": 48, "encoding": "little_endian"}}],
  "tensors": [{"name": "w", "kind": "parameter", "dtype": "float32", "shape": [2, 2, 1, 1], "storage": 0},
              {"name": "gamma", "kind": "parameter", "dtype": "float32", "shape": [2], "storage": 0, "offset": 4},
              {"name": "beta", "kind": "parameter", "dtype": "float32", "shape": [2], "storage": 0, "offset": 6},
              {"name": "mean", "kind": "buffer", "dtype": "float32", "shape": [2], "storage": 0, "offset": 8},
              {"name": "var", "kind": "buffer", "dtype": "float32", "shape": [2], "storage": 0, "offset": 10}],
  "functions": [{"name": "forward", "kind": "graph", "node_count": 4,
    "inputs": [{"name": "x", "kind": "user", "value": {"value": 0}}],
    "outputs": [{"name": "y", "kind": "user", "value": {"value": 9}}],
    "values": [{"name": "x", "type": 2}, {"name": "w", "type": 3, "tensor": 0}, {"name": "gamma", "type": 4, "tensor": 1},
               {"name": "beta", "type": 4, "tensor": 2}, {"name": "mean", "type": 4, "tensor": 3},
               {"name": "var", "type": 4, "tensor": 4}, {"name": "c", "type": 1}, {"name": "b", "type": 1},
               {"name": "r", "type": 1}, {"name": "y", "type": 1}],
    "body": {"inputs": [0], "weights": [1, 2, 3, 4, 5], "outputs": [{"value": 9}], "nodes": [
      {"id": 0, "op": {"dialect": "aten", "name": "conv2d"}, "outputs": [6],
       "arguments": [["input", {"value": 0}], ["weight", {"value": 1}]]},
      {"id": 1, "op": {"dialect": "aten", "name": "batch_norm"}, "outputs": [7],
       "arguments": [["input", {"value": 6}], ["weight", {"value": 2}], ["bias", {"value": 3}],
                     ["running_mean", {"value": 4}], ["running_var", {"value": 5}], ["training", false],
                     ["momentum", 0.1], ["eps", 1e-05], ["cudnn_enabled", true]]},
      {"id": 2, "op": {"dialect": "prim", "name": "If"}, "outputs": [9], "arguments": [["cond", true]], "regions": [
        {"name": "then", "outputs": [{"value": 8}], "nodes": [
          {"id": 3, "op": {"dialect": "aten", "name": "relu"}, "location": 1, "outputs": [8],
           "arguments": [["self", {"value": 7}]]}]},
        {"name": "else", "outputs": [{"value": 7}]}]}]}}]})";

/// torch's own passes in pipelines. Where the plugin was not built these are skipped.
class TorchPasses : public Program {
protected:
    void SetUp() override
    {
        if (!std::string_view(CUTAWAY_HAS_TORCH).starts_with("1"))
            GTEST_SKIP() << "the plugin 'torch' was not built";
        const std::vector<float> weights{0.5f, -0.25f, 1.5f, 3.0f, 0.1f, -0.2f, 0.3f, 0.4f, 0.7f, -1.3f, 0.9f, 2.1f};
        write("weights.bin", {reinterpret_cast<const char *>(weights.data()), weights.size() * sizeof(float)});
        write("net.json", torchNet);
    }
};

TEST_F(TorchPasses, foldWeightsAndKeepTheNumbers)
{
    const auto output = run({"passes", "run", path("net.json"), "--pipeline", "torch/freeze,torch/fold-conv-bn",
                             "--check-numbers", "--json", "-o", path("folded.json")});
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    const json steps = json::parse(output.standardOutput).at("steps");
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].at("removed"), json({2}));
    EXPECT_EQ(steps[1].at("removed"), json({1}));
    for (const json &step : steps) {
        EXPECT_EQ(step.at("added"), json::array());
        EXPECT_LT(step.at("max_abs_error").get<double>(), 1e-5);
    }
    const json model = json::parse(shell("cat folded.json").standardOutput);
    const json &nodes = model.at("functions").at(0).at("body").at("nodes");
    ASSERT_EQ(nodes.size(), 2u);
    EXPECT_EQ(nodes[1].at("id"), 3);
    EXPECT_EQ(model.at("locations").at(nodes[1].at("location").get<std::size_t>()).at("file"), "net.py");
}

TEST_F(TorchPasses, areCheckedByTorchWhereTheEvaluatorCannotCompute)
{
    std::string bessel = torchNet;
    bessel.replace(bessel.find(R"("relu")"), 6, R"("special_bessel_j0")");
    write("bessel.json", bessel);
    const std::vector<std::string> command{
        "passes", "run", path("bessel.json"), "--pipeline", "torch/freeze", "--check-numbers", "--json", "--backend"};
    const auto with = [&](const std::string &backend) {
        std::vector<std::string> arguments = command;
        arguments.push_back(backend);
        return run(arguments);
    };
    const auto evaluated = with("evaluator");
    ASSERT_EQ(evaluated.exitCode, 1) << evaluated.standardError;
    EXPECT_EQ(json::parse(evaluated.standardOutput).at("steps").at(0).at("verified"), false);
    EXPECT_NE(evaluated.standardOutput.find("another --backend may compute it"), std::string::npos)
        << evaluated.standardOutput;
    const auto computed = with("torch");
    ASSERT_EQ(computed.exitCode, 0) << computed.standardError;
    EXPECT_LT(json::parse(computed.standardOutput).at("steps").at(0).at("max_abs_error").get<double>(), 1e-5);
}

TEST_F(TorchPasses, areListedAndOnesThatAreNotThereRefused)
{
    EXPECT_NE(run({"passes", "list"}).standardOutput.find("torch/constant-propagation"), std::string::npos);
    EXPECT_EQ(run({"passes", "run", path("net.json"), "--pipeline", "torch/fold-everything"}).exitCode, 2);
}

TEST_F(TorchPasses, areOfGraphsOfTorch)
{
    const auto output =
        run({"passes", "run", path("small.onnx"), "--pipeline", "torch/dce", "--reproducer", path("reproducer.json")});
    EXPECT_EQ(output.exitCode, 4);
    EXPECT_NE(output.standardError.find("torch's graphs cannot hold onnx::"), std::string::npos)
        << output.standardError;
}

} // namespace
