// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markdown.h"

#include <gtest/gtest.h>

namespace cutaway::report {
namespace {

struct Text {
    const char *name;
    std::string text, written;
};

class MarkdownName : public testing::TestWithParam<Text> { };

TEST_P(MarkdownName, isNoMarkup)
{
    const Table table{"", {{"n", Column::Kind::Name}}, {{{GetParam().text}}}};
    const std::string text = markdown({"t", "s", {}, {{"id", "S", {}, {}, {table}}}});
    EXPECT_NE(text.find("| " + GetParam().written + " |\n"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(Rows, MarkdownName,
                         testing::Values(Text{"plain", "layer1.0", "`layer1.0`"},
                                         Text{"markup", "<b>*x*</b>", "`<b>*x*</b>`"},
                                         Text{"bar", "a|bcd", "`a\\|bcd`"}, Text{"tick", "a`b", "``a`b``"},
                                         Text{"ticksAround", "`a`", "`` `a` ``"}),
                         [](const auto &row) { return row.param.name; });

TEST(Markdown, textIsNoMarkup)
{
    const std::string text =
        markdown({"a", "by *me* <b> snake_case _x_", {}, {{"id", "[S](x)", {"1 | 2 & `3`"}, {}, {}}}});
    EXPECT_EQ(text, "# `a`\n\nby \\*me\\* \\<b\\> snake_case \\_x\\_\n\n## \\[S\\](x)\n\n1 \\| 2 \\& \\`3\\`\n");
}

TEST(Markdown, showsOfATreeTheUpperLevels)
{
    Table table{"", {{"module"}}, {}};
    for (int i = 0; i < 3; ++i) {
        table.rows.push_back({{"outer" + std::to_string(i)}});
        for (int k = 0; k < 3; ++k)
            table.rows.push_back({{"inner", "", {}, 1}});
    }
    table.briefRows = 4;
    EXPECT_EQ(markdown({"t", "s", {}, {{"id", "S", {}, {}, {table}}}}), R"(# `t`

s

## S

| module |
| :----- |
| outer0 |
| outer1 |
| outer2 |

… and 9 more
)");
}

} // namespace
} // namespace cutaway::report
