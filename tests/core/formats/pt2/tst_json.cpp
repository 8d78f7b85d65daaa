// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/json.h"

#include <cmath>
#include <gtest/gtest.h>

namespace cutaway::formats::pt2 {
namespace {

using namespace std::string_literals;

TEST(Json, lastOfEqualKeysWins)
{
    const auto document = JsonDocument::parse(R"({"a": 1, "b": 2, "a": 3})", "x.json");
    ASSERT_TRUE(document);
    EXPECT_EQ(document->root()["a"].integer(), 3);
}

TEST(Json, pathsIntoNothingAreNothing)
{
    const auto document = JsonDocument::parse(R"({"a": null, "b": [1]})", "x.json");
    ASSERT_TRUE(document);
    const Json root = document->root();
    EXPECT_FALSE(root["a"].exists());
    EXPECT_FALSE(root["a"]["b"]["c"].integer());
    EXPECT_FALSE(root["b"]["c"].exists());
    EXPECT_EQ(root["b"].size(), 1u);
    EXPECT_FALSE(root["b"].text());
}

TEST(Json, bareInfinitiesAreNumbers)
{
    const auto document = JsonDocument::parse(R"([Infinity, -Infinity, NaN, "Infinity", 1, "x"])", "x.json");
    ASSERT_TRUE(document) << document.error().text();
    std::vector<std::optional<double>> numbers;
    document->root().forEach([&](Json item) { numbers.push_back(item.number()); });
    ASSERT_EQ(numbers.size(), 6u);
    EXPECT_EQ(numbers[0], INFINITY);
    EXPECT_EQ(numbers[1], -INFINITY);
    EXPECT_TRUE(std::isnan(numbers[2].value()));
    EXPECT_EQ(numbers[3], INFINITY);
    EXPECT_EQ(numbers[4], 1);
    EXPECT_FALSE(numbers[5]);
}

TEST(Json, wordsInsideTextsStay)
{
    EXPECT_EQ(strictJson(R"({"NaN \" Infinity": NaN})"), R"({"NaN \" Infinity": "NaN"})");
}

TEST(Json, halvesOfSurrogatePairsAreReplaced)
{
    const auto document = JsonDocument::parse(R"(["\ud800\u0000", "\ud83d\ude00", "a\udc00"])", "x.json");
    ASSERT_TRUE(document) << document.error().text();
    std::vector<std::string> texts;
    document->root().forEach([&](Json item) { texts.emplace_back(*item.text()); });
    EXPECT_EQ(texts, (std::vector<std::string>{"\uFFFD\0"s, "\U0001F600", "a\uFFFD"}));
}

struct BadJsonRow {
    std::string name;
    std::string text;
    std::string reason;
};

class BadJson : public testing::TestWithParam<BadJsonRow> { };

TEST_P(BadJson, isRefusedWithTheReason)
{
    const auto document = JsonDocument::parse(GetParam().text, "models/model.json");
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().where, "models/model.json");
    EXPECT_NE(document.error().message.find(GetParam().reason), std::string::npos) << document.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    , BadJson,
    testing::Values(BadJsonRow{"cut", R"({"a": [1, 2)", "damaged or cut short"}, BadJsonRow{"empty", "", "is empty"},
                    BadJsonRow{"deep", std::string(600, '[') + std::string(600, ']'), "more than 256 deep"},
                    BadJsonRow{"notUtf8", "[\"\xff\"]", "not UTF-8"}, BadJsonRow{"hugeNumber", "[1e999]", "a number"}),
    [](const auto &row) { return row.param.name; });

} // namespace
} // namespace cutaway::formats::pt2
