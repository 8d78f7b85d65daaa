// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/given_syntax.h"

#include <gtest/gtest.h>

namespace cutaway::request {
namespace {

using Parts = std::vector<std::string_view>;

TEST(GivenSyntax, SplitsIntoAllParts)
{
    EXPECT_EQ(split("1x3x224", 'x'), (Parts{"1", "3", "224"}));
    EXPECT_EQ(split("1x", 'x'), (Parts{"1", ""}));
    EXPECT_EQ(split("", 'x'), (Parts{""}));
}

TEST(GivenSyntax, TakesWholeIntegersAlone)
{
    EXPECT_EQ(parseInteger("-12"), -12);
    EXPECT_EQ(parseInteger("12px"), std::nullopt);
    EXPECT_EQ(parseInteger(""), std::nullopt);
    EXPECT_EQ(parseInteger("9223372036854775808"), std::nullopt);
}

} // namespace
} // namespace cutaway::request
