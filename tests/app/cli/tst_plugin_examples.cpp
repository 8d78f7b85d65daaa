// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include "tests/core/formats/zip_writer.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace {

using cutaway::ProcessOutput;
using nlohmann::json;

/// y = silu(x) as exporters write it: x * sigmoid(x).
constexpr const char *siluNet = R"({"schema": "cutaway.ir/1", "name": "net",
    "types": [{"kind": "unknown"}, {"kind": "tensor", "dtype": "float32", "shape": [2, 3]}],
    "functions": [{"name": "forward", "kind": "graph", "node_count": 3,
      "inputs": [{"name": "x", "kind": "user", "value": {"value": 0}}],
      "outputs": [{"name": "n", "kind": "user", "value": {"value": 3}}],
      "values": [{"name": "x", "type": 1}, {"name": "s", "type": 1}, {"name": "y", "type": 1}, {"name": "n", "type": 1}],
      "body": {"inputs": [0], "outputs": [{"value": 3}], "nodes": [
        {"id": 0, "op": {"dialect": "aten", "name": "sigmoid"}, "arguments": [["self", {"value": 0}]], "outputs": [1]},
        {"id": 1, "op": {"dialect": "aten", "name": "mul", "overload": "Tensor"},
         "arguments": [["self", {"value": 0}], ["other", {"value": 1}]], "outputs": [2]},
        {"id": 2, "op": {"dialect": "aten", "name": "neg"}, "arguments": [["self", {"value": 2}]], "outputs": [3]}]}}]})";

/// The examples, copied out of the tree as a user would. The program is copied, too: beside the built one lie plugins
/// that need more than Python, such as torch.
class PluginExamples : public cutaway::test::Program {
protected:
    PluginExamples()
    {
        shell("cp -r '" CUTAWAY_EXAMPLES "' plugins; mkdir bin;"
              "ln \"$CLI\" bin/cutaway-cli 2>/dev/null || cp \"$CLI\" bin/cutaway-cli");
        write("net.json", siluNet);
    }

    ProcessOutput own(const std::string &arguments)
    {
        return shell("export XDG_CONFIG_HOME=$PWD/config XDG_DATA_HOME=$PWD/data CUTAWAY_PLUGIN_PATH=$PWD/plugins; "
                     "bin/cutaway-cli "
                     + arguments);
    }

    /// An array of a .npz file: one dimension, these bytes.
    static std::string array(const std::string &descr, int elements, const std::string &bytes)
    {
        const std::string header =
            "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + std::to_string(elements) + ",), }\n";
        return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header + bytes;
    }
};

TEST_F(PluginExamples, areStarted)
{
    const auto output = own("plugins --check");
    EXPECT_EQ(output.exitCode, 0) << output.standardOutput << output.standardError;
}

TEST_F(PluginExamples, havePassesAmongTheOthers)
{
    const auto output = own("passes list");
    EXPECT_NE(output.standardOutput.find("silu/fuse "), std::string::npos) << output.standardOutput;
    const json list = json::parse(own("passes list --json").standardOutput).at("passes");
    const auto fuse = std::ranges::find_if(list, [](const json &pass) { return pass.at("name") == "silu/fuse"; });
    ASSERT_NE(fuse, list.end());
    EXPECT_EQ(fuse->at("options").at(0).at("default"), true);
}

TEST_F(PluginExamples, changeAModelAndKeepItsNumbers)
{
    const auto output = own("passes run net.json --pipeline silu/fuse,dead-code --check-numbers --json -o out.json");
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    const json step = json::parse(output.standardOutput).at("steps").at(0);
    EXPECT_EQ(step.at("removed"), json::array({0, 1}));
    EXPECT_EQ(step.at("added"), json::array({3}));
    EXPECT_EQ(step.at("changed_nodes"), json::array({2})); // the node reads another value now
    EXPECT_LT(step.at("max_abs_error"), 1e-6);
    EXPECT_NE(own("print out.json").standardOutput.find("aten::silu"), std::string::npos);
    EXPECT_NE(shell("cat out.json").standardOutput.find("\"origins\":[0,1]"), std::string::npos);
}

TEST_F(PluginExamples, areTriedAgainWithTheReproducerTheyLeft)
{
    write("plugins/silu/silu.py", "import sys; sys.exit('out of order')");
    const auto output = own("passes run net.json --pipeline silu/fuse");
    EXPECT_EQ(output.exitCode, 4);
    EXPECT_NE(output.standardError.find("the plugin 'silu' could not be started: out of order"), std::string::npos)
        << output.standardError;
    shell("cp -r '" CUTAWAY_EXAMPLES "'/silu plugins/");
    EXPECT_EQ(own("passes run cutaway-reproducer.json").exitCode, 0);
}

TEST_F(PluginExamples, openFilesOfTheirSuffix)
{
    write("weights.npz",
          cutaway::tests::zipArchive({{"a.weight.npy", array("<f4", 4, std::string(16, '\1'))},
                                      {"a.bias.npy", array("<f2", 2, std::string(4, '\1'))}}));
    const auto output = own("inspect weights.npz --json");
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    const json report = json::parse(output.standardOutput);
    EXPECT_EQ(report.at("model").at("format"), "npz");
    EXPECT_EQ(report.at("parameters").at("count"), 6);
    EXPECT_EQ(report.at("parameters").at("bytes"), 20);
    EXPECT_EQ(report.at("diagnostics").at(0).at("code"), "plugin.import");
}

TEST_F(PluginExamples, sayWhatIsWrongWithAFile)
{
    write("weights.npz", cutaway::tests::zipArchive({{"a.npy", "no array of NumPy"}}));
    const auto output = own("inspect weights.npz");
    EXPECT_EQ(output.exitCode, 3);
    EXPECT_TRUE(output.standardError.starts_with("cutaway: weights.npz: the plugin 'npz': ")) << output.standardError;
}

TEST_F(PluginExamples, areNotAskedForWhatCutawayKnows)
{
    shell("sed -i 's/.npz\"\\]/.onnx\"]/' plugins/npz/plugin.json");
    EXPECT_EQ(json::parse(own("inspect small.onnx --json").standardOutput).at("model").at("format"), "onnx");
}

/// Returns the text of a file that docs/plugins.md contains.
constexpr const char *extract = R"(
    mkdir -p my-plugins/hello
    for file in my-plugins/hello/plugin.json my-plugins/hello/hello.py; do
      awk -v mark="<!-- $file -->" '$0 == mark { found = 1; next }
        found && /^```/ { if (inside) exit; inside = 1; next } inside' "$DOCS/plugins.md" > "$file"
    done
    export XDG_CONFIG_HOME=$PWD/config XDG_DATA_HOME=$PWD/data CUTAWAY_PLUGIN_PATH=$PWD/my-plugins
)";

TEST_F(PluginExamples, beginWithTheOneOfTheTutorial)
{
    const auto output =
        shell("DOCS='" CUTAWAY_EXAMPLES "/../../docs';" + std::string(extract) + "bin/cutaway-cli plugins --check");
    EXPECT_EQ(output.exitCode, 0) << output.standardOutput << output.standardError;
    EXPECT_NE(output.standardOutput.find("  hello on local: it answers\n"), std::string::npos) << output.standardOutput;
}

} // namespace
