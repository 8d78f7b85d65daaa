// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"
#include "small_onnx.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace {

using cutaway::ProcessOutput;
using nlohmann::json;

/// A target that is reached over a launcher as people have it: the script starts what answers it.
struct Place {
    const char *label;
    const char *script;
    const char *target;
};

/// The plugin that runs there is the real one, by way of a shell that writes down which process it is.
class Targets : public cutaway::test::Program, public testing::WithParamInterface<Place> {
protected:
    Targets()
    {
        write("net.onnx",
              cutaway::test::onnxModel({{"Neg", {"x"}, "n"}, {"Relu", {"n"}, "y"}}, {{"x", {2, 3}}}, {{"y", {2, 3}}}));
        write("slow.onnx",
              cutaway::test::onnxModel({{"MatMul", {"x", "x"}, "y"}}, {{"x", {4000, 4000}}}, {{"y", {4000, 4000}}}));
        std::filesystem::create_directories(path("plugins/far-runner"));
        const std::string begin =
            "echo $$ > " + path("plugin.pid") + "; exec '" CUTAWAY_PLUGINS "/onnxruntime/cutaway-onnxruntime'";
        const json manifest{{"name", "far-runner"},
                            {"protocol", 1},
                            {"command", {"bash", "-c", begin}},
                            {"provides", {{"backend", {{"runs", json::array({"onnx"})}}}}}};
        write("plugins/far-runner/plugin.json", manifest.dump());
    }

    void SetUp() override
    {
        if (!std::string_view(CUTAWAY_HAS_ONNXRUNTIME).starts_with("1"))
            GTEST_SKIP() << "the plugin 'onnxruntime' was not built";
    }

    /// A shell in which the target is up; skips where it cannot be.
    ProcessOutput there(const std::string &commands, const std::string &before = {})
    {
        ProcessOutput output = shell("export XDG_CONFIG_HOME=$PWD/config CUTAWAY_PLUGIN_PATH=$PWD/plugins\n" + before
                                     + "\n. '" CUTAWAY_TARGETS "/" + GetParam().script + "'\n" + commands);
        if (output.exitCode == 77)
            m_isSkipped = true;
        return output;
    }
    std::string target() const { return GetParam().target; }

    bool m_isSkipped = false;
};

#define SKIP_IF_NOT_THERE(output)                                                                                      \
    if (m_isSkipped)                                                                                                   \
    GTEST_SKIP() << (output).standardOutput

TEST_P(Targets, runAModelAsItRunsHere)
{
    const auto output = there("\"$CLI\" run net.onnx --backend far-runner --json --target " + target()
                              + " && echo && \"$CLI\" run net.onnx --backend onnxruntime --json");
    SKIP_IF_NOT_THERE(output);
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    const std::size_t end = output.standardOutput.find("\n\n");
    ASSERT_NE(end, std::string::npos) << output.standardOutput;
    const json far = json::parse(output.standardOutput.substr(0, end));
    const json here = json::parse(output.standardOutput.substr(end));
    EXPECT_EQ(far.at("outputs"), here.at("outputs"));
    EXPECT_EQ(far.at("outputs").at(0).at("shape"), json({2, 3}));
}

TEST_P(Targets, takeInputsOfFiles)
{
    write("x.json", "[[1, -2, 3], [-4, 0.5, 0]]");
    const auto output =
        there("\"$CLI\" run net.onnx --backend far-runner --input x=x.json --json --target " + target());
    SKIP_IF_NOT_THERE(output);
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(json::parse(output.standardOutput).at("outputs").at(0).at("max"), 4);
}

TEST_P(Targets, tellWhereTheyMeasured)
{
    const auto output =
        there("\"$CLI\" profile net.onnx --backend far-runner --seconds 0.1 --json --target " + target());
    SKIP_IF_NOT_THERE(output);
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_GT(json::parse(output.standardOutput).at("machine").at("memory_bytes"), 1 << 20);
}

/// Kills a process while the plugin works, and prints the program's exit code and the plugin's end.
constexpr const char *killing = R"sh(
"$CLI" profile slow.onnx --seconds 3600 --backend far-runner --target "$target" >out 2>err &
program=$!
for _ in $(seq 300); do [ -s plugin.pid ] && break; sleep 0.1; done
[ -s plugin.pid ] || { cat out err; exit 3; }
sleep 0.5
kill -KILL $(victims)
wait $program; echo "exit code $?"
for _ in $(seq 600); do
  kill -0 "$(cat plugin.pid)" 2>/dev/null || { echo "the plugin has ended"; break; }
  sleep 0.1
done
cat err >&2
)sh";

TEST_P(Targets, thatAreLostAreASentence)
{
    const auto output = there("target=" + target() + "; victims() { pgrep -P $program; }" + killing);
    SKIP_IF_NOT_THERE(output);
    EXPECT_NE(output.standardOutput.find("exit code 4\nthe plugin has ended"), std::string::npos)
        << output.standardOutput << output.standardError;
    EXPECT_NE(output.standardError.find("the plugin 'far-runner' on " + target()), std::string::npos)
        << output.standardError;
    EXPECT_EQ(std::ranges::count(output.standardError, '\n'), 1) << output.standardError;
}

TEST_P(Targets, doNotWorkOnForAProgramThatIsGone)
{
    const auto output = there("target=" + target() + "; victims() { echo $program; }" + killing);
    SKIP_IF_NOT_THERE(output);
    EXPECT_NE(output.standardOutput.find("the plugin has ended"), std::string::npos)
        << output.standardOutput << output.standardError;
}

INSTANTIATE_TEST_SUITE_P(Places, Targets,
                         testing::Values(Place{"Ssh", "ssh_target.sh", "far"},
                                         Place{"Slurm", "slurm_target.sh", "queue"}),
                         [](const auto &row) { return row.param.label; });

/// Ways in which a login fails: what is put in the place of the launcher and of the files.
struct Refusal {
    const char *label;
    const char *before, *after; ///< the server is started
    const char *sentence;
};

class Refusals : public cutaway::test::Program, public testing::WithParamInterface<Refusal> { };

TEST_P(Refusals, areOneSentence)
{
    if (!std::string_view(CUTAWAY_HAS_ONNXRUNTIME).starts_with("1"))
        GTEST_SKIP() << "the plugin 'onnxruntime' was not built";
    const auto output = shell("export XDG_CONFIG_HOME=$PWD/config\n" + std::string(GetParam().before)
                              + "\n. '" CUTAWAY_TARGETS "/ssh_target.sh'\n" + GetParam().after
                              + "\n\"$CLI\" run small.onnx --bind N=1 --backend onnxruntime --target far");
    if (output.exitCode == 77)
        GTEST_SKIP() << output.standardOutput;
    EXPECT_EQ(output.exitCode, 4) << output.standardOutput;
    EXPECT_NE(output.standardError.find(GetParam().sentence), std::string::npos) << output.standardError;
    EXPECT_EQ(std::ranges::count(output.standardError, '\n'), 1) << output.standardError;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Refusals,
    testing::Values(Refusal{"AnotherKey", "", "cp other_key.pub authorized_keys", "Permission denied"},
                    Refusal{"APassword", "passwords=yes", "cp other_key.pub authorized_keys", "Permission denied"},
                    Refusal{"APasswordThatIsAskedFor", "passwords=yes",
                            "cp other_key.pub authorized_keys; sed -i 's/\"ssh\"/\"env\", \"ssh\"/' "
                            "config/cutaway/targets.json",
                            "far"},
                    Refusal{"AnUnknownHost", "", ": >known_hosts", "Host key verification failed"},
                    Refusal{"NobodyThere", "", "kill $server $(cat sshd.pid); wait", "far"}),
    [](const auto &row) { return row.param.label; });

#undef SKIP_IF_NOT_THERE

} // namespace
