// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "two_models.h"

#include "core/base/formatted.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cutaway::report {
namespace {

using nlohmann::json;

TEST(Difference, asTextIsAUnifiedDiffWithTheNamesOfA)
{
    EXPECT_EQ(differenceText(TwoModels(before, after).comparison()), R"(--- a.pt2
+++ b.pt2
@@ stem @@
 %b: float32[2, 3] = aten::cos(self=%a)
 %c: float32[2, 3] = aten::exp(self=%b)
 %d: float32[2, 3] = aten::neg(self=%c)
-%e: float32[2, 3] = aten::softmax.int(self=%d, dim=0)
+%e: float32[2, 3] = aten::softmax.int(self=%d, dim=1)
# dim: 0 -> 1
+%v: float32[2, 3] = aten::relu(self=%e)
 %f: float32[2, 3] = aten::tanh(self=%e)
# 1 node changed, 0 removed, 1 added
# similarity: 89.2 %
# model: 1 changed, 1 added
# head: 1 changed, 1 added
)");
}

TEST(Difference, asTextIsEmptyForTheSame) { EXPECT_EQ(differenceText(TwoModels(before, before).comparison()), ""); }

TEST(Difference, asTextShowsWhatInputsAre)
{
    EXPECT_EQ(differenceText(TwoModels("(%x: float32[2]) { %a = aten::sin(self=%x) return %a }",
                                       "(%x: float32[s0]) { %a = aten::sin(self=%x) return %a }")
                                 .comparison()),
              "--- a.pt2\n+++ b.pt2\n-input 0: float32[2]\n+input 0: float32[s0]\n"
              "# 0 nodes changed, 0 removed, 0 added, other inputs or outputs\n# similarity: 99.9 %\n");
}

const std::string another = R"((%y: float32[2, 3]) {
    %q = aten::sin(self=%y) in stem
    %r = aten::abs(self=%q) in stem
    %s = aten::sqrt(self=%r) in stem
    %t = aten::log1p(self=%s) in body
    %w = aten::tanh(self=%t) in head
    return %w })";

TEST(Difference, asTextSaysWhatReplacedWhat)
{
    const std::string text = differenceText(TwoModels(before, another).comparison());
    EXPECT_TRUE(text.contains("\n# 0 nodes changed, 0 removed, 0 added, 1 region replaced (4 nodes by 3)\n")) << text;
    EXPECT_TRUE(
        text.contains("\n# replaced: 4 nodes\n#   by 3 nodes\n#   - 1 aten::cos, 1 aten::exp, 1 aten::neg, 1 other "
                      "operator\n#   + 1 aten::abs, 1 aten::log1p, 1 aten::sqrt\n"))
        << text;
    const json report = json::parse(differenceJson(TwoModels(before, another).comparison()));
    EXPECT_EQ(report.at("equal"), false);
    EXPECT_EQ(report.at("summary").at("replaced"), 1);
    EXPECT_EQ(report.at("replaced").at(0).at("b").at("nodes"), json::parse(R"(["r", "s", "t"])"));
    EXPECT_EQ(report.at("replaced").at(0).at("a").at("operators").at("aten::softmax.int"), 1);
    EXPECT_LT(report.at("similarity"), 0.5);
}

TEST(Difference, asTextOfManyOtherWeightsIsOneLine)
{
    const auto net = [](const std::string &element) {
        std::string text;
        for (int i = 0; i < 10; ++i)
            text += formatted("storage {}: 4 bytes data \"\\x00\\x00\\x{}\\x3f\"\ntensor @w{}: float32[1] parameter in "
                              "storage {}\n",
                              i, element, i, i);
        text += "graph @forward(%x0: float32[1]) {\n";
        for (int i = 0; i < 10; ++i)
            text += formatted("weight %w{}: float32[1] = @w{}\n", i, i);
        for (int i = 0; i < 10; ++i)
            text += formatted("%x{} = aten::mul.Tensor(self=%x{}, other=%w{})\n", i + 1, i, i);
        return text + "return %x10 }";
    };
    const TwoModels models(Whole{net("80")}, Whole{net("81")});
    const std::string line = "# same graph, other weights: 10 of 10 tensors differ\n";
    const std::string text = differenceText(models.comparison());
    EXPECT_TRUE(text.contains(line)) << text;
    EXPECT_LT(std::ranges::count(text, '\n'), 6) << text;
    const std::string all = differenceText(models.comparison(), WeightList::All);
    EXPECT_TRUE(all.contains(line) && all.contains("\n# other: float32[1] -> ")) << all;
}

TEST(Difference, asTextHasLinesOf120Columns)
{
    const std::string word(50, 'x');
    const auto net = [&](const std::string &dim) {
        return "(%x: float32[2, 3]) { %" + word + "a = aten::sin(self=%x) in " + word + "." + word + "." + word + " %"
            + word + "b = aten::softmax.int(self=%" + word + "a, dim=" + dim + ") in " + word + "." + word + "." + word
            + " return %" + word + "b }";
    };
    const std::string text = differenceText(TwoModels(net("0"), net("1")).comparison());
    EXPECT_TRUE(text.contains("…") && text.contains("\n# dim: 0 -> 1\n")) << text;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
        const std::string line = text.substr(at, text.find('\n', at) - at);
        const auto columns = std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
        EXPECT_LE(columns, 120) << line;
    }
}

TEST(Difference, asTextOfAnotherPrecisionIsOneLine)
{
    const auto net = [](const std::string &dtype, const std::string &bytes) {
        return "storage 0: " + std::to_string(bytes.size() / 4) + " bytes data \"" + bytes + "\"\ntensor @w: " + dtype
            + "[1] parameter in storage 0\ngraph @forward(%x: " + dtype + "[1]) { weight %w: " + dtype
            + "[1] = @w %a = aten::mul.Tensor(self=%x, other=%w) return %a }";
    };
    const TwoModels models(Whole{net("float32", "\\xcd\\xcc\\xcc\\x3d")}, Whole{net("float16", "\\x66\\x2e")});
    const std::string line =
        "# same graph in another precision: 1 weight from float32 to float16, largest relative error 2.4e-04\n";
    EXPECT_TRUE(differenceText(models.comparison()).contains(line)) << differenceText(models.comparison());
    EXPECT_FALSE(differenceText(models.comparison()).contains("@@"));
    EXPECT_TRUE(differenceText(models.comparison(), WeightList::All).contains("# other: float32[1] -> float16[1]\n"));
    const json report = json::parse(differenceJson(models.comparison()));
    EXPECT_EQ(report.at("precision").at(0).at("b"), "float16");
    EXPECT_EQ(report.at("same_graph"), false);
}

} // namespace
} // namespace cutaway::report
