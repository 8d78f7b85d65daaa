// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Indexing : public testing::TestWithParam<RuleRow> { };

TEST_P(Indexing, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Indexing,
    testing::Values(
        RuleRow{"OnnxGather", "(%x: float32[5, s0], %i: int64[2, 3]) { %r = onnx::Gather(%x, %i, axis=1) return %r }",
                "float32[5, 2, 3]", "0/0"},
        RuleRow{"OnnxGatherASize",
                "(%x: float32[5, s0]) { %s = onnx::Shape(%x) %i = aten::scalar_tensor(-1, dtype=int64) "
                "%r = onnx::Gather(%s, %i) return %r }",
                "int64[] = [s0]"},
        RuleRow{"OnnxGatherRows",
                "() { %x = aten::tensor([[1, 2], [3, 4], [5, 6]]) %i = aten::tensor([2, 0]) %r = onnx::Gather(%x, %i) "
                "%t = onnx::Gather(%x, %i, axis=1) return %r }",
                "int64[2, 2] = [5, 6, 1, 2]"},
        RuleRow{"OnnxGatherOutside", "(%x: float32[5], %i: int64[2]) { %r = onnx::Gather(%x, %i, axis=1) return %r }",
                "!dimension 1 of a tensor with 1 dimensions float32"},
        RuleRow{"QuantizedRows",
                "(%x: uint8[100, 16], %i: int64[s0], %s: float16[100, 1]) { %r = "
                "com.microsoft::GatherBlockQuantized(%x, %i, %s) "
                "return %r }",
                "float16[s0, 32]"},
        RuleRow{"IndexSelect", "(%x: float32[5, s0], %i: int64[2]) { %r = aten::index_select(%x, 0, %i) return %r }",
                "float32[2, s0]"},
        RuleRow{"IndexSelectByAMatrix",
                "(%x: float32[5], %i: int64[2, 2]) { %r = aten::index_select(%x, 0, %i) return %r }",
                "!an index of [2, 2] is no vector unknown"},
        RuleRow{"Embedding", "(%w: float16[100, 8], %i: int64[s0, 3]) { %r = aten::embedding(%w, %i) return %r }",
                "float16[s0, 3, 8]"},
        RuleRow{"EmbeddingGradient",
                "(%g: float16[s0, 3, 8], %i: int64[s0, 3]) { %r = "
                "aten::embedding_dense_backward(%g, %i, 100, -1, false) return %r }",
                "float16[100, 8]"},
        RuleRow{"EmbeddingBag",
                "(%w: float32[20, 6], %i: int64[5], %o: int64[2]) { %a, %b, %c, %d = aten::embedding_bag(%w, %i, %o, "
                "false, 1) "
                "return %a, %b, %c, %d }",
                "float32[2, 6]; int64[5]; int64[2]; int64[2]", "0/30"},
        RuleRow{"EmbeddingBagWithTheLastOffset",
                "(%w: float32[20, 6], %i: int64[5], %o: int64[3]) { %a, %b, %c, %d = aten::embedding_bag(%w, %i, %o, "
                "false, 2, "
                "false, none, true) return %a, %d }",
                "float32[2, 6]; int64[2, 6]"},
        RuleRow{"SumsOfBagsWithoutGradients",
                "(%w: float32[5, 4], %i: int64[6], %o: int64[3]) { %a, %b, %c, %d = aten::_embedding_bag_forward_only("
                "%w, %i, %o, false, 0, false, none, true) return %a, %b, %c, %d }",
                "float32[2, 4]; int64[0]; int64[3]; int64[3]"},
        RuleRow{"SumsOfBagsWithGradients",
                "(%w: float32[5, 4], %i: int64[6], %o: int64[3]) { %a, %b, %c, %d = aten::_embedding_bag("
                "%w, %i, %o, false, 0, false, none, true) return %a, %b, %c, %d }",
                "float32[2, 4]; int64[0]; int64[2]; int64[2]"},
        RuleRow{"SumsOfBagsOfWhichNobodyKnows",
                "(%w: float32[5, 4], %i: int64[6], %o: int64[3]) { %a, %b, %c, %d = aten::embedding_bag("
                "%w, %i, %o, false, 0, false, none, true) return %a, %b, %c, %d }",
                "float32[2, 4]; int64[0]; int64[?]; int64[?]"},
        RuleRow{"OneHot", "(%x: int64[s0]) { %r = aten::one_hot(%x, 7) return %r }", "int64[s0, 7]"},
        RuleRow{"OneHotByData", "(%x: int64[2]) { %r = aten::one_hot(%x) return %r }", "int64[2, u_0]"},
        RuleRow{"OnnxOneHotOfAFloatDepth",
                "(%x: int64[s0], %v: float32[2]) { %d = aten::scalar_tensor(7, dtype=int64) %n = onnx::Cast(%d, to=1) "
                "%r = onnx::OneHot(%x, %n, %v) return %r }",
                "float32[s0, 7]"},
        RuleRow{"OnnxOneHot",
                "(%x: int64[s0], %v: float32[2]) { %n = aten::scalar_tensor(7, dtype=int64) "
                "%r = onnx::OneHot(%x, %n, %v, axis=0) return %r }",
                "float32[7, s0]"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Elements, Indexing,
    testing::Values(
        RuleRow{"Gather", "(%x: float32[2, 5], %i: int64[2, 3]) { %r = aten::gather(%x, 1, %i) return %r }",
                "float32[2, 3]"},
        RuleRow{"OnnxGatherElements",
                "(%x: float32[2, 5], %i: int64[2, 3]) { %r = onnx::GatherElements(%x, %i) return %r }",
                "float32[2, 3]"},
        RuleRow{"OnnxGatherPositions",
                "(%x: float32[2, 3, s0], %i: int64[5, 2]) { %r = onnx::GatherND(%x, %i) return %r }", "float32[5, s0]"},
        RuleRow{"OnnxGatherPositionsInABatch",
                "(%x: float32[2, 3, 4], %i: int64[2, 1]) { %r = onnx::GatherND(%x, %i, batch_dims=1) return %r }",
                "float32[2, 4]"},
        RuleRow{"OnnxPositionsTooLong", "(%x: float32[2], %i: int64[5, 2]) { %r = onnx::GatherND(%x, %i) return %r }",
                "!positions of 2 numbers in [2] unknown"},
        RuleRow{"Take", "(%x: float32[2, 5], %i: int64[7]) { %r = aten::take(%x, %i) return %r }", "float32[7]"},
        RuleRow{"TakeAlong", "(%x: float32[2, 5], %i: int64[1, 3]) { %r = aten::take_along_dim(%x, %i, 1) return %r }",
                "float32[2, 3]"},
        RuleRow{"Index", "(%x: float32[5, 6, s0], %i: int64[2]) { %r = aten::index.Tensor(%x, [%i]) return %r }",
                "float32[2, 6, s0]"},
        RuleRow{"IndicesBroadcast",
                "(%x: float32[5, 6, 7], %i: int64[2, 1], %j: int64[3]) { %r = aten::index.Tensor(%x, [none, %i, %j]) "
                "return %r }",
                "float32[5, 2, 3]"},
        RuleRow{"IndicesApartComeFirst",
                "(%x: float32[5, 6, 7], %i: int64[2], %j: int64[2]) { %r = aten::index.Tensor(%x, [%i, none, %j]) "
                "return %r }",
                "float32[2, 6]"},
        RuleRow{"IndicesDoNotFit",
                "(%x: float32[5, 6], %i: int64[2], %j: int64[3]) { %r = aten::index.Tensor(%x, [%i, %j]) return %r }",
                "!indices of [2] and [3] unknown"},
        RuleRow{"TooManyIndices", "(%x: float32[5], %i: int64[2]) { %r = aten::index.Tensor(%x, [%i, %i]) return %r }",
                "!2 dimensions of [5] are indexed unknown"},
        RuleRow{"Mask", "(%x: float32[5, 6, 7], %m: bool[5, 6]) { %r = aten::index.Tensor(%x, [%m]) return %r }",
                "float32[u_0, 7]"},
        RuleRow{"IndexElements",
                "(%a: int(s0)) { %x = aten::tensor([4, %a]) %i = aten::tensor([-1]) %r = aten::index.Tensor(%x, [%i]) "
                "return %r }",
                "int64[1] = [s0]"},
        RuleRow{"Nonzero", "(%x: float32[2, s0]) { %r = aten::nonzero(%x) return %r }", "int64[u_0, 2]"},
        RuleRow{"OnnxNonZero", "(%x: float32[2, s0]) { %r = onnx::NonZero(%x) return %r }", "int64[2, u_0]"},
        RuleRow{"OnnxNonZeroOfKnownElements",
                "() { %x = aten::tensor([[1, 0], [1, 1]]) %r = onnx::NonZero(%x) return %r }",
                "int64[2, 3] = [0, 1, 1, 0, 0, 1]"},
        RuleRow{"MaskedSelect", "(%x: float32[2], %m: bool[2]) { %r = aten::masked_select(%x, %m) return %r }",
                "float32[u_0]"},
        RuleRow{"OnnxCompress",
                "(%x: float32[2, 3]) { %i = aten::tensor([1, 0, 1]) %c = aten::ne.Scalar(%i, 0) %r = "
                "onnx::Compress(%x, %c, axis=1) "
                "return %r }",
                "float32[2, 2]"},
        RuleRow{"MaskedFillBroadcasts",
                "(%x: float32[3], %m: bool[2, 1]) { %r = aten::masked_fill.Scalar(%x, %m, 0.5) return %r }",
                "float32[2, 3]"},
        RuleRow{"MaskedFillInPlace",
                "(%x: float32[2, 3], %m: bool[3]) { %r = aten::masked_fill_.Scalar(%x, %m, 1) return %r }",
                "float32[2, 3]"},
        RuleRow{"IndexPut",
                "(%x: float32[2, s0], %i: int64[1], %v: float32[]) { %r = aten::index_put(%x, [%i], %v) return %r }",
                "float32[2, s0]"},
        RuleRow{"ScatterMoves",
                "(%x: float32[2, 3], %i: int64[2, 1], %s: float32[2, 1]) { %r = aten::scatter.src(%x, 0, %i, %s) "
                "return %r }",
                "float32[2, 3]", "0/0"},
        RuleRow{"ScatterAddAdds",
                "(%x: float32[2, 3], %i: int64[2, 1], %s: float32[2, 1]) { %r = aten::scatter_add(%x, 0, %i, %s) "
                "return %r }",
                "float32[2, 3]", "0/2"},
        RuleRow{"OnnxScatterElementsAdds",
                "(%x: float32[2, 3], %i: int64[2, 1], %s: float32[2, 1]) { %r = onnx::ScatterElements(%x, %i, %s, "
                "reduction=\"add\") "
                "return %r }",
                "float32[2, 3]", "0/2"},
        RuleRow{"OnnxEmbedding",
                "(%w: float16[99, 64], %i: int64[2, s0]) { %r = com.microsoft::TorchEmbedding(%w, %i) return %r }",
                "float16[2, s0, 64]"}),
    rowName);

} // namespace

} // namespace cutaway::test
