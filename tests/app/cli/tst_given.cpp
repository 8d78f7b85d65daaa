// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of --input: elements that decide shapes, and sizes that replace those of the file.

#include "program.h"
#include "small_onnx.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

using cutaway::test::Program;
using nlohmann::json;
using Arguments = std::vector<std::string>;

class Given : public Program {
protected:
    Given()
    {
        // y = Reshape(x, shape): only the elements of the input `shape` say what y is.
        write("reshape.onnx",
              cutaway::test::onnxModel({{"Reshape", {"x", "shape"}, "y"}},
                                       {{"x", {2, 6}}, {"shape", {2}, cutaway::test::onnxInt64}}, {{"y", {"a", "b"}}}));
        write("fixed.onnx",
              cutaway::test::onnxModel({{"Relu", {"x"}, "i"}, {"Neg", {"i"}, "y"}}, {{"x", {1, 3}}}, {{"y", {1, 3}}},
                                       {{"i", {1, 3}}}));
        write("held.onnx",
              cutaway::test::onnxModel({{"Add", {"x", "z"}, "y"}}, {{"x", {2, 3}}, {"z", {2, 3}}}, {{"y", {2, 3}}}));
        write("shape.json", "[3, 4]");
        write("shape.npy", arrayOfShape());
        write("short.npy", arrayOfShape().substr(0, 130));
    }

    static std::string arrayOfShape()
    {
        std::string header = "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }";
        header.append(117 - header.size(), ' ').append("\n");
        std::string elements(16, '\0');
        elements[0] = 3;
        elements[8] = 4;
        return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + elements;
    }

    json inspected(const std::string &file, Arguments options)
    {
        options.insert(options.begin(), {"inspect", path(file), "--json"});
        const auto output = run(options);
        EXPECT_EQ(output.exitCode, 0) << output.standardError;
        return json::parse(output.standardOutput, nullptr, false);
    }
};

struct ElementsRow {
    const char *name;
    const char *input;
};

class GivenElements : public Given, public testing::WithParamInterface<ElementsRow> { };

TEST_P(GivenElements, decideShapesInEveryCommand)
{
    std::string input = GetParam().input;
    if (const std::size_t at = input.find('@'); at != std::string::npos)
        input.insert(at + 1, path(""));
    const auto text = run({"inspect", path("reshape.onnx"), "--input", input});
    EXPECT_NE(text.standardOutput.find("[3, 4]"), std::string::npos) << text.standardOutput << text.standardError;
    const auto report = run({"report", path("reshape.onnx"), "-o", path("r.md"), "--input", input});
    EXPECT_EQ(report.exitCode, 0) << report.standardError;
    std::ifstream file(path("r.md"));
    const std::string document((std::istreambuf_iterator<char>(file)), {});
    EXPECT_NE(document.find("[3, 4]"), std::string::npos) << document;
    const auto passes = run({"passes", "run", path("reshape.onnx"), "--input", input, "--check-numbers"});
    EXPECT_EQ(passes.exitCode, 0) << passes.standardOutput << passes.standardError;
    const auto ran = run({"run", path("reshape.onnx"), "--backend", "evaluator", "--input", input});
    EXPECT_NE(ran.standardOutput.find("float32[3, 4]"), std::string::npos) << ran.standardOutput << ran.standardError;
    const auto compared =
        run({"compare", path("reshape.onnx"), path("reshape.onnx"), "--backend", "evaluator", "--input", input});
    EXPECT_EQ(compared.exitCode, 0) << compared.standardOutput << compared.standardError;
}

INSTANTIATE_TEST_SUITE_P(Rows, GivenElements,
                         testing::Values(ElementsRow{"list", "shape=[3, 4]"},
                                         ElementsRow{"typedList", "shape=[3,4]:int64"},
                                         ElementsRow{"jsonFile", "shape=@shape.json"},
                                         ElementsRow{"numpyFile", "shape=@shape.npy"}),
                         [](const auto &row) { return row.param.name; });

TEST_F(Given, elementsAreNotWhatPassesWrite)
{
    const auto output = run({"passes", "run", path("reshape.onnx"), "--input", "shape=[3, 4]", "-o", path("out.onnx")});
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    const auto other = run({"run", path("out.onnx"), "--backend", "evaluator", "--input", "shape=[6, 2]"});
    EXPECT_NE(other.standardOutput.find("float32[6, 2]"), std::string::npos)
        << other.standardOutput << other.standardError;
}

TEST_F(Given, aTruncatedFileIsUnreadable)
{
    const auto output = run({"inspect", path("reshape.onnx"), "--input", "shape=@" + path("short.npy")});
    EXPECT_EQ(output.exitCode, 3);
    EXPECT_NE(output.standardError.find("input 'shape': the file is not an array of NumPy"), std::string::npos)
        << output.standardError;
    EXPECT_EQ(run({"inspect", path("reshape.onnx"), "--input", "shape=@" + path("none.npy")}).exitCode, 3);
}

TEST_F(Given, sizesReplaceFixedOnes)
{
    const auto text = run({"inspect", path("fixed.onnx"), "--input", "x=8x3:float32"});
    EXPECT_NE(text.standardOutput.find("[8, 3]"), std::string::npos) << text.standardOutput << text.standardError;
    EXPECT_EQ(text.standardOutput.find("[1, 3]"), std::string::npos) << text.standardOutput;
    const auto ran = run({"run", path("fixed.onnx"), "--backend", "evaluator", "--input", "x=8x3:float32"});
    EXPECT_NE(ran.standardOutput.find("float32[8, 3]"), std::string::npos) << ran.standardOutput << ran.standardError;
}

TEST_F(Given, aFixedSizeCanBeSwept)
{
    const auto output = run({"inspect", path("fixed.onnx"), "--input", "x=Bx3:float32", "--sweep", "B=1:4", "--csv"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_NE(output.standardOutput.find("\n4,"), std::string::npos) << output.standardOutput;
}

struct WrittenRow {
    const char *name;
    const char *input;
    const char *shape;
};

class GivenSizes : public Given, public testing::WithParamInterface<WrittenRow> { };

TEST_P(GivenSizes, areWritten)
{
    const auto output = run({"passes", "run", path("fixed.onnx"), "--input", GetParam().input, "-o", path("out.onnx")});
    ASSERT_EQ(output.exitCode, 0) << output.standardError;
    const auto text = run({"print", path("out.onnx")});
    for (const char *name : {"%x: ", "%i: ", "%y: "})
        EXPECT_NE(text.standardOutput.find(name + std::string("float32") + GetParam().shape), std::string::npos)
            << text.standardOutput;
}

INSTANTIATE_TEST_SUITE_P(Rows, GivenSizes,
                         testing::Values(WrittenRow{"number", "x=8x3:float32", "[8, 3]"},
                                         WrittenRow{"symbol", "x=batchx3:float32", "[batch, 3]"},
                                         WrittenRow{"theFilesOwn", "x=1x3:float32", "[1, 3]"}),
                         [](const auto &row) { return row.param.name; });

TEST_F(Given, whatHoldsASizeIsADiagnosticAndNotWritten)
{
    const json report = inspected("held.onnx", {"--input", "x=4x3:float32"});
    const std::string diagnostics = report.dump();
    EXPECT_NE(diagnostics.find("size.fixed"), std::string::npos) << diagnostics;
    EXPECT_NE(diagnostics.find("the given sizes do not change z [2, 3]"), std::string::npos) << diagnostics;
    const auto output = run({"passes", "run", path("held.onnx"), "--input", "x=4x3:float32", "-o", path("out.onnx")});
    EXPECT_EQ(output.exitCode, 2);
    EXPECT_NE(output.standardError.find("it is not written with the given sizes: "), std::string::npos)
        << output.standardError;
    EXPECT_FALSE(std::filesystem::exists(path("out.onnx")));
}

TEST_F(Given, anotherDTypeIsNotWritten)
{
    const auto output = run({"passes", "run", path("fixed.onnx"), "--input", "x=1x3:float16", "-o", path("out.onnx")});
    EXPECT_EQ(output.exitCode, 2);
    EXPECT_NE(output.standardError.find("input 'x' is float32 in the file and given as float16"), std::string::npos)
        << output.standardError;
}

} // namespace
