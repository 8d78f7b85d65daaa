// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/assumed_inputs.h"

#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

struct AssumedInputsRow {
    std::string name, header, graph;
    std::string first; ///< the type of the first input, then the symbols
};

void PrintTo(const AssumedInputsRow &row, std::ostream *out) { *out << row.name; }

class AssumedInputs : public ::testing::TestWithParam<AssumedInputsRow> { };

TEST_P(AssumedInputs, areFormulasOfNewSymbols)
{
    ir::Model model = modelOf(GetParam().graph, GetParam().header);
    ASSERT_FALSE(model.functions.empty());
    analysis::assumeInputs(model, ir::FunctionId{0});
    const ir::Function &function = model.functions[0];
    std::string text = model.context->print(function.graph.at(*function.inputs[0].value.as<ir::ValueId>()).type);
    for (const ir::Symbol &symbol : model.symbols)
        text += " " + symbol.name;
    EXPECT_EQ(text, GetParam().first);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, AssumedInputs,
    ::testing::Values(AssumedInputsRow{"WhatIsKnownStays", "", "(%x: float32[2, 3]) { return %x }", "float32[2, 3]"},
                      AssumedInputsRow{"ASizeThatIsMissing", "", "(%x: float32[2, ?, ?]) { return %x }",
                                       "float32[2, x_1, x_2] x_1 x_2"},
                      AssumedInputsRow{"ANewNameWhereOneIsTaken", "symbol x_0\n", "(%x: float32[?]) { return %x }",
                                       "float32[x_0_] x_0 x_0_"},
                      AssumedInputsRow{"ARankThatAConvolutionSays", "tensor @w: float32[4, 3, 5, 5] parameter\n",
                                       R"((%x: tensor[*]) {
            weight %w: float32[4, 3, 5, 5] = @w
            %y = aten::conv2d(input=%x, weight=%w)
            return %y })",
                                       "float32[x_0, 3, x_2, x_3] x_0 x_2 x_3"},
                      AssumedInputsRow{"TheChannelsOfAConvolutionInGroups",
                                       "tensor @w: float32[4, 3, 5, 5] parameter\n",
                                       R"((%x: tensor[*]) {
            weight %w: float32[4, 3, 5, 5] = @w
            %y = aten::conv2d(input=%x, weight=%w, groups=2)
            return %y })",
                                       "float32[x_0, 6, x_2, x_3] x_0 x_2 x_3"},
                      AssumedInputsRow{"TheChannelsOfOneThatIsTransposed", "tensor @w: float32[4, 3, 5, 5] parameter\n",
                                       R"((%x: tensor[*]) {
            weight %w: float32[4, 3, 5, 5] = @w
            %y = aten::conv_transpose2d(input=%x, weight=%w)
            return %y })",
                                       "float32[x_0, 4, x_2, x_3] x_0 x_2 x_3"},
                      AssumedInputsRow{"NoChannelsWhereTheGroupsAreComputed", "tensor @w: float32[4, 3, 5] parameter\n",
                                       R"((%x: tensor[*], %g: int) {
            weight %w: float32[4, 3, 5] = @w
            %y = aten::conv1d(input=%x, weight=%w, groups=%g)
            return %y })",
                                       "float32[x_0, x_1, x_2] x_0 x_1 x_2"},
                      AssumedInputsRow{"NothingWhereNoReaderSays", "",
                                       "(%x: tensor[*]) { %y = aten::relu(self=%x)  return %y }", "tensor[*]"}),
    [](const auto &row) { return row.param.name; });

} // namespace
} // namespace cutaway::test
