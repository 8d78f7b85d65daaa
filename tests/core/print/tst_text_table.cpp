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

TEST(TextTable, noRowsPrintNothing) { EXPECT_EQ(TextTable({{}}).print(2), ""); }

} // namespace
