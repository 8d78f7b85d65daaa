// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

/// A graph of %x: float32[s0, 4], %y: float32[4, 4] and %c: bool, of which s0 is bound to 2 and then to 3.
struct ReboundRow {
    std::string name, graph;
    std::uint64_t visited; ///< nodes that are looked at for the 3
    std::string called{};  ///< a function
};

void PrintTo(const ReboundRow &row, std::ostream *out) { *out << row.name; }

class Rebound : public ::testing::TestWithParam<ReboundRow> {
protected:
    const ir::Model model =
        modelOf("(%x: float32[s0, 4], %y: float32[4, 4], %c: bool) {" + GetParam().graph + "}" + GetParam().called);
    static analysis::Given sizeOf(std::int64_t n) { return {{{"s0", n}}, {}}; }
};

TEST_P(Rebound, looksOnlyAtNodesThatMayFindSomethingElse)
{
    const auto two = analysis::analyse(model, ir::FunctionId{0}, sizeOf(2));
    const auto three = analysis::analyse(model, two, sizeOf(3));
    EXPECT_EQ(three.shapes.trace.visited, GetParam().visited);
    EXPECT_EQ(textOf(three), textOf(analysis::analyse(model, ir::FunctionId{0}, sizeOf(3))));
}

TEST_P(Rebound, findsWhatItHasFoundOnceTheSizeIsAsItWas)
{
    const auto two = analysis::analyse(model, ir::FunctionId{0}, sizeOf(2));
    const auto back = analysis::analyse(model, analysis::analyse(model, two, sizeOf(3)), sizeOf(2));
    EXPECT_EQ(textOf(back), textOf(two));
}

INSTANTIATE_TEST_SUITE_P(Rows, Rebound,
                         ::testing::Values(ReboundRow{"whatComesOfTheOtherInputIsKept",
                                                      R"(%a = aten::relu(self=%x)
            %b = aten::mm(self=%y, mat2=%y)
            %c1 = aten::relu(self=%b)
            %d = aten::mm(self=%a, mat2=%c1)
            return %d)",
                                                      2},
                                           ReboundRow{"behindANodeThatFindsTheSameNothingIsLookedAt",
                                                      R"(%n: int = aten::size.int(self=%x, dim=1)
            %z = aten::zeros(size=[%n, 3])
            %r = aten::relu(self=%z)
            return %r)",
                                                      1},
                                           ReboundRow{"whatIsWrittenInPlaceIsWrittenAgain",
                                                      R"(%a = aten::mm(self=%y, mat2=%y)
            %b = aten::relu_(self=%a)
            %r = aten::exp(self=%b)
            return %r)",
                                                      1},
                                           ReboundRow{"whatIsReshapedInPlaceIsLookedAtByAllItsReaders",
                                                      R"(%a = aten::exp(self=%y)
            %b = aten::exp(self=%a)
            %u = aten::unsqueeze_(self=%a, dim=0)
            %r = aten::exp(self=%a)
            %s = aten::exp(self=%b)
            return %r, %s)",
                                                      4},
                                           ReboundRow{"whatIsInAListIsLookedAt",
                                                      R"(%a = aten::exp(self=%y)
            %l: list<tensor[*]> = prim::ListConstruct(%a)
            %m: list<tensor[*]> = aten::append.t(self=%l, el=%x)
            %k = aten::cat(tensors=%l)
            %b = aten::exp(self=%a)
            return %k, %b)",
                                                      3},
                                           ReboundRow{"nodesOfABranchThatIsTakenAreLikeOthers",
                                                      R"(%r = prim::If(cond=true)
              region "then" { %a = aten::exp(self=%y) %b = aten::mm(self=%x, mat2=%a) return %b }
              region "else" { %d = aten::exp(self=%x) return %d }
            return %r)",
                                                      3},
                                           ReboundRow{"sizesThatAChoiceDecidesAreFoundAgain",
                                                      R"(%r = prim::If(cond=%c)
              region "then" { return %y }
              region "else" { %d = aten::slice.Tensor(self=%y, dim=0, start=0, end=2) return %d }
            %s = aten::exp(self=%r)
            %t = aten::exp(self=%y)
            return %s, %t)",
                                                      2},
                                           ReboundRow{"theIterationsOfALoopAreWalked",
                                                      R"(%r = prim::Loop(trip_count=2, cond=true, %y)
              region "body" (%i: int, %k: tensor[*]) { %a = aten::exp(self=%k) return true, %a }
            %s = aten::exp(self=%r)
            return %s)",
                                                      3},
                                           ReboundRow{"aSizeThatOnlyDataDecidesKeepsItsName",
                                                      R"(%a = aten::nonzero(self=%y)
            %b = aten::exp(self=%x)
            %r = aten::exp(self=%a)
            return %r, %b)",
                                                      1},
                                           ReboundRow{
                                               "theBodyOfACalleeIsWalked",
                                               R"(%a = mine::f(%y, graph @f)
            %r = aten::exp(self=%a)
            return %r)",
                                               2, "\ngraph @f(%v: tensor[*]) { %w = aten::exp(self=%v) return %w }"},
                                           ReboundRow{"behindMoreStoragesThanBeforeAllIsLookedAt",
                                                      R"(%n: int = aten::size.int(self=%x, dim=0)
            %r = prim::Loop(trip_count=%n, cond=true, %y)
              region "body" (%i: int, %k: tensor[*]) { %a = aten::exp(self=%k) return true, %a }
            %v = aten::exp(self=%y)
            return %r, %v)",
                                                      6}),
                         [](const auto &row) { return row.param.name; });

TEST(Rebinding, takesOverWhyNothingIsKnown)
{
    const ir::Model model = modelOf(R"((%x: float32[s0], %y: float32[4]) {
        %a = mine::op(%y)
        %b = aten::relu(self=%x)
        return %a, %b })");
    const auto open = analysis::analyse(model, ir::FunctionId{0});
    const auto bound = analysis::analyse(model, open, {{{"s0", 3}}, {}});
    EXPECT_EQ(bound.shapes.trace.visited, 1u);
    ASSERT_EQ(bound.shapes.stops.size(), 1u);
    EXPECT_EQ(bound.shapes.stops[0].reason, "no rule for mine::op");
}

TEST(Rebinding, takesNothingOverOfWhatWasNotReached)
{
    const ir::Model model = modelOf("(%x: float32[2]) { %a = aten::relu(self=%x) return %a }");
    std::stop_source stop;
    stop.request_stop();
    const auto cancelled = analysis::analyse(model, ir::FunctionId{0}, {}, {stop.get_token(), {}});
    EXPECT_EQ(textOf(analysis::analyse(model, cancelled, {})), textOf(analysis::analyse(model, ir::FunctionId{0})));
}

} // namespace
} // namespace cutaway::test
