// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace {

using cutaway::test::Program;
using nlohmann::json;

class Inspect : public Program {
protected:
    json report(const std::vector<std::string> &options = {})
    {
        std::vector<std::string> arguments{"inspect", path("small.onnx"), "--json"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto output = run(arguments);
        EXPECT_EQ(output.exitCode, 0) << output.standardError;
        EXPECT_EQ(output.standardError, "");
        return json::parse(output.standardOutput);
    }
};

TEST_F(Inspect, jsonIsOneReport)
{
    const json r = report();
    EXPECT_EQ(r.at("schema"), "cutaway.report/1");
    EXPECT_EQ(r.at("model").at("format"), "onnx");
    EXPECT_EQ(r.at("model").at("producer"), "by hand");
    EXPECT_EQ(r.at("symbols").at(0).at("name"), "N");
    const json &main = r.at("functions").at(0);
    EXPECT_EQ(main.at("inputs").at(0).at("shape"), json::parse(R"(["N", 3])"));
    EXPECT_EQ(main.at("nodes").at(0).at("op"), "onnx::Relu");
    EXPECT_EQ(main.at("outputs").at(0).at("name"), "y");
}

TEST_F(Inspect, inputShapesDecideSymbols)
{
    const json r = report({"--input", "x=7x3:float32"});
    EXPECT_EQ(r.at("functions").at(0).at("outputs").at(0).at("shape"), json::parse("[7, 3]"));
}

TEST_F(Inspect, boundSymbolsAreNumbers)
{
    const json r = report({"--bind", "N=4"});
    EXPECT_EQ(r.at("functions").at(0).at("inputs").at(0).at("shape"), json::parse("[4, 3]"));
}

TEST_F(Inspect, textNamesInputsAndOperators)
{
    const auto output = run({"inspect", path("small.onnx")});
    EXPECT_EQ(output.exitCode, 0);
    EXPECT_NE(output.standardOutput.find("x  float32  [N, 3]"), std::string::npos) << output.standardOutput;
    EXPECT_NE(output.standardOutput.find("onnx::Relu"), std::string::npos);
}

TEST_F(Inspect, aDeviceGivesTimes)
{
    const json roofline = report({"--bind", "N=4", "--device", "h100-sxm"}).at("roofline");
    EXPECT_EQ(roofline.at("device"), "h100-sxm");
    EXPECT_EQ(roofline.at("unknown"), 0);
    EXPECT_EQ(roofline.at("fits"), true);
    const json &relu = roofline.at("nodes").at(0);
    EXPECT_EQ(relu.at("bound"), "memory");
    EXPECT_EQ(relu.at("intensity"), 0.125); // one operation per element of four bytes, read and written
    EXPECT_EQ(relu.at("seconds"), roofline.at("seconds"));
    EXPECT_FALSE(report().contains("roofline"));
}

TEST_F(Inspect, aDeviceGivesTimesAsText)
{
    const auto output = run({"inspect", path("small.onnx"), "--bind", "N=4", "--device", "h100-sxm"});
    EXPECT_NE(output.standardOutput.find("\nRoofline on NVIDIA H100 SXM5 80GB\n  time (lower bound)  < 1 ns\n"),
              std::string::npos)
        << output.standardOutput;
    const auto open = run({"inspect", path("small.onnx"), "--device", "h100-sxm"});
    EXPECT_NE(open.standardOutput.find("not known  1 node: a size is a symbol without a value"), std::string::npos)
        << open.standardOutput;
}

TEST_F(Inspect, aSweepIsATable)
{
    const auto output = run({"inspect", path("small.onnx"), "--sweep", "N=1:100:*10", "--csv"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(output.standardOutput,
              "N,flops,other_flops,bytes_read,bytes_written,peak_activation_bytes,seconds\r\n"
              "1,0,3,12,12,24,\r\n"
              "10,0,30,120,120,240,\r\n"
              "100,0,300,1200,1200,2400,\r\n");
    const json sweep = report({"--sweep", "N=1:100:*10"});
    EXPECT_EQ(sweep.at("schema"), "cutaway.sweep/1");
    EXPECT_EQ(sweep.at("points").size(), 3u);
}

class Print : public Program { };

TEST_F(Print, theTextualFormIsTheDefault)
{
    const auto output = run({"print", path("small.onnx")});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_NE(output.standardOutput.find("onnx::Relu"), std::string::npos);
    EXPECT_EQ(output.standardOutput, run({"print", path("small.onnx"), "--as", "ir"}).standardOutput);
}

TEST_F(Print, fullFormHasTheWeightsToo)
{
    const auto brief = run({"print", path("small.onnx")});
    const auto full = run({"print", path("small.onnx"), "--full"});
    EXPECT_EQ(full.exitCode, 0) << full.standardError;
    EXPECT_EQ(brief.standardOutput.find("\nfile "), std::string::npos) << brief.standardOutput;
    EXPECT_NE(full.standardOutput.find("\nfile "), std::string::npos) << full.standardOutput;
    EXPECT_EQ(run({"print", path("small.onnx"), "--as", "fx", "--full"}).exitCode, 2);
}

TEST_F(Print, fxIsATable)
{
    const auto output = run({"print", path("small.onnx"), "--as", "fx"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_NE(output.standardOutput.find("call_function"), std::string::npos);
}

TEST_F(Print, torchScriptIsCode)
{
    const auto output = run({"print", path("small.onnx"), "--as", "torchscript"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_NE(output.standardOutput.find("y = onnx.Relu(x)\n  return y\n"), std::string::npos) << output.standardOutput;
}

TEST_F(Print, onnxIsItsOwnTextForm)
{
    const auto output = run({"print", path("small.onnx"), "--as", "onnx"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_NE(output.standardOutput.find(" (float[N,3] x) => (float[N,3] y)\n{\n   y = Relu (x)\n}\n"),
              std::string::npos)
        << output.standardOutput;
}

TEST_F(Print, saysNothingOfWhereTheFileLies)
{
    shell("mkdir -p a b && cp small.onnx a/ && cp small.onnx b/");
    EXPECT_EQ(run({"print", path("a/small.onnx")}).standardOutput, run({"print", path("b/small.onnx")}).standardOutput);
}

TEST_F(Print, theHelpNamesEveryForm)
{
    const auto output = run({"print", "--help"});
    for (const char *form : {"ir:", "fx:", "torchscript:", "onnx:", "json:"})
        EXPECT_NE(output.standardOutput.find(form), std::string::npos) << form << "\n" << output.standardOutput;
}

TEST_F(Print, jsonIsTheModelsSchema)
{
    const auto output = run({"print", path("small.onnx"), "--as", "json"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(json::parse(output.standardOutput).at("schema"), "cutaway.ir/1");
}

struct Picture {
    const char *name;
    const char *file;
    const char *start;
};

class Draw : public Program, public testing::WithParamInterface<Picture> { };

TEST_P(Draw, makesThePictureAndNothingElse)
{
    const auto output = run({"draw", path("small.onnx"), "-o", path(GetParam().file)});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(output.standardOutput, "");
    EXPECT_EQ(files(), (std::vector<std::string>{GetParam().file, "small.onnx"}));
    std::ifstream in(path(GetParam().file), std::ios::binary);
    std::stringstream content;
    content << in.rdbuf();
    EXPECT_TRUE(content.str().starts_with(GetParam().start)) << content.str().substr(0, 40);
}

INSTANTIATE_TEST_SUITE_P(Rows, Draw,
                         testing::Values(Picture{"svg", "a.svg", "<"}, Picture{"png", "a.png", "\x89PNG"},
                                         Picture{"pdf", "a.pdf", "%PDF"}, Picture{"dot", "a.dot", "digraph"}),
                         [](const auto &row) { return row.param.name; });

class Report : public Program, public testing::WithParamInterface<Picture> { };

TEST_P(Report, makesTheDocumentAndNothingElse)
{
    const auto output = run({"report", path("small.onnx"), "-o", path(GetParam().file), "--bind", "N=4"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(output.standardOutput, "");
    EXPECT_EQ(files(), (std::vector<std::string>{GetParam().file, "small.onnx"}));
    std::ifstream in(path(GetParam().file), std::ios::binary);
    std::stringstream content;
    content << in.rdbuf();
    EXPECT_TRUE(content.str().starts_with(GetParam().start)) << content.str().substr(0, 80);
}

INSTANTIATE_TEST_SUITE_P(Rows, Report,
                         testing::Values(Picture{"markdown", "a.md", "# `small.onnx`\n"},
                                         Picture{"html", "a.html", "<!DOCTYPE html>"},
                                         Picture{"csv", "a.csv", "id,name,op,"},
                                         Picture{"json", "a.json", "{\"schema\":\"cutaway.report/1\""}),
                         [](const auto &row) { return row.param.name; });

TEST_F(Inspect, aReportHasTheSweepToo)
{
    EXPECT_EQ(run({"report", path("small.onnx"), "-o", path("a.json"), "--sweep", "N=1:3", "--device", "l4"}).exitCode,
              0);
    std::ifstream in(path("a.json"));
    const json r = json::parse(in);
    EXPECT_EQ(r.at("sweep").at("points").size(), 3u);
    EXPECT_GT(r.at("sweep").at("points").at(0).at("seconds"), 0.0);
    EXPECT_EQ(r.at("roofline").at("device"), "l4");
    EXPECT_EQ(run({"report", path("small.onnx"), "-o", path("a.html"), "--sweep", "N=1:3", "--device", "l4"}).exitCode,
              0);
    std::stringstream page;
    page << std::ifstream(path("a.html")).rdbuf();
    EXPECT_NE(page.str().find("<title>peak memory against N</title>"), std::string::npos);
}

class Help : public Program, public testing::WithParamInterface<std::string> { };

TEST_P(Help, isOnStandardOutputWithAnExample)
{
    const auto output =
        run(GetParam().empty() ? std::vector<std::string>{"--help"} : std::vector{GetParam(), std::string("--help")});
    EXPECT_EQ(output.exitCode, 0);
    EXPECT_EQ(output.standardError, "");
    EXPECT_NE(output.standardOutput.find("Examples:\n  cutaway-cli "), std::string::npos) << output.standardOutput;
}

INSTANTIATE_TEST_SUITE_P(Commands, Help,
                         testing::Values("", "inspect", "print", "draw", "report", "plugins", "devices"),
                         [](const auto &row) { return row.param.empty() ? std::string("program") : row.param; });

TEST_F(Inspect, versionIsTheProjects) { EXPECT_TRUE(run({"--version"}).standardOutput.starts_with("cutaway-cli ")); }

} // namespace
