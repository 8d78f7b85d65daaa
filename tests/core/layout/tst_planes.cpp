// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of each part laid out by themselves.
#include "core/layout/outline.h"
#include "core/layout/planes/planes.h"
#include "tests/core/ir/parsed.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

using layout::Box;

class Planes : public ::testing::Test {
protected:
    Planes()
    {
        model = parsed(R"(
            scope a class "Block"
            scope b class "Block"
            graph @forward(%x: float32[2], %k: float32[2]) {
              %1: float32[2] = aten::relu(self=%x) in a
              %2: float32[2] = aten::mul(self=%1, other=%k) in a
              %3: float32[2] = aten::add(self=%2, other=%1) in a
              %4: float32[2] = aten::relu(self=%3) in b
              %5: float32[2] = aten::mul(self=%4, other=%2) in b
              return %5
            })");
        outline = layout::outlineOf(model.at(function), false);
        planes = layout::layOutPlanes(model, function, outline).value();
    }

    static std::size_t count(const layout::PartPlane &plane, Box::Kind kind)
    {
        return static_cast<std::size_t>(std::ranges::count(plane.diagram.boxes, kind, &Box::kind));
    }

    ir::Model model;
    const ir::FunctionId function{0};
    layout::Outline outline;
    std::vector<layout::PartPlane> planes;
};

TEST_F(Planes, eachPartThatCanBeOpenedHasOne)
{
    ASSERT_EQ(planes.size(), 3u);
    EXPECT_EQ(planes[0].part, 0u);
    for (const layout::PartPlane &plane : planes)
        EXPECT_TRUE(outline.parts[plane.part].canOpen());
}

TEST_F(Planes, boxesInThemAreClosedAndOpenable)
{
    EXPECT_EQ(count(planes[0], Box::Kind::Module), 2u);
    for (const Box &box : planes[0].diagram.boxes) {
        EXPECT_FALSE(box.open);
        EXPECT_EQ(box.canOpen, box.kind == Box::Kind::Module);
        EXPECT_EQ(box.depth, 0);
    }
}

TEST_F(Planes, twoValuesBetweenTheSameBoxesAreOneLine)
{
    std::size_t between = 0;
    for (const layout::Edge &edge : planes[0].diagram.edges)
        if (planes[0].diagram.boxes[edge.from].kind == Box::Kind::Module
            && planes[0].diagram.boxes[edge.to].kind == Box::Kind::Module) {
            ++between;
            EXPECT_EQ(edge.values.size(), 2u);
            EXPECT_EQ(edge.label, "2 values");
        }
    EXPECT_EQ(between, 1u);
}

TEST_F(Planes, valuesThatPassTheBorderHavePills)
{
    EXPECT_EQ(count(planes[1], Box::Kind::Input), 2u) << "x and k";
    EXPECT_EQ(count(planes[1], Box::Kind::Output), 2u) << "the product and the sum";
    EXPECT_EQ(count(planes[1], Box::Kind::Node), 3u);
    for (const Box &box : planes[1].diagram.boxes)
        if (box.kind == Box::Kind::Input) {
            EXPECT_TRUE(std::holds_alternative<layout::InputSubject>(box.subject));
            EXPECT_EQ(box.lines.back().text, "float32 [2]");
        }
}

TEST_F(Planes, nothingOverlaps)
{
    for (const layout::PartPlane &plane : planes)
        for (const Box &a : plane.diagram.boxes)
            for (const Box &b : plane.diagram.boxes)
                EXPECT_TRUE(&a == &b || !a.rect.intersects(b.rect));
}

TEST_F(Planes, aStopEndsIt)
{
    std::stop_source source;
    source.request_stop();
    const auto stopped =
        layout::layOutPlanes(model, function, outline, layout::approximateTextWidth, {}, source.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, ErrorKind::Cancelled);
}

} // namespace
} // namespace cutaway::test
