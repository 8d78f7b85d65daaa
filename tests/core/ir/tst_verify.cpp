// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Models that can be read or built and are wrong all the same: each finding names what is wrong with whom.

#include "core/ir/context.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace cutaway::ir {

namespace {

struct VerifyRow {
    const char *label;
    const char *text;
    const char *finding;
};

class Verify : public testing::TestWithParam<VerifyRow> { };

TEST_P(Verify, finds)
{
    const auto model = parseText(GetParam().text);
    ASSERT_TRUE(model) << model.error().text();
    const auto findings = verify(*model);
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0], GetParam().finding);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Verify,
    testing::Values(
        VerifyRow{"UseBeforeDefinition", "graph @f() { %b = a::b(%c) %c = a::b() }",
                  "function f: node #0 (b) reads value 1 (%c), which is not defined before it in an enclosing region"},
        VerifyRow{"UseOfItself", "graph @f() { %b = a::b(%b) }",
                  "function f: node #0 (b) reads value 0 (%b), which is not defined before it in an enclosing region"},
        VerifyRow{
            "InnerValueOutside", "graph @f() { a::b() region { %x = a::b() return %x } return %x }",
            "function f: an output of region 0 () reads value 0 (%x), which is not defined before it in an enclosing "
            "region"},
        VerifyRow{"SiblingRegion", "graph @f() { a::b() region { %x = a::b() } region (%i) { a::b([1, {2: %x}]) } }",
                  "function f: node #2 () reads value 1 (%x), which is not defined before it in an enclosing region"},
        VerifyRow{"ResultInsideOwnRegion", "graph @f() { %y = a::b() region { a::b(%y) } }",
                  "function f: node #1 () reads value 0 (%y), which is not defined before it in an enclosing region"},
        VerifyRow{"InnerWeightOutside",
                  "tensor @w: float32[1] graph @f() { a::b() region { weight %w = @w } a::b(%w) }",
                  "function f: node #1 () reads value 0 (%w), which is not defined before it in an enclosing region"},
        VerifyRow{"NoOperator", "graph @f() { \"\"::\"\"() }", "function f: node #0 () has no operator"},
        VerifyRow{"MissingOrigin", "graph @f() { a::b() from #7 }",
                  "function f: node #0 () comes from node #7, which does not exist"},
        VerifyRow{"UnlistedInput", "graph @f(unlisted %x) { }",
                  "function f: input 0 of the graph is in the signature 0 times"},
        VerifyRow{"InputListedTwice", "graph @f(%x, user ref %x) { }",
                  "function f: input 0 of the graph is in the signature 2 times"},
        VerifyRow{"InputIsResult", "graph @f(user ref %x) { %x = a::b() }",
                  "function f: the signature's input x is neither an input of the graph nor its weight"},
        VerifyRow{"OutputNotReturned", "graph @f(%x) -> (%x) { }",
                  "function f: the signature's output x is not returned by the graph"},
        VerifyRow{"TensorBehindItsStorage",
                  "storage 0: 15 bytes missing \"x\" storage 1: 15 bytes data \"\" "
                  "tensor @w: float32[2, 2] in storage 1",
                  "tensor w ends behind its storage's 15 bytes"},
        VerifyRow{"ViewBehindItsStorage",
                  "storage 0: 16 bytes data \"\" tensor @w: float32[2] in storage 0 offset 1 strides [3]",
                  "tensor w ends behind its storage's 16 bytes"},
        VerifyRow{"HugeTensor", "storage 0: 16 bytes data \"\" tensor @w: float32[4000000000, 4000000000] in storage 0",
                  "tensor w has a size, stride or offset that is negative or out of 64 bits"},
        VerifyRow{"NegativeOffset", "storage 0: 16 bytes data \"\" tensor @w: float32[1] in storage 0 offset -1",
                  "tensor w has a size, stride or offset that is negative or out of 64 bits"},
        VerifyRow{"Strides", "storage 0: 16 bytes data \"\" tensor @w: float32[1, 2] in storage 0 strides [1]",
                  "tensor w has 1 strides for 2 dimensions"},
        VerifyRow{"NoStorage", "tensor @w: float32[1] in storage 3", "tensor w lies in a storage that does not exist"},
        VerifyRow{"NoFile", "storage 0: 4 bytes in file 0 at 0 length 4",
                  "storage 0 lies in a file that does not exist"},
        VerifyRow{"TooFewStrings", "storage 0: 0 bytes strings [\"a\"] tensor @s: string[2] in storage 0",
                  "tensor s ends behind its storage's last string"},
        VerifyRow{"AttachmentFile", "attachment \"a\" in file 2 at 0 length 1",
                  "attachment a lies in a file that does not exist"},
        VerifyRow{"DiagnosticNode", "diagnostic info \"c\" \"m\" about @f #4 graph @f() { }",
                  "diagnostic c is about a function or node that does not exist"},
        VerifyRow{"ModuleParent", "module 1 in 9 \"a\"", "module a has a parent that does not exist"}),
    [](const auto &row) { return row.param.label; });

TEST(VerifyGraph, acceptsWeightsOfInnerRegionsAndOverlappingViews)
{
    const auto model = parseText(R"(
        storage 0: 12 bytes data ""
        tensor @a: float32[2, 2] in storage 0 strides [1, 1]
        tensor @b: float32[0, 4000000000, 4000000000] in storage 0
        graph @f(%x) {
          weight %a = @a
          %y = a::b(%x, %a) region (%i) { weight %b = @b %z = a::b(%i, %b, %a, %x) return %z, %x }
          return %y })");
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(verify(*model), std::vector<std::string>());
    EXPECT_EQ(verify(model->functions[0].graph), std::vector<std::string>());
}

TEST(VerifyGraph, findsIdsThatAreNotThere)
{
    const auto context = std::make_shared<Context>();
    Graph graph(context);
    const NodeId node = graph.append(Graph::body,
                                     {.op = context->op("a", "b"),
                                      .name = {},
                                      .scope = {99},
                                      .location = {},
                                      .arguments = {},
                                      .origins = {},
                                      .metadata = {}});
    graph.addOutput(node, {}, TypeId{77});
    const auto findings = verify(graph);
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_EQ(findings[0], "node #0 () has an operator, name, scope or place that its context does not have");
    EXPECT_EQ(findings[1], "value 0 (%) has a name or type that its context does not have");
}

TEST(VerifyModel, checksOperandsThatNameItsLists)
{
    Model model;
    Graph graph(model.context);
    NodeDraft draft;
    draft.op = model.context->op("a", "b");
    draft.arguments = {{{}, Operand(List{{TensorId{5}, FunctionId{3}, ObjectId{2}}})}, {{}, Operand(Dict{{None{}}})}};
    graph.append(Graph::body, std::move(draft));
    model.functions.push_back({model.context->name("f"), Function::Kind::Main, graph, {}, {}, {}, {}});
    EXPECT_EQ(verify(model),
              (std::vector<std::string>{
                  "function f: node #0 () names entry 5 of a list of 0",
                  "function f: node #0 () names entry 3 of a list of 1",
                  "function f: node #0 () names entry 2 of a list of 0",
                  "function f: node #0 () has a dict with a key and no value",
              }));
    EXPECT_EQ(verify(graph).size(), 1u);
}

TEST(VerifyModel, findsForeignContexts)
{
    Model model;
    model.functions.push_back({{}, Function::Kind::Main, Graph(std::make_shared<Context>()), {}, {}, {}, {}});
    EXPECT_EQ(verify(model), std::vector<std::string>{"function : the graph has another context than the model"});
}

TEST(VerifyModel, stopsAtAHundred)
{
    std::string text = "graph @f() {";
    for (int i = 0; i < 200; ++i)
        text += " \"\"::\"\"()";
    const auto model = parseText(text + "}");
    ASSERT_TRUE(model);
    EXPECT_EQ(verify(*model).size(), 100u);
}

} // namespace

} // namespace cutaway::ir
