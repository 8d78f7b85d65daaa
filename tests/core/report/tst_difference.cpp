// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "two_models.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cutaway::report {
namespace {

using nlohmann::json;

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

} // namespace
} // namespace cutaway::report
