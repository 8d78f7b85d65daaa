// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/difference.h"

#include "core/base/formatted.h"
#include "core/report/html.h"
#include "core/report/markdown.h"
#include "tests/core/ir/parsed.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cutaway::report {
namespace {

using nlohmann::json;

/// The text of a model, not of its function alone.
struct Whole {
    std::string text;
};

/// Two models and what differs between them.
class TwoModels {
public:
    TwoModels(const std::string &before, const std::string &after)
        : TwoModels(Whole{"path \"a.pt2\" graph @forward" + before}, Whole{"path \"b.pt2\" graph @forward" + after})
    {
    }
    TwoModels(const Whole &before, const Whole &after)
        : m_modelA(test::parsed(before.text)),
          m_modelB(test::parsed(after.text)),
          m_analysisA(analysis::analyse(m_modelA, ir::FunctionId{0})),
          m_analysisB(analysis::analyse(m_modelB, ir::FunctionId{0})),
          m_difference(diff::compare(m_a, m_b))
    {
    }

    Comparison comparison() const { return {m_a, m_b, m_difference}; }

private:
    ir::Model m_modelA, m_modelB;
    analysis::Analysis m_analysisA, m_analysisB;
    diff::Side m_a{m_modelA, m_analysisA}, m_b{m_modelB, m_analysisB};
    diff::Difference m_difference;
};

const std::string before = R"((%x: float32[2, 3]) {
    %a = aten::sin(self=%x) in stem
    %b = aten::cos(self=%a) in stem
    %c = aten::exp(self=%b) in stem
    %d = aten::neg(self=%c) in body
    %e = aten::softmax.int(self=%d, dim=0) in head
    %f = aten::tanh(self=%e) in head
    return %f })";

const std::string after = R"((%y: float32[2, 3]) {
    %q = aten::sin(self=%y) in stem
    %r = aten::cos(self=%q) in stem
    %s = aten::exp(self=%r) in stem
    %t = aten::neg(self=%s) in body
    %u = aten::softmax.int(self=%t, dim=1) in head
    %v = aten::relu(self=%u) in head
    %w = aten::tanh(self=%v) in head
    return %w })";

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

TEST(Difference, asACommentHasTotalsAndTheDiffFoldedUp)
{
    const TwoModels models(before, after);
    EXPECT_EQ(differenceComment(models.comparison()),
              R"(### `a.pt2` → `b.pt2`: 1 node changed, 0 removed, 1 added

| Figure           |       A |       B |            Change |
| :--------------- | ------: | ------: | ----------------: |
| Nodes            |       6 |       7 |      +1 (+16.7 %) |
| FLOPs            |  0 FLOP |  0 FLOP |                   |
| Other operations | 60 FLOP | 66 FLOP | +6 FLOP (+10.0 %) |
| Weights          |     0 B |     0 B |                   |
| Peak memory      |    48 B |    48 B |                   |
| Similarity       |         |  89.2 % |                   |

| Module  | Changed | Removed | Added |
| :------ | ------: | ------: | ----: |
| `model` |       1 |         |     1 |
| `head`  |       1 |         |     1 |

<details><summary>Node by node</summary>

```diff
)" + differenceText(models.comparison())
                  + "```\n\n</details>\n");
}

TEST(Difference, asACommentOfTheSameIsNoDifference)
{
    const std::string comment = differenceComment(TwoModels(before, before).comparison());
    EXPECT_TRUE(comment.starts_with("### `a.pt2` → `b.pt2`: no difference\n")) << comment;
    EXPECT_FALSE(comment.contains("details")) << comment;
}

TEST(Difference, asACommentIsCutWhereItGetsTooLong)
{
    std::string longer = "(%x: float32[2, 3]) { %n0 = aten::sin(self=%x)";
    for (int i = 1; i < 1000; ++i)
        longer += formatted(" %n{} = aten::exp(self=%n{})", i, i - 1);
    const std::string comment = differenceComment(TwoModels(before, longer + " return %n999 }").comparison());
    EXPECT_LT(comment.size(), 30'000u);
    EXPECT_TRUE(comment.ends_with(" more lines\n```\n\n</details>\n")) << comment.substr(comment.size() - 200);
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

TEST(Difference, saysWhatIsNotProven)
{
    const TwoModels models(Whole{"path \"a.pt2\" graph @forward(%x: float32[4096, 4096]) { %a = aten::exp(self=%x) "
                                 "%s = aten::softmax.int(self=%a, dim=1) return %s }"},
                           Whole{"path \"b.onnx\" graph @forward(%x: float32[4096, 4096]) { %a = onnx::Exp(%x) "
                                 "%s = onnx::Softmax(%a, axis=1) return %s }"});
    const Comparison comparison = models.comparison();
    EXPECT_EQ(verdictText(comparison.difference), "no difference found, 1 place not proven");
    EXPECT_TRUE(comparison.difference.isEqual() && comparison.difference.isComplete());
    EXPECT_EQ(differenceText(comparison),
              "--- a.pt2\n+++ b.onnx\n# no difference found, 1 place not proven\n"
              "# not proven: 1 place (s result: it is too much to compute)\n");
    const std::string comment = differenceComment(comparison);
    EXPECT_TRUE(comment.contains("**Not proven**: `1 place (s result: ")) << comment;
    const json report = json::parse(differenceJson(comparison));
    EXPECT_TRUE(report.at("equal").is_null());
    EXPECT_EQ(report.at("summary").at("not_proven"), 1);
    EXPECT_EQ(report.at("not_proven").at(0).at("a"), "s");
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

TEST(Difference, asADocumentHasTablesOfWhatDiffers)
{
    const Document document = differenceDocument(TwoModels(before, after).comparison());
    std::vector<std::string> sections;
    for (const Section &section : document.sections)
        sections.push_back(section.id);
    EXPECT_EQ(sections, (std::vector<std::string>{"totals", "modules", "changed", "added", "pairs"}));
    EXPECT_TRUE(markdown(document).contains("dim: 0 → 1")) << markdown(document);
    EXPECT_TRUE(html(document, "").contains("dim: 0 → 1"));
}

} // namespace
} // namespace cutaway::report
