// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include "tests/core/formats/safetensors/file_text.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace {

using cutaway::ProcessOutput;
using nlohmann::json;
using namespace std::string_literals;

/// a.safetensors has fc.weight = [[1, 2], [3, 4]] and n = [7]; b.safetensors has another fc.weight.
class TensorCommand : public cutaway::test::Program {
protected:
    TensorCommand()
    {
        writeFile("a.safetensors", "\0\0\x80\x40\7"s);
        writeFile("b.safetensors", "\0\0\xa0\x40\7"s);
    }

    void writeFile(const std::string &name, const std::string &last)
    {
        const std::string header = R"({"fc.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},)"
                                   R"("n":{"dtype":"U8","shape":[1],"data_offsets":[16,17]}})";
        write(name, cutaway::formats::safetensors::fileText(header, "\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40"s + last));
    }

    ProcessOutput tensor(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin(), "tensor");
        return run(std::move(arguments));
    }

    std::string content(const std::string &name) const
    {
        std::ostringstream text;
        text << std::ifstream(path(name), std::ios::binary).rdbuf();
        return text.str();
    }
};

TEST_F(TensorCommand, listsTensors)
{
    EXPECT_EQ(tensor({path("a.safetensors")}).standardOutput,
              "fc.weight  parameter  float32  [2, 2]  16 B\nn          buffer     uint8    [1]      1 B\n");
    const json list = json::parse(tensor({path("a.safetensors"), "--json"}).standardOutput);
    EXPECT_EQ(list.at("tensors").at(1).at("storage").at("length"), 1);
}

TEST_F(TensorCommand, describesOne)
{
    const auto output = tensor({path("a.safetensors"), "fc.weight", "--slice", "1"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    for (const std::string line :
         {"  min          1\n", "  max          4\n", "  mean       2.5\n", "  std    1.11803\n",
          "Elements 1 [2]\n  3  4\n", "  stored    a.safetensors, byte "})
        EXPECT_NE(output.standardOutput.find(line), std::string::npos) << line << output.standardOutput;
}

TEST_F(TensorCommand, describesOneAsJson)
{
    const auto output = tensor({path("a.safetensors"), "fc.weight", "--json", "--channels", "1", "--slice", ":,0"});
    const json report = json::parse(output.standardOutput);
    EXPECT_EQ(report.at("schema"), "cutaway.tensor/1");
    EXPECT_EQ(report.at("statistics").at("max"), 4);
    EXPECT_EQ(report.at("channels").at(0).at("mean"), 2);
    EXPECT_EQ(report.at("slice").at("elements"), (json{"1", "3"}));
    EXPECT_EQ(report.at("histogram").at("counts").size(), 64u);
}

TEST_F(TensorCommand, saves)
{
    EXPECT_EQ(tensor({path("a.safetensors"), "fc.weight", "--save", path("t.csv")}).exitCode, 0);
    EXPECT_EQ(content("t.csv"), "1,2\r\n3,4\r\n");
    EXPECT_EQ(tensor({path("a.safetensors"), "fc.weight", "--slice", "0", "--save", path("t.npy")}).exitCode, 0);
    EXPECT_TRUE(content("t.npy").ends_with("\n\0\0\x80\x3f\0\0\0\x40"s));
    const auto output = tensor({path("a.safetensors"), "fc.weight", "--save", path("t.txt")});
    EXPECT_EQ(output.exitCode, 2);
}

TEST_F(TensorCommand, compares)
{
    const auto same = tensor({path("a.safetensors"), "n", "--against", path("b.safetensors")});
    EXPECT_EQ(same.exitCode, 0) << same.standardError;
    const auto other =
        tensor({path("a.safetensors"), "fc.weight", "--against", path("b.safetensors") + ":fc.weight", "--json"});
    EXPECT_EQ(other.exitCode, 1) << other.standardError;
    const json report = json::parse(other.standardOutput);
    EXPECT_EQ(report.at("differing"), 1);
    EXPECT_EQ(report.at("first_difference"), 3);
    EXPECT_EQ(report.at("max_abs"), 1);
    EXPECT_EQ(report.at("max_rel"), 0.2);
    const auto text = tensor({path("a.safetensors"), "fc.weight", "--against", path("b.safetensors")});
    EXPECT_NE(text.standardOutput.find("first      at [1, 1]: 4 and 5\n"), std::string::npos) << text.standardOutput;
}

TEST_F(TensorCommand, saysWhatIsWrong)
{
    const auto unknown = tensor({path("a.safetensors"), "fc.wight"});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_NE(unknown.standardError.find("the model has no tensor 'fc.wight'; it has fc.weight"), std::string::npos)
        << unknown.standardError;
    EXPECT_EQ(tensor({path("a.safetensors"), "n", "--slice", "1"}).exitCode, 2);
    EXPECT_EQ(tensor({path("a.safetensors"), "n", "--channels", "1"}).exitCode, 2);
    EXPECT_EQ(tensor({path("none.safetensors")}).exitCode, 3);
}

TEST_F(TensorCommand, filesOfWeightsAreComparedAndHaveNoGraphToInspect)
{
    const auto graphless = run({"inspect", path("a.safetensors"), "--json"});
    EXPECT_EQ(graphless.exitCode, 3);
    EXPECT_EQ(graphless.standardError,
              "cutaway: " + path("a.safetensors")
                  + ": weights without a graph (2 tensors); 'cutaway-cli tensor' shows them\n");
    EXPECT_EQ(run({"diff", path("a.safetensors"), path("a.safetensors")}).exitCode, 0);
    const auto difference = run({"diff", path("a.safetensors"), path("b.safetensors")});
    EXPECT_EQ(difference.exitCode, 1) << difference.standardError;
    EXPECT_NE(difference.standardOutput.find("+weight fc.weight: float32[2, 2] with other values (1 of 4)\n"),
              std::string::npos)
        << difference.standardOutput;
}

} // namespace
