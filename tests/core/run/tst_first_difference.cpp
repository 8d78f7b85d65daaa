// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/first_difference.h"

#include "core/ir/context.h"
#include "core/ir/text/text.h"

#include <gtest/gtest.h>

namespace cutaway::run {

namespace {

/// Between sin, cos, tanh and exp, one behind the other, a step makes one of them a neg.
struct DifferenceRow {
    const char *name;
    std::uint32_t changed; ///< the index of the changed node
    const char *lastEqual, *firstDifferent;
};

class FirstDifferences : public testing::TestWithParam<DifferenceRow> { };

TEST_P(FirstDifferences, areFoundByHalves)
{
    const ir::Model before = *ir::parseText("model \"net\"\ngraph @forward(%x: float32[2, 2]) {\n"
                                            "  %a: float32[2, 2] = aten::sin(self=%x)\n"
                                            "  %b: float32[2, 2] = aten::cos(self=%a)\n"
                                            "  %c: float32[2, 2] = aten::tanh(self=%b)\n"
                                            "  %d: float32[2, 2] = aten::exp(self=%c)\n"
                                            "  return %d\n}\n");
    ir::Model after = before;
    const ir::NodeId changed{GetParam().changed};
    after.functions[0].graph.setOperator(changed, after.context->op("aten", "neg"));
    const auto found =
        firstDifference(*evaluatorBackend(), before, after, {0}, *makeInputs(before, {0}, {}, {}, 3), 1e-6);
    ASSERT_TRUE(found) << found.error().text();
    const auto name = [&](std::optional<ir::NodeId> node) {
        return node ? std::string(ir::NodeRef(before.functions[0].graph, *node).opName()) : std::string("none");
    };
    EXPECT_EQ(name(found->lastEqual), GetParam().lastEqual);
    EXPECT_EQ(name(found->firstDifferent), GetParam().firstDifferent);
    EXPECT_EQ(found->changed, std::vector{changed});
}

/// The pass makes two nodes others, of which the first computes the same; what stands behind both comes from neither.
TEST(FirstDifference, isLookedForWhereChangesReach)
{
    const ir::Model before = *ir::parseText("model \"net\"\ngraph @forward(%x: float32[2, 2]) {\n"
                                            "  %a: float32[2, 2] = aten::abs(self=%x)\n"
                                            "  %b: float32[2, 2] = aten::abs(self=%a)\n"
                                            "  %c: float32[2, 2] = aten::sin(self=%b)\n"
                                            "  %d: float32[2, 2] = aten::relu(self=%x)\n"
                                            "  %e: float32[2, 2] = aten::cos(self=%d)\n"
                                            "  %f: float32[2, 2] = aten::tanh(self=%x)\n"
                                            "  %g: float32[2, 2] = aten::add.Tensor(self=%c, other=%e)\n"
                                            "  %h: float32[2, 2] = aten::add.Tensor(self=%g, other=%f)\n"
                                            "  return %h\n}\n");
    ir::Model after = before;
    after.functions[0].graph.setOperator(ir::NodeId{1}, after.context->op("aten", "relu"));
    after.functions[0].graph.setOperator(ir::NodeId{3}, after.context->op("aten", "neg"));
    const auto found =
        firstDifference(*evaluatorBackend(), before, after, {0}, *makeInputs(before, {0}, {}, {}, 3), 1e-6);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ(found->lastEqual, ir::NodeId{2});
    EXPECT_EQ(found->firstDifferent, ir::NodeId{4});
    EXPECT_EQ(found->changed, std::vector{ir::NodeId{3}});
}

INSTANTIATE_TEST_SUITE_P(Rows, FirstDifferences,
                         testing::Values(DifferenceRow{"atTheBeginning", 0, "none", "cos"},
                                         DifferenceRow{"inTheMiddle", 1, "none", "tanh"},
                                         DifferenceRow{"inTheResultAlone", 3, "none", "none"}),
                         [](const auto &row) { return std::string(row.param.name); });

} // namespace

} // namespace cutaway::run
