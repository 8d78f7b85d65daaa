// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/number_test.h"

namespace cutaway::test {
namespace {

class FuseAttention : public ::testing::TestWithParam<PassRow> { };

TEST_P(FuseAttention, makesOneOperator)
{
    const PassRow &row = GetParam();
    expectRow("fuse-attention", row);
    std::mt19937 random(3);
    if (!row.after.empty())
        expectSameNumbers("fuse-attention", parsedModel(row.before, row.header), random, 1e-5);
}

const std::string inputs = "(%q: float32[1, 2, 3, 4], %k: float32[1, 2, 5, 4], %v: float32[1, 2, 5, 4]";

PassRow row(std::string name, const std::string &before, const std::string &after, const std::string &more = "")
{
    return {std::move(name), inputs + more + ") { " + before + " return %r }",
            after.empty() ? "" : inputs + more + ") { " + after + " return %r }"};
}

const std::string end = " %p = aten::softmax.int(self=%s, dim=-1) %r = aten::matmul(self=%p, other=%v)";
const std::string turned = "%t = aten::transpose.int(self=%k, dim0=-2, dim1=-1) ";

INSTANTIATE_TEST_SUITE_P(
    Fused, FuseAttention,
    ::testing::Values(
        row("scoresDivided",
            turned + "%a = aten::matmul(self=%q, other=%t) %s = aten::div.Tensor(self=%a, other=2.0)" + end,
            "%r = aten::scaled_dot_product_attention(query=%q, key=%k, value=%v) name \"\""),
        row("queriesMultiplied",
            turned + "%n = aten::mul.Scalar(self=%q, other=0.25) %s = aten::matmul(self=%n, other=%t)" + end,
            "%r = aten::scaled_dot_product_attention(query=%q, key=%k, value=%v, scale=0.25) name \"\""),
        row("bothScaled",
            "%n = aten::mul.Scalar(self=%q, other=0.5) %m = aten::mul.Scalar(self=%k, other=0.5) %t = "
            "aten::permute(self=%m, dims=[0, 1, 3, 2]) %s = aten::matmul(self=%n, other=%t)"
                + end,
            "%r = aten::scaled_dot_product_attention(query=%q, key=%k, value=%v, scale=0.25) name \"\""),
        row("masked",
            turned
                + "%a = aten::matmul(self=%q, other=%t) %b = aten::div.Scalar(self=%a, other=2) %s = "
                  "aten::add.Tensor(self=%b, other=%m)"
                + end,
            "%r = aten::scaled_dot_product_attention(query=%q, key=%k, value=%v, attn_mask=%m) name \"\"",
            ", %m: float32[1, 1, 3, 5]"),
        row("maskedFromTheOtherSide",
            turned + "%a = aten::matmul(self=%q, other=%t) %s = aten::add.Tensor(self=%m, other=%a)" + end,
            "%r = aten::scaled_dot_product_attention(query=%q, key=%k, value=%v, attn_mask=%m, scale=1.0) name \"\"",
            ", %m: float32[3, 5]"),
        row("withADropoutThatDoesNothing",
            "%t = aten::mT(self=%k) %s = aten::matmul(self=%q, other=%t) %p = aten::_softmax(self=%s, dim=3, "
            "half_to_float=false) %d = aten::dropout(input=%p, p=0.1, train=false) %r = aten::matmul(self=%d, "
            "other=%v)",
            "%r = aten::scaled_dot_product_attention(query=%q, key=%k, value=%v, scale=1.0) name \"\"")),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Batches, FuseAttention,
    ::testing::Values(PassRow{"ofMatrices",
                              R"((%q: float32[2, 3, 4], %t: float32[2, 4, 5], %v: float32[2, 5, 4]) {
                     %a = aten::bmm(self=%q, mat2=%t) %p = aten::softmax.int(self=%a, dim=2)
                     %r = aten::bmm(self=%p, mat2=%v) return %r })",
                              R"((%q: float32[2, 3, 4], %t: float32[2, 4, 5], %v: float32[2, 5, 4]) {
                     %transpose: float32[2, 5, 4] = aten::transpose.int(self=%t, dim0=-2, dim1=-1) name ""
                     %r = aten::scaled_dot_product_attention(query=%q, key=%transpose, value=%v, scale=1.0) name "" return %r })"},
                      PassRow{
                          "withAProductThatAddsTheMask",
                          R"((%q: float32[2, 3, 4], %k: float32[2, 5, 4], %v: float32[2, 5, 4], %m: float32[2, 3, 5]) {
                     %t = aten::transpose.int(self=%k, dim0=1, dim1=2)
                     %a = aten::baddbmm(self=%m, batch1=%q, batch2=%t, beta=1, alpha=0.5)
                     %p = aten::softmax.int(self=%a, dim=-1) %r = aten::bmm(self=%p, mat2=%v) return %r })",
                          R"((%q: float32[2, 3, 4], %k: float32[2, 5, 4], %v: float32[2, 5, 4], %m: float32[2, 3, 5]) {
                     %r = aten::scaled_dot_product_attention(query=%q, key=%k, value=%v, attn_mask=%m) name "" return %r })"}),
    rowName);

const std::string onnx = "%t = onnx::Transpose(%k, perm=[0, 1, 3, 2]) %s = onnx::MatMul(%q, %t) %p = onnx::Softmax(%s, "
                         "axis=-1) %r = onnx::MatMul(%p, %v)";

INSTANTIATE_TEST_SUITE_P(
    Onnx, FuseAttention,
    ::testing::Values(PassRow{"whereItHasAttention", inputs + ") { " + onnx + " return %r }",
                              inputs + ") { %r = onnx::Attention(%q, %k, %v, scale=1.0) name \"\" return %r }", "",
                              "opset \"ai.onnx\" 23\n"},
                      PassRow{"notBefore", inputs + ") { " + onnx + " return %r }", "", "", "opset \"ai.onnx\" 22\n"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Stays, FuseAttention,
    ::testing::Values(
        row("whereTheScoresAreReadToo",
            turned
                + "%s = aten::matmul(self=%q, other=%t) %p = aten::softmax.int(self=%s, dim=-1) %o = "
                  "aten::matmul(self=%p, other=%v) %r = aten::cat(tensors=[%s, %o], dim=-1)",
            ""),
        row("whereTheSoftmaxIsOverAnother",
            turned
                + "%s = aten::matmul(self=%q, other=%t) %p = aten::softmax.int(self=%s, dim=2) %r = "
                  "aten::matmul(self=%p, other=%v)",
            ""),
        row("whereTheMaskIsScaledToo",
            turned
                + "%a = aten::matmul(self=%q, other=%t) %b = aten::add.Tensor(self=%a, other=%m) %s = "
                  "aten::div.Scalar(self=%b, other=2)"
                + end,
            "", ", %m: float32[3, 5]"),
        row("withDropoutInTraining",
            turned
                + "%s = aten::matmul(self=%q, other=%t) %p = aten::softmax.int(self=%s, dim=-1) %d = "
                  "aten::dropout(input=%p, p=0.1, train=true) %r = aten::matmul(self=%d, other=%v)",
            ""),
        row("whereTheMaskMakesMoreScores",
            turned + "%a = aten::matmul(self=%q, other=%t) %s = aten::add.Tensor(self=%a, other=%m)" + end, "",
            ", %m: float32[7, 1, 2, 3, 5]"),
        row("whereTheFactorIsNotKnown",
            turned + "%a = aten::matmul(self=%q, other=%t) %s = aten::mul.Tensor(self=%a, other=%f)" + end, "",
            ", %f: float32[]"),
        PassRow{"ofUnknownSizes",
                "(%q, %k, %v) { " + turned + "%s = aten::matmul(self=%q, other=%t)" + end + " return %r }", ""}),
    rowName);

} // namespace
} // namespace cutaway::test
