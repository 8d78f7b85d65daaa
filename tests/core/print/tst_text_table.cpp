// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/text_table.h"

#include <gtest/gtest.h>

using cutaway::print::TextTable;

namespace {

TEST(TextTable, columnsAreAsWideAsTheirWidestCell)
{
    TextTable table({{}, {.align = TextTable::Align::Right}, {}});
    table.addRow({"a", "1", "x"});
    table.addRow({"bbb", "100"});
    EXPECT_EQ(table.print(2), "  a      1  x\n  bbb  100\n");
}

TEST(TextTable, aCellTooWideDoesNotWidenTheOthers)
{
    TextTable table({{.maxWidth = 4}, {}});
    table.addRow({"ab", "x"});
    table.addRow({"abcdefgh", "y"});
    EXPECT_EQ(table.print(0), "ab  x\nabcdefgh  y\n");
}

TEST(TextTable, widthsAreCountedInCodePoints)
{
    TextTable table({{}, {}});
    table.addRow({"é", "x"});
    table.addRow({"ab", "y"});
    EXPECT_EQ(table.print(0), "é   x\nab  y\n");
}

TEST(TextTable, anEmptyColumnTakesNoPlace)
{
    TextTable table({{}, {}, {}});
    table.addRow({"a", "", "b"});
    EXPECT_EQ(table.print(0), "a  b\n");
}

TEST(TextTable, aLongCellIsElidedInItsMiddleWhereTheLineWouldBeTooLong)
{
    TextTable table({{}, {}, {}});
    table.addRow({"name", std::string(70, 'a') + std::string(70, 'b'), "float32"});
    const std::string line = table.print(2);
    EXPECT_LE(line.size(), cutaway::print::maxLine + 3); // … has three bytes, and the line end
    EXPECT_TRUE(line.starts_with("  name  aaa"));
    EXPECT_TRUE(line.ends_with("bbb  float32\n"));
    EXPECT_TRUE(line.contains("a…b"));
}

TEST(TextTable, proseGoesOnBelow)
{
    TextTable table({{}, {.maxWidth = 80, .isProse = true}});
    std::string prose;
    for (int i = 0; i < 40; ++i)
        prose += "word ";
    table.addRow({"warning", prose + "end"});
    EXPECT_EQ(
        table.print(0),
        "warning  word word word word word word word word word word word word word word word word word word word "
        "word word word\n"
        "         word word word word word word word word word word word word word word word word word word end\n");
}

TEST(TextTable, namesOfSizesHaveNoBackquotes)
{
    TextTable table({{}});
    table.addRow({"[1, `past length` + 1]"});
    EXPECT_EQ(table.print(0), "[1, past length + 1]\n");
}

TEST(FittedText, goesOnBelowFurtherIndented)
{
    const std::string word(50, 'x');
    EXPECT_EQ(cutaway::print::fitted("  " + word + " " + word + " " + word + "\nshort\n"),
              "  " + word + " " + word + "\n      " + word + "\nshort\n");
}

TEST(FittedText, aWordLongerThanALineIsElided)
{
    const std::string text = cutaway::print::fitted(std::string(300, 'x'));
    EXPECT_EQ(text, std::string(58, 'x') + "…" + std::string(57, 'x'));
}

TEST(TextTable, noRowsPrintNothing) { EXPECT_EQ(TextTable({{}}).print(2), ""); }

} // namespace
