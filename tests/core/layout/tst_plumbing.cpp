// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The first picture of a transformer: what computes, and masks and sizes as one quiet box.
#include "core/structure/plumbing.h"

#include "core/ir/node_ref.h"
#include "core/layout/layout.h"
#include "core/layout/outline.h"
#include "core/layout/states.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/layout/net.h"

namespace cutaway::test {
namespace {

/// Mask and sizes are made in the model itself, and read by each of its blocks.
std::string transformer(int blocks)
{
    std::string text = R"(model "t"
tensor @table: float32[100, 4] parameter
tensor @one: float32[1] parameter
scope net class "net.Net"
)";
    for (int i = 0; i < blocks; ++i)
        text += "scope net." + std::to_string(i) + " class \"net.Block\"\n";
    text += R"(graph @forward(%ids: int64[2, 8], %mask: int64[2, 8]) {
  weight %table: float32[100, 4] = @table
  weight %one: float32[1] = @one
  %batch: int = aten::size(self=%ids, dim=0) in net
  aten::_assert_scalar(self=%batch, assert_msg="") in net
  %wide: int64[2, 1, 8] = aten::unsqueeze(self=%mask, dim=1) in net
  %kept: float32[2, 1, 8] = aten::sub(self=%one, other=%wide) in net
  %low: float32[2, 1, 8] = aten::mul(self=%kept, other=-10000.0) in net
  %x0: float32[2, 8, 4] = aten::embedding(weight=%table, indices=%ids) in net
)";
    for (int i = 0; i < blocks; ++i) {
        const std::string n = std::to_string(i), next = std::to_string(i + 1), within = " in net." + n + "\n";
        text += "  %a" + n + ": float32[2, 8, 4] = aten::add(self=%x" + n + ", other=%low)" + within;
        text += "  %x" + next + ": float32[2, 8, 4] = aten::softmax(self=%a" + n + ", dim=2)" + within;
    }
    return text + "  return %x" + std::to_string(blocks) + "\n}\n";
}

std::string namesOf(const ir::Model &model, bool plumbing)
{
    const ir::Graph &graph = model.functions[0].graph;
    const std::vector<bool> found = structure::plumbingOf(graph);
    std::string names;
    for (const ir::NodeRef node : ir::nodesOf(graph, ir::Graph::body))
        if (found[node.id().index] == plumbing)
            names += std::string(node.opName()) + " ";
    return names;
}

layout::Diagram picture(const ir::Model &model, const layout::Expansion &expansion)
{
    auto diagram = layout::layOut(model, {}, expansion);
    EXPECT_TRUE(diagram);
    EXPECT_EQ(faults(*diagram), "");
    return diagram ? *diagram : layout::Diagram{};
}

TEST(Plumbing, isWhatMasksAndSizesAreMadeOf)
{
    const ir::Model model = parsed(transformer(1));
    EXPECT_EQ(namesOf(model, true), "size _assert_scalar unsqueeze sub mul ");
    EXPECT_EQ(namesOf(model, false), "embedding add softmax ");
}

TEST(Plumbing, isNotWhatComputesWithPicturesAndWeights)
{
    EXPECT_EQ(namesOf(modelOf("(%x: float32[2], %y: uint8[2]) { %a: float32[2] = aten::mul(self=%x, other=2.0) "
                              "%b: uint8[2] = aten::add(self=%y, other=1) return %a, %b }"),
                      true),
              "");
    EXPECT_EQ(namesOf(modelOf("(%x) { %s = onnx::Shape(%x) %h = onnx::Gather(%s, 0) %y = onnx::Expand(%x, %h) "
                              "return %y }"),
                      true),
              "Shape Gather ");
}

/// A mask as TorchScript records it: nothing says that it is one of whole numbers.
std::string maskOfUnknown(const std::string &filled)
{
    return "(%mask: tensor[*], %x: float32[2, 2]) { %kept: tensor[*] = aten::rsub(self=%mask, other=1.0) "
           "%low: tensor[*] = aten::mul(self=%kept, other="
        + filled + ") %a: float32[2, 2] = aten::add(self=%x, other=%low) return %a }";
}

TEST(Plumbing, isAMaskOfUnknownElementsByTheNumberThatHides)
{
    EXPECT_EQ(namesOf(modelOf(maskOfUnknown("-3.4028234663852886e+38")), true), "rsub mul ");
    EXPECT_EQ(namesOf(modelOf(maskOfUnknown("-10000.0")), true), "rsub mul ");
}

TEST(Plumbing, isNotAPictureOfUnknownElements) { EXPECT_EQ(namesOf(modelOf(maskOfUnknown("-0.5")), true), ""); }

TEST(Plumbing, isASizeRepeated)
{
    EXPECT_EQ(namesOf(parsed(R"(model "t"
tensor @one: int64[1]
graph @forward(%x: float32[2, 3]) {
  %s = onnx::Shape(%x)
  %ones = onnx::ConstantOfShape(%s, value=@one)
  %y = onnx::Expand(%x, %ones)
  return %y
}
)"),
                      true),
              "Shape ConstantOfShape ");
}

/// Blocks of which the first makes sizes that all others read, as ONNX's exporters write them.
std::string blocksWithSizes(int blocks)
{
    std::string text = "model \"t\"\ngraph @forward(%x0: float32[s0, 4]) {\n"
                       "  %s = onnx::Shape(%x0) in net.0\n  %n = onnx::Gather(%s, 0) in net.0\n";
    for (int i = 0; i < blocks; ++i) {
        const std::string n = std::to_string(i), next = std::to_string(i + 1), within = " in net." + n + "\n";
        text += "  %c" + n + " = onnx::Concat(%n, " + n + ")" + within;
        text += "  %a" + n + ": float32[" + (i == 0 ? "s0" : "t" + n) + ", 4] = onnx::Reshape(%x" + n + ", %c" + n + ")"
            + within;
        text += "  %x" + next + ": float32[u" + n + ", 4] = onnx::Relu(%a" + n + ")" + within;
    }
    return text + "  return %x" + std::to_string(blocks) + "\n}\n";
}

TEST(Plumbing, isNoDifferenceBetweenBlocks)
{
    const ir::Model model = parsed(blocksWithSizes(6));
    const std::string text = print(picture(model, layout::readableExpansion(model, {}, 8)));
    EXPECT_TRUE(text.contains("6 × module\n")) << text;
}

TEST(Plumbing, isACopyOfAWeightButNotWhatIsMadeOfIt)
{
    EXPECT_EQ(namesOf(parsed(R"(model "t"
tensor @w: float32[1, 3] parameter
graph @forward(%x: float32[2, 3], %size: int64[2]) {
  weight %w: float32[1, 3] = @w
  %copy = onnx::Identity(%w)
  %wide = onnx::Expand(%copy, %size)
  %y = onnx::Add(%x, %wide)
  %z = onnx::Identity(%y)
  return %z
}
)"),
                      true),
              "Identity ");
}

/// Blocks with copies of one weight, of which the first of them needs none, as ONNX's exporters write them.
std::string blocksWithCopies(int blocks)
{
    std::string text = "model \"t\"\ntensor @w: float32[4] parameter\ngraph @forward(%x0: float32[2, 4]) {\n"
                       "  weight %w0: float32[4] = @w\n";
    for (int i = blocks; i-- > 1;)
        text += "  %w" + std::to_string(i) + " = onnx::Identity(%w0)\n";
    for (int i = 0; i < blocks; ++i) {
        const std::string n = std::to_string(i), next = std::to_string(i + 1), within = " in net." + n + "\n";
        text += "  %a" + n + ": float32[2, 4] = onnx::Mul(%x" + n + ", %w" + n + ")" + within;
        text += "  %x" + next + ": float32[2, 4] = onnx::Relu(%a" + n + ")" + within;
    }
    return text + "  return %x" + std::to_string(blocks) + "\n}\n";
}

TEST(Plumbing, isNoPlaceOfABlock)
{
    const ir::Model model = parsed(blocksWithCopies(6));
    const std::string text = print(picture(model, layout::readableExpansion(model, {}, 8)));
    EXPECT_TRUE(text.contains("6 × module\n")) << text;
}

/// Sizes of the input and of what is computed of it, in one box.
constexpr auto earlyAndLate = "(%x: float32[2, 3]) { %a: int = aten::size(self=%x, dim=0) "
                              "%y: float32[2, 3] = aten::add(self=%x, other=%a) "
                              "%b: int = aten::size(self=%y, dim=0) "
                              "%z: float32[2, 3] = aten::mul(self=%y, other=%b) return %z }";

TEST(Plumbing, hasAStubWhereItReadsWhatItPrepares)
{
    const layout::Diagram diagram = picture(modelOf(earlyAndLate), {});
    const std::string text = print(diagram);
    EXPECT_TRUE(text.contains("2 shape and mask ops -> add (1)\n")) << text;
    EXPECT_TRUE(text.contains("add ~> 2 shape and mask ops (1)\n")) << text;
    const auto titled = [&](std::string_view title) {
        return std::ranges::find(diagram.boxes, title, [](const layout::Box &b) { return b.lines[0].text; })->rect;
    };
    EXPECT_LT(titled("2 shape and mask ops").bottom(), titled("add").y);
    EXPECT_LT(titled("add").bottom(), titled("mul").y);
}

TEST(Plumbing, isOneBoxThatDoesNotCount)
{
    const ir::Model model = parsed(transformer(12));
    const layout::Expansion first = layout::readableExpansion(model, {}, 4);
    const std::string text = print(picture(model, first));
    EXPECT_TRUE(text.contains("[net]\n")) << text;
    EXPECT_TRUE(text.contains("  5 shape and mask ops\n  embedding\n  12 × Block\n")) << text;
}

TEST(Plumbing, opensByHandAndIsNamedAmongWhatEnclosesItsNodes)
{
    const ir::Model model = parsed(transformer(12));
    const auto around = layout::enclosing(layout::outlineOf(model.functions[0], false), ir::NodeId{2});
    ASSERT_EQ(around.size(), 2u);
    ASSERT_TRUE(std::holds_alternative<layout::PlumbingSubject>(around[1]));
    layout::Expansion expansion;
    expansion.open.insert(around.begin(), around.end());
    EXPECT_TRUE(print(picture(model, expansion)).contains("  [5 shape and mask ops]\n    size\n"));
    EXPECT_FALSE(layout::expansionToDepth(model, {}, 9).isOpen(around[1]));
}

TEST(Plumbing, isNotMadeOfOneNodeOrOfAllThatThereIs)
{
    const ir::Model one = modelOf("(%x: float32[2]) { %n: int = aten::size(self=%x, dim=0) "
                                  "%y: float32[2] = aten::mul(self=%x, other=%n) return %y }");
    EXPECT_EQ(layout::outlineOf(one.functions[0], false).parts.size(), 3u);
    std::string all = "(%x: float32[2]) {";
    for (int i = 0; i < 6; ++i)
        all += " %n" + std::to_string(i) + ": int = aten::size(self=%x, dim=0)";
    EXPECT_EQ(layout::outlineOf(modelOf(all + " return %n0 }").functions[0], false).parts.size(), 7u);
}

TEST(Straightness, equalBlocksStandBelowEachOtherWhateverTheyAllRead)
{
    const ir::Model model = parsed(transformer(12));
    layout::Expansion expansion = layout::readableExpansion(model, {}, 4);
    const layout::Outline outline = layout::outlineOf(model.functions[0], false);
    for (const layout::Part &part : outline.parts)
        if (part.repeats)
            expansion.open.insert(part.subject);
    const layout::Diagram diagram = picture(model, expansion);
    std::vector<double> centers;
    for (const layout::Box &box : diagram.boxes)
        if (std::holds_alternative<layout::ScopeSubject>(box.subject) && !box.open)
            centers.push_back(box.rect.center().x);
    ASSERT_EQ(centers.size(), 12u);
    for (const double center : centers)
        EXPECT_NEAR(center, centers.front(), 1.0);
}

TEST(Wrappers, openByThemselves)
{
    Net net;
    auto x = net.input("x");
    for (int i = 0; i < 10; ++i)
        x = net.call("sin", i < 5 ? "a.wrapper.body" : "b.wrapper.body", {x});
    net.output(x);
    EXPECT_EQ(layout::readableExpansion(net.model, {}, 2).open.size(), 4u); // a, b and the wrapper in each
}

TEST(Restricted, isWhatAStateHas)
{
    Net net;
    auto x = net.input("x");
    const auto kept = net.call("sin", "a", {x});
    const auto gone = net.call("cos", "a", {kept});
    const auto alone = net.call("tan", "b", {gone});
    net.call("tan", "b", {alone});
    net.output(kept);
    const layout::Outline whole = layout::outlineOf(net.model.functions[0], false);
    ir::Model after = net.model;
    for (const std::uint32_t node : {3u, 2u, 1u})
        after.functions[0].graph.remove(ir::NodeId{node});
    const layout::Outline some = layout::restricted(whole, after.functions[0].graph);
    ASSERT_EQ(some.parts.size(), 3u); // the body, a, its node
    EXPECT_EQ(some.parts[1].nodes, 1u);
    EXPECT_EQ(some.parts[1].end, 3u);
    EXPECT_EQ(some.partOfNode[1], 0u);
}

TEST(States, aClosedBoxTellsWhatTheStateHasInIt)
{
    Net net;
    const auto x = net.input("x");
    const auto sin = net.call("sin", "a", {x});
    const auto cos = net.call("cos", "a", {sin});
    net.output(cos);
    const ir::Model before = net.model;
    net.graph().replaceUses(cos, sin);
    net.graph().remove(std::get<ir::NodeResult>(net.graph().at(cos).definition).node);
    const ir::Model both = layout::bothStates(before, net.model, {});
    layout::Diagram diagram = picture(both, {});
    layout::describeStates(diagram, {.drawn = both, .before = net.model, .after = net.model}, {});
    const auto module = std::ranges::find(diagram.boxes, layout::Box::Kind::Module, &layout::Box::kind);
    ASSERT_NE(module, diagram.boxes.end());
    EXPECT_EQ(module->lines.back().text, "1 node");
}

TEST(States, textsLoseTheirEndEachByItself)
{
    Net net;
    net.output(net.call("relu", "", {net.input("x")}));
    layout::Diagram diagram = picture(net.model, {});
    Net other;
    other.output(other.call("a_very_long_operator_name", "", {other.input("x")}));
    layout::describeStates(diagram, {.drawn = net.model, .before = other.model, .after = other.model}, {});
    for (const layout::Box &box : diagram.boxes)
        if (box.kind == layout::Box::Kind::Node) {
            EXPECT_TRUE(box.lines.front().text.starts_with("a_ve")) << box.lines.front().text;
            EXPECT_TRUE(box.lines.front().text.ends_with("…")) << box.lines.front().text;
        }
}

TEST(States, aBoxGrowsForALongerTextWithinTheGapToItsNeighbours)
{
    Net net;
    net.output(net.call("view", "", {net.input("x")}));
    const layout::Diagram laidOut = picture(net.model, {});
    const auto described = [&](const char *op) {
        Net other;
        other.output(other.call(op, "", {other.input("x")}));
        layout::Diagram diagram = laidOut;
        layout::describeStates(diagram, {.drawn = net.model, .before = other.model, .after = other.model}, {}, {},
                               layout::approximateTextWidth, layout::growthInGap);
        return *std::ranges::find(diagram.boxes, layout::Box::Kind::Node, &layout::Box::kind);
    };
    const layout::Box before = *std::ranges::find(laidOut.boxes, layout::Box::Kind::Node, &layout::Box::kind);
    const layout::Box whole = described("transpose"), cut = described("a_very_long_operator_name");
    EXPECT_EQ(whole.lines.front().text, "transpose");
    EXPECT_GT(whole.rect.width, before.rect.width);
    EXPECT_EQ(whole.rect.center().x, before.rect.center().x);
    EXPECT_EQ(cut.rect.width, before.rect.width + 2 * layout::growthInGap);
    EXPECT_TRUE(cut.lines.front().text.ends_with("…")) << cut.lines.front().text;
}

TEST(Slices, areNeverOfOneNode)
{
    Net net;
    auto x = net.input("x");
    for (int i = 0; i < 201; ++i)
        x = net.call(i % 2 ? "sin" : "cos", "", {x});
    net.output(x);
    const layout::Outline outline = layout::outlineOf(net.model.functions[0], false);
    for (const layout::Part &part : outline.parts)
        EXPECT_FALSE(std::holds_alternative<layout::GroupSubject>(part.subject) && part.children < 2);
    for (const layout::Box &box : picture(net.model, {}).boxes)
        EXPECT_NE(box.lines.front().text, "");
}

} // namespace
} // namespace cutaway::test
