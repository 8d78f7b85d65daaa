// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"
#include "small_onnx.h"

#include <nlohmann/json.hpp>

namespace cutaway::test {
namespace {

using nlohmann::json;

/// net.onnx: y = Softmax(MatMul(x, x) + x) of x, float32[4, 4], through a and b; open.onnx: the same of x, float32[N,
/// N].
class Query : public Program {
protected:
    Query()
    {
        const std::vector<OnnxNode> nodes{
            {"MatMul", {"x", "x"}, "a"}, {"Add", {"a", "x"}, "b"}, {"Softmax", {"b"}, "y"}};
        write("net.onnx", onnxModel(nodes, {{"x", {4, 4}}}, {{"y", {4, 4}}}));
        write("open.onnx", onnxModel(nodes, {{"x", {"N", "N"}}}, {{"y", {"N", "N"}}}));
        write("other.onnx",
              onnxModel({{"MatMul", {"x", "x"}, "a"}, {"Sub", {"a", "x"}, "b"}, {"Softmax", {"b"}, "y"}},
                        {{"x", {4, 4}}}, {{"y", {4, 4}}}));
    }

    ProcessOutput ask(const std::string &file, const std::string &query, std::vector<std::string> options = {})
    {
        options.insert(options.begin(), {"query", path(file), query});
        return run(options);
    }

    json report(const std::string &file, const std::string &query, std::vector<std::string> options = {})
    {
        options.emplace_back("--json");
        const ProcessOutput output = ask(file, query, options);
        const json parsed = json::parse(output.standardOutput, nullptr, false);
        EXPECT_FALSE(parsed.is_discarded()) << output.standardOutput << output.standardError;
        return parsed.is_discarded() ? json::object() : parsed;
    }
};

TEST_F(Query, aLinePerNode)
{
    const ProcessOutput output = ask("net.onnx", "op:matmul or in:b and flops=0");
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(output.standardOutput,
              path("net.onnx")
                  + ": 2 of 3 nodes\n"
                    "  /act/MatMul   onnx::MatMul   act  float32[4, 4]  128 FLOP\n"
                    "  /act/Softmax  onnx::Softmax  act  float32[4, 4]    0 FLOP\n");
    EXPECT_EQ(output.standardError, "");
}

TEST_F(Query, asksForPartsThatWereFound)
{
    write("blocks.onnx", onnxBlocks());
    const auto count = [&](const std::string &query) { return ask("blocks.onnx", query, {"--count"}).standardOutput; };
    EXPECT_EQ(count("in:\"20 × 3 activation, 2 elementwise\""), "100\n");
    EXPECT_EQ(count("in:\"3 activation, 2 elementwise 7\""), "5\n");
    EXPECT_EQ(count("in:\"3 ACTIVATION\"* and op:tanh"), "20\n");
    EXPECT_EQ(count("downstream:\"3 activation, 2 elementwise 19\""), "5\n");
    EXPECT_EQ(count("in:x"), "2\n") << "a value is meant first";
    const ProcessOutput none = ask("blocks.onnx", "in:stage3");
    EXPECT_TRUE(none.standardOutput.ends_with("nothing is named stage3\n")) << none.standardOutput;
}

TEST_F(Query, theExitCodeSaysWhetherThereIsOne)
{
    const ProcessOutput none = ask("net.onnx", "op:Loop");
    EXPECT_EQ(none.exitCode, 1);
    EXPECT_EQ(none.standardOutput, path("net.onnx") + ": 0 of 3 nodes\n");
    EXPECT_EQ(ask("net.onnx", "op:add").exitCode, 0);
    EXPECT_EQ(ask("none.onnx", "op:add").exitCode, 3);
    EXPECT_EQ(ask("net.onnx", "op:*", {"--count"}).standardOutput, "3\n");
}

TEST_F(Query, aWrongQueryIsMarkedBeforeTheFileIsRead)
{
    const ProcessOutput output = ask("none.onnx", "op:add and flops>1ms");
    EXPECT_EQ(output.exitCode, 2);
    EXPECT_EQ(output.standardOutput, "");
    EXPECT_EQ(output.standardError,
              "cutaway: the query: 'ms' is no unit of flops; there is K, M, G, T (column 19)\n"
              "  op:add and flops>1ms\n"
              "                    ^^\n");
}

TEST_F(Query, wrongUsage)
{
    EXPECT_EQ(run({"query"}).exitCode, 2);
    EXPECT_EQ(run({"query", path("net.onnx")}).exitCode, 2);
    EXPECT_EQ(ask("net.onnx", "op:add", {"--json", "--csv"}).exitCode, 2);
    for (const auto &[query, message] :
         {std::pair("time>1ms", "'time' needs --device"), std::pair("changed", "'changed' needs --versus FILE"),
          std::pair("measured>1ms", "'measured' is known in the window alone")}) {
        const ProcessOutput output = ask("net.onnx", query);
        EXPECT_EQ(output.exitCode, 2) << query;
        EXPECT_TRUE(output.standardError.contains(message)) << output.standardError;
    }
}

TEST_F(Query, tellsWhatIsNotKnown)
{
    const ProcessOutput open = ask("open.onnx", "flops>100");
    EXPECT_EQ(open.exitCode, 1);
    EXPECT_TRUE(open.standardOutput.ends_with(": 0 of 3 nodes\n1 node has no known FLOPs\n")) << open.standardOutput;
    EXPECT_EQ(ask("open.onnx", "flops>100", {"--bind", "N=4"}).exitCode, 0);
    const ProcessOutput typo = ask("net.onnx", "upstream:why");
    EXPECT_EQ(typo.exitCode, 1);
    EXPECT_TRUE(typo.standardOutput.ends_with("nothing is named why\n")) << typo.standardOutput;
}

TEST_F(Query, timesAreOfADevice)
{
    const ProcessOutput output = ask("net.onnx", "time>0", {"--device", "h100-sxm"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_TRUE(output.standardOutput.contains("onnx::MatMul   act  float32[4, 4]  < 1 ns")) << output.standardOutput;
}

TEST_F(Query, whatAnotherModelDoesOtherwise)
{
    const json found = report("net.onnx", "changed", {"--versus", path("other.onnx")});
    ASSERT_EQ(found.at("found"), 1);
    EXPECT_EQ(found.at("functions").at(0).at("found").at(0).at("op"), "onnx::Add");
    EXPECT_EQ(ask("net.onnx", "changed", {"--versus", path("net.onnx")}).exitCode, 1);
    const ProcessOutput missing = ask("net.onnx", "changed", {"--versus", path("none.onnx")});
    EXPECT_EQ(missing.exitCode, 3);
    EXPECT_TRUE(missing.standardError.contains("none.onnx")) << missing.standardError;
}

TEST_F(Query, findsWhatLintFinds)
{
    write("draws.onnx",
          onnxModel({{"RandomNormalLike", {"x"}, "n"}, {"Add", {"n", "x"}, "y"}}, {{"x", {2}}}, {{"y", {2}}}));
    const json found = report("draws.onnx", "diag:random");
    ASSERT_EQ(found.at("found"), 1);
    EXPECT_EQ(found.at("functions").at(0).at("found").at(0).at("op"), "onnx::RandomNormalLike");
}

TEST_F(Query, writesJson)
{
    const json found = report("net.onnx", "out:a");
    EXPECT_EQ(found.at("schema"), "cutaway.query/1");
    EXPECT_EQ(found.at("query"), "out:a");
    EXPECT_EQ(found.at("found"), 1);
    EXPECT_EQ(found.at("nodes"), 3);
    const json &node = found.at("functions").at(0).at("found").at(0);
    EXPECT_EQ(node.at("node"), 0);
    EXPECT_EQ(node.at("flops"), 128);
    EXPECT_EQ(node.at("bytes"), 3 * 64 - 64); // x is one operand of two
    EXPECT_EQ(node.at("params"), 0);
    EXPECT_TRUE(node.at("seconds").is_null());
    const json open = report("open.onnx", "flops>100");
    EXPECT_EQ(open.at("not_known"), json::parse(R"([{"property": "flops", "nodes": 1}])"));
    EXPECT_EQ(report("net.onnx", "in:nope").at("unnamed"), json::parse(R"(["nope"])"));
}

TEST_F(Query, writesCsv)
{
    const ProcessOutput output = ask("net.onnx", "op:add", {"--csv"});
    EXPECT_EQ(output.exitCode, 0) << output.standardError;
    EXPECT_EQ(
        output.standardOutput,
        "function,id,name,op,category,scope,within,result,flops,other_flops,bytes,params,memory,seconds,source\r\n"
        "small,1,/act/Add,onnx::Add,elementwise,act,,\"float32[4, 4]\",0,16,192,0,192,,\r\n");
    EXPECT_EQ(ask("net.onnx", "op:Loop", {"--csv"}).exitCode, 1);
}

TEST_F(Query, listsItsProperties)
{
    const ProcessOutput output = run({"query", "--list"});
    EXPECT_EQ(output.exitCode, 0);
    for (const char *property : {"\nop: ", "\nbetween: ", "\nflops> ", "\nchanged "})
        EXPECT_TRUE(output.standardOutput.contains(property)) << property;
}

} // namespace
} // namespace cutaway::test
