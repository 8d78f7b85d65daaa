// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"

#include <gtest/gtest.h>

namespace cutaway {
namespace {

TEST(Quantities, haveANounOrAPlural)
{
    EXPECT_EQ(quantity(1, "node"), "1 node");
    EXPECT_EQ(quantity(1234, "node"), "1,234 nodes");
    EXPECT_EQ(quantity(2, "entry", "entries"), "2 entries");
}

TEST(Amounts, haveAPrefixAndThreeDigits)
{
    EXPECT_EQ(withUnit(8.178e9, "FLOP"), "8.18 GFLOP");
    EXPECT_EQ(withUnit(512, "FLOP"), "512 FLOP");
}

TEST(Amounts, ofTimeAreInTheLargestUnitThatIsNotMore)
{
    EXPECT_EQ(secondsText(0.06344), "63.4 ms");
    EXPECT_EQ(secondsText(-0.06344), "-63.4 ms");
    EXPECT_EQ(secondsText(0.00099951), "1.00 ms"); // not 1000 µs
    EXPECT_EQ(secondsText(2e-9), "2 ns");
    EXPECT_EQ(secondsText(2e-10), "< 1 ns");
    EXPECT_EQ(secondsText(-2e-10), "> -1 ns"); // medians of two traces differ by half a nanosecond
    EXPECT_EQ(secondsText(0), "0 s");
}

} // namespace
} // namespace cutaway
