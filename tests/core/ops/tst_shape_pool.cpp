// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/shape_pool.h"

#include <gtest/gtest.h>

using namespace cutaway;
using ops::ShapePool;

namespace {

using Shape = Cow<ir::Shape>;

Shape shapeOf(std::initializer_list<ir::Dim> sizes) { return ir::Shape(sizes); }

TEST(ShapePool, equalShapesShareOne)
{
    ShapePool pool;
    const auto batch = symbolic::Expr::symbol("batch");
    const Shape first = pool.shared(shapeOf({batch, std::int64_t{3}}));
    const Shape second = pool.shared(shapeOf({batch, std::int64_t{3}}));
    EXPECT_EQ(&*first, &*second);
}

TEST(ShapePool, othersStayWhatTheyAre)
{
    ShapePool pool;
    const Shape known = pool.shared(shapeOf({std::int64_t{3}}));
    EXPECT_EQ(ir::print(*pool.shared(shapeOf({ir::UnknownDim{}}))), "[?]");
    EXPECT_EQ(ir::print(*pool.shared(shapeOf({}))), "[]");
    EXPECT_EQ(ir::print(*known), "[3]");
    EXPECT_FALSE(pool.shared(nullptr));
}

TEST(ShapePool, aChangeOfOneIsNoneOfTheOthers)
{
    ShapePool pool;
    Shape mine = pool.shared(shapeOf({std::int64_t{3}}));
    mine.edit()[0] = std::int64_t{4};
    EXPECT_EQ(ir::print(*pool.shared(shapeOf({std::int64_t{3}}))), "[3]");
}

} // namespace
