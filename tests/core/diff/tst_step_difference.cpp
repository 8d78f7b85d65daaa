// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/step_difference.h"

#include "compared.h"

namespace cutaway::test {
namespace {

class StepDifference : public ::testing::Test {
protected:
    StepDifference()
        : model(parsed("graph @f(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%a) return %b }")),
          after(model.functions[0].graph)
    {
    }

    const ir::Graph &before() const { return model.functions[0].graph; }

    ir::Model model;
    ir::Graph after;
};

TEST_F(StepDifference, ofACopyIsNothing) { EXPECT_EQ(diff::stepDifference(before(), after), diff::StepDifference()); }

TEST_F(StepDifference, tellsWhatIsNewAndWhoReadsIt)
{
    const ir::NodeId a{0}, b{1};
    const ir::NodeId neg = after.insertBefore(b,
                                              {.op = model.context->op("aten", "neg"),
                                               .name = {},
                                               .scope = {},
                                               .location = {},
                                               .arguments = {},
                                               .origins = {a},
                                               .metadata = {}});
    const ir::ValueId made = after.addOutput(neg, {}, {});
    after.replaceUses(after.at(a).outputs[0], made);
    after.setArguments(neg, {{model.context->name("self"), after.at(a).outputs[0]}});
    EXPECT_EQ(diff::stepDifference(before(), after), (diff::StepDifference{{}, {neg}, {b}}));
    EXPECT_EQ(diff::stepDifference(after, before()), (diff::StepDifference{{neg}, {}, {b}}));
}

TEST_F(StepDifference, tellsWhatIsGone)
{
    const ir::NodeId a{0}, b{1};
    after.replaceUses(after.at(a).outputs[0], after.at(ir::Graph::body).inputs[0]);
    after.remove(a);
    EXPECT_EQ(diff::stepDifference(before(), after), (diff::StepDifference{{a}, {}, {b}}));
}

TEST_F(StepDifference, tellsAnotherType)
{
    after.setType(after.at(ir::NodeId{1}).outputs[0], model.context->type(ir::NumberType{}));
    EXPECT_EQ(diff::stepDifference(before(), after), (diff::StepDifference{{}, {}, {ir::NodeId{1}}}));
}

TEST(StepDifferenceWithin, isWhatLiesInTheModule)
{
    const ir::Model model =
        parsed("scope a class \"A\"\nscope a.b class \"B\"\n"
               "graph @f(%x: float32[2]) { %m = aten::sin(self=%x) in a %n = aten::exp(self=%m) in a.b "
               "%o = aten::neg(self=%n) return %o }");
    const ir::Graph &graph = model.functions[0].graph;
    const ir::NodeId m{0}, n{1}, o{2};
    const diff::StepDifference all{{m, o}, {n}, {o}};
    EXPECT_EQ(diff::within(all, graph, graph.at(m).scope), (diff::StepDifference{{m}, {n}, {}}));
    EXPECT_EQ(diff::within(all, graph, graph.at(n).scope), (diff::StepDifference{{}, {n}, {}}));
    EXPECT_EQ(diff::within(all, graph, {}), all);
}

} // namespace
} // namespace cutaway::test
