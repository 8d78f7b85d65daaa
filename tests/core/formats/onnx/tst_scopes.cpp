// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/context.h"
#include "tests/core/formats/onnx/onnx_writer.h"

#include <gtest/gtest.h>

namespace {

using namespace cutaway;
using namespace onnxtest;

/// Path and call of the scope of each node: "a.0#1".
std::string scopesOf(const std::vector<Proto> &nodes, const std::vector<Proto> &initializers = {})
{
    const ir::Model m = opened(model(graph(nodes, {value("x", tensorType(1, {3}))}, {}, initializers)));
    std::string text;
    const ir::Graph &g = m.functions.front().graph;
    for (std::uint32_t i = 0; i < g.nodeCount(); ++i) {
        const ir::Scope &scope = m.context->at(g.at(ir::NodeId{i}).scope);
        text += std::string(text.empty() ? "" : " ") + "[" + std::string(m.context->text(scope.path))
            + (scope.call > 0 ? "#" + std::to_string(scope.call) : "") + "]";
    }
    return text;
}

Proto named(const char *name)
{
    static int counter = 0;
    return node("Op", {}, {"v" + std::to_string(counter++)}, name);
}

TEST(Scopes, FollowNodeNames)
{
    EXPECT_EQ(scopesOf({named("/conv1/Conv"), named("/Add"), named("Mul_3"), named("/layers.3/attn/MatMul"),
                        named("a/b/Op")}),
              "[conv1] [] [] [layers.3.attn] [a.b]");
}

TEST(Scopes, UndoTheFullNamesOfContainers)
{
    EXPECT_EQ(scopesOf({named("/layer1/layer1.0/conv1/Conv"), named("/f/f.1/f.1.0/attn/MatMul")}),
              "[layer1.0.conv1] [f.1.0.attn]");
}

TEST(Scopes, TellASecondCallFromAnAttributeWithWeights)
{
    EXPECT_EQ(scopesOf({named("/relu/Relu"), named("/relu_1/Relu"), named("/fc/Gemm"), named("/fc_1/Gemm"),
                        named("/lone_1/Op")},
                       {floats("fc.w", {1}), floats("fc_1.w", {1})}),
              "[relu] [relu#1] [fc] [fc_1] [lone_1]");
}

/// Folding gives weights other names: what is called again reads the same ones.
TEST(Scopes, TellASecondCallByTheWeightsThatItReads)
{
    const auto conv = [](const char *input, const char *weight, const char *output, const char *name) {
        return node("Conv", {input, weight}, {output}, name);
    };
    const std::vector weights{floats("onnx::Conv_1", {4, 4, 1, 1}), floats("onnx::Conv_2", {4, 4, 1, 1})};
    const auto first = conv("x", "onnx::Conv_1", "a", "/conv/Conv");
    EXPECT_EQ(scopesOf({first, conv("a", "onnx::Conv_1", "b", "/conv_1/Conv")}, weights), "[conv] [conv#1]");
    EXPECT_EQ(scopesOf({node("Identity", {"onnx::Conv_1"}, {"onnx::Conv_9"}, "Identity_0"), first,
                        conv("a", "onnx::Conv_9", "b", "/conv_1/Conv")},
                       weights),
              "[] [conv] [conv#1]")
        << "the exporter copies it for the second call";
    EXPECT_EQ(scopesOf({first, conv("a", "onnx::Conv_2", "b", "/conv_1/Conv"),
                        node("Relu", {"b"}, {"c"}, "/conv_1/act/Relu")},
                       weights),
              "[conv] [conv_1] [conv_1.act]");
}

/// Calls without weights are one module if they do the same.
TEST(Scopes, TellASecondCallWithoutWeightsByItsNodes)
{
    const auto pool = [](const char *input, const char *output, const char *name, int ceil) {
        return node("MaxPool", {input}, {output}, name).message(5, intAttribute("ceil_mode", ceil));
    };
    EXPECT_EQ(scopesOf({pool("x", "a", "/pool/MaxPool", 1), pool("a", "b", "/pool_1/MaxPool", 1),
                        pool("b", "c", "/pool_2/MaxPool", 0)}),
              "[pool] [pool#1] [pool_2]");
    const auto integer = [](const char *name, std::uint64_t n) {
        return Proto().number(1, 1).number(2, 7).text(8, name).number(7, n);
    };
    const auto picked = [](const char *input, const char *index, const char *name) {
        return node("Gather", {input, index}, {name}, name);
    };
    EXPECT_EQ(scopesOf({picked("x", "one", "/pick/Gather"), picked("/pick/Gather", "also one", "/pick_1/Gather"),
                        picked("/pick_1/Gather", "two", "/pick_2/Gather")},
                       {integer("one", 1), integer("also one", 1), integer("two", 2)}),
              "[pick] [pick#1] [pick_2]");
}

TEST(Scopes, OfKerasAreLayersWithNumbersAndNoCalls)
{
    EXPECT_EQ(scopesOf({named("model/conv2d/Conv2D"), named("model/conv2d_1/Conv2D"), named("model/relu/Relu"),
                        named("model/relu_1/Relu")}),
              "[model.conv2d] [model.conv2d_1] [model.relu] [model.relu_1]");
}

TEST(Scopes, ComeFromDynamosMetadata)
{
    const Proto op = node("Gemm", {}, {"y"}, "node_linear")
                         .message(9, entry("pkg.torch.onnx.name_scopes", "['', 'body', 'body.0', 'linear']"))
                         .message(9,
                                  entry("pkg.torch.onnx.class_hierarchy",
                                        "['m.Net', 'torch.nn.Sequential', 'torch.nn.Linear', 'aten.linear.default']"))
                         .message(9, entry("pkg.onnxscript.rewriter.rule_name", "Fuse"));
    const ir::Model m = opened(model(graph({op}, {}, {}, {floats("body.0.weight", {1})})));
    const ir::Graph &g = m.functions.front().graph;
    const ir::Node &node = g.at(ir::NodeId{0});
    const ir::Scope &scope = m.context->at(node.scope);
    EXPECT_EQ(m.context->text(scope.path), "body.0");
    EXPECT_EQ(m.context->text(scope.name), "0");
    EXPECT_EQ(m.context->text(scope.className), "torch.nn.Linear");
    EXPECT_EQ(m.context->text(m.context->at(scope.parent).className), "torch.nn.Sequential");
    EXPECT_EQ(m.context->text(m.modules[0].className), "m.Net");
    EXPECT_EQ(m.context->text(m.modules.back().className), "torch.nn.Linear");
    ASSERT_EQ(node.metadata.size(), 1u);
    EXPECT_EQ(m.context->text(node.metadata[0].first), "pkg.onnxscript.rewriter.rule_name");
}

TEST(Scopes, ComeFromANamespaceAlone)
{
    const Proto op =
        named("n").message(9, entry("namespace", ": m.Net/body: torch.nn.Sequential/relu: aten.relu.default"));
    EXPECT_EQ(scopesOf({op}), "[body]");
}

TEST(Scopes, OfSubgraphsAreThatOfTheirNode)
{
    const Proto body = graph({node("Inner", {}, {"i"}, "/Inner")}, {}, {});
    EXPECT_EQ(scopesOf({node("Loop", {}, {"y"}, "/a/Loop").message(5, graphAttribute("body", body))}), "[a] [a]");
}

/// The chain of frames, innermost first: "f.py:3 forward, …".
std::string framesOf(const Proto &op)
{
    const ir::Model m = opened(model(graph({op}, {}, {})));
    std::string text;
    for (auto at = m.functions.front().graph.at(ir::NodeId{0}).location; at != ir::LocationId{};
         at = m.context->at(at).caller) {
        const ir::Location &l = m.context->at(at);
        text += std::string(text.empty() ? "" : ", ") + std::string(m.context->text(l.file)) + ":"
            + std::to_string(l.line) + " " + std::string(m.context->text(l.function))
            + (l.text == ir::NameId{} ? "" : " `" + std::string(m.context->text(l.text)) + "`");
    }
    return text;
}

TEST(SourceLines, ComeFromATraceback)
{
    const char *trace = "File \"net.py\", line 19, in forward\n    y = self.body(x)\n  File \"<eval_with_key>.4\", "
                        "line 2, in forward\n    z\n"
                        "  File \"nn.py\", line 7, in call\n    return f(x)";
    EXPECT_EQ(framesOf(named("n").message(9, entry("pkg.torch.onnx.stack_trace", trace))),
              "nn.py:7 call `return f(x)`, net.py:19 forward `y = self.body(x)`");
}

TEST(SourceLines, ComeFromVerboseDocStrings)
{
    EXPECT_EQ(framesOf(named("n").text(6, "nn.py(7): call\nnet.py(19): forward\n")), "nn.py:7 call, net.py:19 forward");
}

TEST(SourceLines, AreNotSeenInOrdinaryDocStrings)
{
    const ir::Model m = opened(model(graph({named("n").text(6, "adds (2) numbers")}, {}, {})));
    const ir::Node &node = m.functions.front().graph.at(ir::NodeId{0});
    EXPECT_EQ(node.location, ir::LocationId{});
    ASSERT_EQ(node.metadata.size(), 1u);
    EXPECT_EQ(m.context->text(node.metadata[0].second), "adds (2) numbers");
}

} // namespace
