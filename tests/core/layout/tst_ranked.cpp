// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/ranked.h"

#include <gtest/gtest.h>

using namespace cutaway::layout;

namespace {

Plane planeOf(std::size_t count, const std::vector<std::pair<std::uint32_t, std::uint32_t>> &edges)
{
    Plane plane;
    plane.vertices.resize(count, {.size = {100, 40}});
    for (const auto &[from, to] : edges)
        plane.edges.push_back({from, to});
    return plane;
}

Rect rectOf(const Plane &plane, const PlaneLayout &layout, std::size_t i)
{
    const Size size = plane.vertices[i].size;
    return {layout.centers[i].x - size.width / 2, layout.centers[i].y - size.height / 2, size.width, size.height};
}

void expectApart(const Plane &plane, const PlaneLayout &layout)
{
    for (std::size_t i = 0; i < plane.vertices.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            EXPECT_FALSE(rectOf(plane, layout, i).intersects(rectOf(plane, layout, k))) << i << " on " << k;
}

TEST(RowsOf, areTheLongestPaths)
{
    EXPECT_EQ(rowsOf(planeOf(4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}})), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(RowsOf, sourcesStandAboveTheirFirstReader)
{
    EXPECT_EQ(rowsOf(planeOf(4, {{0, 1}, {1, 2}, {3, 2}})), (std::vector<std::uint32_t>{0, 1, 2, 1}));
}

TEST(RowsOf, aCycleIsCutOnce)
{
    EXPECT_EQ(rowsOf(planeOf(3, {{0, 1}, {1, 2}, {2, 1}})), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(RowsOf, firstAndLastHaveRowsOfTheirOwn)
{
    Plane plane = planeOf(4, {{0, 1}, {1, 3}});
    plane.vertices[0].rank = PlaneVertex::Rank::First;
    plane.vertices[3].rank = PlaneVertex::Rank::Last;
    EXPECT_EQ(rowsOf(plane), (std::vector<std::uint32_t>{0, 1, 1, 2}));
}

TEST(PlaceByRows, boxesAreApartAndEdgesMeetThem)
{
    const Plane plane = planeOf(7, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 5}, {4, 6}, {5, 6}, {0, 6}});
    const PlaneLayout layout = placeByRows(plane);
    expectApart(plane, layout);
    for (std::size_t i = 0; i < plane.edges.size(); ++i) {
        const Rect from = rectOf(plane, layout, plane.edges[i].from);
        const Rect to = rectOf(plane, layout, plane.edges[i].to);
        EXPECT_DOUBLE_EQ(layout.curves[i].front().y, from.bottom());
        EXPECT_DOUBLE_EQ(layout.curves[i].back().y, to.y);
        EXPECT_EQ(layout.curves[i].size() % 3, 1u);
    }
}

TEST(PlaceByRows, aChainIsAStraightColumn)
{
    const PlaneLayout layout = placeByRows(planeOf(4, {{0, 1}, {1, 2}, {2, 3}}));
    for (const Point &center : layout.centers)
        EXPECT_DOUBLE_EQ(center.x, 50);
}

TEST(PlaceByRows, edgesMeetTheirPorts)
{
    Plane plane = planeOf(2, {});
    plane.vertices[0].bottomPorts = {10};
    plane.vertices[1].topPorts = {30, 90};
    plane.edges.push_back({0, 1, 0, 1});
    const PlaneLayout layout = placeByRows(plane);
    EXPECT_DOUBLE_EQ(layout.curves[0].front().x, rectOf(plane, layout, 0).x + 10);
    EXPECT_DOUBLE_EQ(layout.curves[0].back().x, rectOf(plane, layout, 1).x + 90);
}

TEST(PlaceByRows, hundredThousandBoxesAreFine)
{
    Plane plane = planeOf(100000, {});
    for (std::uint32_t i = 0; i + 1 < plane.vertices.size(); ++i) {
        plane.edges.push_back({i, i + 1});
        if (i % 13 == 0 && i + 9 < plane.vertices.size())
            plane.edges.push_back({i, i + 9});
    }
    const PlaneLayout layout = placeByRows(plane);
    EXPECT_EQ(layout.centers.size(), plane.vertices.size());
    EXPECT_GT(layout.size.height, 1e6);
}

} // namespace
