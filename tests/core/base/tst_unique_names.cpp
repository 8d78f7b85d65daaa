// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/unique_names.h"

#include <gtest/gtest.h>
#include <set>

namespace cutaway::test {
namespace {

TEST(UniqueNames, areTheWantedOnesOrTheFirstFree)
{
    UniqueNames names;
    names.take("x_1");
    EXPECT_EQ(names.fresh("x"), "x");
    EXPECT_EQ(names.fresh("x"), "x_2");
    EXPECT_EQ(names.fresh("x"), "x_3");
    EXPECT_EQ(names.fresh("x_1"), "x_1_1");
}

TEST(UniqueNames, doNotCostMoreTheMoreWantOne)
{
    UniqueNames names;
    std::set<std::string> given;
    for (int i = 0; i < 200'000; ++i)
        given.insert(names.fresh("value"));
    EXPECT_EQ(given.size(), 200'000U);
}

} // namespace
} // namespace cutaway::test
