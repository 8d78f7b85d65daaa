// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Loss : public testing::TestWithParam<RuleRow> { };

TEST_P(Loss, infers)
{
    const std::string header = "opset \"ai.onnx\" 13\n";
    EXPECT_EQ(inferred(GetParam().graph, header), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph, header), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Loss,
    testing::Values(
        RuleRow{"IsOneNumberByDefault", "(%x: float32[s0, 3]) { %r = aten::mse_loss(%x, %x) return %r }", "float32[]",
                "0/3*s0"},
        RuleRow{"Unreduced", "(%x: float32[s0, 3], %y: float32[1, 3]) { %r = aten::mse_loss(%x, %y, 0) return %r }",
                "float32[s0, 3]"},
        RuleRow{"Promotes", "(%x: float16[2], %y: float32[2]) { %r = aten::l1_loss(%x, %y) return %r }", "float32[]"},
        RuleRow{"DoesNotFit", "(%x: float32[2], %y: float32[3]) { %r = aten::mse_loss(%x, %y, 0) return %r }",
                "!cannot broadcast [2] with [3] unknown"},
        RuleRow{"UnknownButReduced", "(%x: float32[*], %y: float32[3]) { %r = aten::smooth_l1_loss(%x, %y) return %r }",
                "float32[]"},
        RuleRow{"Classes",
                "(%x: float32[2, 5, 7], %y: int64[2, 7]) { %r = aten::cross_entropy_loss(%x, %y, none, 0) return %r }",
                "float32[2, 7]"},
        RuleRow{"ClassesOfOneSample",
                "(%x: float32[5], %y: int64[]) { %r = aten::nll_loss_nd(%x, %y, none, 0) return %r }", "float32[]"},
        RuleRow{"ClassesWithWeight",
                "(%x: float32[2, 5], %y: int64[2]) "
                "{ %r, %w = aten::nll_loss_forward(%x, %y, none, 0, -100) return %r, %w }",
                "float32[2]; float32[]"},
        RuleRow{"Triplet", "(%x: float32[2, 5]) { %r = aten::triplet_margin_loss(%x, %x, %x, reduction=0) return %r }",
                "float32[2]"},
        RuleRow{"Ranking",
                "(%x: float32[2], %y: float32[1]) { %r = aten::margin_ranking_loss(%x, %x, %y, 0.0, 0) return %r }",
                "float32[2]"},
        RuleRow{"Margins",
                "(%x: float32[2, 5], %y: int64[2]) { %r = aten::multi_margin_loss(%x, %y, reduction=0) return %r }",
                "float32[2]"},
        RuleRow{"Ctc",
                "(%x: float32[50, 2, 20], %y: int64[2, 9], %l: int64[2]) "
                "{ %r = aten::ctc_loss.Tensor(%x, %y, %l, %l, 0, 0) return %r }",
                "float32[2]"},
        RuleRow{"OnnxMean",
                "(%x: float32[2, 5], %y: int64[2]) { %r = onnx::NegativeLogLikelihoodLoss(%x, %y) return %r }",
                "float32[]"},
        RuleRow{"OnnxUnreduced",
                "(%x: float32[2, 5, 7], %y: int64[2, 7]) "
                "{ %r = onnx::NegativeLogLikelihoodLoss(%x, %y, reduction=\"none\") return %r }",
                "float32[2, 7]"},
        RuleRow{"MarginsMakeIntegersFloats",
                "(%x: int64[5, 2], %y: int64[5, 2], %t: int64[5]) "
                "{ %c = aten::cosine_embedding_loss(%x, %y, %t, 0.5, 0) "
                "%m = aten::margin_ranking_loss(%x, %y, %x, 0.0, 2) %h = aten::hinge_embedding_loss(%x, %y) "
                "%p = aten::poisson_nll_loss(%x, %y, true, false, 1e-08, 0) return %c, %m, %h, %p }",
                "float32[5]; float32[]; float32[]; float32[5, 2]"},
        RuleRow{"DistancesAreReal",
                "(%x: complex64[5, 2], %y: complex64[5, 2]) { %r = aten::l1_loss(%x, %y, 0) "
                "%t = aten::triplet_margin_loss(%x, %y, %x) return %r, %t }",
                "float32[5, 2]; float32[]"},
        RuleRow{"OnnxWithProbabilities",
                "(%x: float32[2, 5], %y: int64[2]) "
                "{ %r, %p = onnx::SoftmaxCrossEntropyLoss(%x, %y, reduction=\"sum\") return %r, %p }",
                "float32[]; float32[2, 5]"}),
    rowName);

} // namespace

} // namespace cutaway::test
