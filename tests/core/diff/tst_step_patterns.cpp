// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The effect of a step on nodes. Nodes with equal names in the two states are one node; "new from a, b" after a state
// lists the origins of a new one.
#include "core/diff/steps/step_patterns.h"

#include "compared.h"

#include "core/diff/continued.h"
#include "core/ir/text/text.h"

#include <map>

namespace cutaway::test {
namespace {

struct PatternRow {
    std::string name;
    std::string before, after;
    std::map<std::string, std::vector<std::string>> origins;
    std::string line;
};

std::map<std::string, ir::NodeId> nodesByResult(const ir::Graph &graph)
{
    std::map<std::string, ir::NodeId> nodes;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        nodes.emplace(ir::NodeRef(graph, id).output(0).name(), id);
    return nodes;
}

/// Two states of one history.
struct States {
    ir::Model before, after;
    std::map<std::string, ir::NodeId> nodes; ///< nodes of the two states, by name of the result

    const ir::Graph &was() const { return before.functions[0].graph; }
    const ir::Graph &is() const { return after.functions[0].graph; }
    diff::StepDifference step() const { return diff::stepDifference(was(), is()); }
};

States statesOf(const PatternRow &row)
{
    constexpr const char *weights = "tensor @w: float32[2] parameter\ntensor @v: float32[2] parameter\n";
    ir::Model before = parsed(weights + row.before);
    const auto next = ir::parseText(weights + row.after, before.context);
    if (!next)
        throw std::invalid_argument(next.error().text());
    const auto was = nodesByResult(before.functions[0].graph), is = nodesByResult(next->functions[0].graph);
    std::vector<diff::KeptNode> kept;
    std::vector<diff::MadeNode> made;
    for (const auto &[name, node] : is)
        if (const auto found = was.find(name); found != was.end())
            kept.push_back({found->second, node});
        else if (const auto origins = row.origins.find(name); origins != row.origins.end()) {
            made.push_back({node, {}});
            for (const std::string &origin : origins->second)
                made.back().before.push_back(was.at(origin));
        }
    ir::Model after = diff::continued(before, *next, kept, made);
    auto nodes = nodesByResult(after.functions[0].graph);
    return {std::move(before), std::move(after), std::move(nodes)};
}

class StepPatterns : public ::testing::TestWithParam<PatternRow> { };

TEST_P(StepPatterns, tellWhatTheStepDid)
{
    const States states = statesOf(GetParam());
    EXPECT_EQ(diff::lineOf(diff::patternsOf(states.was(), states.is(), states.step())), GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, StepPatterns,
    ::testing::Values(
        PatternRow{"nothingHappened",
                   "graph @f(%x: float32[2]) { %a = aten::sin(self=%x) return %a }",
                   "graph @f(%x: float32[2]) { %a = aten::sin(self=%x) return %a }",
                   {},
                   ""},
        PatternRow{"pairsBecameOneNode",
                   "graph @f(%x: float32[2]) { %a = aten::linear(self=%x) %b = aten::relu(self=%a) "
                   "%c = aten::linear(self=%b) %d = aten::relu(self=%c) return %d }",
                   "graph @f(%x: float32[2]) { %p = my::linear_relu(self=%x) %q = my::linear_relu(self=%p) return %q }",
                   {{"p", {"a", "b"}}, {"q", {"c", "d"}}},
                   "2 × linear + relu → linear_relu"},
        PatternRow{"whatNobodyNamesAsAnOriginIsFoundByItsReaders",
                   "graph @f(%x: float32[2]) { %a = aten::linear(self=%x) %b = aten::relu(self=%a) "
                   "%r = aten::neg(self=%b) return %r }",
                   "graph @f(%x: float32[2]) { %p = my::linear_relu(self=%x) %r = aten::neg(self=%p) return %r }",
                   {},
                   "linear + relu → linear_relu"},
        PatternRow{"anotherOperatorAtTheSamePlace",
                   "graph @f(%x: float32[2]) { %a = aten::relu_(self=%x) %b = aten::relu_(self=%a) return %b }",
                   "graph @f(%x: float32[2]) { %a = aten::relu(self=%x) %b = aten::relu(self=%a) return %b }",
                   {},
                   "2 × relu_ → relu"},
        PatternRow{"theSameNameInAnotherDialect",
                   "graph @f(%x: float32[2]) { %a = torch::relu(self=%x) return %a }",
                   "graph @f(%x: float32[2]) { %a = aten::relu(self=%x) return %a }",
                   {},
                   "torch::relu → aten::relu"},
        PatternRow{"aNodeThatStaysTakesTheNextOneIn",
                   "graph @f(%x: float32[2]) { weight %w = @w %a = aten::conv2d(self=%x, weight=%w) "
                   "%b = aten::batch_norm(self=%a) %r = aten::relu(self=%b) return %r }",
                   "graph @f(%x: float32[2]) { weight %w = @w weight %v = @v %a = aten::conv2d(self=%x, weight=%v) "
                   "%r = aten::relu(self=%a) return %r }",
                   {},
                   "conv2d + batch_norm → conv2d"},
        PatternRow{"aNodeThatStaysTakesTheOneBeforeIn",
                   "graph @f(%x: float32[2]) { %a = aten::pad(self=%x) %b = aten::conv2d(self=%a, padding=0) "
                   "return %b }",
                   "graph @f(%x: float32[2]) { %b = aten::conv2d(self=%x, padding=1) return %b }",
                   {},
                   "pad + conv2d → conv2d"},
        PatternRow{"identitiesAreGoneAndTheirReadersNotChanged",
                   "graph @f(%x: float32[2]) { %a = aten::t(self=%x) %b = aten::t(self=%a) %r = aten::relu(self=%b) "
                   "return %r }",
                   "graph @f(%x: float32[2]) { %r = aten::relu(self=%x) return %r }",
                   {},
                   "2 × t gone"},
        PatternRow{"whatNothingReadIsGone",
                   "graph @f(%x: float32[2]) { %a = aten::exp(self=%x) %b = aten::sin(self=%a) %c = aten::exp(self=%x) "
                   "return %x }",
                   "graph @f(%x: float32[2]) { return %x }",
                   {},
                   "2 × exp gone; sin gone"},
        PatternRow{"constantsStandForAChain",
                   "graph @f(%x: float32[2]) { weight %w = @w %a = aten::mul(self=%w) %b = aten::add(self=%a) "
                   "%r = aten::relu(self=%x, other=%b) return %r }",
                   "graph @f(%x: float32[2]) { weight %v = @v %r = aten::relu(self=%x, other=%v) return %r }",
                   {},
                   "mul + add → constant"},
        PatternRow{"newNodesHangTogether",
                   "graph @f(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::cos(self=%a) return %b }",
                   "graph @f(%x: float32[2]) { %q = my::quantize(self=%x) %d = my::dequantize(self=%q) "
                   "%a = aten::sin(self=%d) %p = my::quantize(self=%a) %e = my::dequantize(self=%p) "
                   "%b = aten::cos(self=%e) return %b }",
                   {},
                   "2 × quantize + dequantize new"},
        PatternRow{"anotherArgumentIsAChange",
                   "graph @f(%x: float32[2]) { %a = aten::sum(self=%x, dim=0) return %a }",
                   "graph @f(%x: float32[2]) { %a = aten::sum(self=%x, dim=1) return %a }",
                   {},
                   "sum changed"},
        PatternRow{"oneNodeBecameMany",
                   "graph @f(%x: float32[2]) { %a = aten::gelu(self=%x) return %a }",
                   "graph @f(%x: float32[2]) { %m = aten::mul(self=%x) %e = aten::erf(self=%m) %n = aten::mul(self=%e) "
                   "return %n }",
                   {{"m", {"a"}}, {"e", {"a"}}, {"n", {"a"}}},
                   "gelu → 2 mul + erf"},
        PatternRow{"nodesThatOnlyMovedAreTold",
                   "graph @f(%x: float32[2]) { %a = aten::exp(self=%x) %b = aten::sin(self=%x) %c = aten::sin(self=%x) "
                   "%d = aten::cos(self=%x) %e = aten::tan(self=%x) return %a }",
                   "graph @f(%x: float32[2]) { %b = aten::sin(self=%x) %d = aten::cos(self=%x) %e = aten::tan(self=%x) "
                   "%c = aten::sin(self=%x) %a = aten::exp(self=%x) return %a }",
                   {},
                   "sin moved; exp moved"},
        PatternRow{"nodesThatMovedBesideAChangeAreNotTold",
                   "graph @f(%x: float32[2]) { %a = aten::exp(self=%x) %b = aten::sin(self=%x) %c = aten::cos(self=%x) "
                   "return %a }",
                   "graph @f(%x: float32[2]) { %b = aten::sin(self=%x) %a = aten::exp(self=%x) return %a }",
                   {},
                   "cos gone"},
        PatternRow{"aLineHasThreePatterns",
                   "graph @f(%x: float32[2]) { %a = aten::exp(self=%x) %b = aten::sin(self=%x) %c = aten::cos(self=%x) "
                   "%d = aten::tan(self=%x) %e = aten::tan(self=%x) return %x }",
                   "graph @f(%x: float32[2]) { return %x }",
                   {},
                   "2 × tan gone; exp gone; sin gone; and 1 more"}),
    [](const auto &row) { return row.param.name; });

TEST(StepLinks, tellWhatIsReadInstead)
{
    const States states =
        statesOf({"",
                  "graph @f(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::alias(self=%a) "
                  "%r = aten::relu(self=%b) return %r }",
                  "graph @f(%x: float32[2]) { %a = aten::sin(self=%x) %r = aten::relu(self=%a) return %r }",
                  {},
                  ""});
    const diff::StepLinks links(states.was(), states.is(), states.step());
    const ir::NodeId gone{1};
    EXPECT_EQ(links.readInsteadOf(gone), std::vector{states.is().at(states.nodes.at("a")).outputs[0]});
    EXPECT_TRUE(links.madeFrom(gone).empty());
    EXPECT_FALSE(links.isOther(states.nodes.at("r")));
}

TEST(StepLinks, goThroughNodesThatTheStepMadeAndRemoved)
{
    ir::Model model = parsed("graph @f(%x: float32[2]) { %a = aten::gelu(self=%x) return %a }");
    const ir::Graph before = model.functions[0].graph;
    ir::Graph after = before;
    const auto made = [&](ir::NodeId origin) {
        const ir::NodeId node = after.append(ir::Graph::body,
                                             {.op = model.context->op("aten", "tanh"),
                                              .name = {},
                                              .scope = {},
                                              .location = {},
                                              .arguments = {},
                                              .origins = {origin},
                                              .metadata = {}});
        after.addOutput(node, {}, {});
        return node;
    };
    const ir::NodeId a{0}, between = made(a), last = made(between);
    after.setOutputs(ir::Graph::body, {after.at(last).outputs[0]});
    after.remove({a, between});
    const diff::StepLinks links(before, after, diff::stepDifference(before, after));
    EXPECT_EQ(links.madeFrom(a), std::vector{last});
    EXPECT_EQ(links.originsOf(last), std::vector{a});
}

} // namespace
} // namespace cutaway::test
