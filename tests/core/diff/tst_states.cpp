// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Changes that passes make to a graph, found by the ids of its nodes.
#include "compared.h"

namespace cutaway::test {
namespace {

class CompareStates : public ::testing::Test {
protected:
    CompareStates()
        : before(parsed("graph @f(%x: float32[2]) { %a = aten::sin(self=%x) %b = aten::exp(self=%a) return %b }"))
    {
        after = before;
    }

    ir::Graph &graph() { return after.functions[0].graph; }
    std::string difference() const
    {
        const Analysed a(before), b(after);
        return print(diff::compareStates(a.side(), b.side()), before.functions[0].graph, after.functions[0].graph);
    }

    ir::Model before, after;
};

TEST_F(CompareStates, ofEqualOnesIsNothing) { EXPECT_EQ(difference(), ""); }

TEST_F(CompareStates, tellsAnOperatorThatBecameAnother)
{
    graph().setOperator(ir::NodeId{1}, after.context->op("aten", "cos"));
    EXPECT_EQ(difference(), "~ b: operator aten::exp -> aten::cos\n");
}

TEST_F(CompareStates, tellsWhatANodeReadsInPlaceOfWhatIsGone)
{
    graph().replaceUses(graph().at(ir::NodeId{0}).outputs[0], graph().at(ir::Graph::body).inputs[0]);
    graph().remove(ir::NodeId{0});
    EXPECT_EQ(difference(), "~ b: self %a -> %x\n- a\n");
}

TEST_F(CompareStates, tellsArgumentsThatOnlyOneStateHas)
{
    auto arguments = graph().at(ir::NodeId{1}).arguments;
    arguments.push_back({after.context->name("scale"), ir::Operand{std::int64_t{2}}});
    graph().setArguments(ir::NodeId{1}, std::move(arguments));
    EXPECT_EQ(difference(), "~ b: scale  -> 2\n");
}

} // namespace
} // namespace cutaway::test
