// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/markup.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

TEST(Markup, isNeverTheFiles)
{
    EXPECT_EQ(drawing::markup("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
    EXPECT_EQ(drawing::markup("Größe 3×3"), "Größe 3×3");
    EXPECT_FALSE(drawing::markup(std::string_view("a\0b\x01", 4)).contains('\x01'));
}

TEST(Coordinate, hasAtMostOneDecimal)
{
    EXPECT_EQ(drawing::coordinate(0), "0");
    EXPECT_EQ(drawing::coordinate(12), "12");
    EXPECT_EQ(drawing::coordinate(12.34), "12.3");
    EXPECT_EQ(drawing::coordinate(12.96), "13");
    EXPECT_EQ(drawing::coordinate(-0.5), "-0.5");
    EXPECT_EQ(drawing::coordinate(-0.04), "0");
}

} // namespace
} // namespace cutaway::test
