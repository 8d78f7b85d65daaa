// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/layout.h"
#include "core/layout/outline.h"
#include "tests/core/layout/net.h"

#include <algorithm>
#include <gtest/gtest.h>

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

} // namespace
