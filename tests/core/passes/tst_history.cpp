// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/continued.h"
#include "core/ir/text/text.h"
#include "core/passes/proof/reproducer.h"
#include "core/rewrite/rewriter.h"
#include "tests/core/passes/pass_test.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace cutaway::test {
namespace {

using passes::Entry;
using passes::History;
using passes::Pass;
using passes::Pipeline;
using passes::Settings;
using rewrite::Rewriter;

constexpr const char *twice = R"((%x: float32[4, 8]) {
  %a = aten::relu(self=%x) %b = aten::relu(self=%x) %d = aten::neg(self=%x)
  %r = aten::add.Tensor(self=%a, other=%b) return %r })";

Pipeline pipeline(const std::string &text)
{
    auto parsed = passes::parsePipeline(text);
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().text());
    return parsed ? *parsed : Pipeline();
}

std::string summary(const History &history)
{
    std::string text;
    for (const passes::Step &step : history.steps()) {
        text += text.empty() ? "" : "; ";
        text += step.title() + " -" + std::to_string(step.nodes.removed.size()) + " +"
            + std::to_string(step.nodes.added.size()) + " ~" + std::to_string(step.nodes.changed.size()) + " of "
            + std::to_string(step.totals.nodes);
    }
    return text;
}

TEST(History, tellsWhatEachStepDid)
{
    History history(parsedModel(twice), ir::FunctionId{0});
    history.run(pipeline("dead-code,common-subexpressions,dead-code"));
    EXPECT_EQ(summary(history),
              "dead-code -1 +0 ~0 of 3; common-subexpressions -1 +0 ~1 of 2; dead-code -0 +0 ~0 of 2");
    EXPECT_EQ(history.steps()[0].nodes.removed, std::vector{ir::NodeId{2}});
    EXPECT_FALSE(history.steps()[2].isChange);
    EXPECT_EQ(history.steps()[2].model, history.steps()[1].model);
}

TEST(History, takesStepsThatOtherProgramsMade)
{
    const auto first = parsedModel("(%x: float32[4]) { %a = aten::relu(self=%x) %b = aten::neg(self=%a) return %b }");
    const auto next = ir::parseText("graph @f(%x: float32[4]) { %a = aten::relu(self=%x) %c = aten::exp(self=%a) %d = "
                                    "aten::neg(self=%c) return %d }",
                                    first->context);
    ASSERT_TRUE(next) << next.error().text();
    const std::vector<diff::KeptNode> kept{{ir::NodeId{0}, ir::NodeId{0}}, {ir::NodeId{1}, ir::NodeId{2}}};
    const auto state = std::make_shared<const ir::Model>(diff::continued(*first, *next, kept));
    History history(first, ir::FunctionId{0});
    history.record({"AFTER POST GRAD", "from run.log"}, 0.5, state);
    history.record({"unchanged", ""}, 0, std::make_shared<const ir::Model>(*state));
    EXPECT_EQ(summary(history), "AFTER POST GRAD -0 +1 ~1 of 3; unchanged -0 +0 ~0 of 3");
    EXPECT_EQ(history.steps()[0].description(), "from run.log");
    EXPECT_FALSE(history.steps()[1].isChange);
    history.run(pipeline("dead-code")); // in place of what was recorded
    EXPECT_EQ(summary(history), "dead-code -0 +0 ~0 of 2");
}

/// Facts that hold for given inputs alone are used for costs, but not by passes: the model takes other inputs, too.
TEST(History, doesNotPutWhatIsGivenIntoTheGraph)
{
    const auto model = parsedModel(R"((%x: float32[s0, 4], %flag: bool) {
      %same = aten::expand(self=%x, size=[8, 4])
      %r = prim::If(%flag) region "then" { %a = aten::relu(self=%same) return %a }
          region "else" { return %same }
      return %r })",
                                   "symbol s0\n");
    analysis::Given given;
    given.bindings.emplace("s0", 8);
    given.inputs.emplace("flag", ops::boolFact(false));
    History history(model, ir::FunctionId{0}, given);
    history.run(pipeline("fold-if,remove-identities,constant-folding"));
    ASSERT_FALSE(history.failure());
    EXPECT_EQ(printed(*history.modelAfter(3)), printed(*model));
    EXPECT_EQ(ops::number(history.totalsAfter(3).cost.bytesRead).has_value(), true);
}

TEST(History, goesToEveryStepAndLeavesTheOthers)
{
    const auto model = parsedModel(twice);
    const std::string before = printed(*model);
    History history(model, ir::FunctionId{0});
    history.run(pipeline("dead-code,common-subexpressions"));
    EXPECT_EQ(printed(*history.modelAfter(0)), before);
    EXPECT_NE(printed(*history.modelAfter(1)), before);
    EXPECT_NE(printed(*history.modelAfter(2)), printed(*history.modelAfter(1)));
}

TEST(History, runsOnlyWhatComesBehindAChange)
{
    History history(parsedModel(twice), ir::FunctionId{0});
    history.run(pipeline("dead-code,common-subexpressions"));
    const auto first = history.modelAfter(1);
    int ran = 0;
    history.run(pipeline("dead-code,replace-operator"), {}, [&](const passes::Step &) { ++ran; });
    EXPECT_EQ(ran, 1);
    EXPECT_EQ(history.modelAfter(1), first);
    EXPECT_EQ(summary(history), "dead-code -1 +0 ~0 of 3; replace-operator -0 +0 ~2 of 3");
}

TEST(History, isUndoneByAShorterPipeline)
{
    History history(parsedModel(twice), ir::FunctionId{0});
    history.run(pipeline("dead-code,common-subexpressions"));
    history.run(pipeline("dead-code"));
    EXPECT_EQ(summary(history), "dead-code -1 +0 ~0 of 3");
}

TEST(History, leavesOutWhatIsSwitchedOff)
{
    History history(parsedModel(twice), ir::FunctionId{0});
    Pipeline some = pipeline("dead-code,common-subexpressions");
    some.entries[0].isEnabled = false;
    history.run(some);
    EXPECT_EQ(summary(history), "common-subexpressions -1 +0 ~1 of 3");
}

TEST(History, repeatsTurnsAsLongAsTheyChangeSomething)
{
    History history(parsedModel(twice), ir::FunctionId{0});
    Pipeline some = pipeline("dead-code,common-subexpressions");
    some.iterations = 10;
    history.run(some);
    EXPECT_EQ(history.steps().size(), 4u);
}

// ---- passes that fail

Result<void> refuses(Rewriter &rewriter, const Settings &)
{
    for (const ir::NodeId node : rewriter.nodes())
        rewriter.setOperator(node, "aten", "neg", "");
    return std::unexpected(Error{ErrorKind::Backend, "it does not feel like it", {}});
}
Result<void> throws(Rewriter &, const Settings &) { throw std::runtime_error("a stone"); }
Result<void> changesTheOutput(Rewriter &rewriter, const Settings &)
{
    const ir::NodeRef last = rewriter.nodes().back();
    const ir::ValueId sum =
        rewriter.makeBefore(last, {"aten", "sum", "", {{rewriter.text("self"), *last.argument("self")}}}, {});
    rewriter.replaceUses(last.output(0), sum);
    return {};
}
Result<void> breaksTheOrder(Rewriter &rewriter, const Settings &)
{
    const auto nodes = rewriter.nodes();
    rewriter.setArgument(nodes.front(), "self", rewriter.graph().at(nodes.back()).outputs.front());
    return {};
}

struct FailingRow {
    std::string name;
    Result<void> (*run)(Rewriter &, const Settings &);
    std::string message;
};
class FailingPass : public ::testing::TestWithParam<FailingRow> { };

TEST_P(FailingPass, leavesTheStepBeforeAndAWayToSeeItAgain)
{
    const Pass pass{"bad", "", {}, GetParam().run};
    History history(parsedModel(twice), ir::FunctionId{0});
    Pipeline some = pipeline("dead-code");
    some.entries.push_back({&pass, Settings()});
    some.entries.push_back(some.entries.front());
    history.run(some);
    ASSERT_TRUE(history.failure());
    EXPECT_EQ(history.failure()->error.text(), GetParam().message);
    EXPECT_EQ(summary(history), "dead-code -1 +0 ~0 of 3");
    EXPECT_NE(history.failure()->reproducer.find("\"pass\":\"bad\""), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, FailingPass,
    ::testing::Values(FailingRow{"thatRefuses", refuses, "it does not feel like it"},
                      FailingRow{"thatThrows", throws, "the pass 'bad' broke the graph: it threw a stone"},
                      FailingRow{"thatChangesAnOutput", changesTheOutput,
                                 "the pass 'bad' broke the graph: the output 0 was float32[4, 8] and became float32[]"},
                      FailingRow{
                          "thatBreaksTheOrder", breaksTheOrder,
                          "the pass 'bad' broke the graph: function forward: node #0 (a) reads value 4 (%r), which "
                          "is not defined before it in an enclosing region"}),
    [](const auto &row) { return row.param.name; });

// ---- reproducers

TEST(Reproducer, isReadBack)
{
    const auto model = parsedModel(twice);
    const std::string text = passes::printReproducer(*model, ir::FunctionId{0}, pipeline("dead-code"));
    const auto path = std::filesystem::path(testing::TempDir()) / "cutaway_reproducer_is_read_back.json";
    std::ofstream(path) << text;
    const auto read = passes::readReproducer(path);
    ASSERT_TRUE(read && *read);
    EXPECT_EQ(ir::printText((*read)->model), ir::printText(*model));
    EXPECT_EQ(*(*read)->pipeline, pipeline("dead-code"));
    std::filesystem::remove(path);
}

TEST(Reproducer, isToldFromOtherFiles)
{
    const auto path = std::filesystem::path(testing::TempDir()) / "cutaway_reproducer_is_told.json";
    std::ofstream(path) << "{}";
    const auto other = passes::readReproducer(path);
    ASSERT_TRUE(other);
    EXPECT_FALSE(*other);
    std::ofstream(path) << R"({"schema":"cutaway.reproducer/1",)";
    EXPECT_EQ(passes::readReproducer(path).error().text(), "the reproducer is not whole");
    std::filesystem::remove(path);
}

// ---- the rewriter

TEST(Rewriter, saysWhereNewNodesComeFrom)
{
    auto model = std::make_shared<ir::Model>(*parsedModel(twice));
    analysis::Shapes shapes;
    const Task task;
    Rewriter rewriter(*model, ir::FunctionId{0}, [&]() -> const analysis::Shapes & { return shapes; }, task);
    const auto nodes = rewriter.nodes();
    rewriter.from({nodes[0], nodes[1]});
    const ir::NodeId made = rewriter.insertBefore(nodes[3], {"aten", "abs", "", {}});
    rewriter.finish();
    EXPECT_EQ(model->functions[0].graph.at(made).origins, (std::vector<ir::NodeId>{nodes[0], nodes[1]}));
    EXPECT_EQ(model->functions[0].graph.at(ir::Graph::body).nodes,
              (std::vector<ir::NodeId>{nodes[0], nodes[1], nodes[2], made, nodes[3]}));
}

} // namespace
} // namespace cutaway::test
