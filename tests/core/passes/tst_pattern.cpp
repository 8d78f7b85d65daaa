// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/passes/patterns/pattern_text.h"
#include "tests/core/passes/pass_test.h"

// Texts of patterns: what is one, how files are divided, and the one that nodes make.

namespace cutaway::test {
namespace {

struct PatternRow {
    std::string name, before, after;
    std::string fault; ///< "" for a pattern
};

class PatternText : public ::testing::TestWithParam<PatternRow> { };

TEST_P(PatternText, isReadOrRefused)
{
    const auto graph = [](const std::string &name, const std::string &text) { return "graph @" + name + text; };
    const auto patterns = passes::parsePatterns({graph("before", GetParam().before), graph("after", GetParam().after)},
                                                std::make_shared<ir::Context>());
    EXPECT_EQ(patterns ? "" : patterns.error().text(), GetParam().fault);
    EXPECT_TRUE(patterns || patterns.error().kind == ErrorKind::Usage);
}

const std::string reluGraph = "(%x) { %r = aten::relu(self=%x) return %r }";

INSTANTIATE_TEST_SUITE_P(
    Rows, PatternText,
    ::testing::Values(
        PatternRow{"same", reluGraph, reluGraph, ""}, PatternRow{"identity", reluGraph, "(%x) { return %x }", ""},
        PatternRow{"withTypes", "(%x: float16[n, ?], %i: int) { %r: tensor[*] = my::op(%x, %i, $a) return %r }",
                   "(%x: float16[n, ?]) { %r: float32[n] = my::op(%x, $(n*a)) return %r }", ""},
        PatternRow{"syntaxBefore", "(%x) { %r = aten::relu(self=%x return %r }", reluGraph,
                   "found 'return' where ',' is expected (before, line 1, column 45)"},
        PatternRow{"syntaxAfter", reluGraph, "(%x) {\n  %r = aten::relu(self=%y)\n  return %r }",
                   "%y is not defined (after, line 2, column 24)"},
        PatternRow{"noNode", "(%x) { return %x }", reluGraph, "the pattern: the graph before has no node"},
        PatternRow{"noResult", "(%x) { %r = aten::relu(self=%x) }", reluGraph,
                   "the pattern: the graph before: it returns nothing"},
        PatternRow{"anInputAsResult", "(%x) { %r = aten::relu(self=%x) return %r, %x }", reluGraph,
                   "the pattern: the graph before returns %x, which no node makes, or twice"},
        PatternRow{"aResultTwice", "(%x) { %r = aten::relu(self=%x) return %r, %r }", reluGraph,
                   "the pattern: the graph before returns %r, which no node makes, or twice"},
        PatternRow{"aConstantAsResult", reluGraph, "(%x) { return 1 }",
                   "the pattern: the graph after: it returns something that is no value"},
        PatternRow{"anInputThatIsNotRead", "(%x, %y) { %r = aten::relu(self=%x) return %r }", reluGraph,
                   "the pattern: the graph before does not read its input %y"},
        PatternRow{"anInputThatIsNotThere", reluGraph, "(%y) { return %y }",
                   "the pattern: the graph after has the input %y, which that before has not"},
        PatternRow{"anotherNumberOfResults", reluGraph, "(%x) { return %x, %x }",
                   "the pattern: the graph before returns 1 value and that after 2"},
        PatternRow{"anotherTypeOfAnInput", reluGraph, "(%x: float32[2]) { return %x }",
                   "the pattern: the input %x has another type in the graph after"},
        PatternRow{"nodesThatAreNotConnected",
                   "(%x, %y) { %a = aten::relu(self=%x) %b = aten::relu(self=%y) return %a, %b }",
                   "(%x, %y) { return %x, %y }", "the pattern: the nodes before are not connected with each other"},
        PatternRow{"regions", "(%x) { %r = my::run(%x) region { return %x } return %r }", reluGraph,
                   "the pattern: the graph before: my::run has regions"},
        PatternRow{"nodesWithoutResults", "(%x) { my::run(%x) %r = aten::relu(self=%x) return %r }", reluGraph,
                   "the pattern: the graph before: my::run has no result"},
        PatternRow{"strides", "(%x: float32[2] strides[1]) { %r = aten::relu(self=%x) return %r }", reluGraph,
                   "the pattern: the graph before: the type of %x says more than a dtype and sizes, or the kind of a "
                   "number"},
        PatternRow{"parameters", "(parameter %x) { %r = aten::relu(self=%x) return %r }", reluGraph,
                   "the pattern: the graph before: an input is a value, with 'constant' before it or nothing"},
        PatternRow{"unknownOverload", "(%x) { %r = aten::transpose.in(self=%x, dim0=0, dim1=1) return %r }", reluGraph,
                   "the pattern: the graph before: aten::transpose.in is no overload; known: int, Dimname"},
        PatternRow{"unknownParameter", "(%x) { %r = aten::relu(x=%x) return %r }", reluGraph,
                   "the pattern: the graph before: aten::relu has no parameter 'x'"},
        PatternRow{"anotherOverload", reluGraph, "(%x) { %r = aten::max(self=%x, dim=1) return %r }",
                   "the pattern: aten::max in the graph after has no parameter 'dim'; another overload may"},
        PatternRow{"argumentNotGiven", reluGraph,
                   "(%x) { %r = aten::leaky_relu(%x) %s = aten::mul.Tensor(%r) return %s }",
                   "the pattern: aten::mul.Tensor in the graph after is not given 'other'"},
        PatternRow{"overloadNeeded", reluGraph, "(%x) { %r = aten::transpose(self=%x, dim0=0, dim1=1) return %r }",
                   "the pattern: aten::transpose in the graph after needs its overload, as aten::transpose.int"},
        PatternRow{"numbersAsInputsOfOnnx", "(%x) { %r = onnx::Mul(%x, 2) return %r }",
                   "(%x) { %r = onnx::Mul(%x, 3) return %r }",
                   "the pattern: onnx::Mul in the graph after has an input that is no value"},
        PatternRow{"unknownCapture", reluGraph, "(%x) { %r = my::op(%x, [$a]) return %r }",
                   "the pattern: the graph after has $a, which that before does not capture"},
        PatternRow{"captureOfAFormula", "(%x) { %r = my::op(%x, $(2*n)) return %r }", reluGraph,
                   "the pattern: the graph before captures by a name alone, not by 2*n"}),
    [](const auto &row) { return row.param.name; });

TEST(PatternFile, isDividedIntoGraphs)
{
    const auto texts = passes::splitPatterns("// two\ngraph @before(%x) { %r = a::graph(%x, \"graph {\") return %r }\n"
                                             "graph @after(%x) { return %x } graph @b.before(%x) { %r = a::b(%x) "
                                             "return %r } // graph\ngraph @b.after(%x) { return %x }");
    ASSERT_TRUE(texts) << texts.error().text();
    EXPECT_EQ(texts->before,
              "graph @before(%x) { %r = a::graph(%x, \"graph {\") return %r }\n"
              "graph @b.before(%x) { %r = a::b(%x) return %r } // graph\n");
    EXPECT_EQ(texts->after, "graph @after(%x) { return %x } graph @b.after(%x) { return %x }");
    const auto patterns = passes::parsePatterns(*texts, std::make_shared<ir::Context>());
    ASSERT_TRUE(patterns) << patterns.error().text();
    EXPECT_EQ(patterns->at(1).name, "b");
}

TEST(PatternFile, hasNothingElse)
{
    const auto fault = [](const std::string &text) { return passes::splitPatterns(text).error().text(); };
    EXPECT_EQ(fault(""), "the patterns are not graphs @before and @after alone");
    EXPECT_EQ(fault("graph @after(%x) { return %x }"), "found the graph @after where a graph @before is expected");
    EXPECT_EQ(fault("graph @a.before(%x) { return %x } graph @b.after(%x) { return %x }"),
              "found the graph @b.after where a graph @a.after is expected");
    EXPECT_EQ(fault("graph @before(%x) { return %x }"), "the graph @before has no graph after it");
    EXPECT_EQ(fault("graph @before(%x) { retrun %x }"), "found '%x' where '::' is expected (line 1, column 28)");
}

constexpr const char *activations = R"((%x: float32[2, 3]) {
  weight %w: float32[3] = @w
  %a: float32[2, 3] = aten::mul.Tensor(self=%x, other=%w)
  %s = aten::sigmoid(self=%a)
  %b = aten::mul.Tensor(self=%a, other=%s)
  %c = aten::softmax.int(self=%b, dim=-1, dtype=none)
  return %c, %s })";

std::vector<ir::NodeId> nodeIds(std::initializer_list<std::uint32_t> numbers)
{
    std::vector<ir::NodeId> nodes;
    for (const std::uint32_t number : numbers)
        nodes.push_back({number});
    return nodes;
}

TEST(PatternOfNodes, hasInputsAndResults)
{
    const auto model = parsedModel(activations, "tensor @w: float32[3]\n");
    const auto texts = passes::patternOf(*model, ir::FunctionId{0}, nodeIds({2, 0, 1}));
    ASSERT_TRUE(texts) << texts.error().text();
    EXPECT_EQ(texts->before, R"(graph @before(%x1, constant %w1) {
  %t1 = aten::mul.Tensor(self=%x1, other=%w1)
  %t2 = aten::sigmoid(self=%t1)
  %t3 = aten::mul.Tensor(self=%t1, other=%t2)
  return %t2, %t3
}
)");
    EXPECT_EQ(texts->after.substr(0, 15), "graph @after(%x");
}

TEST(PatternOfNodes, matchesThem)
{
    const auto model = parsedModel(activations, "tensor @w: float32[3]\n");
    for (const auto &nodes : {nodeIds({0}), nodeIds({1, 2}), nodeIds({3}), nodeIds({0, 1, 2, 3})}) {
        const auto texts = passes::patternOf(*model, ir::FunctionId{0}, nodes);
        ASSERT_TRUE(texts) << texts.error().text();
        const auto pipeline = passes::parsePipeline("replace-pattern{before=" + quote(texts->before)
                                                    + " after=" + quote(texts->after) + "}");
        ASSERT_TRUE(pipeline) << pipeline.error().text();
        passes::History history(model, ir::FunctionId{0});
        history.run(*pipeline);
        ASSERT_FALSE(history.failure()) << history.failure()->error.text();
        EXPECT_TRUE(std::ranges::includes(history.steps()[0].nodes.removed, nodes)) << texts->before;
    }
}

TEST(PatternOfNodes, isOfOneRegion)
{
    const auto model = parsedModel(R"((%x: float32[2], %c: bool) {
  %i = prim::If(%c) region { %a = aten::relu(self=%x) return %a } region { return %x }
  %b = aten::neg(self=%i)
  return %b })");
    EXPECT_FALSE(passes::patternOf(*model, ir::FunctionId{0}, nodeIds({1, 2})));
    EXPECT_FALSE(passes::patternOf(*model, ir::FunctionId{0}, nodeIds({0})));
    EXPECT_FALSE(passes::patternOf(*model, ir::FunctionId{0}, {}));
    EXPECT_TRUE(passes::patternOf(*model, ir::FunctionId{0}, nodeIds({1})));
}

} // namespace
} // namespace cutaway::test
