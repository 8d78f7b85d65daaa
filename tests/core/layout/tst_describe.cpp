// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/describe.h"

#include "core/layout/card.h"
#include "core/layout/metrics.h"
#include "tests/core/layout/net.h"

#include <gtest/gtest.h>
#include <limits>

using namespace cutaway;

namespace {

/// A node of one operator with these arguments, described: "title | muted | details | weights".
class Described {
public:
    explicit Described(std::string_view op, std::string_view dialect = "aten", std::string_view overload = "default")
        : m_isOnnx(dialect == "onnx")
    {
        m_draft.op = m_net.model.context->op(dialect, op, overload);
        m_x = m_net.input("x");
        with(m_isOnnx ? "" : "input", m_x);
    }
    Described &with(std::string_view name, ir::Operand value)
    {
        m_draft.arguments.push_back({m_net.model.context->name(name), std::move(value)});
        return *this;
    }
    Described &weight(std::string_view name, std::vector<std::int64_t> shape)
    {
        return with(m_isOnnx ? "" : name, m_net.weight(name, std::move(shape)));
    }
    Described &text(std::string_view name, std::string_view text)
    {
        return with(name, ir::String{m_net.model.context->name(text)});
    }
    std::string lines(ir::ScopeId within = {})
    {
        const auto node = m_net.graph().append(ir::Graph::body, m_draft);
        std::string out;
        for (const layout::Line &line : layout::describeNode(m_net.model, {m_net.graph(), node}, within))
            out += (out.empty() ? "" : " | ") + line.text;
        return out;
    }
    Net &net() { return m_net; }

private:
    bool m_isOnnx; ///< whose inputs have no names
    Net m_net;
    ir::NodeDraft m_draft;
    ir::ValueId m_x;
};

ir::List list(std::initializer_list<std::int64_t> numbers)
{
    ir::List out;
    for (const std::int64_t n : numbers)
        out.items.push_back(n);
    return out;
}

TEST(DescribeNode, tellsAConvolutionByItsWeight)
{
    Described node("conv2d");
    node.weight("weight", {64, 3, 7, 7}).with("stride", list({2, 2})).with("padding", list({3, 3}));
    node.with("dilation", list({1, 1})).with("groups", std::int64_t{1});
    EXPECT_EQ(node.lines(), "conv2d | 64, 7×7, stride 2, padding 3 | weight 64×3×7×7");
}

TEST(DescribeNode, countsTheChannelsOfATransposedConvolution)
{
    Described node("convolution");
    node.weight("weight", {64, 8, 3, 3}).with("stride", list({2, 2})).with("transposed", true);
    node.with("groups", std::int64_t{2});
    EXPECT_EQ(node.lines(), "convolution | 16, 3×3, stride 2, transposed | weight 64×8×3×3");
}

TEST(DescribeNode, keepsUnequalSizesApart)
{
    Described node("Conv", "onnx", "");
    node.weight("w", {8, 1, 3, 5}).with("strides", list({1, 2})).with("group", std::int64_t{8});
    EXPECT_EQ(node.lines(), "Conv | 8, 3×5, strides [1, 2], group 8 | w 8×1×3×5");
}

TEST(DescribeNode, putsEqualWeightsOnALine)
{
    Described node("batch_norm");
    for (const char *name : {"weight", "bias", "running_mean", "running_var"})
        node.weight(name, {64});
    node.with("training", false).with("momentum", 0.1).with("eps", 1e-5);
    EXPECT_EQ(node.lines(), "batch_norm | weight, bias 64 | running_mean, running_var 64");
}

TEST(DescribeNode, callsAWeightWithAMadeUpNameAsItsOperatorDoes)
{
    Described node("Conv", "onnx", "");
    node.net().model.opsets = {{"ai.onnx", 17}};
    node.weight("onnx::Conv_193", {64, 3, 7, 7}).weight("onnx::Conv_194", {64});
    EXPECT_EQ(node.lines(), "Conv | 64, 7×7 | W 64×3×7×7 | B 64");
}

TEST(DescribeNode, callsAWeightOfArithmeticByItsOwnName)
{
    Described node("mul");
    node.with("self", node.net().weight("norm.weight", {256}));
    EXPECT_EQ(node.lines(), "mul | weight 256");
}

TEST(DescribeNode, saysHowManyWeightsThereAreMore)
{
    Described node("lstm");
    for (std::int64_t i = 1; i < 6; ++i)
        node.weight("w", {i, i});
    EXPECT_EQ(node.lines(), "lstm | w 1×1 | w 2×2 | + 3 more");
}

TEST(DescribeNode, showsOverloadForeignDialectAndModule)
{
    EXPECT_EQ(Described("add", "aten", "Tensor").with("other", std::int64_t{2}).with("alpha", std::int64_t{1}).lines(),
              "add | .Tensor | 2");
    EXPECT_EQ(Described("Gelu", "com.microsoft", "").lines(), "Gelu | com.microsoft");
    Described node("linear");
    EXPECT_EQ(node.lines(node.net().scope("mlp.fc1")), "linear | fc1");
}

TEST(DescribeNode, leavesOutWhatGoesToTheEnd)
{
    Described node("slice");
    node.with("dim", std::int64_t{1}).with("start", std::int64_t{0});
    EXPECT_EQ(node.with("end", std::numeric_limits<std::int64_t>::max()).lines(), "slice | dim 1");
}

TEST(DescribeNode, namesElementTypes)
{
    EXPECT_EQ(Described("to").with("dtype", ir::DType::Float16).lines(), "to | float16");
    EXPECT_EQ(Described("Cast", "onnx", "").with("to", std::int64_t{7}).lines(), "Cast | int64");
    EXPECT_EQ(Described("Cast", "onnx", "").with("to", std::int64_t{-3}).lines(), "Cast | type -3");
}

TEST(DescribeNode, textOfTheFileIsMadeSafeAndShort)
{
    EXPECT_EQ(Described("einsum").text("equation", "a\x01").lines(), "einsum | a\\x01");
    const std::string lines = Described(std::string(500, 'x')).lines();
    EXPECT_LT(lines.size(), 60u);
    EXPECT_TRUE(lines.contains("…"));
}

TEST(DescribeNode, cutsTheLongestArgumentInItself)
{
    const std::string lines = Described("pad").text("mode", std::string(60, 'x')).with("dim", std::int64_t{3}).lines();
    EXPECT_TRUE(lines.ends_with("x, dim 3")) << lines;
}

TEST(DescribeType, isDTypeAndShape)
{
    ir::Context context;
    ir::TensorType type;
    EXPECT_EQ(layout::describeType(context, context.type(type)), "");
    type.dtype = ir::DType::Float16;
    EXPECT_EQ(layout::describeType(context, context.type(type)), "float16");
    type.shape = ir::Shape{symbolic::Expr::symbol("B"), std::int64_t{64}, ir::UnknownDim{}};
    EXPECT_EQ(layout::describeType(context, context.type(type)), "float16 [B, 64, ?]");
    EXPECT_EQ(layout::describeType(context, {}), "");
}

TEST(Shortened, cutsTheMiddleBetweenCharacters)
{
    EXPECT_EQ(layout::shortened("abcdef", 6), "abcdef");
    EXPECT_EQ(layout::shortened("abcdefgh", 6), "abc…fgh");
    EXPECT_EQ(layout::shortened("äöüäöüäöü", 4), "äö…öü");
}

TEST(PlaceLines, mutedTextFollowsTheTitleOnItsRow)
{
    using Style = layout::Line::Style;
    layout::Box box{.kind = layout::Box::Kind::Node,
                    .lines = {{"conv", Style::Title}, {"c1", Style::Muted}, {"3×3", Style::Detail}}};
    const auto placed = layout::placeLines(box, layout::approximateTextWidth);
    ASSERT_EQ(placed.size(), 3u);
    EXPECT_EQ(placed[0].origin.y, placed[1].origin.y);
    EXPECT_GT(placed[1].origin.x, placed[0].origin.x);
    EXPECT_GT(placed[2].origin.y, placed[1].origin.y);
    const layout::Size size = layout::cardSize(box.lines, box.kind, layout::approximateTextWidth);
    EXPECT_DOUBLE_EQ(size.height,
                     2 * layout::metrics::paddingY + layout::metrics::titleRow + layout::metrics::smallRow);
    box.open = true;
    EXPECT_EQ(layout::placeLines(box, layout::approximateTextWidth).size(), 2u);
}

} // namespace
