// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ops/broadcast.h"
#include "core/ops/dim_arithmetic.h"
#include "tests/core/ops/shape_text.h"

#include <gtest/gtest.h>

using namespace cutaway;

namespace {

struct Row {
    const char *name;
    std::vector<const char *> shapes;
    const char *expected; ///< "" if they do not fit
};

class Broadcast : public testing::TestWithParam<Row> { };

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
    testing::Values(Row{"Same", {"[2, 3]", "[2, 3]"}, "[2, 3]"}, Row{"Ones", {"[2, 1]", "[1, 3]"}, "[2, 3]"},
                    Row{"Shorter", {"[3]", "[4, 2, 3]"}, "[4, 2, 3]"}, Row{"Scalar", {"[]", "[2, 3]"}, "[2, 3]"},
                    Row{"TwoScalars", {"[]", "[]"}, "[]"}, Row{"NoShapes", {}, "[]"},
                    Row{"Three", {"[2, 1, 1]", "[3, 1]", "[4]"}, "[2, 3, 4]"},
                    Row{"Different", {"[2, 3]", "[2, 4]"}, ""}, Row{"DifferentBatch", {"[2, 3]", "[5, 3]"}, ""},
                    Row{"EmptyWithOne", {"[0, 3]", "[1, 3]"}, "[0, 3]"}, Row{"EmptyWithMany", {"[0]", "[3]"}, ""},
                    Row{"SymbolWithOne", {"[s0, 3]", "[1, 3]"}, "[s0, 3]"},
                    Row{"SymbolWithItself", {"[s0, 2*s0]", "[s0, 2*s0]"}, "[s0, 2*s0]"},
                    Row{"NumberBeforeSymbol", {"[s0]", "[7]"}, "[7]"}, Row{"UnknownWithNumber", {"[?]", "[7]"}, "[7]"},
                    Row{"UnknownWithOne", {"[?]", "[1]"}, "[?]"}, Row{"UnknownWithSymbol", {"[?]", "[s0]"}, "[s0]"},
                    Row{"UnknownWithUnknown", {"[?]", "[?]"}, "[?]"}),
    [](const auto &row) { return std::string(row.param.name); });

TEST(BroadcastOfTwo, isThatOfAList)
{
    EXPECT_EQ(ops::broadcast(shapeOf("[2, 1]"), shapeOf("[3]")), shapeOf("[2, 3]"));
    EXPECT_EQ(ops::broadcast(shapeOf("[2]"), shapeOf("[3]")), std::nullopt);
}

} // namespace
