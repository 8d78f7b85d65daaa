// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion to ONNX from the command line; what operators become is in tests/data/convert.
#include "program.h"

#include <algorithm>

namespace cutaway::test {
namespace {

/// small.json: y = OPERATOR(x, k=1.5) + 1
class Convert : public Program {
protected:
    void writeModel(const std::string &dialect, const std::string &name, const std::string &arguments,
                    const std::string &rows = "4")
    {
        write("small.json",
              R"({"schema": "cutaway.ir/1", "name": "small", "format": "pt2", "opsets": [["aten", 10]],
                  "symbols": [{"name": "s0", "min": 2, "max": 64}],
                  "types": [{"kind": "unknown"}, {"kind": "tensor", "dtype": "float32", "shape": [)"
                  + rows + R"(, 5]}],
                  "scopes": [{"parent": 0, "call": 0}], "locations": [{"line": 0, "caller": 0}],
                  "modules": [{"parent": 0, "class": "Small"}],
                  "functions": [{"name": "forward", "kind": "graph",
                    "inputs": [{"name": "x", "kind": "user", "value": {"value": 0}}],
                    "outputs": [{"name": "y", "kind": "user", "value": {"value": 2}}],
                    "node_count": 2,
                    "values": [{"name": "x", "type": 1}, {"name": "a", "type": 1}, {"name": "y", "type": 1}],
                    "body": {"inputs": [0], "outputs": [{"value": 2}], "nodes": [
                      {"id": 0, "op": {"dialect": ")"
                  + dialect + R"(", "name": ")" + name + R"("}, "name": "first", "arguments": )" + arguments
                  + R"(, "outputs": [1]},
                      {"id": 1, "op": {"dialect": "aten", "name": "add", "overload": "Tensor"}, "name": "add",
                       "arguments": [["self", {"value": 1}], ["other", 1]], "outputs": [2]}]}}]})");
    }

    void writeCustomModel() { writeModel("mylib", "swish3", R"([["x", {"value": 0}], ["k", 1.5]])"); }
    bool isWritten() const { return std::ranges::contains(files(), "small-made.onnx"); }
};

TEST_F(Convert, unknownOperatorsAreListedAndNothingIsWritten)
{
    writeCustomModel();
    const auto output = run({"convert", path("small.json"), "-o", path("small-made.onnx")});
    EXPECT_EQ(output.exitCode, 1);
    EXPECT_EQ(output.standardOutput,
              "mylib::swish3 (1 ×): there is no rule for it\n    first\n" + path("small-made.onnx")
                  + " is not written.\n");
    EXPECT_FALSE(isWritten());
}

TEST_F(Convert, keptOperatorsHaveTheirArgumentsAsAttributes)
{
    writeCustomModel();
    const auto output = run({"convert", path("small.json"), "-o", path("small-made.onnx"), "--keep-unknown"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_TRUE(output.standardOutput.contains("note: mylib::swish3 is taken not to write to its arguments"))
        << output.standardOutput;
    const auto printed = run({"print", path("small-made.onnx")});
    EXPECT_TRUE(printed.standardOutput.contains("mylib::swish3(%x, k=1.5)")) << printed.standardOutput;
}

TEST_F(Convert, aTableSaysWhatOperatorsBecome)
{
    writeCustomModel();
    write("mine.json", R"({"mylib::swish3": {"op": "com.mylib::Swish", "attributes": {"beta": "$k"},
                                             "domain_version": 4}})");
    const auto output =
        run({"convert", path("small.json"), "-o", path("small-made.onnx"), "--table", path("mine.json")});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    const auto printed = run({"print", path("small-made.onnx")});
    EXPECT_TRUE(printed.standardOutput.contains("com.mylib::Swish(%x, beta=1.5)")) << printed.standardOutput;
    EXPECT_TRUE(printed.standardOutput.contains(R"(opset "com.mylib" 4)")) << printed.standardOutput;
}

TEST_F(Convert, anErrorInTheTableNamesFileAndLine)
{
    writeCustomModel();
    write("mine.json", "{\n\"mylib::swish3\": {\"op\": \"Swish\"}}");
    const auto output =
        run({"convert", path("small.json"), "-o", path("small-made.onnx"), "--table", path("mine.json")});
    EXPECT_EQ(output.exitCode, 2);
    EXPECT_TRUE(output.standardError.contains(path("mine.json") + ": line 2: \"op\" is the operator's domain and name"))
        << output.standardError;
    EXPECT_FALSE(isWritten());
}

TEST_F(Convert, rangesOfSymbolsStay)
{
    writeModel("aten", "celu", R"([["self", {"value": 0}], ["alpha", 1.5]])", R"("s0")");
    const auto output = run({"convert", path("small.json"), "-o", path("small-made.onnx")});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    const auto printed = run({"print", path("small-made.onnx")});
    EXPECT_TRUE(printed.standardOutput.contains("symbol s0 [2, 64]")) << printed.standardOutput;
}

TEST_F(Convert, checkComparesTheResults)
{
    writeModel("aten", "celu", R"([["self", {"value": 0}], ["alpha", 1.5]])");
    const auto output = run({"convert", path("small.json"), "-o", path("small-made.onnx"), "--check", "--values",
                             "--backend", "evaluator"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError << output.standardOutput;
    EXPECT_TRUE(output.standardOutput.contains("opset 21")) << output.standardOutput;
    EXPECT_TRUE(output.standardOutput.contains("agree")) << output.standardOutput;
}

TEST_F(Convert, checkGivesTheNewModelWhatIsLeftOfTheInputs)
{
    write("small.json", R"({"schema": "cutaway.ir/1", "format": "torchscript", "name": "small",
                            "types": [{"kind": "unknown"}, {"kind": "tensor", "dtype": "float32", "shape": [2, 5]},
                                      {"kind": "int"}],
                            "scopes": [{"parent": 0, "call": 0}], "locations": [{"line": 0, "caller": 0}],
                            "functions": [{"name": "forward", "kind": "graph",
                              "inputs": [{"name": "n", "kind": "user", "value": {"value": 0}},
                                         {"name": "x", "kind": "user", "value": {"value": 1}}],
                              "outputs": [{"name": "y", "kind": "user", "value": {"value": 2}}],
                              "node_count": 1,
                              "values": [{"name": "n", "type": 2}, {"name": "x", "type": 1}, {"name": "y", "type": 1}],
                              "body": {"inputs": [0, 1], "outputs": [{"value": 2}], "nodes": [
                                {"id": 0, "op": {"dialect": "aten", "name": "mul", "overload": "Scalar"}, "name": "mul",
                                 "arguments": [["self", {"value": 1}], ["other", {"value": 0}]],
                                 "outputs": [2]}]}}]})");
    for (const char *made : {"small-made.onnx", "small-made.pt2"}) {
        const auto output = run(
            {"convert", path("small.json"), "-o", path(made), "--input", "n=3", "--check", "--backend", "evaluator"});
        EXPECT_EQ(output.exitCode, 0) << output.standardError << output.standardOutput;
        EXPECT_TRUE(output.standardOutput.contains("agree")) << output.standardOutput;
    }
}

} // namespace
} // namespace cutaway::test
