// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "program.h"
#include "small_onnx.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace {

using cutaway::test::Program;
using Arguments = std::vector<std::string>;

/// One line that says what is wrong, and nothing on standard output.
void expectOneLine(const cutaway::ProcessOutput &output, const std::string &part)
{
    EXPECT_EQ(output.standardOutput, "");
    EXPECT_TRUE(output.standardError.starts_with("cutaway: ")) << output.standardError;
    EXPECT_EQ(std::ranges::count(output.standardError, '\n'), 1) << output.standardError;
    EXPECT_NE(output.standardError.find(part), std::string::npos) << output.standardError;
}

struct Row {
    const char *name;
    Arguments arguments; ///< "@" becomes the small model's path
    const char *message;
};

class WrongUsage : public Program, public testing::WithParamInterface<Row> { };

TEST_P(WrongUsage, exitsWithTwoAndOneLine)
{
    Arguments arguments = GetParam().arguments;
    std::ranges::replace(arguments, std::string("@"), path("small.onnx"));
    const auto output = run(arguments);
    EXPECT_EQ(output.exitCode, 2);
    expectOneLine(output, GetParam().message);
    EXPECT_EQ(files(), Arguments{"small.onnx"});
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongUsage,
    testing::Values(
        Row{"noCommand", {}, "missing command"}, Row{"unknownCommand", {"frobnicate"}, "unknown command 'frobnicate'"},
        Row{"noFile", {"inspect"}, "FILE is required"}, Row{"unknownOption", {"inspect", "@", "--frob"}, "--frob"},
        Row{"unknownFunction", {"inspect", "@", "--function", "f"}, "unknown function 'f'; the file has"},
        Row{"unknownSymbol", {"inspect", "@", "--bind", "M=1"}, "unknown symbol 'M'; the model has N"},
        Row{"unknownInput", {"inspect", "@", "--input", "z=1:float32"}, "unknown input 'z'"},
        Row{"otherRank", {"inspect", "@", "--input", "x=1:float32"}, "has 2 dimensions, not 1"},
        Row{"otherDtype", {"inspect", "@", "--input", "x=2x3:int64"}, "input 'x' is float32, not int64"},
        Row{"unknownDtype", {"inspect", "@", "--input", "x=2x3:real"}, "unknown dtype 'real'"},
        Row{"twoInputs", {"inspect", "@", "--input", "x=2x4:float32", "--input", "x=[[1]]"}, "'x' is given twice"},
        Row{"raggedElements", {"inspect", "@", "--input", "x=[[1, 2, 3], [4]]"}, "unequal lengths, 3 and 1"},
        Row{"elementsOfAnotherRank",
            {"report", "@", "-o", "x.md", "--input", "x=[1, 2, 3]"},
            "has 2 dimensions, not 1"},
        Row{"elementsOfAnotherDtype",
            {"passes", "run", "@", "--input", "x=[[1, 2, 3]]:int64"},
            "is float32, not int64"},
        Row{"noTensorFile", {"run", "@", "--input", "x=@x.bin"}, "expected .npy, .pt or .json"},
        Row{"symbolOfTheFile", {"inspect", "@", "--input", "x=Mx3:float32"}, "dimension 0: the model has N, not M"},
        Row{"negativeSize", {"inspect", "@", "--input", "x=-2x3:float32"}, "'-2x3' is not a shape"},
        Row{"partOfATensor", {"inspect", "@", "--input", "x.0=2x3:float32"}, "is a tensor, which has no part '0'"},
        Row{"negativeBinding", {"inspect", "@", "--bind", "N=-1"}, "'N' cannot be -1: sizes are not negative"},
        Row{"hugeBinding", {"inspect", "@", "--bind", "N=99999999999999999999"}, "is not a binding"},
        Row{"twoBindings", {"inspect", "@", "--bind", "N=1", "--bind", "N=2"}, "'N' is given as 1 and as 2"},
        Row{"bindingAgainstInput",
            {"inspect", "@", "--bind", "N=1", "--input", "x=2x3:float32"},
            "the model has N = 1, not 2"},
        Row{"unknownDevice", {"inspect", "@", "--device", "tpu"}, "unknown device 'tpu'; known are"},
        Row{"badSweep", {"inspect", "@", "--sweep", "N=8:1"}, "'N=8:1' is not a sweep"},
        Row{"csvOfNoSweep", {"inspect", "@", "--csv"}, "--csv requires --sweep"},
        Row{"csvAndJson", {"inspect", "@", "--sweep", "N=1:2", "--csv", "--json"}, "--json"},
        Row{"unknownForm", {"print", "@", "--as", "dot"}, "dot not in {ir,fx,torchscript,graph,torch,onnx,"},
        Row{"functionOfJson", {"print", "@", "--as", "json", "--function", "small"}, "--function"},
        Row{"noPicture", {"draw", "@"}, "--output is required"},
        Row{"unknownSuffix", {"draw", "@", "-o", "x.jpg"}, "must end in .svg, .png, .pdf or .dot, not '.jpg'"},
        Row{"negativeDepth", {"draw", "@", "-o", "x.svg", "--depth", "-1"}, "--depth"},
        Row{"noReport", {"report", "@"}, "--output is required"},
        Row{"unknownReport", {"report", "@", "-o", "x.pdf"}, "must end in .md, .html, .json or .csv, not '.pdf'"},
        Row{"sweepOfNodes", {"report", "@", "-o", "x.csv", "--sweep", "N=1:2"}, "--sweep"},
        Row{"interactiveMarkdown", {"report", "@", "-o", "x.md", "--interactive"}, "an interactive page is .html"},
        Row{"interactiveSweep",
            {"report", "@", "-o", "x.html", "--interactive", "--sweep", "N=1:2"},
            "--sweep excludes --interactive"},
        Row{"timesOfNoPage", {"report", "@", "-o", "x.html", "--profile", "p.json"}, "requires --interactive"},
        Row{"twoKindsOfTimes",
            {"report", "@", "-o", "x.html", "--interactive", "--trace", "a.json", "--profile", "b.json"},
            "excludes"},
        Row{"statesOfNoPage", {"report", "@", "-o", "x.html", "--pipeline", "dead-code"}, "requires --interactive"},
        Row{"pageOfAnUnknownPass",
            {"report", "@", "-o", "x.html", "--interactive", "--pipeline", "no-such-pass"},
            "no-such-pass"},
        Row{"reportOfABadBinding", {"report", "@", "-o", "x.md", "--bind", "M=1"}, "unknown symbol 'M'"},
        Row{"flatAndDeep", {"draw", "@", "-o", "x.svg", "--depth", "1", "--flat"}, "--flat"}),
    [](const auto &row) { return row.param.name; });

/// A model of which a part cannot be; y = Relu(x) stands beside it.
struct BadModel {
    const char *name;
    std::string model;
    std::string diagnostic; ///< "node: message"
    const char *answered;   ///< y's shape
};

class PartlyWrong : public Program, public testing::WithParamInterface<BadModel> { };

TEST_P(PartlyWrong, isSaidOfTheNodeAndTheRestIsAnswered)
{
    write("bad.onnx", GetParam().model);
    const auto output = run({"inspect", path("bad.onnx"), "--json"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    const auto report = nlohmann::json::parse(output.standardOutput);
    std::vector<std::string> found;
    for (const auto &diagnostic : report.at("diagnostics")) {
        const std::string node = diagnostic.contains("node") ? diagnostic.at("node").dump() : "no node";
        found.push_back(node + ": " + diagnostic.at("message").get<std::string>());
    }
    EXPECT_TRUE(std::ranges::contains(found, GetParam().diagnostic)) << testing::PrintToString(found);
    EXPECT_EQ(report.at("functions").at(0).at("outputs").at(0).at("shape").dump(), GetParam().answered);
}

std::string beside(const cutaway::test::OnnxNode &bad, const std::vector<cutaway::test::OnnxValue> &recorded = {})
{
    return cutaway::test::onnxModel({{"Relu", {"x"}, "y"}, bad}, {{"x", {2, 3}}}, {{"y", {2, 3}}}, recorded);
}

constexpr std::int64_t huge = std::int64_t{1} << 62;

INSTANTIATE_TEST_SUITE_P(
    Rows, PartlyWrong,
    testing::Values(
        BadModel{"contradictoryRecord", beside({"Abs", {"x"}, "z"}, {{"z", {4, 5}}}),
                 "1: z: float32[2, 3] is derived and float32[4, 5] recorded", "[2,3]"},
        BadModel{"factorsThatDoNotFit", beside({"MatMul", {"x", "x"}, "z"}), "1: cannot multiply [2, 3] by [2, 3]",
                 "[2,3]"},
        BadModel{"anUnknownOperator", beside({"Frobnicate", {"x"}, "z"}), "1: no rule for onnx::Frobnicate", "[2,3]"},
        BadModel{"sizesThatOverflow",
                 cutaway::test::onnxModel({{"Relu", {"x"}, "y"}}, {{"x", {huge, huge}}}, {{"y", {huge, huge}}}),
                 cutaway::formatted("0: a tensor of shape [{0}, {0}] has more elements than 63 bits count", huge),
                 "[4611686018427387904,4611686018427387904]"},
        BadModel{"aNegativeSize", cutaway::test::onnxModel({{"Relu", {"x"}, "y"}}, {{"x", {-5, 3}}}, {{"y", {-5, 3}}}),
                 "no node: a value's size is -5, shown as unknown", "[\"x_0\",3]"}),
    [](const auto &row) { return row.param.name; });

class CannotRead : public Program { };

TEST_F(CannotRead, aMissingFileOfMeasuredTimesIsTheOneThatIsNamed)
{
    for (const std::string kind : {"--profile", "--trace"}) {
        const auto output = run({"report", path("small.onnx"), "-o", "x.html", "--interactive", kind, "no-such.json"});
        EXPECT_EQ(output.exitCode, 3);
        expectOneLine(output, "cutaway: no-such.json: ");
    }
}

TEST_F(CannotRead, aMissingFile)
{
    const auto output = run({"inspect", path("none.onnx"), "--json"});
    EXPECT_EQ(output.exitCode, 3);
    expectOneLine(output, "none.onnx: cannot be opened");
}

TEST_F(CannotRead, aFolder)
{
    const auto output = run({"inspect", path("")});
    EXPECT_EQ(output.exitCode, 3);
    expectOneLine(output, "folder");
}

TEST_F(CannotRead, anEmptyFile)
{
    write("empty.pt2", "");
    const auto output = run({"print", path("empty.pt2")});
    EXPECT_EQ(output.exitCode, 3);
    expectOneLine(output, "empty.pt2: the file is empty");
}

TEST_F(CannotRead, aFileOfAnotherKind)
{
    write("notes.txt", "no model at all\n");
    const auto output = run({"draw", path("notes.txt"), "-o", path("out.svg")});
    EXPECT_EQ(output.exitCode, 3);
    expectOneLine(output, "notes.txt: ");
    EXPECT_EQ(files(), (Arguments{"notes.txt", "small.onnx"}));
}

TEST_F(CannotRead, aTruncatedModel)
{
    const std::string whole = cutaway::test::smallOnnx();
    write("cut.onnx", whole.substr(0, whole.size() / 2));
    const auto output = run({"inspect", path("cut.onnx"), "--json"});
    EXPECT_EQ(output.exitCode, 3);
    expectOneLine(output, "cut.onnx");
}

TEST_F(CannotRead, aNameWithControlCharactersIsEscaped)
{
    const auto output = run({"inspect", path("two\nlines\x1b[31m")});
    EXPECT_EQ(output.exitCode, 3);
    expectOneLine(output, "two\\x0alines\\x1b[31m");
}

class CannotWrite : public Program { };

TEST_F(CannotWrite, aFullDiskIsExitCodeFour)
{
    const auto output = shell("\"$CLI\" inspect small.onnx --json > /dev/full");
    EXPECT_EQ(output.exitCode, 4);
    expectOneLine(output, "standard output: cannot be written: No space left on device");
}

TEST_F(CannotWrite, aFileThatMayNotGrowIsAnError)
{
    write("out.html", "of yesterday");
    const auto output = shell("ulimit -f 1; \"$CLI\" report small.onnx -o out.html");
    EXPECT_EQ(output.exitCode, 4);
    expectOneLine(output, "could not save the file: File too large (out.html)");
    EXPECT_EQ(files(), (Arguments{"out.html", "small.onnx"}));
}

TEST_F(CannotWrite, aReaderThatStopsIsFine)
{
    const auto output = shell("\"$CLI\" inspect small.onnx --json | true");
    EXPECT_EQ(output.exitCode, 0);
    EXPECT_EQ(output.standardError, "");
}

TEST_F(CannotWrite, aReportWithoutAFolderLeavesNothing)
{
    const auto output = run({"report", path("small.onnx"), "-o", path("none/out.html")});
    EXPECT_EQ(output.exitCode, 4);
    expectOneLine(output, "out.html");
    EXPECT_EQ(files(), Arguments{"small.onnx"});
}

TEST_F(CannotWrite, aPictureWithoutAFolderLeavesNothing)
{
    const auto output = run({"draw", path("small.onnx"), "-o", path("none/out.svg")});
    EXPECT_EQ(output.exitCode, 4);
    expectOneLine(output, "out.svg");
    EXPECT_EQ(files(), Arguments{"small.onnx"});
}

} // namespace
