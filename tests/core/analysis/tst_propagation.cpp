// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What propagation finds: tests/data/analysis/SOURCE.graph has the cases of core/analysis/propagation/SOURCE.cpp.
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
