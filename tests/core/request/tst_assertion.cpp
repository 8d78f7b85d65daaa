// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/assertion.h"

#include <gtest/gtest.h>

namespace cutaway::report {

namespace {

struct AssertionRow {
    const char *label;
    const char *text;
    std::vector<std::string> broken;
};

class Assertions : public testing::TestWithParam<AssertionRow> { };

/// A run of 5 ms, and 100 MB at the peak.
TEST_P(Assertions, holdOrSayWhatIs)
{
    const auto assertions = request::parseAssertions(GetParam().text);
    ASSERT_TRUE(assertions) << assertions.error().text();
    EXPECT_EQ(request::broken(*assertions, {{"time", 5e-3}, {"peak", 100e6}}), GetParam().broken);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Assertions,
    testing::Values(AssertionRow{"Below", "time<6ms", {}},
                    AssertionRow{"NotBelow", "time<5ms", {"time<5ms does not hold: it is 5 ms"}},
                    AssertionRow{"InAnotherUnit", "time<5001us", {}}, AssertionRow{"InSeconds", "time<0.006s", {}},
                    AssertionRow{"Above", "time>4ms", {}},
                    AssertionRow{"NotAbove", "time>6ms", {"time>6ms does not hold: it is 5 ms"}},
                    AssertionRow{"OfMemory", "peak<101MB", {}}, AssertionRow{"InBinaryUnits", "peak<96MiB", {}},
                    AssertionRow{"NotBelowInBinaryUnits", "peak<95MiB", {"peak<95MiB does not hold: it is 95.4 MiB"}},
                    AssertionRow{"Several",
                                 "time<1ms,peak<1GB,time>9ms",
                                 {"time<1ms does not hold: it is 5 ms", "time>9ms does not hold: it is 5 ms"}}),
    [](const auto &row) { return row.param.label; });

class WrongAssertions : public testing::TestWithParam<std::pair<const char *, const char *>> { };

TEST_P(WrongAssertions, areWrongUsage)
{
    const auto assertions = request::parseAssertions(GetParam().second);
    ASSERT_FALSE(assertions);
    EXPECT_EQ(assertions.error().kind, ErrorKind::Usage);
}

INSTANTIATE_TEST_SUITE_P(Rows, WrongAssertions,
                         testing::Values(std::pair("Empty", ""), std::pair("NoSign", "time"),
                                         std::pair("NoFigure", "<5ms"), std::pair("NoNumber", "time<ms"),
                                         std::pair("NoUnit", "time<5"), std::pair("UnknownUnit", "time<5min"),
                                         std::pair("UnitOfMemory", "time<5MB"), std::pair("UnitOfTime", "peak<5ms"),
                                         std::pair("NothingBehindAComma", "time<5ms,")),
                         [](const auto &row) { return row.param.first; });

TEST(Assertions, areOfFiguresThatAreThere)
{
    const auto found = request::broken(request::parseAssertions("speed<5ms").value(), {{"time", 1}});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().text(), "unknown figure 'speed'; there are time");
}

} // namespace

} // namespace cutaway::report
