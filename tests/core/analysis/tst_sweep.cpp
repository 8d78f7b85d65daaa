// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/sweep.h"

#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

using analysis::Sweep;
using analysis::SweepPoint;

analysis::Device device()
{
    analysis::Device device;
    device.name = "a test";
    device.peaks = {{ir::DType::Float32, 1e9}};
    device.vectorPeak = 1e8;
    device.bandwidth = 1e9;
    device.memory = 1e6;
    return device;
}

/// "1: 8/0 32 24 16; 2: …": flops/other flops, bytes read and written, peak.
std::string print(const Sweep &sweep)
{
    std::string text;
    for (const SweepPoint &p : sweep.points)
        text += (text.empty() ? "" : "; ") + std::to_string(p.value) + ": " + ir::print(p.cost.flops) + "/"
            + ir::print(p.cost.otherFlops) + " " + ir::print(p.cost.bytesRead) + " " + ir::print(p.cost.bytesWritten)
            + " " + ir::print(p.peakBytes);
    return text;
}

struct SweepRow {
    std::string name, graph;
    std::vector<std::int64_t> values;
    std::string points;
};

void PrintTo(const SweepRow &row, std::ostream *out) { *out << row.name; }

class Swept : public ::testing::TestWithParam<SweepRow> {
protected:
    const ir::Model model = modelOf(GetParam().graph);
    const analysis::Device processor = device();
    const Sweep swept = analysis::sweep(model, {}, {}, {"s0", GetParam().values}, &processor);
};

TEST_P(Swept, figuresAreThoseWorkedOut) { EXPECT_EQ(print(swept), GetParam().points); }

TEST_P(Swept, figuresAreThoseOfTheAnalysisAtEachValue)
{
    ASSERT_EQ(swept.points.size(), GetParam().values.size());
    for (const SweepPoint &point : swept.points) {
        const auto there = analysis::analyse(model, ir::FunctionId{0}, {{{"s0", point.value}}, {}});
        const auto estimate = analysis::roofline(model, there, processor, 0);
        const bool isKnown = estimate.unknown == 0 && there.totals.costUnknown == 0;
        SweepPoint wanted;
        wanted.value = point.value;
        wanted.cost = there.totals.cost;
        wanted.peakBytes = there.totals.peakBytes;
        wanted.seconds = isKnown ? std::optional(estimate.seconds) : std::nullopt;
        EXPECT_EQ(point, wanted) << point.value;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Swept,
    ::testing::Values(SweepRow{"formulas",
                               R"((%x: float32[s0, 2], %y: float32[2, 3]) {
            %a = aten::mm(self=%x, mat2=%y)
            %b = aten::relu(self=%a)
            return %b })",
                               {1, 10, 100},
                               "1: 12/3 44 24 44; 10: 120/30 224 240 240; 100: 1200/300 2024 2400 2400"},
                      // The branch that a value decides: no formula is for both.
                      SweepRow{"aBranchOnTheSize",
                               R"((%x: float32[s0, 2], %n: int(s0)) {
            %large = aten::gt(a=%n, b=4)
            %r: float32[s0, 2] = prim::If(%large)
            region (){ %a = aten::relu(self=%x) %b = aten::relu(self=%a) return %b }
            region (){ %c = aten::relu(self=%x) return %c }
            return %r })",
                               {3, 4, 5, 6},
                               "3: 0/6 24 24 48; 4: 0/8 32 32 64; 5: 0/20 80 80 120; 6: 0/24 96 96 144"},
                      // One row more or less than three, and the sum cannot be; one alone is repeated.
                      SweepRow{"sizesThatFitOnlySometimes",
                               R"((%x: float32[s0, 2], %y: float32[3, 2]) {
            %r = aten::add.Tensor(self=%x, other=%y)
            return %r })",
                               {1, 2, 3},
                               "1: 0/6 32 24 56; 2: 0/? 40 ? ?; 3: 0/6 48 24 72"},
                      SweepRow{"anotherSymbolStays",
                               R"((%x: float32[s0, s1]) {
            %r = aten::relu(self=%x)
            return %r })",
                               {2, 4},
                               "2: 0/2*s1 8*s1 8*s1 16*s1; 4: 0/4*s1 16*s1 16*s1 32*s1"}),
    [](const auto &row) { return row.param.name; });

TEST(Sweep, timesAreOfTheDevice)
{
    const ir::Model model = modelOf("(%x: float32[s0]) { %r = aten::relu(self=%x) return %r }");
    const analysis::Device processor = device();
    const Sweep swept = analysis::sweep(model, {}, {}, {"s0", {10, 100}}, &processor);
    // One operation per element at 100 million per second takes longer than to move eight bytes.
    EXPECT_EQ(swept.points[0].seconds, 1e-7);
    EXPECT_EQ(swept.points[1].seconds, 1e-6);
    EXPECT_EQ(analysis::sweep(model, {}, {}, {"s0", {10}}).points[0].seconds, std::nullopt);
}

TEST(Sweep, stopsWhenAsked)
{
    const ir::Model model = modelOf("(%x: float32[s0]) { %r = aten::relu(self=%x) return %r }");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(analysis::sweep(model, {}, {}, {"s0", {10}}, nullptr, {stop.get_token(), {}}).points.empty());
}

} // namespace
} // namespace cutaway::test
