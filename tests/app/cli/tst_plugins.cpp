// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <nlohmann/json.hpp>

namespace {

using cutaway::ProcessOutput;
using nlohmann::json;

/// A backend with one device, of as few lines as there can be.
constexpr const char *backend = R"(
import json, sys
while True:
    length = None
    while line := sys.stdin.readline().strip():
        length = int(line.split(":")[1])
    if length is None:
        break
    request = json.loads(sys.stdin.read(length))
    result = {"protocol": 1}
    if request["method"] == "devices":
        result = {"devices": [{"id": "toy:0", "name": "Toy processor", "memory_bytes": 1048576}]}
    text = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result})
    sys.stdout.write(f"Content-Length: {len(text)}\r\n\r\n{text}")
    sys.stdout.flush()
)";

constexpr const char *manifest = R"({"name": "toy", "version": "1", "protocol": 1,
    "command": ["python3", "${plugin}/toy.py"], "provides": {"backend": {"description": "a toy", "runs": ["onnx"]}}})";

/// The user's folders are in the test's, and the program is, too: beside the built one lie built plugins.
class Plugins : public cutaway::test::Program {
protected:
    Plugins()
    {
        shell("mkdir -p plugins/toy plugins/bad config/cutaway bin;"
              "ln \"$CLI\" bin/cutaway-cli 2>/dev/null || cp \"$CLI\" bin/cutaway-cli");
    }

    ProcessOutput own(const std::string &arguments)
    {
        return shell("export XDG_CONFIG_HOME=$PWD/config XDG_DATA_HOME=$PWD/data CUTAWAY_PLUGIN_PATH=$PWD/plugins; "
                     "bin/cutaway-cli "
                     + arguments);
    }

    void writeToy()
    {
        write("plugins/toy/plugin.json", manifest);
        write("plugins/toy/toy.py", backend);
    }
};

TEST_F(Plugins, withManyPassesAreListedWithTheirNumber)
{
    const auto provided = [&](const std::string &passes) {
        write("plugins/toy/plugin.json",
              R"({"name": "toy", "version": "1", "protocol": 1, "command": ["false"],
            "provides": {"passes": [)"
                  + passes + "]}}");
        return own("plugins").standardOutput;
    };
    EXPECT_NE(provided(R"({"name": "fold"}, {"name": "split"})").find("pass toy/fold, pass toy/split  "),
              std::string::npos);
    EXPECT_NE(provided(R"({"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"})").find("1        4 passes  "),
              std::string::npos);
}

TEST_F(Plugins, thatAreNotThereAreNone)
{
    const auto output = own("plugins");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_TRUE(output.standardOutput.starts_with("No plugins found.\n")) << output.standardOutput;
    EXPECT_NE(output.standardOutput.find("  " + path("data") + "/cutaway/plugins\n"), std::string::npos);
}

TEST_F(Plugins, areListedWithWhatTheyProvideAndWhyOthersAreNot)
{
    writeToy();
    write("plugins/bad/plugin.json", "{");
    const auto output = own("plugins");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_NE(output.standardOutput.find("toy     1        backend"), std::string::npos) << output.standardOutput;
    EXPECT_NE(output.standardOutput.find("bad/plugin.json: the file is not JSON"), std::string::npos);
    const json list = json::parse(own("plugins --json").standardOutput);
    EXPECT_EQ(list.at("schema"), "cutaway.plugins/1");
    EXPECT_EQ(list.at("plugins").at(0).at("name"), "toy");
    EXPECT_EQ(list.at("targets").at(0).at("name"), "local");
    EXPECT_EQ(list.at("missing").at(0).at("reason"), "the file is not JSON");
}

TEST_F(Plugins, areStartedOnEachTargetOnRequest)
{
    writeToy();
    write("config/cutaway/targets.json", R"({"targets": [{"name": "nowhere", "launcher": ["sh", "-c", "exit 3"]}]})");
    const auto output = own("plugins --check");
    EXPECT_EQ(output.exitCode, 1) << output.standardError;
    EXPECT_NE(output.standardOutput.find("  toy on local: it answers\n"), std::string::npos) << output.standardOutput;
    EXPECT_NE(output.standardOutput.find("the plugin 'toy' on nowhere could not be started: it ended with exit code 3"),
              std::string::npos)
        << output.standardOutput;
}

TEST_F(Plugins, areAskedForPassesThatTheirManifestDoesNotHave)
{
    write("plugins/toy/plugin.json", R"({"name": "toy", "version": "1", "protocol": 1,
        "command": ["python3", "${plugin}/toy.py"], "provides": {"passes": "ask"}})");
    std::string plugin = backend;
    const std::string devices = R"(if request["method"] == "devices":)";
    plugin.insert(plugin.find(devices), R"(if request["method"] == "passes":
        result = {"passes": [{"name": "found-out", "description": "Only known when asked.", "options": [
            {"name": "way", "description": "which", "default": "left", "choices": ["left", "right"]}]}]}
    )");
    write("plugins/toy/toy.py", plugin);
    const auto list = own("passes list");
    EXPECT_EQ(list.exitCode, 0) << list.standardError;
    EXPECT_NE(list.standardOutput.find("toy/found-out"), std::string::npos) << list.standardOutput;
    EXPECT_EQ(own("passes run small.onnx --pipeline 'toy/found-out{way=up}'").exitCode, 2);
    EXPECT_EQ(own("passes run small.onnx --pipeline 'toy/found-out{way=left}'").exitCode, 4); // it changes nothing
    const auto unknown = own("passes run small.onnx --pipeline toy/found");
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_NE(unknown.standardError.find("toy/found-out"), std::string::npos) << unknown.standardError;
}

TEST_F(Plugins, thatDoNotTellTheirPassesHaveNone)
{
    writeToy();
    write("plugins/toy/plugin.json", R"({"name": "toy", "version": "1", "protocol": 1,
        "command": ["false"], "provides": {"passes": "ask"}})");
    const auto list = own("passes list");
    EXPECT_EQ(list.exitCode, 0) << list.standardError;
    EXPECT_EQ(list.standardOutput.find("toy/"), std::string::npos) << list.standardOutput;
}

TEST_F(Plugins, ofANameThatWasFoundBeforeAreNoFault)
{
    writeToy();
    shell("mkdir -p data/cutaway && cp -r plugins data/cutaway/ && rmdir */bad */*/*/bad");
    const auto output = own("plugins --check");
    EXPECT_EQ(output.exitCode, 0) << output.standardOutput << output.standardError;
    EXPECT_NE(output.standardOutput.find("a plugin 'toy' was found before"), std::string::npos)
        << output.standardOutput;
}

/// A plugin that answers its first request and nothing else.
constexpr const char *hung = R"(
import json, sys, time
length = 0
while line := sys.stdin.readline().strip():
    length = int(line.split(":")[1])
request = json.loads(sys.stdin.read(length))
text = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"protocol": 1}})
sys.stdout.write(f"Content-Length: {len(text)}\r\n\r\n{text}")
sys.stdout.flush()
time.sleep(600)
)";

TEST_F(Plugins, thatHangAreStoppedWhereverTheyAreCalledFrom)
{
    writeToy();
    write("plugins/toy/toy.py", hung);
    write("plugins/toy/plugin.json", R"({"name": "toy", "version": "1", "protocol": 1,
        "command": ["python3", "${plugin}/toy.py"], "provides": {
          "backend": {"description": "a toy", "runs": ["onnx"]}, "passes": [{"name": "fold"}],
          "importers": [{"description": "toys", "suffixes": [".toy"]}]}})");
    write("net.toy", "a toy");
    for (const auto &[arguments, method] : {std::pair{"passes run small.onnx --pipeline toy/fold", "transform"},
                                            {"inspect net.toy", "import"},
                                            {"run small.onnx --bind N=1 --backend toy", "load"}}) {
        const auto output = own(arguments + std::string(" --plugin-timeout 0.4"));
        EXPECT_EQ(output.exitCode, 4) << arguments;
        EXPECT_NE(output.standardError.find(std::string("the plugin 'toy' did not answer within 0.4 s while running '")
                                            + method + "' and was stopped"),
                  std::string::npos)
            << output.standardError;
    }
    const auto check = own("plugins --check --plugin-timeout 0.4");
    EXPECT_EQ(check.exitCode, 1);
    EXPECT_NE(check.standardOutput.find("did not answer within 0.4 s while running 'ping'"), std::string::npos)
        << check.standardOutput;
    write("config/cutaway/targets.json", R"({"targets": [{"name": "local", "answer_seconds": 1}]})");
    EXPECT_NE(own("inspect net.toy").standardError.find("did not answer within 1 s"), std::string::npos);
}

/// A plugin whose plugin.json is there before its program is built.
constexpr const char *unbuilt = R"({"name": "toy", "version": "1", "protocol": 1,
    "command": ["python3", "${plugin}/toy.py"], "provides": {
      "backend": {"description": "a toy", "runs": ["onnx"]}, "passes": [{"name": "fold"}],
      "importers": [{"description": "toys", "suffixes": [".toy"]}]}})";

TEST_F(Plugins, whoseProgramIsNotThereAreNotOffered)
{
    write("plugins/toy/plugin.json", unbuilt);
    write("net.toy", "a toy");
    const std::string program = path("plugins/toy/toy.py"),
                      sentence = "the plugin 'toy' cannot be used: its program " + program
        + " is missing; build or install it";
    const auto list = own("plugins");
    EXPECT_EQ(list.exitCode, 0) << list.standardError;
    EXPECT_TRUE(list.standardOutput.starts_with("No plugins found.\n")) << list.standardOutput;
    EXPECT_NE(list.standardOutput.find("\nNot to be used here:\n  " + path("plugins/toy/plugin.json") + ": its program "
                                       + program + " is missing; build or install it\n"),
              std::string::npos)
        << list.standardOutput;
    const json missing = json::parse(own("plugins --json").standardOutput).at("missing");
    ASSERT_EQ(missing.size(), 1u);
    EXPECT_EQ(missing.at(0).at("reason"), "its program " + program + " is missing; build or install it");
    EXPECT_EQ(own("plugins --check").exitCode, 1);
    EXPECT_EQ(own("passes list").standardOutput.find("toy/fold"), std::string::npos);
    const auto run = own("run small.onnx --bind N=1 --backend toy");
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.standardError.find(sentence), std::string::npos) << run.standardError;
    const auto opened = own("inspect net.toy");
    EXPECT_EQ(opened.exitCode, 3);
    EXPECT_NE(opened.standardError.find(sentence), std::string::npos) << opened.standardError;
    write("plugins/toy/toy.py", backend);
    EXPECT_EQ(own("plugins --check").exitCode, 0);
    EXPECT_NE(own("passes list").standardOutput.find("toy/fold"), std::string::npos);
}

TEST_F(Plugins, whoseProgramIsOnATargetAloneAreUsedThere)
{
    write("plugins/toy/plugin.json", unbuilt);
    shell("mkdir -p far/toy");
    write("far/toy/toy.py", backend);
    write("config/cutaway/targets.json",
          R"({"targets": [{"name": "far", "launcher": ["env"], "plugins": ")" + path("far") + R"("}]})");
    const auto output = own("plugins --check");
    EXPECT_NE(output.standardOutput.find("\nStarted:\n  toy on far: it answers\n"), std::string::npos)
        << output.standardOutput;
    EXPECT_NE(own("devices --target far").standardOutput.find("toy:0  Toy processor"), std::string::npos);
    EXPECT_EQ(own("devices").standardOutput.find("toy:0"), std::string::npos);
    EXPECT_EQ(own("run small.onnx --bind N=1 --backend toy").exitCode, 2);
    // It is asked; that it cannot run anything is another matter.
    EXPECT_EQ(own("run small.onnx --bind N=1 --backend toy --target far").exitCode, 4);
}

TEST_F(Plugins, sayWhichDevicesTheyCanUse)
{
    writeToy();
    const auto output = own("devices");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_NE(output.standardOutput.find("toy  local  toy:0  Toy processor  1.00 MiB"), std::string::npos)
        << output.standardOutput;
    const json list = json::parse(own("devices --json").standardOutput);
    EXPECT_EQ(list.at("backends").at(0).at("devices").at(0).at("id"), "toy:0");
}

TEST_F(Plugins, whoseDevicesAreNotToBeHadSayWhy)
{
    writeToy();
    write("plugins/toy/toy.py", "import sys; sys.exit('no driver')");
    const auto output = own("devices");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_NE(output.standardOutput.find("the plugin 'toy' could not be started: no driver"), std::string::npos)
        << output.standardOutput;
    EXPECT_EQ(own("devices --target mars").exitCode, 2);
}

} // namespace
