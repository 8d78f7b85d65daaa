// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory.h"

#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

/// "8 16 8 | 16": bytes that are alive at each step, and the peak.
std::string alive(const std::string &graph)
{
    const ir::Model model = modelOf(graph);
    if (model.functions.empty())
        return "no graph";
    const analysis::Shapes shapes = analysis::inferShapes(model, ir::FunctionId{0});
    const analysis::Memory memory = analysis::liveMemory(model, ir::FunctionId{0}, shapes);
    std::string text;
    for (const ir::Dim &bytes : memory.alive)
        text += ir::print(bytes) + " ";
    return text + "| " + ir::print(memory.peak);
}

struct LiveMemoryRow {
    std::string name, graph, alive;
};

void PrintTo(const LiveMemoryRow &row, std::ostream *out) { *out << row.name; }

class LiveMemory : public ::testing::TestWithParam<LiveMemoryRow> { };

TEST_P(LiveMemory, isWhatIsStillNeeded) { EXPECT_EQ(alive(GetParam().graph), GetParam().alive); }

/// The rest of a graph behind the condition of its branch.
const std::string largeAndSmallBranch = R"(
              region "then" {
                %a = aten::cat(tensors=[%x, %x])
                %b = aten::sin(self=%a)
                %d = aten::slice(self=%b, dim=0, start=0, end=2, step=1)
                %e = aten::neg(self=%d)
                return %e
              }
              region "else" {
                %f = aten::neg(self=%x)
                return %f
              }
            return %y })";

INSTANTIATE_TEST_SUITE_P(
    Rows, LiveMemory,
    ::testing::Values(
        LiveMemoryRow{"aChainHoldsTwoAtATime", R"((%x: float32[2]) {
            %a = aten::sin(self=%x)
            %b = aten::cos(self=%a)
            %c = aten::neg(self=%b)
            return %c })",
                      "8 16 16 16 8 | 16"},
        LiveMemoryRow{"anUnusedInputIsGoneAfterTheStart", R"((%x: float32[2], %unused: float32[100]) {
            %a = aten::sin(self=%x)
            return %a })",
                      "408 16 8 | 408"},
        LiveMemoryRow{"aViewIsFreeAndKeepsItsStorage", R"((%x: float32[2, 3]) {
            %t = aten::t(self=%x)
            %row = aten::select(self=%t, dim=0, index=1)
            %c = aten::neg(self=%row)
            return %c })",
                      "24 24 24 32 8 | 32"},
        LiveMemoryRow{"aReshapeOfATransposedTensorCopies", R"((%x: float32[2, 3]) {
            %t = aten::t(self=%x)
            %flat = aten::reshape(self=%t, shape=[6])
            return %flat })",
                      "24 24 48 24 | 48"},
        LiveMemoryRow{"aReshapeThatTheStridesAllowDoesNot", R"((%x: float32[2, 3, 4]) {
            %t = aten::transpose(self=%x, dim0=0, dim1=1)
            %r = aten::reshape(self=%t, shape=[3, 2, 2, 2])
            return %r })",
                      "96 96 96 96 | 96"},
        LiveMemoryRow{"elementwiseResultsLieAsTheirOperands", R"((%x: float32[2, 3]) {
            %t = aten::t(self=%x)
            %s = aten::sin(self=%t)
            %c = aten::contiguous(self=%s)
            return %c })",
                      "24 24 48 48 24 | 48"},
        LiveMemoryRow{"contiguousOfWhatIsContiguousIsItself", R"((%x: float32[2, 3]) {
            %s = aten::sin(self=%x)
            %c = aten::contiguous(self=%s)
            return %c })",
                      "24 48 24 24 | 48"},
        LiveMemoryRow{"inPlaceTakesNothing", R"((%x: float32[2]) {
            %s = aten::sin(self=%x)
            %r = aten::relu_(self=%s)
            return %r })",
                      "8 16 8 8 | 16"},
        LiveMemoryRow{"dropoutOfNothingIsItsInput", R"((%x: float32[2]) {
            %s = aten::feature_dropout(input=%x, p=0.0, train=true)
            return %s })",
                      "8 8 8 | 8"},
        LiveMemoryRow{"eachOfAListThatHasDimensionsEnoughIsItself", R"((%x: float32[2], %y: float32[3]) {
            %a, %b = aten::atleast_1d.Sequence(tensors=[%x, %y])
            return %a, %b })",
                      "20 20 20 | 20"},
        LiveMemoryRow{"aSumToItsOwnSizeIsItself", R"((%x: float32[2]) {
            %s = aten::sum_to_size(self=%x, size=[2])
            return %s })",
                      "8 8 8 | 8"},
        LiveMemoryRow{"realNumbersAreTheirOwnConjugates", R"((%x: float32[2]) {
            %s = aten::conj_physical(self=%x)
            return %s })",
                      "8 8 8 | 8"},
        LiveMemoryRow{"givenStridesReachFurtherThanTheElements", R"((%x: float32[2]) {
            %s = aten::new_empty_strided(self=%x, size=[2, 3], stride=[10, 1])
            return %s })",
                      "8 60 52 | 60"},
        LiveMemoryRow{"dropoutThatDoesNothingIsItsInput", R"((%x: float32[2]) {
            %s = aten::dropout(input=%x, p=0.5, train=false)
            %d = aten::dropout(input=%s, p=0.5, train=true)
            return %d })",
                      "8 8 16 8 | 16"},
        LiveMemoryRow{"aConversionToItsOwnDTypeIsItself", R"((%x: float32[2]) {
            %s = aten::to(self=%x, dtype=float32)
            %d = aten::to(self=%s, dtype=float64)
            return %d })",
                      "8 8 24 16 | 24"},
        LiveMemoryRow{"partsOfAListShareTheWhole", R"((%x: float32[4, 2]) {
            %parts = aten::chunk(self=%x, chunks=2, dim=0)
            %a = aten::__getitem__(%parts, 0)
            %b = aten::neg(self=%a)
            return %b })",
                      "32 32 32 48 16 | 48"},
        LiveMemoryRow{"whatARegionUsesLivesUntilItsNode", R"((%x: float32[2], %c: bool) {
            %s = aten::sin(self=%x)
            %y = prim::If(cond=%c)
              region "then" {
                %a = aten::neg(self=%s)
                return %a
              }
              region "else" {
                %b = aten::neg(self=%x)
                return %b
              }
            return %y })",
                      "8 16 24 8 | 24"},
        LiveMemoryRow{"aBranchHoldsWhatLivesInIt",
                      "(%x: float32[2], %c: bool) { %y = prim::If(cond=%c)" + largeAndSmallBranch, "8 40 8 | 40"},
        LiveMemoryRow{"aBranchThatIsNotTakenHoldsNothing",
                      "(%x: float32[2]) { %y = prim::If(cond=false)" + largeAndSmallBranch, "8 16 8 | 16"},
        LiveMemoryRow{"anUnknownOperatorInABranchHidesThePeak", R"((%x: float32[2], %c: bool) {
            %y = prim::If(cond=%c)
              region "then" {
                %a = mine::op(%x)
                %b = aten::neg(self=%x)
                return %b
              }
              region "else" {
                %d = aten::neg(self=%x)
                return %d
              }
            return %y })",
                      "8 ? 8 | ?"},
        LiveMemoryRow{"aLoopHoldsOneIteration", R"((%x: float32[2], %n: int) {
            %y = prim::Loop(%n, true, %x)
              region "body" (%i: int, %z: float32[2]) {
                %a = aten::cat(tensors=[%z, %z])
                %b = aten::slice(self=%a, dim=0, start=0, end=2, step=1)
                %d = aten::neg(self=%b)
                return true, %d
              }
            return %y })",
                      "8 32 8 | 32"},
        LiveMemoryRow{"withSymbolsItIsAFormula", R"((%x: float32[s0]) {
            %a = aten::sin(self=%x)
            %b = aten::cat(tensors=[%a, %a])
            return %b })",
                      "4*s0 8*s0 12*s0 8*s0 | 12*s0"},
        LiveMemoryRow{"stepsThatMayBothBeThePeakMakeAMaximum", R"((%x: float32[s0], %y: float32[s1]) {
            %a = aten::sin(self=%x)
            %b = aten::sin(self=%y)
            %c = aten::cat(tensors=[%b, %b])
            return %a })",
                      "4*s0 + 4*s1 8*s0 + 4*s1 4*s0 + 8*s1 4*s0 + 12*s1 4*s0 | max(4*s0 + 12*s1, 8*s0 + 4*s1)"},
        LiveMemoryRow{"anUnknownSizeHidesThePeak", R"((%x: float32[2]) {
            %a = mine::op(%x)
            %b = aten::sin(self=%x)
            %c = aten::neg(self=%b)
            return %c })",
                      "8 ? 16 16 8 | ?"}),
    [](const auto &row) { return row.param.name; });

TEST(LiveMemory, namesThePeakAndWhatIsAliveThere)
{
    const ir::Model model = modelOf(R"((%x: float32[2]) {
        %a = aten::cat(tensors=[%x, %x, %x])
        %b = aten::sum(self=%a)
        return %b })");
    const auto memory = analysis::liveMemory(model, ir::FunctionId{0}, analysis::inferShapes(model, ir::FunctionId{0}));
    ASSERT_EQ(memory.peakStep, 1u);
    const auto storages = memory.aliveAt(*memory.peakStep);
    ASSERT_EQ(storages.size(), 2u);
    EXPECT_EQ(ir::print(storages[0]->bytes), "8");
    EXPECT_EQ(ir::print(storages[1]->bytes), "24");
}

} // namespace
} // namespace cutaway::test
