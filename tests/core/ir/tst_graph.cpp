// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Changes of a graph keep its use lists correct; copies share memory and are independent; ids are never reused.

#include "core/ir/context.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"

#include <gtest/gtest.h>
#include <random>

namespace cutaway::ir {

namespace {

constexpr const char *chain = R"(graph @f(%x) {
  %a = a::one(%x)
  %b = a::two(%a, [%a, %x])
  %c = a::three(%b)
  return %c, %a
}
)";

/// A graph read from text, changed, and printed again.
class GraphTest : public testing::Test {
protected:
    Graph &read(const char *text)
    {
        auto model = parseText(text);
        if (!model)
            ADD_FAILURE() << model.error().text();
        else
            m_model = std::move(*model);
        return m_model.functions.at(0).graph;
    }

    NodeDraft draft(std::string_view name, std::vector<Operand> operands = {})
    {
        NodeDraft draft;
        draft.op = m_model.context->op("a", name);
        for (Operand &operand : operands)
            draft.arguments.push_back({{}, std::move(operand)});
        return draft;
    }

    /// The printed function; a graph that does not verify shows instead.
    std::string print()
    {
        const auto findings = verify(m_model.functions[0].graph);
        return findings.empty() ? printText(m_model) : "broken: " + findings[0];
    }

    ValueId value(std::string_view name) const
    {
        const Graph &graph = m_model.functions[0].graph;
        for (std::uint32_t i = 0; i < graph.valueCount(); ++i)
            if (m_model.context->text(graph.at(ValueId{i}).name) == name)
                return {i};
        ADD_FAILURE() << "no value " << name;
        return {};
    }

    Model m_model;
};

TEST_F(GraphTest, usesAreListedOncePerOccurrence)
{
    Graph &graph = read(chain);
    EXPECT_EQ(graph.at(value("a")).uses.size(), 3u);
    EXPECT_EQ(graph.at(value("x")).uses.size(), 2u);
    EXPECT_EQ(graph.at(value("c")).uses.size(), 1u);
}

TEST_F(GraphTest, insertBeforePlacesAndNumbersBehindAll)
{
    Graph &graph = read(chain);
    const NodeId node = graph.insertBefore(NodeId{1}, draft("new", {value("a")}));
    graph.addOutput(node, m_model.context->name("n"), {});
    EXPECT_EQ(node, NodeId{3});
    EXPECT_EQ(print(),
              "graph @f(%x) {\n  %a = a::one(%x)\n  #3 %n = a::new(%a) name \"\"\n  #1 %b = a::two(%a, [%a, %x])\n"
              "  %c = a::three(%b)\n  return %c, %a\n}\n");
}

TEST_F(GraphTest, replaceUsesReachesListsAndOutputs)
{
    Graph &graph = read(chain);
    graph.replaceUses(value("a"), value("x"));
    m_model.functions[0].outputs.clear();
    EXPECT_EQ(print(),
              "graph @f(%x) -> () {\n  %a = a::one(%x)\n  %b = a::two(%x, [%x, %x])\n  %c = a::three(%b)\n"
              "  return %c, %x\n}\n");
    EXPECT_TRUE(graph.at(value("a")).uses.empty());
    EXPECT_EQ(graph.at(value("x")).uses.size(), 5u);
}

TEST_F(GraphTest, replaceUsesByItselfChangesNothing)
{
    Graph &graph = read(chain);
    graph.replaceUses(value("a"), value("a"));
    EXPECT_EQ(print(), chain);
}

TEST_F(GraphTest, removeTakesUsesAndKeepsTheId)
{
    Graph &graph = read(chain);
    m_model.functions[0].outputs.clear();
    graph.setOutputs(Graph::body, {});
    graph.remove(NodeId{2});
    graph.remove(NodeId{1});
    EXPECT_EQ(print(), "graph @f(%x) next #3 {\n  %a = a::one(%x)\n}\n");
    EXPECT_EQ(graph.append(Graph::body, draft("new")), NodeId{3});
    EXPECT_EQ(print(), "graph @f(%x) {\n  %a = a::one(%x)\n  #3 a::new()\n}\n");
}

TEST_F(GraphTest, removeTakesRegionsWithIt)
{
    Graph &graph = read(R"(graph @f(%x) {
        %a = a::if(%x) region { %b = a::one(%x) %c = a::if(%b) region { %d = a::two(%b) return %d } return %c }
        return %x })");
    graph.remove(NodeId{0});
    EXPECT_EQ(print(), "graph @f(%x) next #4 {\n  return %x\n}\n");
    EXPECT_EQ(graph.at(value("x")).uses.size(), 1u);
    for (std::uint32_t i = 0; i < 4; ++i)
        EXPECT_TRUE(graph.at(NodeId{i}).removed);
}

TEST_F(GraphTest, reorderMovesNodes)
{
    Graph &graph = read("graph @f(%x) { a::one(%x) a::two(%x) a::three(%x) }");
    graph.reorder(Graph::body, {NodeId{2}, NodeId{0}, NodeId{1}});
    EXPECT_EQ(print(), "graph @f(%x) {\n  #2 a::three(%x)\n  #0 a::one(%x)\n  a::two(%x)\n}\n");
}

TEST_F(GraphTest, reorderOfSeveralRegionsExchangesNodes)
{
    Graph &graph = read("graph @f(%x) { a::if(%x) region { a::one(%x) } a::two(%x) a::three(%x) }");
    const RegionId inner = graph.at(NodeId{0}).regions.front();
    graph.reorder({{Graph::body, {NodeId{1}, NodeId{0}, NodeId{3}}}, {inner, {NodeId{2}}}});
    EXPECT_EQ(print(),
              "graph @f(%x) {\n  #1 a::one(%x)\n  #0 a::if(%x)\n    region {\n      #2 a::two(%x)\n    }\n"
              "  a::three(%x)\n}\n");
}

TEST_F(GraphTest, reorderEmptiesRegionsThatAreNotNamed)
{
    Graph &graph = read("graph @f(%x) { a::if(%x) region { a::one(%x) } }");
    graph.reorder({{Graph::body, {NodeId{1}, NodeId{0}}}});
    EXPECT_EQ(print(), "graph @f(%x) {\n  #1 a::one(%x)\n  #0 a::if(%x)\n    region {\n    }\n}\n");
}

TEST_F(GraphTest, weightsMoveToOtherRegionsAndGo)
{
    Graph &graph = read("graph @f(%x) { a::if(%x) region { } a::one(%x) }");
    const RegionId inner = graph.at(NodeId{0}).regions.front();
    const ValueId weight = graph.addWeight(inner, m_model.context->name("w"), {}, TensorId{7});
    graph.setArguments(NodeId{1}, {{{}, weight}});
    EXPECT_NE(verify(graph), std::vector<std::string>()); // not visible there
    graph.moveWeight(weight, Graph::body);
    EXPECT_EQ(verify(graph), std::vector<std::string>());
    EXPECT_EQ(graph.at(weight).definition, Definition(Weight{Graph::body, TensorId{7}}));
    graph.setArguments(NodeId{1}, {});
    graph.removeWeight(weight);
    EXPECT_EQ(graph.at(weight).definition, Definition(NoDefinition{}));
    EXPECT_EQ(print(), "graph @f(%x) {\n  a::if(%x)\n    region {\n    }\n  a::one()\n}\n");
}

TEST_F(GraphTest, withValuesReachesLists)
{
    const Operand before = List{{ValueId{1}, Dict{{std::int64_t{3}, ValueId{2}}}, None{}}};
    const Operand after = withValues(
        before, [](ValueId value) -> Operand { return value == ValueId{1} ? Operand(ValueId{5}) : Operand(true); });
    EXPECT_EQ(after, Operand(List{{ValueId{5}, Dict{{std::int64_t{3}, true}}, None{}}}));
}

TEST_F(GraphTest, setArgumentsReplacesUses)
{
    Graph &graph = read(chain);
    graph.setArguments(NodeId{1}, {{m_model.context->name("k"), Operand(Dict{{std::int64_t{1}, value("x")}})}});
    EXPECT_EQ(print(),
              "graph @f(%x) {\n  %a = a::one(%x)\n  %b = a::two(k={1: %x})\n  %c = a::three(%b)\n"
              "  return %c, %a\n}\n");
}

TEST_F(GraphTest, copiesDoNotSeeEachOthersChanges)
{
    Graph &graph = read(chain);
    const Graph before = graph;
    EXPECT_TRUE(graph.sharesNode(before, NodeId{1}));
    graph.setScope(NodeId{1}, m_model.context->childScope({}, "layer1"));
    graph.setName(value("a"), m_model.context->name("renamed"));
    EXPECT_FALSE(graph.sharesNode(before, NodeId{1}));
    EXPECT_EQ(before.at(NodeId{1}).scope, ScopeId{});
    EXPECT_EQ(m_model.context->text(before.at(ValueId{1}).name), "a");
    graph = before;
    EXPECT_EQ(print(), chain);
}

TEST_F(GraphTest, aChangeCopiesOnlyWhatItTouches)
{
    std::string text = "graph @f(%x) {";
    for (int i = 0; i < 1000; ++i)
        text += " a::one(%x)";
    Graph &graph = read((text + "}").c_str());
    const Graph before = graph;
    graph.setScope(NodeId{600}, m_model.context->childScope({}, "layer1"));
    int shared = 0;
    for (std::uint32_t i = 0; i < 1000; ++i)
        shared += graph.sharesNode(before, NodeId{i});
    EXPECT_EQ(shared, 999);
}

TEST_F(GraphTest, randomChangesKeepEverythingRight)
{
    std::mt19937 engine(3);
    Graph &graph = read("graph @f(%x) { }");
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine); };
    std::vector<Graph> history;
    std::vector<std::string> texts;
    for (int i = 0; i < 400; ++i) {
        const auto &nodes = graph.at(Graph::body).nodes;
        if (nodes.size() > 5 && below(3) == 0) { // replace a node's results by the input and take it out
            const NodeId node = nodes[below(nodes.size())];
            for (const ValueId output : graph.at(node).outputs)
                graph.replaceUses(output, ValueId{0});
            graph.remove(node);
        } else {
            const ValueId input = nodes.empty() ? ValueId{0} : graph.at(nodes[below(nodes.size())]).outputs[0];
            graph.addOutput(graph.append(Graph::body, draft("one", {input, List{{input, ValueId{0}}}})), {}, {});
        }
        ASSERT_EQ(verify(graph), std::vector<std::string>());
        history.push_back(graph);
        texts.push_back(printText(m_model));
    }
    for (std::size_t i = 0; i < history.size(); i += 50) {
        m_model.functions[0].graph = history[i];
        EXPECT_EQ(printText(m_model), texts[i]);
        const auto again = parseText(texts[i]);
        ASSERT_TRUE(again) << again.error().text();
        EXPECT_EQ(printText(*again), texts[i]);
    }
}

TEST_F(GraphTest, restorePutsRemovedNodesBackWhereTheyStood)
{
    Graph &graph = read("graph @f(%x) { %a = a::one(%x) %b = a::two(%a) %c = a::three(%b) return %c }");
    const Graph before = graph;
    graph.setArguments(NodeId{2}, {{NameId{}, Operand{graph.at(NodeId{0}).outputs[0]}}});
    graph.remove(NodeId{1});
    graph.restore(before);
    EXPECT_EQ(print(),
              "graph @f(%x) {\n  %a = a::one(%x)\n  %b = a::two(%a)\n  %c = a::three(%a, %b)\n  return %c\n}\n");
}

TEST_F(GraphTest, restoreKeepsWhatIsNewAndWhereThingsStandNow)
{
    Graph &graph = read("graph @f(%x) { a::one(%x) a::two(%x) a::three(%x) }");
    const Graph before = graph;
    graph.remove(NodeId{0});
    graph.reorder(Graph::body, {NodeId{2}, NodeId{1}});
    graph.insertBefore(NodeId{2}, draft("new"));
    graph.restore(before);
    EXPECT_EQ(print(), "graph @f(%x) {\n  a::one(%x)\n  #3 a::new()\n  #2 a::three(%x)\n  #1 a::two(%x)\n}\n");
}

TEST_F(GraphTest, restoreShowsWhatWasReturnedBesideWhatIs)
{
    Graph &graph = read("graph @f(%x) { %a = a::one(%x) %b = a::two(%a) return %b }");
    const Graph before = graph;
    graph.setOutputs(Graph::body, {Operand{graph.at(NodeId{0}).outputs[0]}});
    graph.remove(NodeId{1});
    graph.restore(before);
    EXPECT_EQ(print(), "graph @f(%x) -> (%b) {\n  %a = a::one(%x)\n  %b = a::two(%a)\n  return [%a, %b]\n}\n");
}

TEST_F(GraphTest, restoreBringsBackInputsAndRegions)
{
    Graph &graph = read("graph @f(%x, %y) { a::if(%y) region { a::one(%x) a::two(%x) } }");
    const Graph before = graph;
    graph.reorder(Graph::body, {NodeId{1}, NodeId{0}});
    graph.remove(NodeId{0});
    graph.removeInput(Graph::body, 1);
    graph.restore(before);
    EXPECT_EQ(print(),
              "graph @f(%x, %y) {\n  a::if(%y)\n    region {\n      #2 a::two(%x)\n    }\n  #1 a::one(%x)\n}\n");
}

} // namespace

} // namespace cutaway::ir
