// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that were found in a graph without modules, in reports.
#include "core/report/cost_tables.h"
#include "core/report/inspect.h"
#include "core/report/part_changes.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

using namespace cutaway;

namespace {

/// The operations between the two products of a network's blocks.
struct Blocks {
    std::string activation = "relu";
    int changed = -1; ///< a block with another activation
    std::string other = "tanh";
    int twice = -1; ///< a block with two of them
};

/// Twenty residual blocks of four nodes, and a node before and after them.
ir::Model networkOf(const Blocks &blocks)
{
    std::string text = "tensor @w: float32[4, 4] parameter\n"
                       "graph @forward(%x: float32[2, 4]) {\n  weight %w: float32[4, 4] = @w\n"
                       "  %y0 = aten::sin(self=%x)\n";
    for (int i = 0; i < 20; ++i) {
        const std::string n = std::to_string(i);
        const std::string activation = i == blocks.changed ? blocks.other : blocks.activation;
        text += "  %a" + n + " = aten::linear(input=%y" + n + ", weight=%w)\n";
        text += "  %b" + n + " = aten::" + activation + "(self=%a" + n + ")\n";
        if (i == blocks.twice)
            text += "  %bb" + n + " = aten::" + blocks.other + "(self=%b" + n + ")\n";
        text += "  %c" + n + " = aten::linear(input=%b" + (i == blocks.twice ? "b" : "") + n + ", weight=%w)\n";
        text += "  %y" + std::to_string(i + 1) + " = aten::add.Tensor(self=%c" + n + ", other=%y" + n + ")\n";
    }
    return test::parsed(text + "  %z = aten::cos(self=%y20)\n  return %z }");
}

std::string changesBetween(const Blocks &before, const Blocks &after)
{
    const ir::Model modelA = networkOf(before), modelB = networkOf(after);
    const analysis::Analysis analysisA = analysis::analyse(modelA, ir::FunctionId{0});
    const analysis::Analysis analysisB = analysis::analyse(modelB, ir::FunctionId{0});
    const diff::Side a{modelA, analysisA}, b{modelB, analysisB};
    const diff::Difference difference = diff::compare(a, b);
    std::string text;
    for (const report::PartChanges &part : report::partChanges({a, b, difference}))
        text += part.name + ": " + report::partText(part) + "\n";
    return text;
}

TEST(PartsFound, AreNamedWhereTheyDiffer)
{
    EXPECT_EQ(changesBetween({}, {.changed = 7}), "20 × MLP: 1 changed\nMLP 8: 1 changed\n");
    EXPECT_EQ(changesBetween({}, {.twice = 7}), "20 × MLP: 1 added\nMLP 8: 1 added\n");
    EXPECT_EQ(changesBetween({.twice = 7}, {}), "20 × MLP: 1 removed\nMLP 8: 1 removed\n");
    EXPECT_EQ(changesBetween({}, {}), "");
}

TEST(PartsFound, HaveRowsInTheTableOfModules)
{
    const ir::Model model = networkOf({});
    const analysis::Analysis analysis = analysis::analyse(model, ir::FunctionId{0});
    const report::CostTables tables = report::costTables(model, analysis, nullptr);
    ASSERT_EQ(tables.modules.size(), 22u);
    EXPECT_EQ(tables.modules[0].found, "");
    const report::ModuleRow &all = tables.modules[1], &last = tables.modules[21];
    EXPECT_EQ(all.name + " " + std::to_string(all.depth), "20 × MLP 1");
    EXPECT_EQ(last.found + " " + std::to_string(last.depth), "MLP 20 2");
    EXPECT_EQ(all.nodes, 80);
    EXPECT_EQ(last.nodes, 4);
    EXPECT_EQ(last.parameters, 16);
    EXPECT_EQ(all.parameters, 16) << "they share it";
    EXPECT_EQ(ops::number(last.sum.cost.flops), 2 * 2 * 2 * 4 * 4);
    EXPECT_EQ(ops::number(all.sum.cost.flops), 20 * 2 * 2 * 2 * 4 * 4);
    EXPECT_EQ(ops::number(all.sum.cost.flops), ops::number(tables.modules[0].sum.cost.flops));
}

TEST(PartsFound, AreListedByInspect)
{
    const std::string text = report::inspectText(networkOf({}), {});
    EXPECT_TRUE(text.contains("\nFound in the graph\n  20 × MLP  80 nodes  16  2.56 kFLOP\n")) << text;
}

} // namespace
