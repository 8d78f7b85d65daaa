// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/graphviz.h"

#include <gtest/gtest.h>

using namespace cutaway::layout;

namespace {

Plane pair()
{
    Plane plane;
    plane.vertices.resize(2, {.size = {72, 36}});
    plane.edges.push_back({0, 1});
    return plane;
}

TEST(ReadGraphviz, givesPixelsDownwards)
{
    const auto layout = readGraphviz("graph 1 1 2\n"
                                     "node n0 0.5 1.75 1 0.5 \"\" solid box black lightgrey\n"
                                     "node n1 0.5 0.25 1 0.5 \"\" solid box black lightgrey\n"
                                     "edge n0 n1 4 0.5 1.5 0.5 1.2 0.5 0.8 0.5 0.5 solid black\n",
                                     pair());
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->size, (Size{72, 144}));
    EXPECT_EQ(layout->centers[0], (Point{36, 18}));
    EXPECT_EQ(layout->centers[1], (Point{36, 126}));
    EXPECT_EQ(layout->curves[0].front(), (Point{36, 36}));
}

struct Damage {
    const char *name;
    const char *text;
};

class DamagedAnswer : public testing::TestWithParam<Damage> { };

TEST_P(DamagedAnswer, isNoLayout) { EXPECT_FALSE(readGraphviz(GetParam().text, pair())); }

constexpr const char *nodes = "node n0 0.5 1.75 1 0.5\nnode n1 0.5 0.25 1 0.5\n";
const std::string strange = std::string(nodes) + "edge n0 n7 4 0 0 0 0 0 0 0 0\n";
const std::string unknown = std::string(nodes) + "edge n1 n0 4 0 0 0 0 0 0 0 0\n";
const std::string cut = std::string(nodes) + "edge n0 n1 4 0 0 0 0 0\n";
const std::string word = std::string(nodes) + "edge n0 n1 4 0 0 0 0 0 0 0 nan?\n";
const Damage damages[] = {
    {"Empty", ""},
    {"WithoutItsEdge", nodes},
    {"EdgeToNowhere", strange.c_str()},
    {"EdgeNobodyAskedFor", unknown.c_str()},
    {"EdgeCutOff", cut.c_str()},
    {"NoNumber", word.c_str()},
};
INSTANTIATE_TEST_SUITE_P(Answers, DamagedAnswer, testing::ValuesIn(damages),
                         [](const auto &row) { return std::string(row.param.name); });

TEST(PlaceWithGraphviz, placesSeveralPlanesInOneRun)
{
    Plane withPorts = pair();
    withPorts.vertices[1] = {.size = {300, 100}, .topPorts = {20, 280}};
    withPorts.edges = {{0, 1, std::nullopt, 1}, {0, 1, std::nullopt, 0}};
    const auto answer = placeWithGraphviz({pair(), withPorts}, std::chrono::seconds(20), {});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->problem, "");
    ASSERT_TRUE(answer->layouts[0] && answer->layouts[1]);
    const PlaneLayout &second = *answer->layouts[1];
    EXPECT_NEAR(second.curves[0].back().x - (second.centers[1].x - 150), 280, 2);
    EXPECT_NEAR(second.curves[1].back().x - (second.centers[1].x - 150), 20, 2);
    EXPECT_NEAR(second.curves[0].back().y, second.centers[1].y - 50, 1.5);
}

TEST(PlaceWithGraphviz, saysWhenTimeIsUp)
{
    const auto answer = placeWithGraphviz({pair()}, std::chrono::milliseconds(0), {});
    ASSERT_TRUE(answer);
    EXPECT_FALSE(answer->layouts[0]);
    EXPECT_TRUE(answer->problem.contains("more than 0 ms")) << answer->problem;
}

} // namespace
