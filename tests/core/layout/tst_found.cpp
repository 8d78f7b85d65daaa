// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/found/found_names.h"
#include "core/layout/found/found_parts.h"
#include "core/layout/layout.h"
#include "core/layout/outline.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/layout/net.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace cutaway;

namespace {

/// Residual blocks of four nodes one behind the other, and an operator before and after them.
Net chainOfBlocks(int times, const std::string &module = "")
{
    Net net;
    auto x = net.call("sin", module, {net.input("x")});
    for (int i = 0; i < times; ++i) {
        const auto y = net.call("relu", module, {net.call("conv2d", module, {x})});
        x = net.call("add", module, {net.call("conv2d", module, {y}), x});
    }
    net.output(net.call("cos", module, {x}));
    return net;
}

layout::Diagram drawnWith(const Net &net, const layout::Expansion &expansion)
{
    const auto diagram = layout::layOut(net.model, {}, expansion, layout::approximateTextWidth, {.columns = false});
    EXPECT_TRUE(diagram) << diagram.error().text();
    return diagram ? *diagram : layout::Diagram{};
}

layout::Diagram drawnReadably(const Net &net)
{
    return drawnWith(net, layout::readableExpansion(net.model, ir::FunctionId{}));
}

std::vector<std::string> titlesFound(const layout::Diagram &diagram)
{
    std::vector<std::string> found;
    for (const layout::Box &box : diagram.boxes)
        if (std::holds_alternative<layout::FoundSubject>(box.subject))
            found.push_back(box.lines.front().text);
    return found;
}

TEST(FoundParts, ofALongChainAreItsBlocks)
{
    const layout::Diagram diagram = drawnReadably(chainOfBlocks(20));
    ASSERT_EQ(titlesFound(diagram).size(), 21u) << "the blocks are shown, since there is nothing else";
    EXPECT_EQ(titlesFound(diagram)[0], "20 × residual block");
    EXPECT_EQ(diagram.boxes.size(), 2u + 3u + 20u);
}

TEST(FoundParts, areNotLookedForWhereAllFitsIntoAPicture)
{
    EXPECT_TRUE(titlesFound(drawnReadably(chainOfBlocks(10))).empty());
}

TEST(FoundParts, haveNoLineThatGoesUp)
{
    layout::Expansion all;
    all.everything = true;
    const layout::Diagram diagram = drawnWith(chainOfBlocks(20), all);
    EXPECT_EQ(titlesFound(diagram).size(), 21u);
    for (const layout::Edge &edge : diagram.edges) {
        const layout::Box &from = diagram.boxes[edge.from], &to = diagram.boxes[edge.to];
        const bool areSiblings = from.parent == to.parent;
        EXPECT_TRUE(!areSiblings || from.rect.y < to.rect.y);
    }
}

TEST(FoundParts, thatRepeatStayClosedBesideMuchElse)
{
    Net net;
    auto x = net.input("x");
    for (int part = 0; part < 2; ++part) {
        for (int i = 0; i < 20; ++i) {
            const auto y = net.call(part == 0 ? "conv2d" : "linear", "", {net.call("relu", "", {x})});
            x = net.call("add", "", {y, x});
        }
        x = net.call("softmax", "", {net.call("sin", "", {net.call("cos", "", {x})})});
    }
    net.output(x);
    EXPECT_LE(titlesFound(drawnReadably(net)).size(), 3u);
}

TEST(FoundParts, openWithTheModuleThatIsAlone)
{
    EXPECT_EQ(titlesFound(drawnReadably(chainOfBlocks(20, "model"))).size(), 21u);
}

TEST(FoundParts, holdEachNodeOnce)
{
    const Net net = chainOfBlocks(30);
    const layout::Outline outline = layout::outlineOf(net.model.functions[0], false);
    const auto nodes = std::ranges::count_if(
        outline.parts, [](const layout::Part &part) { return std::holds_alternative<ir::NodeId>(part.subject); });
    EXPECT_EQ(nodes, std::ptrdiff_t(net.model.functions[0].graph.nodeCount()));
    EXPECT_EQ(outline.parts[0].nodes, net.model.functions[0].graph.nodeCount());
    for (std::uint32_t i = 1; i < outline.parts.size(); ++i)
        EXPECT_LE(outline.parts[i].end, outline.parts[outline.parts[i].parent].end);
}

std::size_t nodesCalled(const layout::Outline &outline, const std::string &name)
{
    query::Pattern pattern;
    std::string_view rest = name;
    if (rest.ends_with("*")) {
        pattern.add(rest.substr(0, rest.size() - 1));
        pattern.addStar();
    } else {
        pattern.add(rest);
    }
    return layout::nodesInParts(outline, pattern).size();
}

TEST(FoundParts, areCalledByTheirTitlesAndANumber)
{
    const layout::Outline outline = layout::outlineOf(chainOfBlocks(20).model.functions[0], false);
    EXPECT_EQ(nodesCalled(outline, "residual block 7"), 4u);
    EXPECT_EQ(nodesCalled(outline, "Residual Block 20"), 4u);
    EXPECT_EQ(nodesCalled(outline, "residualblock7"), 4u);
    EXPECT_EQ(nodesCalled(outline, "residual block*"), 80u);
    EXPECT_EQ(nodesCalled(outline, "20 × residual block"), 80u);
    EXPECT_EQ(nodesCalled(outline, "20xresidualblock"), 80u);
    EXPECT_EQ(nodesCalled(outline, "*"), 80u) << "a node is in two parts, and given once";
    EXPECT_EQ(nodesCalled(outline, "residual block"), 0u) << "there are 20";
    EXPECT_EQ(nodesCalled(outline, "residual block 21"), 0u);
}

TEST(FoundParts, haveNamesWhereAPictureShowsAllNodes)
{
    const auto named = [](const Net &net) {
        const ir::Function &function = net.model.functions[0];
        return layout::withNamedParts(layout::outlineOf(function, false), function);
    };
    const Net net = chainOfBlocks(5);
    EXPECT_EQ(nodesCalled(layout::outlineOf(net.model.functions[0], false), "*"), 0u);
    EXPECT_EQ(nodesCalled(named(net), "residual block 3"), 4u);
    EXPECT_EQ(nodesCalled(named(net), "5xresidualblock"), 20u);
    EXPECT_EQ(nodesCalled(named(chainOfBlocks(2)), "*"), 0u) << "of few nodes nobody asks for parts";
    EXPECT_EQ(nodesCalled(named(chainOfBlocks(5, "body")), "*"), 0u) << "there is a module";
}

TEST(FoundParts, haveNamesOfTheirOwn)
{
    const layout::Outline outline = layout::outlineOf(chainOfBlocks(20).model.functions[0], false);
    std::set<std::string> names;
    for (const layout::Part &part : outline.parts)
        if (const auto *found = std::get_if<layout::FoundSubject>(&part.subject)) {
            EXPECT_TRUE(names.insert(layout::nameOf(outline, *found)).second);
            EXPECT_EQ(layout::nodesInPart(outline, *found).size(), part.nodes);
            query::Pattern name;
            name.add(layout::nameOf(outline, *found));
            EXPECT_EQ(layout::partCalled(outline, name), *found);
        }
    EXPECT_EQ(names.size(), 21u);
    EXPECT_EQ(layout::nameOf(outline, {.scope = {}, .region = {}, .first = {3}, .last = {4}}), "");
}

TEST(SharedPaths, areThoseOfWhatTheSignatureBinds)
{
    const ir::Model model = test::parsed("tensor @l.0.fc.weight: float32[2]\n"
                                         "graph @f(%x: float32[2], parameter weight %primals_1: float32[2] "
                                         "= @l.0.fc.weight target \"l.0.fc.weight\") {\n"
                                         "  %r = aten::mul.Tensor(self=%x, other=%primals_1)\n  return %r\n}\n");
    const ir::Function &function = model.functions[0];
    EXPECT_EQ(layout::commonPath(function.graph, function.graph.at(ir::Graph::body).nodes, layout::targetsOf(function)),
              "l.0.fc");
}

struct PathCase {
    const char *name;
    std::vector<std::string> names; ///< the names of the nodes' results
    const char *path;
};

class SharedPath : public testing::TestWithParam<PathCase> { };

TEST_P(SharedPath, isThatOfAllNames)
{
    Net net;
    const auto x = net.input("x");
    std::vector<ir::NodeId> nodes;
    for (const std::string &name : GetParam().names) {
        const ir::ValueId made = net.call("relu", "", {x});
        ir::Graph &graph = net.model.functions[0].graph;
        graph.setName(made, net.model.context->name(name));
        nodes.push_back(*ir::ValueRef(graph, made).producer());
    }
    EXPECT_EQ(layout::commonPath(net.model.functions[0].graph, nodes), GetParam().path);
}

INSTANTIATE_TEST_SUITE_P(
    , SharedPath,
    testing::Values(PathCase{"dots", {"layer3.0.conv1", "layer3.0.bn1"}, "layer3.0"},
                    PathCase{"slashes", {"/enc/enc.1/Conv_output_0", "/enc/enc.1/Relu_output_0"}, "enc.1"},
                    PathCase{"nothingInCommon", {"a.x", "b.x"}, ""},
                    PathCase{"wholePartsAlone", {"layer1.x", "layer10.x"}, ""},
                    PathCase{"generatedNamesDoNotCount", {"a.b.x", "onnx::Conv_12", "n7"}, "a.b"},
                    PathCase{"noNames", {"", "7"}, ""}),
    [](const auto &given) { return given.param.name; });

} // namespace
