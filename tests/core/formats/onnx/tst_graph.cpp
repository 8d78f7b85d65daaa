// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/context.h"
#include "tests/core/formats/onnx/onnx_writer.h"

#include <gtest/gtest.h>

namespace {

using namespace cutaway;
using namespace onnxtest;

Proto scalar(std::string_view name) { return value(name, tensorType(1, {})); }

/// The nodes of a model with input x and output y.
std::string nodesOf(const std::vector<Proto> &nodes)
{
    const ir::Model m = opened(model(graph(nodes, {scalar("x")}, {scalar("y")})));
    return m.functions.empty() ? "" : print(m, m.functions.front().graph);
}

std::string errorOf(const std::vector<Proto> &nodes)
{
    const auto result = read(model(graph(nodes, {scalar("x")}, {scalar("y")})));
    return result ? "" : result.error().text();
}

TEST(Graph, TakesInputsAndAttributesAsArguments)
{
    const Proto conv = node("Conv", {"x", "", "x"}, {"y", "", "z"}).message(5, intAttribute("group", 4));
    EXPECT_EQ(nodesOf({conv}), "%y, %, %z = onnx::Conv(%x, None, %x, group=4)\n");
}

TEST(Graph, ReadsEveryKindOfAttribute)
{
    const auto attribute = [](const char *name) { return Proto().text(1, name); };
    Proto op = node("Op", {}, {"y"});
    op.message(5, attribute("f").fixed32(2, 0.1f).number(20, 1));
    op.message(5, attribute("s").text(4, "hi").number(20, 3));
    op.message(5, attribute("t").message(5, floats("", {1})).number(20, 4));
    op.message(5, attribute("fs").fixed32(7, 1).fixed32(7, 2).number(20, 6));
    op.message(5, attribute("is").number(8, 1).text(8, "\2\3").number(20, 7));
    op.message(5, attribute("ss").text(9, "a").text(9, "b").number(20, 8));
    op.message(5, attribute("tp").message(14, tensorType(1, {})).number(20, 13));
    op.message(5, attribute("untyped").number(3, 7));
    op.message(5, attribute("zero").number(20, 2));
    EXPECT_EQ(nodesOf({op}),
              "%y = onnx::Op(f=0.100000, s='hi', t=tensor float32, fs=[1.000000, 2.000000], is=[1, 2, 3], "
              "ss=['a', 'b'], tp=float32[], untyped=7, zero=0)\n");
}

TEST(Graph, KeepsLongAttributeListsAsTensors)
{
    const Proto table = Proto().text(1, "table").text(8, std::string(5000, '\1')).number(20, 7);
    EXPECT_EQ(nodesOf({node("Op", {}, {"y"}).message(5, table)}), "%y = onnx::Op(table=tensor int64)\n");
}

TEST(Graph, KeepsForeignDomainsAndOverloads)
{
    const Proto op = node("Op", {"x"}, {"y"}).text(7, "com.acme").text(8, "fast");
    EXPECT_EQ(nodesOf({op}), "%y = com.acme::Op.fast(%x)\n");
}

TEST(Graph, FoldsConstantsIntoWeights)
{
    const Proto constant =
        node("Constant", {}, {"c"}).message(5, Proto().text(1, "value_ints").number(8, 3).number(20, 7));
    EXPECT_EQ(nodesOf({constant, node("Add", {"x", "c"}, {"y"})}), "%y = onnx::Add(%x, %c)\n");
}

TEST(Graph, SortsNodesThatAreOutOfOrder)
{
    const ir::Model m =
        opened(model(graph({node("B", {"a"}, {"y"}), node("A", {"x"}, {"a"})}, {scalar("x")}, {scalar("y")})));
    EXPECT_EQ(print(m, m.functions.front().graph), "%a = onnx::A(%x)\n%y = onnx::B(%a)\n");
    EXPECT_NE(diagnostics(m).find("onnx.unsorted"), std::string::npos);
}

TEST(Graph, SortsByWhatSubgraphsRead)
{
    const Proto body = graph({node("Inner", {"a"}, {"i"})}, {}, {scalar("i")});
    const Proto outer = node("Outer", {}, {"y"}).message(5, graphAttribute("body", body));
    EXPECT_EQ(nodesOf({outer, node("A", {"x"}, {"a"})}), "%a = onnx::A(%x)\n%y = onnx::Outer()\n");
}

TEST(Graph, RefusesWhatIsNoGraph)
{
    EXPECT_NE(errorOf({node("A", {"ghost"}, {"y"})}).find("nothing makes the value \"ghost\""), std::string::npos);
    EXPECT_NE(errorOf({node("A", {"x"}, {"z"})}).find("nothing makes the value \"y\""), std::string::npos);
    EXPECT_NE(errorOf({node("A", {"x"}, {"y"}), node("B", {"x"}, {"y"})}).find("two nodes make"), std::string::npos);
    EXPECT_NE(errorOf({node("A", {"b"}, {"y"}), node("B", {"y"}, {"b"})}).find("cycle"), std::string::npos);
    EXPECT_NE(errorOf({node("A", {"y"}, {"y"})}).find("cycle"), std::string::npos);
    EXPECT_NE(errorOf({node("", {"x"}, {"y"})}).find("no operator"), std::string::npos);
    EXPECT_NE(errorOf({node("\xff\xfe", {"x"}, {"y"})}).find("UTF-8"), std::string::npos);
}

TEST(Graph, PutsTheThenBranchFirst)
{
    const Proto yes = graph({node("Yes", {"x"}, {"r"})}, {}, {scalar("r")});
    const Proto no = graph({node("No", {"x"}, {"r"})}, {}, {scalar("r")});
    const Proto branch = node("If", {"x"}, {"y"})
                             .message(5, graphAttribute("else_branch", no))
                             .message(5, graphAttribute("then_branch", yes));
    const ir::Model m = opened(model(graph({branch}, {scalar("x")}, {scalar("y")})));
    const ir::Graph &g = m.functions.front().graph;
    const ir::Node &node = g.at(g.at(ir::Graph::body).nodes.front());
    ASSERT_EQ(node.regions.size(), 2u);
    EXPECT_EQ(print(m, g, node.regions[0]), "%r = onnx::Yes(%x)\n");
    EXPECT_EQ(print(m, g, node.regions[1]), "%r = onnx::No(%x)\n");
}

TEST(Graph, LetsSubgraphsReuseNamesOfTheirOwn)
{
    const Proto body = graph({node("Inner", {"y"}, {"a"})}, {scalar("y")}, {scalar("a")});
    const Proto loop = node("Loop", {"a"}, {"y"}).message(5, graphAttribute("body", body));
    EXPECT_EQ(nodesOf({node("A", {"x"}, {"a"}), loop}), "%a = onnx::A(%x)\n%y = onnx::Loop(%a)\n");
}

TEST(Graph, RefusesSubgraphsNestedTooDeep)
{
    Proto body = graph({}, {}, {});
    for (int i = 0; i < 150; ++i)
        body = graph({node("Op", {}, {"r"}).message(5, graphAttribute("body", body))}, {}, {});
    const auto result = read(model(body));
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("nested deeper"), std::string::npos);
}

TEST(Graph, TakesInitializersOutOfTheInputs)
{
    const auto inputsOf = [](std::uint64_t irVersion) {
        const ir::Model m = opened(
            model(graph({node("Add", {"x", "w"}, {"y"})}, {scalar("x"), scalar("w")}, {scalar("y")}, {floats("w", {})}),
                  irVersion));
        std::string text;
        for (const ir::FunctionInput &input : m.functions.front().inputs)
            text += std::string(m.context->text(input.name))
                + (input.kind == ir::FunctionInput::Kind::User ? " " : " (weight) ");
        return text;
    };
    EXPECT_EQ(inputsOf(3), "x ");
    EXPECT_EQ(inputsOf(8), "x w (weight) ");
}

TEST(Graph, EntersParametersInTheModuleTree)
{
    const ir::Model m = opened(model(graph({node("Op", {"a.0.w", "onnx::Conv_3"}, {"y"})}, {}, {},
                                           {floats("a.0.w", {1}), floats("onnx::Conv_3", {1})})));
    std::string paths;
    for (const ir::Module &module : m.modules)
        paths += "[" + std::string(m.context->text(module.path)) + " " + std::to_string(module.tensors.size()) + "]";
    EXPECT_EQ(paths, "[ 1][a 0][a.0 1]");
}

TEST(Functions, AreCalledByTheirOperator)
{
    const Proto slope = Proto().text(1, "alpha").text(21, "slope").number(20, 1);
    const Proto body = node("LeakyRelu", {"a"}, {"b"}).message(5, slope);
    const Proto withDefault = Proto().text(1, "beta").number(3, 2).number(20, 2);
    const Proto function = Proto()
                               .text(1, "F")
                               .text(4, "a")
                               .text(5, "b")
                               .text(6, "slope")
                               .message(7, body)
                               .message(11, withDefault)
                               .text(10, "my.dom");
    const Proto call = node("F", {"x"}, {"y"}).text(7, "my.dom");
    const ir::Model m = opened(model(graph({call}, {scalar("x")}, {scalar("y")})).message(25, function));
    ASSERT_EQ(m.functions.size(), 2u);
    EXPECT_EQ(print(m, m.functions[0].graph), "%y = my.dom::F(%x, callee=function my.dom::F)\n");
    EXPECT_EQ(print(m, m.functions[1].graph),
              "%b = onnx::LeakyRelu(%a, alpha={'ref_attr_name', 'slope', 'type', 1})\n");
    ASSERT_EQ(m.functions[1].attributes.size(), 2u);
    EXPECT_TRUE(m.functions[1].attributes[0].value.as<ir::None>());
    EXPECT_TRUE(m.functions[1].attributes[1].value.as<std::int64_t>());
}

TEST(Functions, ThatCallThemselvesAreNoted)
{
    const auto function = [](const char *name, const char *callee) {
        return Proto()
            .text(1, name)
            .text(4, "a")
            .text(5, "b")
            .message(7, node(callee, {"a"}, {"b"}).text(7, "d"))
            .text(10, "d");
    };
    const ir::Model m = opened(model(graph({node("F", {"x"}, {"y"}).text(7, "d")}, {scalar("x")}, {scalar("y")}))
                                   .message(25, function("F", "G"))
                                   .message(25, function("G", "F")));
    EXPECT_NE(diagnostics(m).find("onnx.recursive-function"), std::string::npos);
}

TEST(Functions, DoNotSeeOuterNames)
{
    const Proto function = Proto().text(1, "F").text(5, "b").message(7, node("Op", {"x"}, {"b"})).text(10, "d");
    EXPECT_FALSE(
        read(model(graph({node("F", {}, {"y"}).text(7, "d")}, {scalar("x")}, {scalar("y")})).message(25, function)));
}

} // namespace
