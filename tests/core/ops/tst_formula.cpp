// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/formula.h"
#include "core/ops/operator.h"
#include "core/ops/schemas/schema_table.h"

#include <gtest/gtest.h>

namespace cutaway::ops {
namespace {

std::string errorOf(std::string_view text)
{
    const auto read = parseFormula(text);
    return read ? "" : read.error().text();
}

TEST(Formula, SaysWhatIsWrong)
{
    EXPECT_EQ(errorOf("self *"), "expected an operand in a formula (before '')");
    EXPECT_EQ(errorOf("exp(self"), "expected ')' in a formula (before '')");
    EXPECT_EQ(errorOf("self self"), "expected the end of the formula in a formula (before 'self')");
    EXPECT_EQ(errorOf("x = self"), "expected ';' in a formula (before '')");
    EXPECT_EQ(errorOf("div(self, 'floor)"), "expected a text that ends in a formula (before ''floor)')");
}

TEST(Formula, HasPartsAndResults)
{
    const auto read = parseFormula("half = size(self, dim) // 2; amin(self, half), -self * 2 + other");
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_EQ(read->parts.size(), 1u);
    EXPECT_EQ(read->parts[0].name, "half");
    ASSERT_EQ(read->results.size(), 2u);
    const auto *sum = std::get_if<Expression::Operation>(&read->results[1].value);
    ASSERT_TRUE(sum);
    EXPECT_EQ(sum->sign, "+");
    EXPECT_EQ(std::get<Expression::Operation>(sum->operands[0].value).sign, "*");
}

TEST(Formula, OfEachRowCanBeReadAndIsOfAnOperatorWithASchema)
{
    std::size_t count = 0;
    for (const OperatorFamily &family : operatorFamilies())
        for (const Operator &row : family.rows) {
            if (row.traits.formula.empty())
                continue;
            ++count;
            EXPECT_EQ(errorOf(row.traits.formula), "") << row.names;
            const OperatorName first = namesOf(row).front();
            EXPECT_FALSE(schemasOf(first.dialect, first.name).empty()) << row.names;
        }
    EXPECT_GT(count, 0u);
}

} // namespace
} // namespace cutaway::ops
