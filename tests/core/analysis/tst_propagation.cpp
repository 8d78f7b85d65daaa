// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Facts that propagation finds: tests/data/analysis/SOURCE.graph has the cases of SOURCE.cpp in
// core/analysis/propagation.
#include "core/analysis/propagation/propagation.h"

#include "core/analysis/memory.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

const bool propagationCases = forEachCase(
    "Propagation", "analysis", [](const GraphCase &given) { return inferred(parsed(given.graphs.front())); });

TEST(Branch, countsOnceWhatIsTakenInPlaceOfEachOther)
{
    const ir::Model model = modelOf(R"((%x: float32[2, 3], %c: bool) {
        %taken: bool, %a: tensor[*] = prim::If(cond=%c)
          region "then" {
            %s = aten::linear(input=%x, weight=%x)
            return true, %s
          }
          region "else" { return false, none }
        %r: tensor[*] = prim::If(cond=%taken)
          region "then" { return %a }
          region "else" {
            %l = aten::linear(input=%x, weight=%x)
            return %l
          }
        return %r })");
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    EXPECT_EQ(ir::print(shapes.total.flops), "24");
    EXPECT_FALSE(ops::isKnown(shapes.costs[0].flops));
}

TEST(Calls, costWhatTheBodyCostsAndHideWhatItHides)
{
    const ir::Model model = modelOf(R"((%x: float32[2, 3]) {
  %a = mine::f(%x, graph @f)
  %b = mine::f(%x, graph @g)
  return %a, %b
}
graph @f(%x: float32[2, 3]) {
  %y = prim::If(cond=true)
    region "then" {
      %r = aten::relu(self=%x)
      return %r
    }
    region "else" {
      return %x
    }
  return %y
}
graph @g(%x: float32[2, 3]) {
  %y = mine::unknown(%x)
  return %y
})");
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    EXPECT_EQ(ir::print(shapes.costs[0].otherFlops), "6");
    ASSERT_EQ(shapes.stops.size(), 1u);
    EXPECT_EQ(shapes.stops[0].reason, "in g: no rule for mine::unknown");
}

/// A function that calls @f0; each @f calls the next one as `body` says, whose "NEXT" is its name, and the last one is
/// `last`.
std::string nested(int depth, const std::string &body, const std::string &last)
{
    std::string text = "(%x: float32[2, 2]) { %y = mine::f(%x, graph @f0) return %y }\n";
    for (int i = 0; i < depth; ++i) {
        std::string inside = i + 1 < depth ? body : last;
        for (std::size_t at; (at = inside.find("NEXT")) != std::string::npos;)
            inside.replace(at, 4, "graph @f" + std::to_string(i + 1));
        text += "graph @f" + std::to_string(i) + "(%x: tensor[*]) { " + inside + " return %y }\n";
    }
    return text;
}

TEST(Calls, ofEqualInputsAreWalkedOnce)
{
    const analysis::Shapes twice = analysis::inferShapes(
        modelOf(nested(40, "%a = mine::f(%x, NEXT) %y = mine::f(%a, NEXT)", "%y = aten::relu(self=%x)")),
        ir::FunctionId{0});
    EXPECT_EQ(ir::print(twice.total.otherFlops), std::to_string(4LL << 39));
    EXPECT_EQ(twice.trace.visited, 80u); // 39 functions of two nodes, the last one, and the call
    EXPECT_TRUE(twice.stops.empty());
    EXPECT_LT(twice.storages.size(), 10u);
    const analysis::Shapes thrice =
        analysis::inferShapes(modelOf(nested(30, "%a = mine::f(%x, NEXT) %b = mine::f(%a, NEXT) %y = mine::f(%b, NEXT)",
                                             "%y = aten::relu(self=%x)")),
                              ir::FunctionId{0});
    EXPECT_EQ(thrice.trace.visited, 89u);
}

TEST(Calls, areWalkedOnceForEachShape)
{
    const analysis::Shapes shapes = analysis::inferShapes(
        modelOf(nested(30,
                       "%a = mine::f(%x, NEXT) %c = aten::cat(tensors=[%x, %x], dim=0) %b = mine::f(%c, NEXT)"
                       " %y = aten::cat(tensors=[%a, %b], dim=0)",
                       "%y = aten::relu(self=%x)")),
        ir::FunctionId{0});
    EXPECT_LE(shapes.trace.visited, 30u * 30u * 4u);
    EXPECT_TRUE(shapes.stops.empty());
}

TEST(Calls, thatDataDecidesAreLimited)
{
    const analysis::Shapes shapes = analysis::inferShapes(
        modelOf(nested(40, "%a = mine::f(%x, NEXT) %y = mine::f(%a, NEXT)", "%y = aten::nonzero(self=%x)")),
        ir::FunctionId{0});
    EXPECT_LE(shapes.trace.visited, 100'000u);
    ASSERT_EQ(shapes.stops.size(), 1u);
    EXPECT_TRUE(shapes.stops[0].reason.ends_with(": too many calls")) << shapes.stops[0].reason;
}

TEST(Calls, sayWhereAnErrorIs)
{
    const auto reasonAt = [](int depth) {
        const analysis::Shapes shapes = analysis::inferShapes(
            modelOf(nested(depth, "%a = mine::f(%x, NEXT) %y = mine::f(%a, NEXT)", "%y = mine::unknown(%x)")),
            ir::FunctionId{0});
        return shapes.stops.size() == 1 ? shapes.stops[0].reason : "";
    };
    EXPECT_EQ(reasonAt(1), "in f0: no rule for mine::unknown");
    EXPECT_EQ(reasonAt(2), "in f0: in f1: no rule for mine::unknown");
    EXPECT_EQ(reasonAt(40), "in f0: … in f39: no rule for mine::unknown");
    const analysis::Shapes wrong = analysis::inferShapes(
        modelOf(nested(3, "%a = mine::unknown(%x) %y = mine::f(%x, NEXT)", "%y = aten::view(self=%x, size=[3])")),
        ir::FunctionId{0});
    ASSERT_EQ(wrong.stops.size(), 1u);
    EXPECT_TRUE(wrong.stops[0].isContradiction);
    EXPECT_EQ(wrong.stops[0].reason, "in f0: … in f2: the elements of [2, 2] do not fit [3]");
}

TEST(Calls, ofEachOtherEnd)
{
    const analysis::Shapes shapes = analysis::inferShapes(
        modelOf("(%x: float32[2]) { %y = mine::f(%x, graph @f) return %y }\n"
                "graph @f(%x: tensor[*]) { %a = mine::f(%x, graph @g) %y = mine::f(%a, graph @f) return %y }\n"
                "graph @g(%x: tensor[*]) { %a = mine::f(%x, graph @f) %y = mine::f(%x, graph @g) return %y }\n"),
        ir::FunctionId{0});
    EXPECT_LE(shapes.trace.visited, 1000u);
    ASSERT_EQ(shapes.stops.size(), 1u);
    EXPECT_TRUE(shapes.stops[0].reason.ends_with(": calls are nested too deep")) << shapes.stops[0].reason;
}

TEST(Calls, giveMemoryAsTheirBodiesDo)
{
    const ir::Model model = modelOf(R"((%x: float32[2, 3], %z: float32[2, 3]) {
  %a = mine::f(%x, %z, graph @f)
  %b = mine::f(%z, %x, graph @f)
  %c = mine::f(%x, %x, graph @f)
  %d = mine::g(%x, graph @g)
  %e = mine::g(%a, graph @g)
  return %a, %b, %c, %d, %e
}
graph @f(%x: tensor[*], %y: tensor[*]) {
  %v = aten::view(self=%y, size=[6])
  return %v
}
graph @g(%x: tensor[*]) {
  %s = aten::relu(self=%x)
  %r = aten::relu(self=%s)
  return %r
})");
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    const ir::Graph &graph = model.at(ir::FunctionId{0}).graph;
    std::string storages;
    for (const ir::FunctionInput &input : model.at(ir::FunctionId{0}).inputs)
        storages += std::to_string(static_cast<int>(ops::asTensor(shapes.of(*input.value.as<ir::ValueId>()))->storage));
    storages += " ";
    for (const ir::Operand &output : graph.at(ir::Graph::body).outputs)
        storages += std::to_string(static_cast<int>(ops::asTensor(shapes.of(*output.as<ir::ValueId>()))->storage));
    EXPECT_EQ(storages, "23 32245");
    EXPECT_EQ(shapes.storages.size(), 6u);
    EXPECT_EQ(ir::print(analysis::liveMemory(model, ir::FunctionId{0}, shapes).peak), "120"); // five tensors of 24
}

TEST(DataSizes, areAtMostWhatTheyAreChosenFrom)
{
    const ir::Model model = modelOf(R"((%x: float32[3, s0], %m: bool[2, 4], %b: float32[7, 4], %s: float32[7]) {
        %a = aten::nonzero(self=%x)
        %c = aten::masked_select(self=%m, mask=%m)
        %d = torchvision::nms(%b, %s, 0.5)
        %e = aten::index_select(self=%b, dim=0, index=%d)
        %t = aten::gt.Scalar(%e, 0)
        %f = aten::nonzero(self=%t)
        return %f })");
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    std::string limits;
    for (const analysis::DataSize &size : shapes.dataSizes)
        limits += size.name + " <= " + ir::print(size.most) + "; ";
    EXPECT_EQ(limits, "u_0 <= 3*s0; u_1 <= 8; u_2 <= 7; u_3 <= 28; ");
}

TEST(Scan, ofABatchGivesTensorsOfItsOwnMemory)
{
    const ir::Model model = modelOf(R"((%s: float32[6, 4], %x: float32[6, 3, 4]) {
        %y, %z = onnx::Scan(none, %s, %x, num_scan_inputs=1)
          region "body" (%a: ?, %b: ?) { return %b, %b }
        return %y, %z })",
                                    "opset \"ai.onnx\" 8\n");
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    EXPECT_EQ(ir::print(analysis::liveMemory(model, ir::FunctionId{0}, shapes).peak), "768"); // twice 96 + 288
}

} // namespace
} // namespace cutaway::test
