// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"
#include "small_onnx.h"

#include <nlohmann/json.hpp>

namespace cutaway::test {
namespace {

using nlohmann::json;

/// A backend that runs nothing and lacks Sigmoid.
constexpr const char *withoutSigmoid = R"(
import json, sys
stdin = sys.stdin.buffer
while True:
    lengths = {}
    while line := stdin.readline().strip():
        name, _, value = line.partition(b":")
        lengths[name] = int(value)
    if not lengths:
        break
    request = json.loads(stdin.read(lengths[b"Content-Length"]))
    payload = stdin.read(lengths.get(b"Payload-Length", 0))
    result = {"protocol": 1}
    if request["method"] == "supports":
        result = {"verdicts": []}
        for length in request["params"]["lengths"]:
            takes = b"Sigmoid" not in payload[:length]
            result["verdicts"].append({"takes": takes, "reason": "" if takes else "no kernel"})
            payload = payload[length:]
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": result}
    if request["method"] == "load":
        answer = {"jsonrpc": "2.0", "id": request["id"], "error": {"code": 1, "message": "not this one"}}
    text = json.dumps(answer)
    sys.stdout.write(f"Content-Length: {len(text)}\r\n\r\n{text}")
    sys.stdout.flush()
)";

/// net.onnx: y = -relu(sigmoid(-relu(x))), and a plugin `toy` that lacks the sigmoid.
class Partition : public Program {
protected:
    Partition()
    {
        shell("mkdir -p plugins/toy bin; ln \"$CLI\" bin/cutaway-cli 2>/dev/null || cp \"$CLI\" bin/cutaway-cli");
        write("plugins/toy/plugin.json", R"({"name": "toy", "version": "1", "protocol": 1,
            "command": ["python3", "${plugin}/toy.py"], "provides": {"backend": {"description": "a toy", "runs": ["onnx"]}}})");
        write("plugins/toy/toy.py", withoutSigmoid);
        write("net.onnx", model("Sigmoid"));
    }

    static std::string model(const std::string &middle)
    {
        return onnxModel({{"Relu", {"x"}, "a"},
                          {"Neg", {"a"}, "b"},
                          {middle, {"b"}, "c"},
                          {"Relu", {"c"}, "d"},
                          {"Neg", {"d"}, "y"}},
                         {{"x", {2, 3}}}, {{"y", {2, 3}}});
    }

    ProcessOutput own(const std::string &arguments)
    {
        return shell("export CUTAWAY_PLUGIN_PATH=$PWD/plugins XDG_DATA_HOME=$PWD/data; bin/cutaway-cli " + arguments);
    }

    json report(const std::string &arguments)
    {
        const ProcessOutput output = own(arguments);
        const json parsed = json::parse(output.standardOutput, nullptr, false);
        EXPECT_FALSE(parsed.is_discarded()) << output.standardOutput << output.standardError;
        return parsed.is_discarded() ? json::object() : parsed;
    }
};

TEST_F(Partition, isWhatTheBackendTakes)
{
    const ProcessOutput output = own("partition net.onnx --backend toy");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_TRUE(output.standardOutput.contains("toy takes 4 of 5 nodes; 4 in 2 parts\n"
                                               "not taken: onnx::Sigmoid (1 node): no kernel\n"))
        << output.standardOutput;
    const json partition = report("partition net.onnx --backend toy --least 3 --json");
    EXPECT_EQ(partition.at("schema"), "cutaway.partition/1");
    EXPECT_EQ(partition.at("parts").size(), 0u);
    EXPECT_EQ(partition.at("not_taken").at(0).at("op"), "onnx::Sigmoid");
    EXPECT_EQ(report("partition net.onnx --backend evaluator --json").at("parts").at(0).at("nodes"), 5);
}

/// Each part runs by itself on what it was given, and the last one gives what the whole gives.
TEST_F(Partition, writesPartsThatRun)
{
    const json parts = report("partition net.onnx --backend toy --seed 3 --write-parts parts --json").at("parts");
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts.at(0).at("inputs").at(0).at("name"), "x");
    EXPECT_EQ(parts.at(1).at("inputs").at(0).at("name"), "c");
    EXPECT_EQ(parts.at(1).at("results"), json({"y"}));
    const std::string input = parts.at(1).at("inputs").at(0).at("file"), file = parts.at(1).at("file");
    EXPECT_TRUE(file.ends_with("partition_1.onnx")) << file;
    const auto part = report("run " + file + " --backend evaluator --input c=@" + input + " --json").at("outputs");
    const auto whole = report("run net.onnx --backend evaluator --seed 3 --json").at("outputs");
    EXPECT_EQ(part, whole);
}

TEST_F(Partition, saysWhyThereAreNoInputs)
{
    write("odd.onnx", model("Mystery"));
    const json partition = report("partition odd.onnx --backend evaluator --write-parts parts --json");
    ASSERT_EQ(partition.at("parts").size(), 2u);
    EXPECT_FALSE(partition.at("parts").at(0).at("file").is_null());
    EXPECT_TRUE(partition.at("inputs_not_written").get<std::string>().contains("Mystery"))
        << partition.at("inputs_not_written");
}

TEST_F(Partition, needsABackendThatCanBeAsked)
{
    EXPECT_EQ(own("partition net.onnx").exitCode, 2);
    EXPECT_EQ(own("partition net.onnx --backend none").exitCode, 2);
    write("plugins/toy/plugin.json", R"({"name": "toy", "version": "1", "protocol": 1, "command": ["false"],
        "provides": {"backend": {"description": "a toy", "runs": ["torchscript"]}}})");
    const ProcessOutput output = own("partition net.onnx --backend toy");
    EXPECT_EQ(output.exitCode, 2);
    EXPECT_TRUE(output.standardError.contains("is not given single nodes of the format onnx")) << output.standardError;
}

TEST_F(Partition, isWhatLintFinds)
{
    const ProcessOutput output = own("lint net.onnx --backend toy");
    EXPECT_EQ(output.exitCode, 1);
    EXPECT_TRUE(output.standardOutput.contains("toy does not take onnx::Sigmoid: no kernel [backend-operator]"))
        << output.standardOutput;
    EXPECT_EQ(own("lint net.onnx --backend evaluator").exitCode, 0);
    EXPECT_EQ(own("lint net.onnx --rule backend-operator").exitCode, 2);
}

TEST_F(Partition, asksOnnxRuntime)
{
    if (!std::string_view(CUTAWAY_HAS_ONNXRUNTIME).starts_with("1"))
        GTEST_SKIP() << "the plugin 'onnxruntime' was not built";
    write("odd.onnx", model("Mystery"));
    const auto asked = run({"partition", path("odd.onnx"), "--backend", "onnxruntime", "--json"});
    ASSERT_EQ(asked.exitCode, 0) << asked.standardError;
    const json partition = json::parse(asked.standardOutput);
    EXPECT_EQ(partition.at("parts").size(), 1u); // types behind the operator that is not there are not known
    ASSERT_EQ(partition.at("not_taken").size(), 1u) << asked.standardOutput;
    EXPECT_EQ(partition.at("not_taken").at(0).at("op"), "onnx::Mystery");
    const auto sample = run({"partition", CUTAWAY_SAMPLE, "--backend", "onnxruntime", "--json"});
    EXPECT_EQ(json::parse(sample.standardOutput).at("not_taken"), json::array());
}

TEST_F(Partition, isNotAskedOfTorchForOnnx)
{
    if (!std::string_view(CUTAWAY_HAS_TORCH).starts_with("1"))
        GTEST_SKIP() << "the plugin 'torch' was not built";
    EXPECT_EQ(run({"partition", path("net.onnx"), "--backend", "torch"}).exitCode, 2);
}

} // namespace
} // namespace cutaway::test
