// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/checked.h"

#include <gtest/gtest.h>

namespace cutaway {
namespace {

TEST(PythonIndex, CountsFromTheEndIfItIsNegative)
{
    EXPECT_EQ(pythonIndex(0, 3), 0u);
    EXPECT_EQ(pythonIndex(2, 3), 2u);
    EXPECT_EQ(pythonIndex(-1, 3), 2u);
    EXPECT_EQ(pythonIndex(-3, 3), 0u);
}

TEST(PythonIndex, IsNothingOutsideOfTheItems)
{
    EXPECT_EQ(pythonIndex(3, 3), std::nullopt);
    EXPECT_EQ(pythonIndex(-4, 3), std::nullopt);
    EXPECT_EQ(pythonIndex(0, 0), std::nullopt);
    EXPECT_EQ(pythonIndex(INT64_MIN, 3), std::nullopt);
}

TEST(Checked, IsNothingWhereANumberOverflows)
{
    EXPECT_EQ(checkedAdd<std::int64_t>(INT64_MAX, 1), std::nullopt);
    EXPECT_EQ(checkedSubtract<std::int64_t>(0, INT64_MIN), std::nullopt);
    EXPECT_EQ(checkedMultiply<std::int64_t>(INT64_MAX, -1), -INT64_MAX);
}

} // namespace
} // namespace cutaway
