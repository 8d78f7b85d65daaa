// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "two_models.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cutaway::report {
namespace {

using nlohmann::json;

TEST(Difference, asJsonHasPairsByName)
{
    const json report = json::parse(differenceJson(TwoModels(before, after).comparison()));
    EXPECT_EQ(report.at("schema"), "cutaway.diff/1");
    EXPECT_EQ(report.at("equal"), false);
    EXPECT_EQ(report.at("matched").size(), 6u);
    const json &softmax = report.at("matched").at(4);
    EXPECT_EQ(softmax.at("a"), "e");
    EXPECT_EQ(softmax.at("b"), "u");
    EXPECT_EQ(softmax.at("changed"), json::parse(R"([{"kind": "argument", "what": "dim", "a": "0", "b": "1"}])"));
    EXPECT_EQ(report.at("only_a"), json::array());
    EXPECT_EQ(report.at("only_b"), json::parse(R"(["v"])"));
    EXPECT_EQ(report.at("summary").at("nodes"), json::parse(R"({"a": 6, "b": 7})"));
    EXPECT_EQ(report.at("modules").at(1).at("path"), "head");
}

} // namespace
} // namespace cutaway::report
