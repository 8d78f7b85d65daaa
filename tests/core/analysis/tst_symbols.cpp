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
    symbols.continueAt(7);
    EXPECT_EQ(ir::print(symbols.freshSize("u")), "u_7");
    EXPECT_EQ(symbols.count(), 8U);
}

/// One node with one result.
Shapes shapesOf(const ir::Dim &size)
{
    Shapes shapes;
    shapes.facts = {ops::tensorFact(ir::DType::Float32, ir::Shape{size})};
    shapes.costs = {{.flops = size}};
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
