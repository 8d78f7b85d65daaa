// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/columns.h"

#include "core/layout/components.h"
#include "core/layout/ranked.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace cutaway::layout;

namespace {

Plane chain(std::uint32_t count)
{
    Plane plane;
    plane.vertices.resize(count, {.size = {150, 50}});
    for (std::uint32_t i = 0; i + 1 < count; ++i)
        plane.edges.push_back({i, i + 1});
    return plane;
}

std::set<long> columnsOf(const PlaneLayout &layout)
{
    std::set<long> xs;
    for (const Point &center : layout.centers)
        xs.insert(std::lround(center.x));
    return xs;
}

TEST(FoldIntoColumns, aLongChainFillsThePage)
{
    const Plane plane = chain(40);
    PlaneLayout layout = placeByRows(plane);
    foldIntoColumns(plane, layout);
    EXPECT_GE(columnsOf(layout).size(), 3u);
    EXPECT_LT(layout.size.height, 2 * layout.size.width);
    EXPECT_LT(layout.size.width, 3 * layout.size.height);
}

TEST(FoldIntoColumns, edgesStillMeetTheirBoxes)
{
    const Plane plane = chain(40);
    PlaneLayout layout = placeByRows(plane);
    foldIntoColumns(plane, layout);
    for (std::size_t i = 0; i < plane.edges.size(); ++i) {
        const Point from = layout.centers[plane.edges[i].from];
        const Point to = layout.centers[plane.edges[i].to];
        EXPECT_EQ(layout.curves[i].front(), (Point{from.x, from.y + 25})) << i;
        EXPECT_EQ(layout.curves[i].back(), (Point{to.x, to.y - 25})) << i;
        EXPECT_EQ(layout.curves[i].size() % 3, 1u);
    }
}

TEST(FoldIntoColumns, aSmallBoxStaysWithTheTallOneBelowIt)
{
    Plane plane = chain(9);
    plane.vertices[1].size.height = 900;
    PlaneLayout layout = placeByRows(plane);
    foldIntoColumns(plane, layout);
    EXPECT_EQ(columnsOf(layout).size(), 2u);
    EXPECT_EQ(layout.centers[0].x, layout.centers[1].x);
}

TEST(FoldIntoColumns, equalBlocksFillAllColumnsAlike)
{
    Plane plane = chain(12);
    for (auto &vertex : plane.vertices)
        vertex.size = {200, 1000}; // eight columns would have the page's form, every second one half empty
    PlaneLayout layout = placeByRows(plane);
    foldIntoColumns(plane, layout);
    EXPECT_EQ(columnsOf(layout).size(), 6u);
}

TEST(FoldIntoColumns, aLowPlaneStaysOneColumn)
{
    const Plane plane = chain(5);
    PlaneLayout layout = placeByRows(plane);
    foldIntoColumns(plane, layout);
    EXPECT_EQ(columnsOf(layout).size(), 1u);
}

TEST(FoldIntoColumns, nothingIsCutWhereTwoEdgesPass)
{
    Plane plane = chain(40);
    plane.edges.push_back({0, 39});
    PlaneLayout layout = placeByRows(plane);
    const Size before = layout.size;
    foldIntoColumns(plane, layout);
    EXPECT_EQ(layout.size, before);
}

TEST(FoldIntoColumns, edgesThatGoUpAreLedBack)
{
    Plane plane = chain(40);
    std::swap(plane.edges[20].from, plane.edges[20].to);
    PlaneLayout layout = placeByRows(plane);
    foldIntoColumns(plane, layout);
    EXPECT_EQ(layout.curves[20].size() % 3, 1u);
}

TEST(ComponentsOf, findsWhatIsConnected)
{
    Plane plane = chain(3);
    plane.vertices.resize(6, {.size = {150, 50}});
    plane.edges.push_back({4, 5});
    const std::vector<Component> components = componentsOf(plane);
    ASSERT_EQ(components.size(), 3u);
    EXPECT_EQ(components[0].vertices, (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(components[1].vertices, (std::vector<std::uint32_t>{3}));
    EXPECT_EQ(components[2].edges, (std::vector<std::uint32_t>{2}));
}

TEST(ComponentsOf, whatMeetsTheBorderStaysTogetherAndComesFirst)
{
    Plane plane = chain(1);
    plane.vertices.resize(4, {.size = {8, 1}, .rank = PlaneVertex::Rank::First});
    plane.vertices[3].rank = PlaneVertex::Rank::Last;
    const std::vector<Component> components = componentsOf(plane);
    ASSERT_EQ(components.size(), 2u);
    EXPECT_EQ(components[0].vertices, (std::vector<std::uint32_t>{1, 2, 3}));
}

TEST(Packed, loneBoxesFillRowsAndDoNotOverlap)
{
    Plane plane;
    plane.vertices.resize(30, {.size = {150, 50}});
    const std::vector<Component> components = componentsOf(plane);
    std::vector<PlaneLayout> layouts;
    for (const Component &component : components)
        layouts.push_back(placeByRows(component.plane));
    const PlaneLayout layout = packed(plane, components, layouts);
    EXPECT_LT(layout.size.width, 4 * layout.size.height);
    for (std::size_t i = 0; i < layout.centers.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            EXPECT_TRUE(std::abs(layout.centers[i].x - layout.centers[k].x) >= 150
                        || std::abs(layout.centers[i].y - layout.centers[k].y) >= 50);
}

} // namespace
