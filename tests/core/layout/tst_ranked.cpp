// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/ranked.h"

#include <algorithm>
#include <cmath>
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

TEST(PlaceByRows, chainsOfForksAndJoinsStandOnOneLine)
{
    // Six times: a box, a fork of two boxes, and a box that joins them.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t fork = 0; fork < 24; fork += 4) {
        edges.insert(edges.end(), {{fork, fork + 1}, {fork, fork + 2}, {fork + 1, fork + 3}, {fork + 2, fork + 3}});
        edges.emplace_back(fork + 3, fork + 4);
    }
    const PlaneLayout layout = placeByRows(planeOf(25, edges));
    for (std::size_t fork = 0; fork < 24; fork += 4) {
        EXPECT_DOUBLE_EQ(layout.centers[fork].x, layout.centers[0].x) << fork;
        EXPECT_DOUBLE_EQ(layout.centers[fork + 3].x, layout.centers[0].x) << fork;
    }
}

/// How often two polylines through the ends of the curves' pieces cross.
int crossings(const PlaneLayout &layout)
{
    const auto side = [](Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); };
    int count = 0;
    for (std::size_t i = 0; i < layout.curves.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            for (std::size_t a = 3; a < layout.curves[i].size(); a += 3)
                for (std::size_t b = 3; b < layout.curves[k].size(); b += 3) {
                    const Point p = layout.curves[i][a - 3], q = layout.curves[i][a];
                    const Point r = layout.curves[k][b - 3], s = layout.curves[k][b];
                    count += side(p, q, r) * side(p, q, s) < 0 && side(r, s, p) * side(r, s, q) < 0 ? 1 : 0;
                }
    return count;
}

TEST(PlaceByRows, edgesThatNeedNotCrossDoNot)
{
    // Two chains whose boxes are given crosswise, between a common begin and end.
    const Plane plane =
        planeOf(10, {{0, 1}, {0, 2}, {1, 4}, {2, 3}, {4, 5}, {3, 6}, {5, 8}, {6, 7}, {8, 9}, {7, 9}, {0, 9}});
    EXPECT_EQ(crossings(placeByRows(plane)), 0);
}

TEST(PlaceByRows, aBoxStandsNearWhatMostOfItsEdgesLeadTo)
{
    // 1 and 2 feed 5 alone, which is four rows below: there they are a row above it, not below 0.
    const PlaneLayout layout = placeByRows(planeOf(7, {{0, 3}, {3, 4}, {4, 6}, {6, 5}, {1, 5}, {2, 5}}));
    EXPECT_DOUBLE_EQ(layout.centers[1].y, layout.centers[6].y);
    EXPECT_DOUBLE_EQ(layout.centers[2].y, layout.centers[6].y);
}

TEST(PlaceByRows, aLineBesideASideBranchIsStraight)
{
    const PlaneLayout layout = placeByRows(planeOf(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 5}, {5, 4}, {0, 4}}));
    std::size_t bends = 0;
    for (std::size_t i = 4; i + 4 < layout.curves[6].size(); ++i)
        bends += std::abs(layout.curves[6][i].x - layout.curves[6][i - 1].x) > 0.5 ? 1 : 0;
    EXPECT_EQ(bends, 0U);
}

TEST(PlaceByRows, whereBranchesMeetIsInTheirMiddleWithWhatFollows)
{
    const PlaneLayout layout =
        placeByRows(planeOf(8, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 5}, {2, 5}, {3, 5}, {4, 5}, {5, 6}, {6, 7}}));
    std::vector<double> branches;
    for (std::size_t i = 1; i < 5; ++i)
        branches.push_back(layout.centers[i].x);
    std::ranges::sort(branches);
    for (const std::size_t i : {0, 5, 6, 7})
        EXPECT_DOUBLE_EQ(layout.centers[i].x, (branches[1] + branches[2]) / 2) << i;
}

TEST(PlaceByRows, edgesOfOneBoxLeaveItBesideEachOther)
{
    const PlaneLayout layout = placeByRows(planeOf(4, {{0, 1}, {0, 2}, {0, 3}}));
    std::vector<double> begins;
    for (const auto &curve : layout.curves)
        begins.push_back(curve.front().x);
    std::ranges::sort(begins);
    EXPECT_GT(begins[1], begins[0] + 5);
    EXPECT_GT(begins[2], begins[1] + 5);
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
