// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ops/facts/broadcast.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "tests/core/ops/shape_text.h"

#include <gtest/gtest.h>

using namespace cutaway;

namespace {

struct BroadcastRow {
    const char *name;
    std::vector<const char *> shapes;
    const char *expected; ///< "" if they do not fit
};

class Broadcast : public testing::TestWithParam<BroadcastRow> { };

TEST_P(Broadcast, alignsAtTheLastDimension)
{
    std::vector<ir::Shape> shapes;
    for (const char *text : GetParam().shapes)
        shapes.push_back(shapeOf(text));
    std::vector<const ir::Shape *> pointers;
    for (const ir::Shape &shape : shapes)
        pointers.push_back(&shape);
    const auto result = ops::broadcast(pointers);
    EXPECT_EQ(result ? ir::print(*result) : "", GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Broadcast,
    testing::Values(
        BroadcastRow{"Same", {"[2, 3]", "[2, 3]"}, "[2, 3]"}, BroadcastRow{"Ones", {"[2, 1]", "[1, 3]"}, "[2, 3]"},
        BroadcastRow{"Shorter", {"[3]", "[4, 2, 3]"}, "[4, 2, 3]"}, BroadcastRow{"Scalar", {"[]", "[2, 3]"}, "[2, 3]"},
        BroadcastRow{"TwoScalars", {"[]", "[]"}, "[]"}, BroadcastRow{"NoShapes", {}, "[]"},
        BroadcastRow{"Three", {"[2, 1, 1]", "[3, 1]", "[4]"}, "[2, 3, 4]"},
        BroadcastRow{"Different", {"[2, 3]", "[2, 4]"}, ""}, BroadcastRow{"DifferentBatch", {"[2, 3]", "[5, 3]"}, ""},
        BroadcastRow{"EmptyWithOne", {"[0, 3]", "[1, 3]"}, "[0, 3]"}, BroadcastRow{"EmptyWithMany", {"[0]", "[3]"}, ""},
        BroadcastRow{"SymbolWithOne", {"[s0, 3]", "[1, 3]"}, "[s0, 3]"},
        BroadcastRow{"SymbolWithItself", {"[s0, 2*s0]", "[s0, 2*s0]"}, "[s0, 2*s0]"},
        BroadcastRow{"NumberBeforeSymbol", {"[s0]", "[7]"}, "[7]"},
        BroadcastRow{"UnknownWithNumber", {"[?]", "[7]"}, "[7]"}, BroadcastRow{"UnknownWithOne", {"[?]", "[1]"}, "[?]"},
        BroadcastRow{"UnknownWithSymbol", {"[?]", "[s0]"}, "[s0]"},
        BroadcastRow{"UnknownWithUnknown", {"[?]", "[?]"}, "[?]"}),
    [](const auto &row) { return std::string(row.param.name); });

TEST(BroadcastOfTwo, isThatOfAList)
{
    EXPECT_EQ(ops::broadcast(shapeOf("[2, 1]"), shapeOf("[3]")), shapeOf("[2, 3]"));
    EXPECT_EQ(ops::broadcast(shapeOf("[2]"), shapeOf("[3]")), std::nullopt);
}

} // namespace
