// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/time_change.h"

#include <gtest/gtest.h>

namespace cutaway::run {
namespace {

struct VerdictRow {
    const char *label;
    TimeChange change;
    Verdict expected;
};

class Verdicts : public testing::TestWithParam<VerdictRow> { };

TEST_P(Verdicts, goByTheRangesOfTheRuns) { EXPECT_EQ(GetParam().change.verdict(), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(
    Rows, Verdicts,
    testing::Values(VerdictRow{"Overlapping", {{{2, 1, 3, 9}}, {{3, 2, 4, 9}}}, Verdict::WithinNoise},
                    VerdictRow{"Touching", {{{2, 1, 3, 9}}, {{4, 3, 5, 9}}}, Verdict::WithinNoise},
                    VerdictRow{"Slower", {{{2, 1, 3, 9}}, {{5, 4, 6, 9}}}, Verdict::Slower},
                    VerdictRow{"Faster", {{{5, 4, 6, 9}}, {{2, 1, 3, 9}}}, Verdict::Faster},
                    VerdictRow{"Within", {{{5, 1, 9, 9}}, {{5, 4, 6, 9}}}, Verdict::WithinNoise},
                    VerdictRow{"FewRuns", {{{2, 1, 3, 9}}, {{5, 4, 6, 4}}}, Verdict::NotKnown},
                    VerdictRow{"New", {{}, {{5, 4, 6, 1}}}, Verdict::New},
                    VerdictRow{"Gone", {{{5, 4, 6, 1}}, {}}, Verdict::Gone}),
    [](const auto &row) { return row.param.label; });

TEST(TimeChanges, haveNoRatioOfWhatIsNotThere)
{
    EXPECT_EQ((TimeChange{{{2, 2, 2, 1}}, {{3, 3, 3, 1}}}).ratio(), 1.5);
    EXPECT_EQ((TimeChange{{}, {{3, 3, 3, 1}}}).ratio(), std::nullopt);
    EXPECT_EQ((TimeChange{{{2, 2, 2, 1}}, {}}).ratio(), std::nullopt);
    EXPECT_EQ((TimeChange{{{0, 0, 0, 1}}, {{3, 3, 3, 1}}}).ratio(), std::nullopt);
}

TEST(TimeChanges, differByTheWholeTimeOfWhatIsNotThere)
{
    EXPECT_EQ((TimeChange{{{2, 2, 2, 1}}, {{3, 3, 3, 1}}}).difference(), 1);
    EXPECT_EQ((TimeChange{{{2, 2, 2, 1}}, {}}).difference(), -2);
}

} // namespace
} // namespace cutaway::run
