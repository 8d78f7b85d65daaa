// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of two states: what a pass took away stands where it stood, and boxes and lines tell what differs.
#include "core/layout/marks.h"

#include "core/layout/layout.h"
#include "core/layout/outline.h"
#include "core/layout/states.h"
#include "tests/core/layout/net.h"

#include <gtest/gtest.h>

using namespace cutaway;
using layout::Mark;

namespace {

std::string sign(Mark mark)
{
    return mark == Mark::Absent ? "0"
        : mark == Mark::Added   ? "+"
        : mark == Mark::Removed ? "-"
        : mark == Mark::Changed ? "~"
                                : "";
}

std::string titleOf(const layout::Box &box) { return box.lines.empty() ? "?" : box.lines[0].text; }

/// "relu -" a box, "conv2d > relu -" a line, of what differs.
std::string print(const layout::Diagram &diagram, const layout::Marks &marks)
{
    std::string text;
    for (std::size_t i = 0; i < diagram.boxes.size(); ++i)
        if (marks.boxes[i].mark != Mark::None)
            text += titleOf(diagram.boxes[i]) + " " + sign(marks.boxes[i].mark) + " ["
                + layout::badgeText(diagram.boxes[i], marks.boxes[i]) + "]\n";
    for (std::size_t i = 0; i < diagram.edges.size(); ++i)
        if (marks.edges[i] != Mark::None)
            text += titleOf(diagram.boxes[diagram.edges[i].from]) + " > " + titleOf(diagram.boxes[diagram.edges[i].to])
                + " " + sign(marks.edges[i]) + "\n";
    return text;
}

layout::Marks marksOf(const layout::Diagram &diagram, const ir::Model &model, const layout::NodeMarks &nodes)
{
    const ir::Function &function = model.functions[0];
    return layout::marksOf(diagram, function.graph, layout::outlineOf(function, false), nodes);
}

/// x → conv2d → relu → add → out, in which passes change something.
class Marks : public testing::Test {
protected:
    Marks()
    {
        const auto x = net.input("x");
        conv = net.call("conv2d", "stem", {x});
        relu = net.call("relu", "stem", {conv});
        sum = net.call("add", "", {relu, x});
        net.output(sum);
        before = net.model;
    }

    ir::NodeId maker(ir::ValueId value) { return std::get<ir::NodeResult>(net.graph().at(value).definition).node; }

    void removeRelu()
    {
        net.graph().replaceUses(relu, conv);
        net.graph().remove(maker(relu));
    }

    std::string seen(const layout::Expansion &expansion)
    {
        const ir::Model both = layout::bothStates(before, net.model, ir::FunctionId{0});
        const auto nodes = layout::marksBetween(before.functions[0].graph, net.graph());
        const auto diagram = layout::layOut(both, ir::FunctionId{0}, expansion);
        return diagram ? print(*diagram, marksOf(*diagram, both, nodes)) : "no diagram";
    }

    Net net;
    ir::Model before;
    ir::ValueId conv, relu, sum;
};

TEST_F(Marks, ofTwoEqualStatesAreNone) { EXPECT_EQ(seen({.open = {}, .everything = true}), ""); }

TEST_F(Marks, showWhatWasRemovedAndTheNewLinePastIt)
{
    removeRelu();
    EXPECT_EQ(seen({.open = {}, .flat = true}),
              "relu - [−]\n"
              "add ~ [~]\n"
              "conv2d > relu -\n"
              "conv2d > add +\n"
              "relu > add -\n");
}

TEST_F(Marks, ofAClosedModuleCountWhatIsInIt)
{
    removeRelu();
    EXPECT_EQ(seen({}), "stem ~ [−1]\nadd ~ [~]\n"); // the line stands for what was read and what is
}

TEST_F(Marks, ofAModuleThatIsNewAsAWhole)
{
    const auto next = maker(sum);
    const auto neg = net.graph().insertBefore(next,
                                              {.op = net.model.context->op("aten", "neg"),
                                               .name = {},
                                               .scope = net.scope("tail"),
                                               .location = {},
                                               .arguments = {{.name = {}, .value = relu}},
                                               .origins = {},
                                               .metadata = {}});
    const auto exp = net.graph().insertBefore(next,
                                              {.op = net.model.context->op("aten", "exp"),
                                               .name = {},
                                               .scope = net.scope("tail"),
                                               .location = {},
                                               .arguments = {{.name = {}, .value = relu}},
                                               .origins = {},
                                               .metadata = {}});
    net.graph().addOutput(neg, {}, {});
    net.graph().addOutput(exp, {}, {});
    EXPECT_EQ(seen({}), "tail + [+2]\nstem > tail +\n");
}

TEST_F(Marks, ofAPictureOfMoreStatesTellWhatIsInNeither)
{
    const auto neg = net.graph().insertBefore(maker(sum),
                                              {.op = net.model.context->op("aten", "neg"),
                                               .name = {},
                                               .scope = {},
                                               .location = {},
                                               .arguments = {{.name = {}, .value = relu}},
                                               .origins = {},
                                               .metadata = {}});
    net.graph().replaceUses(sum, net.graph().addOutput(neg, {}, {}));
    const ir::Model second = net.model;
    net.graph().remove(maker(sum));
    const auto states = {std::make_shared<const ir::Model>(before), std::make_shared<const ir::Model>(second),
                         std::make_shared<const ir::Model>(net.model)};
    const ir::Model all = layout::allStates(states, ir::FunctionId{0});
    const auto seenAt = [&](const ir::Model &was, const ir::Model &is) {
        const auto nodes = layout::marksWithin(all.functions[0].graph, was.functions[0].graph, is.functions[0].graph);
        const auto diagram = layout::layOut(all, ir::FunctionId{0}, {.open = {}, .flat = true});
        return print(*diagram, marksOf(*diagram, all, nodes));
    };
    EXPECT_EQ(seenAt(before, before), "neg 0 []\nrelu > neg 0\nneg > output 0\n");
    EXPECT_EQ(seenAt(before, second), "neg + [+]\nrelu > neg +\nneg > output +\n");
    EXPECT_EQ(seenAt(second, net.model), "add - [−]\nx > add -\nrelu > add -\nadd > output -\n");
}

TEST_F(Marks, areOnInputsAndOutputsThatAreNotInBothStates)
{
    const ir::ValueId y = net.input("y");
    net.graph().setOutputs(ir::Graph::body, {sum, relu});
    const ir::Graph &was = before.functions[0].graph, &is = net.graph();
    const auto added = layout::marksBetween(was, is), removed = layout::marksBetween(is, was);
    EXPECT_EQ(added.inputs, (std::map{std::pair{y, Mark::Added}}));
    EXPECT_EQ(added.outputs, (std::vector{Mark::None, Mark::Added}));
    EXPECT_EQ(removed.inputs, (std::map{std::pair{y, Mark::Removed}}));
    EXPECT_EQ(removed.outputs, (std::vector{Mark::None, Mark::Removed}));
    const auto neither = layout::marksWithin(is, was, was);
    EXPECT_EQ(neither.inputs, (std::map{std::pair{y, Mark::Absent}}));
    EXPECT_EQ(neither.outputs, (std::vector{Mark::None, Mark::Absent}));
}

TEST_F(Marks, openTheBoxesThatHoldThem)
{
    removeRelu();
    const ir::Model both = layout::bothStates(before, net.model, ir::FunctionId{0});
    const auto nodes = layout::marksBetween(before.functions[0].graph, net.graph());
    const auto expansion = layout::withMarkedShown({}, layout::outlineOf(both.functions[0], false), nodes);
    EXPECT_TRUE(expansion.isOpen(layout::ScopeSubject{net.scope("stem"), ir::Graph::body}));
}

} // namespace
