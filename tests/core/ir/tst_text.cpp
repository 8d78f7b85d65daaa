// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The textual form: what is printed reads as the same model, and texts written by hand are completed as the grammar
// says.

#include "core/ir/context.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "tests/core/ir/sample_texts.h"

#include <gtest/gtest.h>
#include <random>

namespace cutaway::ir {

namespace {

struct TextRow {
    const char *label;
    const char *text; ///< as it is printed
};

class Text : public testing::TestWithParam<TextRow> { };

TEST_P(Text, readsAndPrintsTheSame)
{
    const auto model = parseText(GetParam().text);
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(printText(*model), GetParam().text);
    EXPECT_EQ(verify(*model), std::vector<std::string>());
}

/// A pass that makes a group moves nodes into one that is younger than they are.
TEST(Text, hasNodesThatAreOlderThanTheirOwner)
{
    const auto model = parseText(R"(graph @f(%x: float32[2]) {
  #3 %y = a::group(%x)
    region "r" (%i: float32[2]) {
      #1 %b = a::b(%i)
      #0 %c = a::c(%b)
      #4 %o = a::group(%c)
        region "" () {
          #2 %d = a::d(%c)
          return %d
        }
      return %o
    }
  return %y
})");
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(verify(*model), std::vector<std::string>());
    const auto again = parseText(printText(*model));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(printText(*again), printText(*model));
    const Graph &graph = model->functions.front().graph;
    EXPECT_EQ(graph.at(Graph::body).nodes, std::vector{NodeId{3}});
    EXPECT_EQ(graph.at(graph.at(NodeId{3}).regions.front()).nodes, (std::vector{NodeId{1}, NodeId{0}, NodeId{4}}));
    EXPECT_EQ(graph.at(NodeId{2}).parent, graph.at(NodeId{4}).regions.front());
}

TEST(TextForReading, leavesOutWhatOnlyMachinesRead)
{
    const auto model = parseText(R"(
        producer "pytorch" "2.6.0"
        metadata "key" "value"
        symbol s0 [2, *]
        storage 0: 8 bytes missing "a test"
        tensor @w: float32[2] parameter in storage 0
        module 0 "" class "Net"
        scope fc class "Linear"
        graph @forward(%x: float32[s0, 2] strides[2, 1] on "cpu") {
          weight %w = @w
          %y: float32[s0, 2] strides[2, 1] on "cpu" = aten::mul.Tensor(%x, %w) in fc at !0 meta {"k" = "v"}
          return %y
        }
        location !0 "net.py":12 in "forward" from !1
        location !1 "main.py":3)");
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(printText(*model, TextForm::Reading), R"(producer "pytorch" "2.6.0"
symbol s0 [2, *]
graph @forward(%x: float32[s0, 2]) {
  weight %w = @w
  %y: float32[s0, 2] = aten::mul.Tensor(%x, %w) in fc at "net.py":12
  return %y
}
)");
}

INSTANTIATE_TEST_SUITE_P(Rows, Text,
                         testing::Values(TextRow{"Empty", ""}, TextRow{"Head", samples::head},
                                         TextRow{"Operands", samples::operands}, TextRow{"Types", samples::types},
                                         TextRow{"Names", samples::names}, TextRow{"Scopes", samples::scopes},
                                         TextRow{"Regions", samples::regions},
                                         TextRow{"Signatures", samples::signatures}),
                         [](const auto &row) { return row.param.label; });

TEST(TextByHand, mostCanBeLeftOut)
{
    const auto model = parseText(R"(
        // a comment
        tensor @w: float32[4, 3, 3, 3]
        graph @forward(%x: float32[1, 3, 8, 8]) { weight %w = @w  // another
          %y: float32[1, 4, 6, 6] = aten::conv2d.default(%x, weight=%w, stride=[1, 1])  return %y })");
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(verify(*model), std::vector<std::string>());
    EXPECT_EQ(printText(*model), R"(storage 0: 432 bytes missing "not given"
tensor @w: float32[4, 3, 3, 3] in storage 0
graph @forward(%x: float32[1, 3, 8, 8]) {
  weight %w = @w
  %y: float32[1, 4, 6, 6] = aten::conv2d.default(%x, weight=%w, stride=[1, 1])
  return %y
}
)");
    const Function &forward = model->functions[0];
    ASSERT_EQ(forward.outputs.size(), 1u);
    EXPECT_EQ(model->context->text(forward.outputs[0].name), "y");
    EXPECT_EQ(model->context->text(forward.graph.at(NodeId{0}).name), "y");
}

TEST(TextByHand, aGraphInputCanBeMissingInTheSignature)
{
    const char *text = "graph @f(%x, unlisted %y, %z) {\n}\n";
    const auto model = parseText(text);
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(printText(*model), text);
    EXPECT_EQ(verify(*model), std::vector<std::string>{"function f: input 1 of the graph is in the signature 0 times"});
}

TEST(TextByHand, oneFunctionIsPrintedWithWhatItNames)
{
    const auto model = parseText(samples::scopes + std::string("function @other() {\n}\n"));
    ASSERT_TRUE(model);
    EXPECT_EQ(printText(*model, FunctionId{0}), samples::scopes);
    EXPECT_EQ(printText(*model, FunctionId{1}), "function @other() {\n}\n");
}

struct RefusedText {
    const char *label;
    std::string text;
    const char *message;
};

class TextRefused : public testing::TestWithParam<RefusedText> { };

TEST_P(TextRefused, withPlaceFoundAndWanted)
{
    const auto model = parseText(GetParam().text);
    ASSERT_FALSE(model);
    EXPECT_NE(model.error().text().find(GetParam().message), std::string::npos) << model.error().text();
}

std::string deep(const std::string &open, const std::string &begin = "graph @f(%x) { a::b(")
{
    std::string out = begin;
    for (int i = 0; i < 100'000; ++i)
        out += open;
    return out;
}

std::string deepRegions()
{
    std::string out = "graph @f() {";
    for (int i = 0; i < 100'000; ++i)
        out += "a::b() region {";
    return out;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, TextRefused,
    testing::Values(
        RefusedText{"UnknownItem", "grph @f", "found 'grph' where an item of a model"},
        RefusedText{"Place", "symbol s0\n  symbol [", "found '[' where a name is expected (line 2, column 10)"},
        RefusedText{"UndefinedValue", "graph @f() { a::b(%x) }", "%x is not defined (line 1, column 19)"},
        RefusedText{"ValueTwice", "graph @f(%x) { %x = a::b() }", "%x is defined twice; write the second as %x#1"},
        RefusedText{"UndefinedTensor", "graph @f() { a::b(@w) }", "unknown tensor 'w' (line 1, column 19)"},
        RefusedText{"UndefinedFunction", "graph @f() { a::b(graph @g) }", "unknown function 'g'"},
        RefusedText{"UndefinedLocation", "graph @f() { a::b() at !3 }",
                    "this location is not described (line 1, column 24)"},
        RefusedText{"CircularLocation", "location !0 \"a\" from !1 location !1 \"b\" from !0",
                    "a location calls itself"},
        RefusedText{"UndeclaredScope", "graph @f() { a::b() in x#1 }", "the scope 'x#1' is not declared"},
        RefusedText{"NodeIdTwice", "graph @f() { a::b() #0 a::b() }", "#0 is given twice in function f"},
        RefusedText{"HugeId", "graph @f() { #4000000000 a::b() }", "too far beyond"},
        RefusedText{"HugeNext", "graph @f() next #4000000000 { }", "too far beyond"},
        RefusedText{"BadOperand", "graph @f() { a::b(foo) }", "found 'foo' where a value or a constant is expected"},
        RefusedText{"BadNumber", "graph @f() { a::b(12x) }", "'12x' is not a number"},
        RefusedText{"HugeNumber", "graph @f() { a::b(99999999999999999999) }", "is not a number of 64 bits"},
        RefusedText{"BadType", "graph @f(%x: floot32[1]) { }", "found 'floot32' where a type is expected"},
        RefusedText{"ListOfNothing", "graph @f(%x: list<>) { }", "found 0 elements of the type list, expected 1"},
        RefusedText{"BadDim", "graph @f(%x: float32[1, s0 +]) { }", "is expected (column 5) (line 1, column 25)"},
        RefusedText{"BadOperator", "graph @f() { conv(1) }", "found '(1)' where '::' is expected"},
        RefusedText{"OpenText", "model \"abc", "has no end (line 1, column 7)"},
        RefusedText{"BadEscape", "model \"a\\qc\"", "found '\\q' in a text"},
        RefusedText{"OpenGraph", "graph @f() {", "the text ends where an operator's name is expected"},
        RefusedText{"ValueOutside", "module 0 \"\" attributes(a: int = %x)",
                    "found '%x)' where a constant is expected"},
        RefusedText{"DeepLists", deep("["), "nested more than 256 deep"},
        RefusedText{"DeepDicts", deep("{1: "), "more than 256"},
        RefusedText{"DeepTypes", deep("list<", "graph @f(%x: "), "the type is nested more than 256 deep"},
        RefusedText{"DeepRegions", deepRegions(), "regions are nested more than 256 deep"}),
    [](const auto &row) { return row.param.label; });

/// Damaged texts are refused or read as something that prints and reads the same; nothing crashes.
TEST(TextRandom, damageIsRefusedOrStable)
{
    std::mt19937 engine(5);
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine); };
    int read = 0;
    for (const char *sample : {samples::head, samples::operands, samples::types, samples::names, samples::scopes,
                               samples::regions, samples::signatures})
        for (int i = 0; i < 1000; ++i) {
            std::string text = sample;
            for (std::size_t change = below(3) + 1; change > 0; --change) {
                const std::size_t from = below(text.size()), to = below(text.size());
                if (below(2) == 0)
                    text.erase(from, below(8));
                else
                    text.insert(to, text.substr(from, below(8)));
            }
            const auto model = parseText(text);
            if (!model)
                continue;
            ++read;
            (void)verify(*model);
            const std::string printed = printText(*model);
            const auto again = parseText(printed);
            ASSERT_TRUE(again) << again.error().text() << "\n" << printed;
            ASSERT_EQ(printText(*again), printed);
        }
    EXPECT_GT(read, 500);
}

TEST(TextByHand, hasSymbolsInShort)
{
    const auto model = parseText("graph @f(%x) { %r = my::op(%x, $n, size=$(2*n)) return %r }");
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_NE(printText(*model).find("my::op(%x, $(n), size=$(2*n))"), std::string::npos) << printText(*model);
    EXPECT_FALSE(parseText("graph @f(%x) { %r = my::op(%x, $) return %r }"));
}

TEST(TextByHand, sharesAContextIfItIsGivenOne)
{
    const auto first = parseText("graph @f(%x: float32[2]) { %r = my::op(%x) return %r }");
    ASSERT_TRUE(first);
    const auto second = parseText("graph @g(%y: float32[2]) { %r = my::op(%y) return %r }", first->context);
    ASSERT_TRUE(second);
    const Graph &a = first->functions[0].graph, &b = second->functions[0].graph;
    EXPECT_EQ(a.at(NodeId{0}).op, b.at(NodeId{0}).op);
    EXPECT_EQ(a.at(ValueId{0}).type, b.at(ValueId{0}).type);
}

} // namespace

} // namespace cutaway::ir
