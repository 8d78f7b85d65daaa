// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The history of nodes, values and modules, step by step.
#include "core/passes/blame.h"

#include "core/base/formatted.h"
#include "tests/core/passes/number_test.h"

namespace cutaway::test {
namespace {

using passes::History;

constexpr const char *modules = "scope net class \"Net\"\nscope net.act class \"Act\"\n";
constexpr const char *twoRelus = R"((%x: float32[4, 8]) {
  %same = aten::dropout(input=%x, p=0.5, train=false)
  %a = aten::relu(self=%same) in net.act %b = aten::relu(self=%same) in net.act
  %dead = aten::neg(self=%x)
  %r = aten::add.Tensor(self=%a, other=%b) in net return %r })";

History steppedBy(const std::string &pipeline, const std::string &graph = twoRelus)
{
    const auto parsed = passes::parsePipeline(pipeline);
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().text());
    History history(parsedModel(graph, modules), ir::FunctionId{0});
    history.run(*parsed);
    EXPECT_FALSE(history.failure());
    return history;
}

/// "0 made; 2 changed: `a`, `b` fused into `c`"
std::string story(const History &history, const std::string &name)
{
    const auto subject = passes::findSubject(history, name);
    if (!subject)
        return subject.error().text();
    const auto entries = passes::blameOf(history, *subject);
    EXPECT_EQ(entries.size(), history.steps().size() + 1);
    std::string text;
    for (const std::size_t at : passes::changesOf(entries)) {
        const std::string sentence = passes::sentence(history, *subject, entries[at]);
        text += formatted("{}{} {}: {}", text.empty() ? "" : "; ", at, passes::name(*entries[at].event), sentence);
    }
    return text;
}

struct BlameRow {
    std::string name;
    std::string pipeline;
    std::string subject;
    std::string story;
};

class Blame : public ::testing::TestWithParam<BlameRow> { };

TEST_P(Blame, tellsWhichStepDidWhat)
{
    EXPECT_EQ(story(steppedBy(GetParam().pipeline), GetParam().subject), GetParam().story);
}

constexpr const char *tidying = "remove-identities,common-subexpressions,dead-code";

INSTANTIATE_TEST_SUITE_P(
    Rows, Blame,
    ::testing::Values(
        BlameRow{"anIdentityIsGoneAndItsInputRead", tidying, "same", "0 made: made; 1 gone: gone, `x` is read instead"},
        BlameRow{"whatIsMergedIsReadInstead", tidying, "b",
                 "0 made: made; 1 changed: changed; 2 gone: gone, `a` is read instead"},
        BlameRow{"whatNothingReadsIsGone", tidying, "dead", "0 made: made; 3 gone: gone"},
        BlameRow{"aKeptNodeIsNoNews", "dead-code", "r", "0 made: made"},
        BlameRow{"anInputIsAValue", tidying, "x", "0 made: made"},
        BlameRow{"aModuleByWhatIsInIt", tidying, "net.act", "0 made: made; 1 changed: changed; 2 changed: relu gone"},
        BlameRow{"aModuleHasTheModulesInIt", tidying, "net", "0 made: made; 1 changed: changed; 2 changed: relu gone"},
        BlameRow{"anotherOperatorIsAChange", "replace-operator{from=relu to=gelu}", "a",
                 "0 made: made; 1 changed: changed"},
        BlameRow{"aNameThatNoStateHas", tidying, "sane",
                 "no state has a node, value or module 'sane'; similar nodes: a, same"}),
    [](const auto &row) { return row.param.name; });

TEST(BlameOfNewNodes, goesBackToWhatTheyWereMadeFrom)
{
    const History history =
        steppedBy("decompose-to-core-aten", "(%x: float32[4, 8]) { %h = aten::silu(self=%x) return %h }");
    ASSERT_TRUE(history.steps().front().isChange);
    const ir::NodeId made = history.steps().front().nodes.added.front();
    const auto entries = passes::blameOf(history, made);
    EXPECT_EQ(entries[0].nodes, std::vector{ir::NodeId{0}});
    EXPECT_EQ(entries[1].nodes, std::vector{made});
    EXPECT_EQ(entries[1].event, passes::Event::Changed);
    EXPECT_EQ(entries[1].from, std::vector{ir::NodeId{0}});
    const auto forwards = passes::blameOf(history, ir::NodeId{0});
    EXPECT_EQ(forwards[1].nodes, history.steps().front().nodes.added);
}

TEST(BlameOfFusedNodes, namesAllThatWentIn)
{
    auto model = std::make_shared<ir::Model>(modelOf(R"((%x: float32[1, 1, 4]) {
          weight %w: float32[4, 1, 2] = @w
          weight %s: float32[4] = @s
          %c = onnx::Conv(%x, %w)
          %r = onnx::BatchNormalization(%c, %s, %s, %s, %s, epsilon=0.001)
          return %r
        })",
                                                     "tensor @w: float32[4, 1, 2] tensor @s: float32[4]\n"));
    std::mt19937 random(1);
    fillTensors(*model, random);
    History history(model, ir::FunctionId{0});
    history.run(*passes::parsePipeline("fold-batch-norm"));
    EXPECT_EQ(story(history, "c"), "0 made: made; 1 fused: `c`, `r` fused into `r`");
    EXPECT_EQ(passes::blameOf(history, ir::NodeId{1})[1].nodes, passes::blameOf(history, ir::NodeId{0})[1].nodes);
    EXPECT_EQ(diff::lineOf(passes::patternsOf(history, 1)), "Conv + BatchNormalization → Conv");
}

} // namespace
} // namespace cutaway::test
