// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/schema_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

std::vector<std::string_view> lines()
{
    std::vector<std::string_view> out;
    for (std::string_view rest = schemaTable(); !rest.empty(); rest.remove_prefix(out.back().size() + 1))
        out.push_back(rest.substr(0, rest.find('\n')));
    return out;
}

std::string_view operatorOf(std::string_view line) { return line.substr(0, line.find_first_of(".(")); }

std::vector<std::string> overloadsOf(std::string_view name)
{
    std::vector<std::string> out;
    for (const Schema &schema : schemasOf("aten", name))
        out.emplace_back(schema.overload);
    return out;
}

TEST(SchemaTable, everyLineIsASchemaThatPrintsAsItself)
{
    EXPECT_GT(lines().size(), 4000u);
    for (const std::string_view line : lines()) {
        const auto schema = parseSchema(line);
        ASSERT_TRUE(schema) << line << ": " << schema.error().text();
        ASSERT_EQ(print(*schema), line);
    }
}

TEST(SchemaTable, isSortedByOperatorAndEndsWithALine)
{
    EXPECT_TRUE(std::ranges::is_sorted(lines(), {}, operatorOf));
    EXPECT_TRUE(schemaTable().ends_with('\n'));
}

TEST(SchemaTable, findsEveryOverload)
{
    for (const std::string_view line : lines()) {
        const auto schema = parseSchema(line);
        const auto found = findSchema(schema->dialect, schema->name, schema->overload);
        ASSERT_TRUE(found) << line;
        EXPECT_EQ(print(*found).substr(0, line.find('(') + 1), line.substr(0, line.find('(') + 1));
    }
}

TEST(SchemaTable, hasNothingForWhatTorchDoesNotBringAlong)
{
    EXPECT_TRUE(schemasOf("", "").empty());
    EXPECT_TRUE(schemasOf("aaaa", "first").empty());
    EXPECT_TRUE(schemasOf("zzzz", "last").empty());
    EXPECT_TRUE(schemasOf("aten", "ad").empty());
    EXPECT_TRUE(schemasOf("aten", "add.Tensor").empty());
    EXPECT_EQ(findSchema("aten", "add", "NoSuch"), std::nullopt);
}

TEST(SchemaTable, namesTheGeneralOverloadsLast)
{
    EXPECT_EQ(overloadsOf("linear"), (std::vector<std::string>{"", "out"}));
    const auto add = overloadsOf("add");
    EXPECT_LT(std::ranges::find(add, "Tensor"), std::ranges::find(add, "int"));
    EXPECT_LT(std::ranges::find(add, "int"), std::ranges::find(add, "")); // (Scalar, Scalar)
}

TEST(SchemaTable, keepsOperatorsAndSignaturesOfOlderVersions)
{
    EXPECT_TRUE(findSchema("aten", "_scaled_dot_product_attention", "")); // 1.13 only
    const auto kept = schemasOf("aten", "can_cast");
    ASSERT_EQ(kept.size(), 2u);
    EXPECT_EQ(kept[0].arguments[0].name, "from_");
    EXPECT_EQ(kept[1].arguments[0].name, "from");
}

} // namespace

} // namespace cutaway::ops
