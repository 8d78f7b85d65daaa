// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/node_costs.h"

#include "core/symbolic/expr.h"

#include <gtest/gtest.h>

using namespace cutaway;
using ops::Cost;
using ops::NodeCosts;

namespace {

std::int64_t flopsOf(const NodeCosts &costs, std::size_t node) { return std::get<std::int64_t>(costs[node].flops); }

TEST(NodeCosts, nodesCostNothingUntilTheirCostsAreSet)
{
    const NodeCosts costs(3);
    EXPECT_EQ(costs.size(), 3u);
    EXPECT_EQ(flopsOf(costs, 2), 0);
}

TEST(NodeCosts, equalCostsAreKeptOnce)
{
    NodeCosts costs(100);
    for (std::size_t i = 0; i < 100; ++i)
        costs.set(i, Cost{.flops = std::int64_t(i % 2)});
    EXPECT_EQ(flopsOf(costs, 98), 0);
    EXPECT_EQ(flopsOf(costs, 99), 1);
    EXPECT_EQ(costs.placeOf(1), costs.placeOf(99));
    EXPECT_LE(costs.kept().size(), 3u); // with that of nodes of which none is set yet
}

TEST(NodeCosts, anUnknownCostIsNotOneOfZero)
{
    NodeCosts costs(2);
    costs.set(0, Cost{.flops = ir::UnknownDim{}});
    costs.set(1, Cost{.flops = std::int64_t{0}});
    EXPECT_TRUE(std::holds_alternative<ir::UnknownDim>(costs[0].flops));
    EXPECT_EQ(flopsOf(costs, 1), 0);
}

TEST(NodeCosts, formulasAreKeptOnceIfTheyAreTheSameOne)
{
    NodeCosts costs(3);
    const auto formula = symbolic::Expr::symbol("n");
    costs.set(0, Cost{.bytesRead = formula});
    costs.set(1, Cost{.bytesRead = formula});
    EXPECT_EQ(costs.placeOf(0), costs.placeOf(1));
    EXPECT_EQ(ir::print(costs[1].bytesRead), "n");
}

TEST(NodeCosts, whatIsSetAgainAndAgainDoesNotPileUp)
{
    NodeCosts costs(4);
    for (std::int64_t i = 0; i < 10'000; ++i)
        costs.set(std::size_t(i % 4), Cost{.flops = i});
    EXPECT_EQ(flopsOf(costs, 0), 9996);
    EXPECT_EQ(flopsOf(costs, 3), 9999);
    EXPECT_LE(costs.kept().size(), 10u);
}

TEST(NodeCosts, aKeptCostThatIsChangedIsThatOfAllItsNodes)
{
    NodeCosts costs(3);
    costs.set(0, Cost{.flops = std::int64_t{5}});
    costs.set(2, Cost{.flops = std::int64_t{5}});
    costs.kept()[costs.placeOf(0)].flops = std::int64_t{6};
    EXPECT_EQ(flopsOf(costs, 2), 6);
    costs.set(1, Cost{.flops = std::int64_t{5}});
    EXPECT_EQ(flopsOf(costs, 1), 5);
}

} // namespace
