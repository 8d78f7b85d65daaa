// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/drawing/picture.h"

#include "core/drawing/svg.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace cutaway;
using namespace cutaway::layout;

namespace {

/// An open module with a card in it, a pill, and the edges of a value that goes in.
Diagram small()
{
    Diagram d;
    d.bounds = {0, 0, 300, 300};
    d.boxes.push_back({.kind = Box::Kind::Module,
                       .rect = {20, 100, 200, 120},
                       .lines = {{"layer1", Line::Style::Title}, {"Block", Line::Style::Muted}},
                       .open = true});
    d.boxes.push_back({.kind = Box::Kind::Node,
                       .rect = {40, 150, 120, 40},
                       .category = ops::Category::MatrixProduct,
                       .lines = {{"matmul", Line::Style::Title}, {"weight 8×8", Line::Style::Weight}},
                       .depth = 1,
                       .parent = 0});
    d.boxes.push_back({.kind = Box::Kind::Input, .rect = {60, 20, 80, 30}, .lines = {{"x", Line::Style::Title}}});
    d.edges.push_back({.from = 2,
                       .to = 0,
                       .values = {ir::ValueId{0}},
                       .label = "float32 [1]",
                       .points = {{100, 50}, {100, 70}, {100, 80}, {100, 100}},
                       .labelRect = Rect{104, 70, 80, 14}});
    d.edges.push_back({.form = Edge::Form::Stub,
                       .from = 0,
                       .to = 1,
                       .values = {ir::ValueId{0}},
                       .points = {{100, 132}, {100, 140}, {100, 145}, {100, 150}}});
    return d;
}

std::string contentOf(const std::filesystem::path &path)
{
    std::stringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

std::size_t count(std::string_view text, std::string_view part)
{
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

TEST(Svg, hasRealTextTooltipsAndClasses)
{
    const std::string text = drawing::svg(small());
    EXPECT_TRUE(text.contains(">layer1<tspan")) << text;
    EXPECT_TRUE(text.contains("class=\"node matrix-product\""));
    EXPECT_TRUE(text.contains("<title>matmul\nweight 8×8</title>"));
    EXPECT_TRUE(text.contains("class=\"edge stub\""));
    EXPECT_TRUE(text.contains(">float32 [1]</text>"));
    EXPECT_EQ(count(text, "<g"), count(text, "</g>"));
    EXPECT_FALSE(text.contains("href"));
}

TEST(Picture, linesPastHiddenNodesAreDotted)
{
    Diagram d = small();
    d.edges[0].isBridge = true;
    EXPECT_TRUE(drawing::svg(d).contains("class=\"edge bridge\""));
    EXPECT_TRUE(drawing::dot(d).contains(" [style=dotted, label=\"float32 [1]\"];"));
    d.edges[0].label.clear();
    EXPECT_TRUE(drawing::dot(d).contains(" [style=dotted];"));
}

TEST(Svg, textOfAFileCannotBreakOut)
{
    Diagram d = small();
    d.boxes[1].lines[0].text = "a</text><script>&\"\x01\xff";
    d.notes.push_back("<b>");
    const std::string text = drawing::svg(d);
    EXPECT_FALSE(text.contains("<script>"));
    EXPECT_FALSE(text.contains("<b>"));
    EXPECT_FALSE(text.contains('\x01'));
    EXPECT_FALSE(text.contains('\xff'));
    EXPECT_TRUE(text.contains("a&lt;/text&gt;&lt;script&gt;&amp;&quot;\\x01"));
}

TEST(Svg, isDarkOnDemand) { EXPECT_NE(drawing::svg(small(), drawing::darkPalette()), drawing::svg(small())); }

TEST(Svg, ofAPartLeavesOutWhatLiesOutside)
{
    const std::string text = drawing::svg(small(), drawing::Look{.part = Rect{30, 140, 150, 60}});
    EXPECT_TRUE(text.contains("viewBox=\"30 140 150 60\"")) << text;
    EXPECT_TRUE(text.contains("<rect class=\"canvas\" x=\"30\" y=\"140\""));
    EXPECT_TRUE(text.contains(">matmul<"));
    EXPECT_TRUE(text.contains(">layer1<")); // the box around it
    EXPECT_FALSE(text.contains(">x<"));
    EXPECT_EQ(count(text, "class=\"edge"), 1u); // the edge into the module ends above
}

TEST(Svg, tintsTellHowMuchABoxHas)
{
    drawing::Look look;
    look.tints = {std::nullopt, drawing::Tint{drawing::Rgb{1, 2, 3}, {255, 255, 255}, "8 FLOP"}, std::nullopt};
    const std::string text = drawing::svg(small(), look);
    EXPECT_EQ(count(text, "style=\"fill: #010203\""), 1u) << text;
    EXPECT_EQ(count(text, "style=\"fill: #ffffff\""), 2u); // the two lines of the card
    EXPECT_TRUE(text.contains(">8 FLOP</text>"));
    EXPECT_GT(text.find(">8 FLOP</text>"), text.rfind("class=\"edge")); // no line runs over it
    EXPECT_FALSE(text.contains("fill: url(#unknown)"));
    look.tints[1]->fill.reset();
    EXPECT_TRUE(drawing::svg(small(), look).contains("fill: url(#unknown)"));
    look.tints[1]->value = "a value that is wider than the box it is of";
    EXPECT_FALSE(drawing::svg(small(), look).contains("a value that"));
}

TEST(Dot, openBoxesAreClusters)
{
    const std::string text = drawing::dot(small());
    EXPECT_TRUE(text.contains("subgraph cluster_b0 {\n  label=\"layer1\"")) << text;
    EXPECT_TRUE(text.contains("b2 -> b0in [label=\"float32 [1]\"]"));
    EXPECT_TRUE(text.contains("b0in -> b1"));
    EXPECT_EQ(count(text, "{"), count(text, "}"));
}

class WritePicture : public testing::Test {
protected:
    void SetUp() override
    {
        const auto *test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::path(testing::TempDir()) / (std::string("picture_") + test->name());
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    std::size_t files() const
    {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(m_folder), std::filesystem::directory_iterator()));
    }

    std::filesystem::path m_folder;
};

TEST_F(WritePicture, writesWhatTheSuffixSays)
{
    const std::pair<const char *, const char *> kinds[] = {
        {"a.svg", "<svg"}, {"a.dot", "digraph"}, {"a.png", "\x89PNG"}, {"a.pdf", "%PDF"}};
    for (const auto &[name, start] : kinds) {
        const auto written = drawing::writePicture(small(), drawing::lightPalette(), m_folder / name);
        EXPECT_TRUE(written) << written.error().text();
        EXPECT_TRUE(contentOf(m_folder / name).starts_with(start)) << name;
    }
    EXPECT_EQ(files(), 4u);
}

TEST_F(WritePicture, refusesAnotherSuffix)
{
    for (const char *name : {"a.gif", "a", "svg"}) {
        const auto written = drawing::writePicture(small(), drawing::lightPalette(), m_folder / name);
        ASSERT_FALSE(written);
        EXPECT_EQ(written.error().kind, ErrorKind::Usage);
    }
    EXPECT_EQ(files(), 0u);
}

TEST_F(WritePicture, leavesNothingHalfWritten)
{
    std::filesystem::create_directory(m_folder / "a.svg");
    const auto written = drawing::writePicture(small(), drawing::lightPalette(), m_folder / "a.svg");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::Backend);
    EXPECT_EQ(files(), 1u);
    EXPECT_FALSE(drawing::writePicture(small(), drawing::lightPalette(), m_folder / "missing" / "a.svg"));
}

TEST(PngZoom, keepsToSixteenThousandPixels)
{
    EXPECT_DOUBLE_EQ(drawing::zoomWithin(small().bounds, 2), 2);
    EXPECT_DOUBLE_EQ(drawing::zoomWithin(small().bounds, 5), 5);
    EXPECT_DOUBLE_EQ(drawing::zoomWithin({0, 0, 1000, 32000}, 2), 0.5);
}

} // namespace
