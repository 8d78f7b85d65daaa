// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/query/query_report.h"

#include "core/base/formatted.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

/// The report on one query about a sum and what another operator makes of it.
std::string textOf(const std::string &text, const std::string &last = "aten::neg(self=%sum)")
{
    const ir::Model model = modelOf("(%x: float32[256]) {\n"
                                    "  %sum = aten::add.Tensor(self=%x, other=%x)\n"
                                    "  %last = "
                                    + last + "\n  return %last\n}");
    const analysis::Analysis analysis = analysis::analyse(model, ir::FunctionId{0});
    const query::Known known{.model = model, .analysis = analysis};
    const query::Expression query = query::parse(text).value();
    return report::queryText({model, text, query, {report::foundIn(known, query::answerTo(query, known))}});
}

TEST(QueryReport, showsTheFiguresThatAreAskedForInTheirUnits)
{
    EXPECT_EQ(textOf("op:add other_flops<1K and bytes>=1 and params<1"),
              ": 1 of 2 nodes\n  sum  aten::add.Tensor  float32[256]  256 FLOP  2.00 KiB  0\n");
    EXPECT_EQ(textOf("op:add peak"), ": 1 of 2 nodes\n  sum  aten::add.Tensor  float32[256]  2.00 KiB\n");
}

/// A property without a case in the report would leave its column empty.
TEST(QueryReport, hasAValueOfEveryFigure)
{
    for (const query::PropertyRow &row : query::properties()) {
        if (!row.isSize())
            continue;
        const std::string text = textOf(formatted("op:add {}<1T", row.name));
        EXPECT_TRUE(text.contains("1 of 2 nodes")) << text;
    }
}

TEST(QueryReport, countsWhatIsNotKnown)
{
    const std::string text = textOf("bytes<1", "my::thing(%sum)");
    EXPECT_TRUE(text.ends_with("1 node has no known bytes\n")) << text;
}

} // namespace
} // namespace cutaway::test
