// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace {

using cutaway::test::Program;
using nlohmann::json;

class Diff : public Program {
protected:
    /// other.onnx: small.onnx with a Selu in place of its Relu.
    Diff()
    {
        std::ifstream file(path("small.onnx"), std::ios::binary);
        std::string bytes(std::istreambuf_iterator<char>(file), {});
        bytes.replace(bytes.find("Relu", bytes.find("Relu") + 1), 4, "Selu");
        write("other.onnx", bytes);
    }
};

TEST_F(Diff, ofAFileWithItselfIsEmpty)
{
    const auto output = run({"diff", path("small.onnx"), path("small.onnx")});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(output.standardOutput, "");
}

TEST_F(Diff, isLinesAndExitCode1)
{
    const auto output = run({"diff", path("small.onnx"), path("other.onnx")});
    EXPECT_EQ(output.exitCode, 1) << output.standardError;
    EXPECT_NE(output.standardOutput.find("# operator: onnx::Relu -> onnx::Selu\n"), std::string::npos)
        << output.standardOutput;
}

TEST_F(Diff, asJson)
{
    const auto output = run({"diff", path("small.onnx"), path("other.onnx"), "--json", "--bind", "N=4"});
    EXPECT_EQ(output.exitCode, 1) << output.standardError;
    const json report = json::parse(output.standardOutput);
    EXPECT_EQ(report.at("schema"), "cutaway.diff/1");
    EXPECT_EQ(report.at("summary").at("changed"), 1);
}

TEST_F(Diff, intoAFile)
{
    for (const std::string name : {"d.html", "d.md", "d.json", "d.diff"}) {
        const auto output = run({"diff", path("small.onnx"), path("other.onnx"), "-o", path(name)});
        EXPECT_EQ(output.exitCode, 1) << output.standardError;
        EXPECT_EQ(output.standardOutput, "");
        EXPECT_GT(std::filesystem::file_size(path(name)), 100u) << name;
    }
}

TEST_F(Diff, asACommentForAPullRequest)
{
    const auto output = run({"diff", path("small.onnx"), path("other.onnx"), "--markdown", "--bind", "N=4"});
    EXPECT_EQ(output.exitCode, 1) << output.standardError;
    EXPECT_TRUE(output.standardOutput.starts_with("### `")) << output.standardOutput;
    EXPECT_TRUE(output.standardOutput.contains(": 1 node changed, 0 removed, 0 added\n")) << output.standardOutput;
    EXPECT_TRUE(output.standardOutput.contains("\n# operator: onnx::Relu -> onnx::Selu\n")) << output.standardOutput;
    EXPECT_EQ(run({"diff", path("small.onnx"), path("other.onnx"), "--markdown", "--json"}).exitCode, 2);
}

TEST_F(Diff, failsAsOtherCommandsDo)
{
    EXPECT_EQ(run({"diff", path("small.onnx")}).exitCode, 2);
    EXPECT_EQ(run({"diff", path("small.onnx"), path("other.onnx"), "-o", path("d.png")}).exitCode, 2);
    const auto missing = run({"diff", path("small.onnx"), path("none.onnx")});
    EXPECT_EQ(missing.exitCode, 3);
    EXPECT_NE(missing.standardError.find("none.onnx"), std::string::npos) << missing.standardError;
    write("odd.onnx", "this is not a model");
    EXPECT_EQ(run({"diff", path("odd.onnx"), path("small.onnx")}).exitCode, 3);
}

} // namespace
