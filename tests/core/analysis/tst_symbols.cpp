// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/symbols.h"

#include "core/analysis/shapes.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <gtest/gtest.h>

namespace cutaway::analysis {
namespace {

TEST(Symbols, areNumberedTogether)
{
    Symbols symbols;
    EXPECT_EQ(ir::print(symbols.freshSize("u")), "u_0");
    EXPECT_EQ(ir::print(symbols.freshChoice()), "taken_1");
    const std::vector<DataSize> earlier{{"u_2", ir::Dim(std::int64_t{5})}, {"n_3"}};
    symbols.append(earlier);
    EXPECT_EQ(ir::print(symbols.freshSize("u")), "u_4");
    EXPECT_EQ(symbols.count(), 5U);
}

/// A limit is in numbers and in symbols of the file.
TEST(Symbols, areLimitedByOthers)
{
    const auto symbol = [](const char *name) { return ir::Dim(symbolic::Expr::symbol(name)); };
    const auto number = [](std::int64_t n) { return ir::Dim(n); };
    Symbols symbols;
    const ir::Dim few = symbols.freshSize("u", number(8)), some = symbols.freshSize("u", symbol("s0"));
    const ir::Dim any = symbols.freshSize("u");
    struct Row {
        ir::Dim most;
        std::string_view limit;
    };
    const std::vector<Row> rows{
        {ops::plus(few, number(2)), "10"},
        {ops::times(few, few), "64"},
        {ops::times(some, number(3)), "3*s0"},
        {ops::minimum(any, number(7)), "7"},
        {ops::maximum(few, number(100)), "100"},
        {any, "?"},
        {ops::minus(number(100), few), "100"},
        {ops::plus(any, number(1)), "?"},
        {ops::floorDivide(symbol("s0"), number(2)), "s0//2"},
    };
    for (const Row &row : rows)
        symbols.freshSize("u", row.most);
    const std::vector<DataSize> made = symbols.take();
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(ir::print(made[3 + i].most), rows[i].limit) << ir::print(rows[i].most);
}

/// One node with one result.
Shapes shapesOf(const ir::Dim &size)
{
    Shapes shapes;
    shapes.facts = {ops::tensorFact(ir::DType::Float32, ir::Shape{size})};
    shapes.costs = ops::NodeCosts(1);
    shapes.costs.set(0, {.flops = size});
    shapes.total = {.flops = size};
    shapes.trace.changes = {1};
    shapes.trace.visits = {{{}, {}, Trace::Visit::Kind::Repeatable}};
    return shapes;
}

TEST(Symbols, thatAreChoicesAreRemovedAndNothingOfThemTakenOver)
{
    Symbols symbols;
    Shapes shapes = shapesOf(ops::plus(ops::times(symbols.freshChoice(), std::int64_t{4}), std::int64_t{2}));
    symbols.removeChoices(shapes);
    EXPECT_EQ(ops::print(shapes.facts[0]), "float32[?]");
    EXPECT_FALSE(ops::isKnown(shapes.costs[0].flops) || ops::isKnown(shapes.total.flops));
    EXPECT_EQ(shapes.trace.changes[0], 2);
    EXPECT_EQ(shapes.trace.visits[0].kind, Trace::Visit::Kind::Entangled);
}

TEST(Symbols, thatAreSizesStay)
{
    Symbols symbols;
    symbols.freshChoice();
    Shapes shapes = shapesOf(symbols.freshSize("u"));
    symbols.removeChoices(shapes);
    EXPECT_EQ(ops::print(shapes.facts[0]), "float32[u_1]");
    EXPECT_EQ(shapes.trace.changes[0], 1);
    EXPECT_EQ(shapes.trace.visits[0].kind, Trace::Visit::Kind::Repeatable);
}

} // namespace
} // namespace cutaway::analysis
