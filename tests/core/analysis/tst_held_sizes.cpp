// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes that are given otherwise than the file fixes them, and the nodes that hold them back.

#include "core/analysis/analysis.h"
#include "core/ir/names.h"
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

struct HeldSizesRow {
    std::string name;
    ir::Shape given; ///< the given shape of %x
    std::string graph;
    std::string found; ///< the output, then the findings: "[…]; r: its target …"
};

void PrintTo(const HeldSizesRow &row, std::ostream *out) { *out << row.name; }

class HeldSizes : public ::testing::TestWithParam<HeldSizesRow> { };

TEST_P(HeldSizes, areNamedAtTheirNodes)
{
    const ir::Model model = modelOf(GetParam().graph,
                                    "tensor @w: float32[8, 5] parameter\n"
                                    "tensor @p: float32[1, 4] parameter\n");
    ASSERT_FALSE(model.functions.empty());
    const ir::Function &function = model.functions.front();
    const auto x = *function.inputs.front().value.as<ir::ValueId>();
    analysis::Given given;
    given.inputs.emplace("x", ops::tensorFact(ir::DType::Float32, GetParam().given));
    given.replaced.emplace("x", function.graph.at(x).type);
    const analysis::Analysis analysis = analysis::analyse(model, ir::FunctionId{0}, given);
    std::string text = ops::print(analysis.shapes.of(*function.outputs.front().value.as<ir::ValueId>()));
    for (const ir::Diagnostic &found : analysis::findings(analysis))
        text += "; " + ir::nameOf(ir::NodeRef(function.graph, found.node.value())) + ": "
            + (found.code == "size.fixed" ? "" : found.code + " ") + found.message;
    EXPECT_EQ(text, GetParam().found);
}

ir::Shape sizes(std::vector<std::int64_t> given) { return {given.begin(), given.end()}; }

INSTANTIATE_TEST_SUITE_P(
    Reshapes, HeldSizes,
    ::testing::Values(
        HeldSizesRow{"thatFollow", sizes({4, 8, 1}),
                     "(%x: float32[1, 8, 1]) { %r = aten::view(self=%x, size=[-1, 8])  return %r }", "float32[4, 8]"},
        HeldSizesRow{
            "thatMixExamples", sizes({4, 8, 1}),
            "(%x: float32[1, 8, 1]) { %r = aten::view(self=%x, size=[1, -1])  return %r }",
            "float32[1, 32]; r: its target [1, -1] is a constant: dimension 0 stays 1, where the given sizes make 4"},
        HeldSizesRow{
            "thatCannotBe", sizes({4, 8, 1}),
            "(%x: float32[1, 8, 1]) { %r = aten::view(self=%x, size=[1, 8])  return %r }",
            "float32[1, 8]; r: its target [1, 8] is a constant: dimension 0 stays 1, where the given sizes make 4"},
        HeldSizesRow{
            "ofLaterDimensions", sizes({1, 8, 2}),
            "(%x: float32[1, 8, 1]) { %r = aten::reshape(self=%x, shape=[-1, 8])  return %r }",
            "float32[2, 8]; r: its target [-1, 8] is a constant: dimension 1 stays 8, where the given sizes make 16"},
        HeldSizesRow{"thatSplit", sizes({1, 24, 6}),
                     "(%x: float32[1, 12, 6]) { %r = aten::view(self=%x, size=[1, 3, 4, -1])  return %r }",
                     "float32[1, 3, 4, 12]; r: its target [1, 3, 4, -1] is a constant: dimensions 1 to 2 hold 12 "
                     "elements, where the given sizes make 24"},
        HeldSizesRow{"thatSplitAndFollow", sizes({1, 24, 6}),
                     "(%x: float32[1, 12, 6]) { %r = aten::view(self=%x, size=[1, 3, -1, 6])  return %r }",
                     "float32[1, 3, 8, 6]"},
        HeldSizesRow{"toSizesThatFollow", sizes({4, 8, 1}),
                     "(%x: float32[1, 8, 1]) { %n = aten::size(self=%x, dim=0)  "
                     "%r = aten::view(self=%x, size=[%n, 8])  return %r }",
                     "float32[4, 8]"},
        HeldSizesRow{
            "ofASymbol",
            {symbolic::Expr::symbol("n"), std::int64_t{8}, std::int64_t{1}},
            "(%x: float32[1, 8, 1]) { %r = aten::view(self=%x, size=[1, -1])  return %r }",
            "float32[1, 8*n]; r: its target [1, -1] is a constant: dimension 0 stays 1, where the given sizes make n"}),
    [](const auto &row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Others, HeldSizes,
    ::testing::Values(
        HeldSizesRow{"expansion", sizes({3, 4}),
                     "(%x: float32[2, 4]) { %r = aten::expand(self=%x, size=[2, 4])  return %r }",
                     "unknown; r: its target [2, 4] is a constant: dimension 0 stays 2, where the given sizes make 3"},
        HeldSizesRow{"expansionThatFollows", sizes({3, 4}),
                     "(%x: float32[2, 4]) { %r = aten::expand(self=%x, size=[5, -1, -1])  return %r }",
                     "float32[5, 3, 4]"},
        HeldSizesRow{"slice", sizes({1, 9}),
                     "(%x: float32[1, 5]) { %r = aten::slice(self=%x, dim=1, start=0, end=5)  return %r }",
                     "float32[1, 5]; r: it ends at a constant: dimension 1 stays 5, where the given sizes make 9"},
        HeldSizesRow{"sliceOfAPart", sizes({1, 9}),
                     "(%x: float32[1, 5]) { %r = aten::slice(self=%x, dim=1, start=0, end=3)  return %r }",
                     "float32[1, 3]"},
        HeldSizesRow{"sliceToTheEnd", sizes({1, 9}),
                     "(%x: float32[1, 5]) { %r = aten::slice(self=%x, dim=1, start=1)  return %r }", "float32[1, 8]"},
        HeldSizesRow{"weight", sizes({1, 9}),
                     "(%x: float32[1, 8]) { weight %w: float32[8, 5] = @w  %r = aten::matmul(self=%x, other=%w)  "
                     "return %r }",
                     "unknown; r: cannot multiply [1, 9] by [8, 5]; the given sizes do not change w [8, 5]"},
        HeldSizesRow{"joining", sizes({3, 2}),
                     "(%x: float32[1, 2]) { weight %p: float32[1, 4] = @p  %r = aten::cat(tensors=[%x, %p], dim=1)  "
                     "return %r }",
                     "unknown; r: tensors of [3, 2] and [1, 4] are joined; the given sizes do not change p [1, 4]"},
        HeldSizesRow{"broadcasting", sizes({3, 4}),
                     "(%x: float32[1, 4]) { weight %p: float32[1, 4] = @p  %r = aten::add.Tensor(self=%x, other=%p)  "
                     "return %r }",
                     "float32[3, 4]"},
        HeldSizesRow{"whatTheFileRecordsIsNoWitness", sizes({3, 4}),
                     "(%x: float32[1, 4]) { %r: float32[1, 4] = aten::relu(self=%x)  return %r }", "float32[3, 4]"},
        HeldSizesRow{"whatTheFileAsksForWronglyStaysThat", sizes({3, 4}),
                     "(%x: float32[1, 4]) { %r = aten::view(self=%x, size=[7])  return %r }",
                     "float32[7]; r: shape.contradiction the elements of [3, 4] do not fit [7]"}),
    [](const auto &row) { return row.param.name; });

} // namespace
} // namespace cutaway::test
