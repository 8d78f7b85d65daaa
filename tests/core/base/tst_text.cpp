// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/text.h"

#include "core/base/quantity.h"

#include <gtest/gtest.h>

namespace cutaway {
namespace {

struct TextRow {
    const char *name;
    std::string_view in;
    std::string_view out;
};

std::string rowName(const testing::TestParamInfo<TextRow> &info) { return info.param.name; }

class Sanitized : public testing::TestWithParam<TextRow> { };

TEST_P(Sanitized, IsValidVisibleText) { EXPECT_EQ(sanitized(GetParam().in), GetParam().out); }

INSTANTIATE_TEST_SUITE_P(Text, Sanitized,
                         testing::Values(TextRow{"plain", "conv1.weight", "conv1.weight"},
                                         TextRow{"utf8", "café → 模型", "café → 模型"},
                                         TextRow{"newline", "a\nb", "a\\x0ab"},
                                         TextRow{"nul", std::string_view("a\0b", 3), "a\\x00b"},
                                         TextRow{"lone_continuation", "a\x80z", "a\uFFFDz"},
                                         TextRow{"truncated_sequence", "a\xE2\x82", "a\uFFFD\uFFFD"},
                                         TextRow{"overlong_slash", "\xC0\xAF", "\uFFFD\uFFFD"},
                                         TextRow{"surrogate", "\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
                                         TextRow{"right_to_left_override", "\u202Egpj", "\\u202egpj"},
                                         TextRow{"c1_control", "\u0085", "\\x85"}),
                         rowName);

TEST(Utf8, IsWellFormedOrNot)
{
    EXPECT_TRUE(isUtf8("caf\u00e9 \U0001F600"));
    EXPECT_FALSE(isUtf8("\xC0\xAF"));
    EXPECT_FALSE(isUtf8("\xE2\x82"));
}

TEST(SanitizedText, KeepsLinesWhenAsked) { EXPECT_EQ(sanitized("a\n\tb\r", true), "a\n\tb\\x0d"); }

class Quoted : public testing::TestWithParam<TextRow> { };

TEST_P(Quoted, EscapesWhatAReaderCannotTakeAsItIs) { EXPECT_EQ(quote(GetParam().in), GetParam().out); }

INSTANTIATE_TEST_SUITE_P(
    Text, Quoted,
    testing::Values(TextRow{"plain", "x", "\"x\""}, TextRow{"quote_and_backslash", "a\"b\\", R"("a\"b\\")"},
                    TextRow{"newline", "a\nb", R"("a\nb")"}, TextRow{"invalid_byte", "\xFF", R"("\xff")"},
                    TextRow{"mark_byte_by_byte", "\u202E", R"("\xe2\x80\xae")"}, TextRow{"utf8", "é", "\"é\""}),
    rowName);

TEST(Grouped, PutsACommaEveryThreeDigits)
{
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(-1234567), "-1,234,567");
}

TEST(Quantity, NounFollowsTheNumber)
{
    EXPECT_EQ(quantity(1, "node"), "1 node");
    EXPECT_EQ(quantity(0, "node"), "0 nodes");
    EXPECT_EQ(quantity(1'234u, "node"), "1,234 nodes");
    EXPECT_EQ(quantity(1, "try", "tries"), "1 try");
    EXPECT_EQ(quantity(2, "try", "tries"), "2 tries");
}

TEST(SiCount, HasThreeDigitsAndASuffix)
{
    EXPECT_EQ(siCount(0), "0");
    EXPECT_EQ(siCount(999), "999");
    EXPECT_EQ(siCount(25557032), "25.6 M");
    EXPECT_EQ(siCount(8178368512.0), "8.18 G");
    EXPECT_EQ(siCount(999999), "1.00 M");
}

TEST(ByteCount, UsesBinaryUnits)
{
    EXPECT_EQ(byteCount(512), "512 B");
    EXPECT_EQ(byteCount(102228128), "97.5 MiB");
}

} // namespace
} // namespace cutaway
