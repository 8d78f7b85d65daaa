// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/layout.h"

#include "core/ir/text/text.h"
#include "core/layout/describe_part.h"
#include "core/layout/metrics.h"
#include "core/layout/outline.h"
#include "tests/core/layout/net.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace cutaway;
using layout::Diagram;
using layout::Expansion;

namespace {

Diagram laidOut(const Net &net, const Expansion &expansion, const layout::Options &options = {})
{
    auto diagram = layout::layOut(net.model, {}, expansion, layout::approximateTextWidth, options);
    EXPECT_TRUE(diagram) << diagram.error().text();
    EXPECT_EQ(faults(*diagram), "");
    return diagram ? *diagram : Diagram{};
}

Expansion everything() { return {.open = {}, .everything = true}; }

/// x → stem(conv, relu) → head(conv, relu) → out
Net twoModules()
{
    Net net;
    auto x = net.input("x");
    for (const char *module : {"stem", "head"}) {
        x = net.call("conv2d", module, {x});
        x = net.call("relu", module, {x});
    }
    net.output(x);
    return net;
}

TEST(LayOut, closedModulesAreOneBoxWithOneEdgeBetween)
{
    EXPECT_EQ(print(laidOut(twoModules(), {})),
              "x\n"
              "relu3\n"
              "stem\n"
              "head\n"
              "x -> stem (1)\n"
              "stem -> head (1)\n"
              "head -> relu3 (1)\n");
}

TEST(LayOut, edgesMeetAtTheBordersOfOpenModules)
{
    const Net net = twoModules();
    Expansion expansion;
    expansion.open.insert(layout::ScopeSubject{ir::ScopeId{1}, ir::Graph::body});
    const Diagram diagram = laidOut(net, expansion);
    EXPECT_EQ(print(diagram),
              "x\n"
              "relu3\n"
              "[stem]\n"
              "  conv2d\n"
              "  relu\n"
              "head\n"
              "x -> [stem] (1)\n"
              "[stem] -> head (1)\n"
              "head -> relu3 (1)\n"
              "[stem] -> conv2d (1)\n"
              "conv2d -> relu (1)\n"
              "relu -> [stem] (1)\n");
    const layout::Rect stem = diagram.boxes[2].rect;
    // The line passes behind the title, and has no arrow before its end.
    EXPECT_NEAR(diagram.edges[0].points.back().y, stem.y + layout::metrics::titleInset, 1.5);
    EXPECT_NEAR(diagram.edges[3].points.front().y, diagram.edges[0].points.back().y + layout::metrics::titleRow, 1.5);
    EXPECT_TRUE(diagram.edges[0].goesOn);
    EXPECT_FALSE(diagram.edges[3].goesOn);
    EXPECT_TRUE(diagram.edges[5].goesOn);
    EXPECT_NEAR(diagram.edges[0].points.back().x, diagram.edges[3].points.front().x, 2);
    EXPECT_NEAR(diagram.edges[5].points.back().y, stem.bottom(), 1.5);
    EXPECT_NEAR(diagram.edges[5].points.back().x, diagram.edges[1].points.front().x, 2);
}

TEST(LayOut, aLineThatOnlyStubsGoOnFromEndsAtTheBorderWithAnArrow)
{
    Net net;
    const auto x = net.input("x"), late = net.input("late");
    auto value = x;
    for (int i = 0; i < 30; ++i)
        value = net.call("sin", "block", {value});
    net.output(net.call("add", "block", {value, late}));
    const Diagram diagram = laidOut(net, everything());
    int found = 0;
    for (const layout::Edge &edge : diagram.edges)
        if (diagram.boxes[edge.from].kind == layout::Box::Kind::Input) {
            const bool isLate = diagram.boxes[edge.from].lines[0].text == "late";
            EXPECT_EQ(edge.goesOn, !isLate);
            if (isLate) {
                EXPECT_NEAR(edge.points.back().y, diagram.boxes[edge.to].rect.y, 1.5);
            }
            ++found;
        }
    EXPECT_EQ(found, 2);
}

TEST(LayOut, valuesOfOnePairShareAnEdge)
{
    Net net;
    const auto x = net.input("x");
    const auto a = net.call("sin", "left", {x});
    const auto b = net.call("cos", "left", {x});
    net.output(net.call("add", "right", {net.call("mul", "right", {a, b}), a}));
    const std::string text = print(laidOut(net, {}));
    EXPECT_TRUE(text.contains("left -> right (2)\n")) << text;
}

TEST(LayOut, modulesThatFeedEachOtherBothWaysArePlaced)
{
    Net net;
    const auto x = net.input("x");
    const auto a = net.call("sin", "outer", {x});
    const auto b = net.call("cos", "between", {a});
    const auto c = net.call("neg", "between", {b});
    net.output(net.call("tan", "outer", {c}));
    const std::string text = print(laidOut(net, {}));
    EXPECT_TRUE(text.contains("outer -> between (1)\n")) << text;
    EXPECT_TRUE(text.contains("between -> outer (1)\n")) << text;
}

TEST(LayOut, aModuleWithOneNodeIsThatNode)
{
    Net net;
    net.output(net.call("linear", "head.proj", {net.input("x")}));
    const Diagram diagram = laidOut(net, {});
    EXPECT_EQ(print(diagram), "x\nlinear0\nlinear\nx -> linear (1)\nlinear -> linear0 (1)\n");
    EXPECT_EQ(diagram.boxes[2].lines[1].text, "proj");
}

TEST(LayOut, branchesAreDrawnInTheirNodeAndReadFromOutside)
{
    Net net;
    const auto x = net.input("x");
    const auto y = net.call("sin", "", {x});
    const auto node = net.append(ir::Graph::body, "cond", {}, {x});
    const auto branch = net.graph().addRegion(node, net.model.context->name("true_graph"));
    const auto inside = net.call("neg", ir::ScopeId{}, {y}, branch);
    net.graph().setOutputs(branch, {inside});
    net.output(net.graph().addOutput(node, net.model.context->name("z"), {}));

    EXPECT_EQ(print(laidOut(net, {})),
              "x\nz\nsin\ncond\n"
              "x -> sin (1)\nx -> cond (1)\nsin -> cond (1)\ncond -> z (1)\n");
    EXPECT_EQ(print(laidOut(net, everything())),
              "x\n"
              "z\n"
              "sin\n"
              "[cond]\n"
              "  [true_graph]\n"
              "    neg2\n"
              "    neg\n"
              "x -> sin (1)\n"
              "x -> [cond] (1)\n"
              "sin -> [cond] (1)\n"
              "[cond] -> z (1)\n"
              "[cond] -> [true_graph] (1)\n"
              "[true_graph] -> neg (1)\n"
              "neg -> neg2 (1)\n");
}

TEST(LayOut, whatALoopBeginsWithLeadsToTheInputsOfItsBody)
{
    const auto model = ir::parseText("graph @forward(%n: int, %x: float32[2]) {\n"
                                     "  %r: float32[2], %s: float32[2] = prim::Loop(%n, true, %x, 0)\n"
                                     "    region \"body\" (%i: int, %a: float32[2], %k: int) {\n"
                                     "      %b: float32[2] = aten::sin(self=%a)\n"
                                     "      return true, %b, %k\n"
                                     "    }\n"
                                     "  return %r\n"
                                     "}\n");
    ASSERT_TRUE(model) << model.error().text();
    const auto diagram = layout::layOut(*model, {}, everything(), layout::approximateTextWidth, {});
    ASSERT_TRUE(diagram);
    EXPECT_EQ(faults(*diagram), "");
    const std::string text = print(*diagram);
    EXPECT_TRUE(text.contains("\nn -> [Loop] (1)\n")) << text; // it is no input of the body
    EXPECT_TRUE(text.contains("\nx -> [Loop] (1)\n")) << text;
    EXPECT_TRUE(text.contains("[Loop] -> [body] (1)\n[body] -> a (1)\n")) << text;
    EXPECT_FALSE(text.contains("[body] -> i ") || text.contains("[body] -> k ")) << text; // counted, and a constant
}

TEST(LayOut, farReadersOfAValueGetStubs)
{
    Net net;
    const auto mask = net.input("mask");
    auto x = net.input("x");
    for (int i = 0; i < 30; ++i)
        x = net.call("add", "", {x, mask});
    net.output(x);
    const Diagram diagram = laidOut(net, {});
    const std::string text = print(diagram);
    EXPECT_TRUE(text.contains("mask -> add (1)\n")) << text;
    EXPECT_TRUE(text.contains("mask ~> add (1)\n")) << text;
    ASSERT_EQ(diagram.notes.size(), 1u);
    EXPECT_TRUE(diagram.notes[0].contains("stub")) << diagram.notes[0];
}

TEST(LayOut, stubsStandAboveTheirReadersAndMoveNothing)
{
    Net net;
    const auto mask = net.call("rsub", "", {net.input("mask")});
    auto x = net.input("x");
    for (int i = 0; i < 30; ++i)
        x = net.call("add", "", {x, mask});
    net.output(x);
    const Diagram diagram = laidOut(net, {}, {.columns = false});
    std::size_t stubs = 0;
    double column = 0;
    for (const layout::Edge &edge : diagram.edges) {
        if (edge.form != layout::Edge::Form::Stub)
            continue;
        const layout::Rect reader = diagram.boxes[edge.to].rect;
        ASSERT_TRUE(edge.labelRect);
        EXPECT_EQ(edge.label, "from rsub");
        EXPECT_LT(edge.labelRect->bottom(), reader.y);
        EXPECT_GT(edge.labelRect->bottom(), reader.y - layout::metrics::rankGap);
        EXPECT_GT(edge.labelRect->right(), reader.x);
        EXPECT_LT(edge.labelRect->x, reader.right());
        EXPECT_NEAR(reader.center().x, column == 0 ? reader.center().x : column, 1.0);
        column = reader.center().x;
        ++stubs;
    }
    EXPECT_EQ(stubs, 29u);
}

TEST(LayOut, stubsThatStandTooNearShareAName)
{
    Net net;
    const auto x = net.input("x");
    std::vector<ir::ValueId> read;
    for (const auto *op : {"sin", "cos", "tan"})
        read.push_back(net.call(op, "", {x}));
    auto y = x;
    for (int i = 0; i < 30; ++i)
        y = net.call("neg", "", {y});
    read.push_back(y);
    net.output(net.call("neg", "m", {net.call("cat", "m", read)}));
    std::vector<layout::Rect> names;
    std::size_t stubs = 0;
    std::string text;
    for (const layout::Edge &edge : laidOut(net, everything()).edges) {
        if (edge.form != layout::Edge::Form::Stub)
            continue;
        ++stubs;
        text += edge.label + '\n';
        if (edge.labelRect)
            names.push_back(*edge.labelRect);
    }
    EXPECT_EQ(stubs, 3u);
    EXPECT_LT(names.size(), stubs);
    EXPECT_TRUE(text.contains(" + ")) << text;
    for (std::size_t i = 1; i < names.size(); ++i)
        EXPECT_FALSE(names[i].intersects(names[i - 1])) << text;
}

/// Inputs of one type, so many of each name, each read by a node of its own.
Net manyInputs(const std::vector<std::string> &names, int count)
{
    Net net;
    auto x = net.input("x");
    std::vector<ir::ValueId> all;
    for (int i = 0; i < count; ++i)
        for (const std::string &name : names)
            all.push_back(net.input(name + std::to_string(i)));
    for (const ir::ValueId each : all)
        x = net.call("add", "", {x, each});
    net.output(x);
    return net;
}

TEST(LayOut, manyInputsThatLookAlikeAreOnePill)
{
    const Diagram diagram = laidOut(manyInputs({"past."}, 24), {});
    const std::string text = print(diagram);
    EXPECT_TRUE(text.starts_with("x\n24 × past\nadd")) << text;
    EXPECT_EQ(diagram.boxes[1].others.size(), 23u);
    EXPECT_TRUE(print(laidOut(manyInputs({"key_", "value_"}, 12), {})).contains("x\n12 × key\n12 × value\nadd"));
    EXPECT_TRUE(print(laidOut(manyInputs({"past."}, 3), {})).contains("past.0\npast.1\npast.2\n"));
}

/// A chain in two modules, so long; each value is returned. No two names look alike.
Net manyOutputs(int count)
{
    Net net;
    auto x = net.input("x");
    std::vector<ir::Operand> all;
    for (int i = 0; i < count; ++i) {
        x = net.call(std::string("made_by_") + char('a' + i), i < count / 2 ? "first" : "second", {x});
        all.emplace_back(x);
    }
    net.graph().setOutputs(ir::Graph::body, all);
    return net;
}

TEST(LayOut, manyOutputsOfOneModuleAreOnePillBesideTheFirstResult)
{
    EXPECT_EQ(print(laidOut(manyOutputs(26), {})),
              "x\nmade_by_a0\n12 × tensor\n13 × tensor\nfirst\nsecond\n"
              "x -> first (1)\nfirst -> made_by_a0 (1)\nfirst -> 12 × tensor (12)\nfirst -> second (1)\n"
              "second -> 13 × tensor (13)\n");
    EXPECT_FALSE(print(laidOut(manyOutputs(12), {})).contains("×"));
}

TEST(LayOut, manyResultsOfOneModuleAreOnePillWhereAnotherOutputIsForSomethingElse)
{
    Net net = manyOutputs(26);
    auto &outputs = net.model.functions[0].outputs;
    outputs.assign(26, ir::FunctionOutput{});
    outputs.back().target = net.model.context->name("count");
    EXPECT_TRUE(print(laidOut(net, {})).contains("×"));
}

TEST(LayOut, outputsThatLookAlikeStayOnePillWhoeverMakesThem)
{
    Net net;
    auto x = net.input("x");
    std::vector<ir::Operand> all;
    for (int i = 0; i < 16; ++i)
        all.emplace_back(x = net.call("relu", "", {x}));
    for (int i = 0; i < 13; ++i)
        all.emplace_back(x = net.call(std::string("made_by_") + char('a' + i), "", {x}));
    net.graph().setOutputs(ir::Graph::body, all);
    const std::string text = print(laidOut(net, {}));
    EXPECT_TRUE(text.starts_with("x\n16 × relu\nmade_by_a16\n")) << text;
}

TEST(LayOut, inputsStandInTheOrderOfTheSignature)
{
    Net net;
    const auto kept = net.input("kept"), isNew = net.input("new");
    net.output(net.call("add", "", {kept, isNew}));
    std::ranges::reverse(net.model.functions[0].inputs);
    const std::string text = print(laidOut(net, {}));
    EXPECT_TRUE(text.starts_with("new\nkept\nadd")) << text;
}

TEST(LayOut, aPillOfManyNamesNoSizeThatOnlyOneHas)
{
    const auto lines = [](const std::string &name, const std::string &type) {
        return std::vector<layout::Line>{{name, layout::Line::Style::Title}, {type, layout::Line::Style::Muted}};
    };
    const auto one = lines("key.3", "float32 [Cat_3.dim_0, 12, past + 1, 8]"),
               other = lines("key.7", "float32 [batch, 12, past + max(0, -min(1… past + 1)), 8]"),
               wider = lines("key.7", "float32 [Cat_7.dim_0, 16, past + 1, 8]");
    EXPECT_EQ(layout::likenessOf(one), layout::likenessOf(other));
    EXPECT_NE(layout::likenessOf(one), layout::likenessOf(wider));
    EXPECT_EQ(layout::describeMany({one, other})[1].text, "float32");
    EXPECT_EQ(layout::describeMany({one, one})[1].text, one[1].text);
}

TEST(LayOut, equalModulesInARowAreFolded)
{
    Net net;
    auto x = net.call("embedding", "", {net.input("x")});
    for (int i = 0; i < 6; ++i) {
        const auto scope = net.scope("layer" + std::to_string(i), "net.Block");
        x = net.call("add", scope, {net.call("linear", scope, {x}), x});
    }
    net.output(x);
    EXPECT_EQ(print(laidOut(net, {})),
              "x\nadd12\nembedding\n6 × Block\n"
              "x -> embedding (1)\nembedding -> 6 × Block (1)\n6 × Block -> add12 (1)\n");
    EXPECT_EQ(laidOut(net, everything()).boxes.size(), 4u + 6 + 12);
}

TEST(LayOut, equalModulesWithOtherSizesAreNotFolded)
{
    Net net;
    auto x = net.call("embedding", "", {net.input("x")});
    for (int i = 0; i < 6; ++i) {
        const auto scope = net.scope("layer" + std::to_string(i), "net.Block");
        x = net.call("add", scope, {net.call("linear", scope, {x}), x});
        ir::TensorType type{};
        type.shape = ir::Shape{std::int64_t{i % 2 + 1}};
        net.graph().setType(x, net.model.context->type(type));
    }
    net.output(x);
    EXPECT_EQ(laidOut(net, {}).boxes.size(), 3u + 6);
}

TEST(LayOut, aNodeBetweenNodesOfOneModuleStandsInIt)
{
    Net net;
    const auto x = net.call("linear", "attn", {net.call("linear", "attn", {net.input("x")})});
    const auto lost = net.call("size", "", {x});
    net.output(net.call("reshape", "attn", {x, lost}));
    EXPECT_EQ(print(laidOut(net, {})), "x\nreshape3\nattn\nx -> attn (1)\nattn -> reshape3 (1)\n");
}

TEST(LayOut, tooManySiblingsAreDivided)
{
    Net net;
    auto x = net.input("x");
    for (int i = 0; i < 1000; ++i)
        x = net.call(i % 2 ? "sin" : "cos", "", {x});
    net.output(x);
    const Diagram diagram = laidOut(net, {});
    EXPECT_GT(diagram.boxes.size(), 2u + 20);
    EXPECT_LT(diagram.boxes.size(), 2u + 50);
    EXPECT_EQ(diagram.edges.size(), diagram.boxes.size() - 1);
}

TEST(LayOut, openSlicesAreNoStaircase)
{
    Net net;
    auto x = net.input("x");
    for (int i = 0; i < 2000; ++i)
        x = net.call(i % 2 ? "sin" : "cos", "", {x});
    net.output(x);
    const Diagram diagram = laidOut(net, everything());
    double filled = 0;
    for (const layout::Box &box : diagram.boxes)
        filled += box.open && !box.parent ? box.rect.width * box.rect.height : 0;
    EXPECT_GT(filled, diagram.bounds.width * diagram.bounds.height / 2);
}

TEST(LayOut, slicesHaveTitlesAndSeveralNodesEach)
{
    for (const int count : {201, 1001, 20001}) {
        Net net;
        auto x = net.input("x");
        for (int i = 0; i < count; ++i)
            x = net.call("sin", "", {x});
        net.output(x);
        for (const Expansion &expansion : {Expansion{}, everything()}) {
            const Diagram diagram = laidOut(net, expansion);
            std::vector<int> inside(diagram.boxes.size());
            for (const layout::Box &box : diagram.boxes) {
                EXPECT_TRUE(!box.lines.empty() && !box.lines.front().text.empty());
                if (box.parent)
                    ++inside[*box.parent];
            }
            for (std::size_t i = 0; i < diagram.boxes.size(); ++i)
                EXPECT_FALSE(diagram.boxes[i].open && inside[i] == 1)
                    << count << ", " << diagram.boxes[i].lines[0].text;
        }
    }
}

TEST(LayOut, modulesThatAreOnlyNumbersAreCountedAsModules)
{
    Net net;
    auto x = net.call("embedding", "", {net.input("x")});
    for (int i = 1; i <= 3; ++i) {
        const auto scope = net.scope(std::to_string(i));
        x = net.call("add", scope, {net.call("linear", scope, {x}), x});
    }
    net.output(x);
    const std::string text = print(laidOut(net, {}));
    EXPECT_TRUE(text.contains("\n3 × module\n")) << text;
}

TEST(LayOut, linesIntoAnOpenSliceGoOnToWhatReadsThem)
{
    Net net;
    auto x = net.input("x");
    auto kept = x;
    for (int i = 0; i < 1000; ++i) {
        x = i % 5 == 0 ? net.call("add", "", {x, kept}) : net.call("sin", "", {x});
        kept = i % 5 == 0 ? x : kept;
    }
    net.output(x);
    const Diagram diagram = laidOut(net, everything());
    std::size_t passing = 0;
    for (const layout::Edge &edge : diagram.edges) {
        const bool enters = diagram.boxes[edge.to].open && diagram.boxes[edge.from].parent != edge.to;
        if (!enters || edge.form != layout::Edge::Form::Line || !edge.goesOn)
            continue;
        ++passing;
        const auto goesOnInside = [&](const layout::Edge &inside) {
            return inside.from == edge.to && diagram.boxes[inside.to].parent == edge.to
                && std::abs(inside.points.front().x - edge.points.back().x) < 1.5;
        };
        EXPECT_TRUE(std::ranges::any_of(diagram.edges, goesOnInside)) << edge.from;
    }
    EXPECT_GE(passing, 10U);
}

TEST(LayOut, aStackOfSlicesCountsItsModules)
{
    Net net;
    auto x = net.input("x");
    for (int i = 0; i < 1000; ++i) {
        const auto scope = net.scope("layer" + std::to_string(i));
        x = net.call("add", scope, {net.call("linear", scope, {x}), x});
    }
    net.output(x);
    const std::string text = print(laidOut(net, {}));
    EXPECT_TRUE(text.contains("1,000 × ")) << text;
}

TEST(LayOut, flatHasEveryNodeInOnePlane)
{
    const Diagram diagram = laidOut(twoModules(), {.open = {}, .everything = true, .flat = true});
    EXPECT_EQ(diagram.boxes.size(), 6u);
    for (const layout::Box &box : diagram.boxes)
        EXPECT_EQ(box.depth, 0);
}

TEST(LayOut, anEmptyFunctionIsAnEmptyPicture)
{
    const Diagram diagram = laidOut(Net(), everything());
    EXPECT_TRUE(diagram.boxes.empty());
    EXPECT_GT(diagram.bounds.width, 0);
}

TEST(LayOut, stopsWhenAsked)
{
    std::stop_source source;
    source.request_stop();
    const auto diagram =
        layout::layOut(twoModules().model, {}, {}, layout::approximateTextWidth, {}, source.get_token());
    ASSERT_FALSE(diagram);
    EXPECT_EQ(diagram.error().kind, ErrorKind::Cancelled);
}

TEST(ReadableExpansion, opensLevelsWhileTheyFit)
{
    const Net net = twoModules();
    EXPECT_EQ(layout::readableExpansion(net.model, {}, 60).open.size(), 2u);
    EXPECT_EQ(layout::readableExpansion(net.model, {}, 3).open.size(), 0u);
}

TEST(LayOut, narrowBoxesHaveRoomForLabels)
{
    Net net;
    auto x = net.input("x");
    for (int i = 0; i < 4; ++i)
        x = net.call("sin", "m", {x});
    net.output(x);
    const Diagram diagram = laidOut(net, everything());
    int labelled = 0;
    for (const layout::Edge &edge : diagram.edges)
        if (!edge.label.empty()) {
            EXPECT_TRUE(edge.labelRect) << edge.label;
            ++labelled;
        }
    EXPECT_EQ(labelled, 3);
}

TEST(ReadableExpansion, leavesModulesOfNodesAloneClosedBesideOthers)
{
    Net net;
    auto x = net.input("x");
    const auto add = [&](const std::string &module, int nodes) {
        for (int i = 0; i < nodes; ++i)
            x = net.call("sin", module, {x});
    };
    add("embeddings", 9);
    add("head", 2);
    for (const char *place : {"", "a.b", "a.c", ""})
        add(place, 1);
    net.output(x);
    const auto isOpen = [&](std::size_t budget, std::string_view module) {
        const layout::Expansion first = layout::readableExpansion(net.model, {}, budget);
        return first.isOpen(layout::ScopeSubject{net.scope(module), ir::Graph::body});
    };
    EXPECT_FALSE(isOpen(20, "embeddings")) << "it would be nine of eighteen boxes";
    EXPECT_TRUE(isOpen(20, "head"));
    EXPECT_TRUE(isOpen(60, "embeddings"));
    Net alone;
    x = alone.input("x");
    for (int i = 0; i < 15; ++i)
        x = alone.call("sin", i < 2 ? "first" : "second", {x});
    alone.output(x);
    EXPECT_EQ(layout::readableExpansion(alone.model, {}, 20).open.size(), 2U) << "there is nothing else to see";
}

TEST(ReadableExpansion, opensThroughAnOnlyChild)
{
    Net net;
    auto x = net.input("x");
    for (int i = 0; i < 10; ++i)
        x = net.call("sin", "model.encoder.layers", {x});
    net.output(x);
    EXPECT_EQ(layout::readableExpansion(net.model, {}, 1).open.size(), 3u);
}

TEST(ExpansionToDepth, countsModules)
{
    Net net;
    const auto x = net.input("x");
    net.output(net.call("sin", "a.b.c", {net.call("cos", "a.b.c", {net.call("tan", "a.b", {x})})}));
    EXPECT_EQ(layout::expansionToDepth(net.model, {}, 0).open.size(), 0u);
    EXPECT_EQ(layout::expansionToDepth(net.model, {}, 1).open.size(), 1u);
    EXPECT_EQ(layout::expansionToDepth(net.model, {}, 3).open.size(), 3u);
}

TEST(Enclosing, namesWhatToOpenFromOutsideIn)
{
    Net net;
    const auto x = net.input("x");
    net.output(net.call("sin", "a.b", {net.call("cos", "a.b", {net.call("tan", "a", {x})})}));
    const auto subjects = layout::enclosing(layout::outlineOf(net.model.functions[0], false), ir::NodeId{2});
    ASSERT_EQ(subjects.size(), 2u);
    EXPECT_EQ(std::get<layout::ScopeSubject>(subjects[0]).scope, net.scope("a"));
    EXPECT_EQ(std::get<layout::ScopeSubject>(subjects[1]).scope, net.scope("a.b"));
}

} // namespace
