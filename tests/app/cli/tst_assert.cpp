// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <nlohmann/json.hpp>

namespace {

using cutaway::ProcessOutput;
using cutaway::test::Program;
using nlohmann::json;

/// A model y = Relu(x), where x is float32[N, 3].
class InspectAssert : public Program {
protected:
    ProcessOutput held(const std::vector<std::string> &assertions, const std::vector<std::string> &more = {})
    {
        std::vector<std::string> arguments{"inspect", path("small.onnx")};
        for (const std::string &assertion : assertions)
            arguments.insert(arguments.end(), {"--assert", assertion});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }
};

TEST_F(InspectAssert, saysNothingOfWhatHolds)
{
    const auto output = held({"flops<=8.2G,nodes==1", "ops!~Loop", "ops~Relu", "inputs~float32"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(output.standardOutput, run({"inspect", path("small.onnx")}).standardOutput);
}

TEST_F(InspectAssert, listsWhatDoesNotHold)
{
    const auto output = held({"bytes<96B", "bytes<=96B", "ops!~onnx::*"}, {"--bind", "N=4"});
    EXPECT_EQ(output.exitCode, 1) << output.standardError;
    EXPECT_TRUE(output.standardOutput.ends_with(
        "\n\nbytes<96B does not hold: it is 96 B\nops!~onnx::* does not hold: there is onnx::Relu\n"))
        << output.standardOutput;
}

TEST_F(InspectAssert, doesNotGuessWhatIsOpen)
{
    const auto output = held({"bytes<1TB"});
    EXPECT_EQ(output.exitCode, 1);
    EXPECT_TRUE(
        output.standardOutput.ends_with("\nbytes<1TB is not known: it is 24*N; --bind or --input gives the sizes\n"))
        << output.standardOutput;
}

TEST_F(InspectAssert, leavesJsonAsItIs)
{
    const auto output = held({"nodes>1"}, {"--json"});
    EXPECT_EQ(output.exitCode, 1);
    EXPECT_EQ(json::parse(output.standardOutput).at("schema"), "cutaway.report/1");
    EXPECT_EQ(output.standardError, "cutaway: " + path("small.onnx") + ": nodes>1 does not hold: it is 1\n");
}

TEST_F(InspectAssert, isRefusedWithItsPlace)
{
    const auto output = held({"nodes<5,speed<7"});
    EXPECT_EQ(output.exitCode, 2);
    EXPECT_TRUE(output.standardError.contains("unknown figure 'speed'; there are flops, macs, "))
        << output.standardError;
    EXPECT_TRUE(output.standardError.contains("(character 9 of 'nodes<5,speed<7')")) << output.standardError;
    EXPECT_EQ(held({"nodes<5"}, {"--sweep", "N=1:4"}).exitCode, 2);
}

} // namespace
