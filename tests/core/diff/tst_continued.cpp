// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/continued.h"

#include "compared.h"

#include "core/diff/step_difference.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"

#include <map>
#include <regex>

namespace cutaway::test {
namespace {

/// The names of nodes that a step removed, added and changed: "-a +b ~c".
struct ContinuedRow {
    std::string name;
    std::string before, after;
    std::string changes;
};

/// Nodes are named after their first result here, or else by their operator.
std::string resultOf(const ir::Graph &graph, ir::NodeId id)
{
    const ir::NodeRef node(graph, id);
    return std::string(node.outputCount() > 0 ? node.output(0).name() : node.opName());
}

std::vector<diff::KeptNode> sameNames(const ir::Graph &before, const ir::Graph &after)
{
    std::map<std::string, ir::NodeId> named;
    for (ir::NodeId id{0}; id.index < before.nodeCount(); ++id.index)
        named.emplace(resultOf(before, id), id);
    std::vector<diff::KeptNode> kept;
    for (ir::NodeId id{0}; id.index < after.nodeCount(); ++id.index)
        if (const auto found = named.find(resultOf(after, id)); found != named.end())
            kept.push_back({found->second, id});
    return kept;
}

std::string changesText(const ir::Graph &before, const ir::Graph &after)
{
    const diff::StepDifference step = diff::stepDifference(before, after);
    std::string text;
    const auto add = [&](char sign, const ir::Graph &graph, const std::vector<ir::NodeId> &nodes) {
        for (const ir::NodeId node : nodes)
            text += (text.empty() ? "" : " ") + std::string(1, sign) + resultOf(graph, node);
    };
    add('-', before, step.removed);
    add('+', after, step.added);
    add('~', after, step.changed);
    return text;
}

class Continued : public ::testing::TestWithParam<ContinuedRow> { };

TEST_P(Continued, saysWhatTheNextStateSaysAndKeepsIdentities)
{
    const ir::Model before = parsed(GetParam().before);
    const auto read = ir::parseText(GetParam().after, before.context);
    ASSERT_TRUE(read) << read.error().text();
    const ir::Model &after = *read;
    const ir::Graph &was = before.functions[0].graph;
    const ir::Model result = diff::continued(before, after, sameNames(was, after.functions[0].graph));
    EXPECT_EQ(ir::verify(result), std::vector<std::string>());
    const auto text = [](const ir::Model &model) {
        static const std::regex id("#[0-9]+ ");
        return std::regex_replace(ir::printText(model, ir::FunctionId{0}, ir::TextForm::Reading), id, "");
    };
    EXPECT_EQ(text(result), text(after));
    EXPECT_EQ(changesText(was, result.functions[0].graph), GetParam().changes);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Continued,
    ::testing::Values(
        ContinuedRow{"anEqualStateHasNoChange",
                     "graph @f(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%a) return %b }",
                     "graph @f(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%a) return %b }", ""},
        ContinuedRow{"aNodeBetweenIsNew",
                     "graph @f(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%a) return %b }",
                     "graph @f(%x: float32[2]) { %a = aten::sin(self=%x) %n = aten::neg(self=%a) "
                     "%b = aten::exp(self=%n) return %b }",
                     "+n ~b"},
        ContinuedRow{"aNodeThatIsGoneIsRemoved",
                     "graph @f(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%a) return %b }",
                     "graph @f(%x: float32[2]) { %b = aten::exp(self=%x) return %b }", "-a ~b"},
        ContinuedRow{"anotherOrderAndOperator",
                     "graph @f(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%x) return (%a, %b) }",
                     "graph @f(%x: float32[2]) { %b = aten::exp(self=%x) %a = aten::cos(self=%x) return (%b, %a) }",
                     "~a"},
        ContinuedRow{"inputsComeAndGo",
                     "graph @f(%x: float32[2], %y: float32[2]) { %a = aten::mul.Tensor(self=%x, other=%y) return %a }",
                     "graph @f(%x: float32[2], %z: float32[2]) { %a = aten::mul.Tensor(self=%x, other=%z) return %a }",
                     "~a"},
        ContinuedRow{"inputsThatAreRenamedStay",
                     "graph @f(%x: float32[2], %y: float32[2]) { %a = aten::mul.Tensor(self=%x, other=%y) return %a }",
                     "graph @f(%p: float32[2], %q: float32[2]) { %a = aten::mul.Tensor(self=%p, other=%q) return %a }",
                     ""},
        ContinuedRow{"weightsWithoutElementsStayByName",
                     "tensor @m.w: float32[2] graph @f(%x: float32[2], parameter weight %l_w: float32[2] "
                     "= @m.w target \"m.w\") { %a = aten::mul.Tensor(self=%x, other=%l_w) return %a }",
                     "tensor @m.w: float32[2] graph @f(%x: float32[2], parameter weight %p_1: float32[2] "
                     "= @m.w target \"m.w\") { %a = aten::mul.Tensor(self=%x, other=%p_1) return %a }",
                     ""},
        ContinuedRow{"nodesInRegionsStay",
                     "graph @f(%x: float32[2], %c: bool) { %r = prim::If(cond=%c) region \"then\" { "
                     "%a = aten::sin(self=%x) return %a } region \"else\" { return %x } return %r }",
                     "graph @f(%x: float32[2], %c: bool) { %r = prim::If(cond=%c) region \"then\" { "
                     "%a = aten::cos(self=%x) %b = aten::neg(self=%a) return %b } region \"else\" { return %x } "
                     "return %r }",
                     "+b ~a"},
        ContinuedRow{"aNodeThatMovesIntoARegionIsAnotherOne",
                     "graph @f(%x: float32[2], %c: bool) { %a = aten::sin(self=%x) %r = prim::If(cond=%c) "
                     "region \"then\" { return %a } region \"else\" { return %x } return %r }",
                     "graph @f(%x: float32[2], %c: bool) { %r = prim::If(cond=%c) region \"then\" { "
                     "%a = aten::sin(self=%x) return %a } region \"else\" { return %x } return %r }",
                     "-a +a"},
        ContinuedRow{"moreResultsMakeAnotherNode", "graph @f(%x: float32[2]) { %a = aten::sin(self=%x) return %a }",
                     "graph @f(%x: float32[2]) { %a, %i = aten::max.dim(self=%x, dim=0) return (%a, %i) }", "-a +a"}),
    [](const auto &row) { return row.param.name; });

} // namespace
} // namespace cutaway::test
