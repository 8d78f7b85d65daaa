// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/control_flow/iteration.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

namespace cutaway::analysis {
namespace {

using ops::Fact;

/// A walk on which code changes something when a test wants it.
class ChangingWalk : public Walk {
public:
    const Fact &of(ir::ValueId) const override { return m_fact; }
    Fact of(const ir::Operand &) const override { return m_fact; }
    void write(ir::ValueId, Fact, Reached) override { }
    void write(const AttributePath &, const Fact &, Reached) override { }
    void set(ir::ValueId, Fact) override { }
    ops::Facts enter(ir::RegionId, std::span<const Fact>, Reached) override { return {}; }
    BoundedCost costOf(ir::RegionId) const override { return {}; }
    Reached reached() const override { return Reached::Certainly; }
    std::uint64_t changeCount() override { return changes; }
    std::int64_t opset(std::string_view) const override { return 1; }
    Symbols &symbols() override { std::unreachable(); }
    Autocasts &autocasts() override { std::unreachable(); }

    std::uint64_t changes = 0;

private:
    Fact m_fact;
};

int iterationsUntilStable(const std::function<void(ChangingWalk &, ops::Facts &, int)> &iterate)
{
    ChangingWalk walk;
    ops::Facts carried{ops::intFact(std::int64_t{0})};
    int count = 0;
    iterateUntilStable(walk, carried, maxJoinedIterations, [&] { iterate(walk, carried, count++); });
    return count;
}

TEST(Iteration, endsWhenNothingChanges)
{
    EXPECT_EQ(iterationsUntilStable([](ChangingWalk &, ops::Facts &, int) { }), 1);
    EXPECT_EQ(iterationsUntilStable([](ChangingWalk &, ops::Facts &carried, int i) {
                  carried[0] = ops::intFact(std::int64_t{std::min(i + 1, 3)});
              }),
              4);
    EXPECT_EQ(iterationsUntilStable([](ChangingWalk &walk, ops::Facts &, int i) { walk.changes += i < 2 ? 1 : 0; }), 3);
}

TEST(Iteration, endsAtItsLimit)
{
    EXPECT_EQ(iterationsUntilStable([](ChangingWalk &walk, ops::Facts &, int) { ++walk.changes; }),
              maxJoinedIterations);
}

TEST(Axis, isTakenOutAndPutIn)
{
    const Fact tensor = ops::tensorFact(ir::DType::Float32, ir::Shape{std::int64_t{2}, std::int64_t{3}});
    EXPECT_EQ(ops::print(withoutAxis(tensor, -1)), "float32[2]");
    EXPECT_EQ(ops::print(withAxis(tensor, -1, std::int64_t{4})), "float32[2, 3, 4]");
    EXPECT_EQ(ir::print(sizeAlong(tensor, 1)), "3");
}

TEST(Axis, thatIsNotThereLeavesOnlyTheDType)
{
    const Fact tensor = ops::tensorFact(ir::DType::Float32, ir::Shape{std::int64_t{2}});
    EXPECT_EQ(ops::print(withoutAxis(tensor, 1)), "float32");
    EXPECT_EQ(ir::print(sizeAlong(tensor, 1)), "?");
    EXPECT_TRUE(withoutAxis(ops::boolFact(), 0).as<ops::AnyFact>());
}

} // namespace
} // namespace cutaway::analysis
