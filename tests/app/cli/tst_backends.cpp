// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"
#include "small_onnx.h"

#include <nlohmann/json.hpp>

namespace {

using cutaway::ProcessOutput;
using nlohmann::json;

/// A backend of files that returns 1 for each output and value of a node, or 2 with its engine.
constexpr const char *backend = R"(
import json, os, struct, sys
engine = None
while True:
    lengths = {}
    while line := sys.stdin.buffer.readline().strip():
        name, _, value = line.partition(b":")
        lengths[name] = int(value)
    if not lengths:
        break
    request = json.loads(sys.stdin.buffer.read(lengths[b"Content-Length"]))
    sys.stdin.buffer.read(lengths.get(b"Payload-Length", 0))
    params, result, payload = request["params"], {"protocol": 1}, b""
    if request["method"] == "load":
        engine = params["engine"]
        name = f"toy {params['form']} {engine} {os.environ.get('TOY_ENVIRONMENT', '')}"
        result = {"model": 1, "backend": name, "inputs": ["x"], "outputs": ["y"]}
    elif request["method"] == "run":
        outputs = []
        for name in ["y", *params["values"]]:
            outputs.append({"name": name, "dtype": "float32", "shape": [1], "offset": len(payload), "length": 4})
            payload += struct.pack("<f", 2 if engine else 1)
        result = {"outputs": outputs, "seconds": 0.5}
    text = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\nPayload-Length: %d\r\n\r\n" % (len(text), len(payload)) + text + payload)
    sys.stdout.flush()
)";

/// The interpreter is a script of the test's that names its environment.
class Backends : public cutaway::test::Program {
protected:
    Backends()
    {
        write("net.onnx",
              cutaway::test::onnxModel({{"Neg", {"x"}, "n"}, {"Relu", {"n"}, "y"}}, {{"x", {1}}}, {{"y", {1}}}));
        shell("mkdir -p plugins/toy config/cutaway");
        write("plugins/toy/toy.py", backend);
        write("plugins/toy/plugin.json", R"({"name": "toy", "protocol": 1, "command": ["${python}", "${plugin}/toy.py"],
            "provides": {"backend": {"runs": ["onnx"], "engines": ["fast"], "values": true}}})");
        for (const std::string name : {"mine", "active"}) {
            shell("mkdir -p " + name + "/bin");
            write(name + "/bin/python3", "#!/bin/sh\nTOY_ENVIRONMENT=" + name + " exec python3 \"$@\"\n");
            shell("chmod +x " + name + "/bin/python3");
        }
    }

    ProcessOutput own(const std::string &arguments, const std::string &before = {})
    {
        return shell("export XDG_CONFIG_HOME=$PWD/config CUTAWAY_PLUGIN_PATH=$PWD/plugins; " + before + " \"$CLI\" "
                     + arguments);
    }
};

TEST_F(Backends, haveEnginesThatAreChosenByName)
{
    EXPECT_TRUE(own("run net.onnx --backend toy").standardOutput.contains("toy onnx  "));
    EXPECT_TRUE(own("run net.onnx --backend toy/fast").standardOutput.contains("toy onnx fast "));
    const auto unknown = own("run net.onnx --backend toy/slow");
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_TRUE(unknown.standardError.contains("the plugin 'toy' runs nothing called 'slow'")) << unknown.standardError;
}

TEST_F(Backends, giveValuesOfNodesOfAFileByName)
{
    const auto output = own("compare net.onnx --values --json --backend toy --backend toy/fast");
    EXPECT_EQ(output.exitCode, 1) << output.standardError;
    EXPECT_TRUE(output.standardOutput.contains("\"n\"")) << output.standardOutput;
    EXPECT_TRUE(own("compare net.onnx --values --backend toy --backend toy").exitCode == 0);
}

TEST_F(Backends, areRunByTheUsersOwnPython)
{
    const std::string run = "run net.onnx --backend toy";
    const auto environment = [&](const std::string &options, const std::string &before) {
        const auto output = own(run + options, before);
        const std::string text = output.standardOutput + output.standardError;
        return text.contains("mine") ? "mine" : text.contains("active") ? "active" : text;
    };
    const std::string active = "VIRTUAL_ENV=$PWD/active";
    EXPECT_EQ(environment("", active), "active");
    EXPECT_EQ(environment("", active + " CUTAWAY_PYTHON=$PWD/mine"), "mine");
    EXPECT_EQ(environment(" --python mine", active), "mine");
    EXPECT_EQ(environment(" --python mine/bin/python3", active), "mine");
    write("config/cutaway/targets.json", R"({"targets": [{"name": "local", "python": ")" + path("mine") + R"("}]})");
    EXPECT_EQ(environment("", active), "mine");
    EXPECT_EQ(environment(" --python active", ""), "active");
    const auto missing = own(run + " --python none/python3");
    EXPECT_EQ(missing.exitCode, 2);
    EXPECT_TRUE(missing.standardError.contains("the plugin 'toy' cannot be used: its program"))
        << missing.standardError;
}

} // namespace
