// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/csv.h"

#include <array>
#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

TEST(CsvCell, isQuotedWhereItMustBe)
{
    EXPECT_EQ(print::csvCell("plain text"), "plain text");
    EXPECT_EQ(print::csvCell(""), "");
    EXPECT_EQ(print::csvCell("a, b"), "\"a, b\"");
    EXPECT_EQ(print::csvCell("a; b"), "\"a; b\"");
    EXPECT_EQ(print::csvCell("say \"a\""), "\"say \"\"a\"\"\"");
}

TEST(CsvCell, isNoFormula)
{
    for (const std::string_view text : {"=1+1", "+1", "-1-1", "@sum"})
        EXPECT_EQ(print::csvCell(text), "'" + std::string(text));
    for (const std::string_view text : {"1-1", "-1", "-0.5e-3"})
        EXPECT_EQ(print::csvCell(text), text);
}

TEST(CsvCell, hasNoLineEnds)
{
    EXPECT_FALSE(print::csvCell("a\nb\rc").contains('\n'));
    EXPECT_FALSE(print::csvCell("a\nb\rc").contains('\r'));
}

TEST(CsvRow, isSeparatedByCommas)
{
    const std::array<std::string, 3> cells{"a", "", "b,c"};
    EXPECT_EQ(print::csvRow(cells), "a,,\"b,c\"\r\n");
}

} // namespace
} // namespace cutaway::test
