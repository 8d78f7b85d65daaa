// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Sorting : public testing::TestWithParam<RuleRow> { };

TEST_P(Sorting, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

// Values and where they were.
INSTANTIATE_TEST_SUITE_P(
    Order, Sorting,
    testing::Values(
        RuleRow{"Sorted", "(%x: float32[8, s0]) { %r, %r1 = aten::sort.default(%x) return %r, %r1 }",
                "float32[8, s0]; int64[8, s0]"},
        RuleRow{"SortCosts", "(%x: float32[8]) { %r = aten::argsort.default(%x) return %r }", "int64[8]", "0/24"},
        RuleRow{"Largest", "(%x: float32[8, s0]) { %r, %r1 = aten::topk.default(%x, 3, 0) return %r, %r1 }",
                "float32[3, s0]; int64[3, s0]"},
        RuleRow{"LargestOfASymbol",
                "(%x: float32[s1, s0], %k: int(s1//2)) { %r, %r1 = aten::topk.default(%x, %k, 0) return %r, %r1 }",
                "float32[s1//2, s0]; int64[s1//2, s0]"},
        RuleRow{"TooMany", "(%x: float32[8, s0]) { %r, %r1 = aten::topk.default(%x, 9, 0) return %r, %r1 }",
                "!the 9 largest of 8 unknown; unknown"},
        RuleRow{"LargestOfOnnx",
                R"((%x: float32[8, s0]) { %r, %r1 = onnx::TopK(%x, [3]) return %r, %r1 } opset "ai.onnx" 11)",
                "float32[8, 3]; int64[8, 3]"},
        RuleRow{"LargestOfOldOnnx",
                R"((%x: float32[8, s0]) { %r, %r1 = onnx::TopK(%x, k=3, axis=0) return %r, %r1 } opset "ai.onnx" 1)",
                "float32[3, s0]; int64[3, s0]"},
        RuleRow{
            "UnknownNumber",
            R"((%x: float32[8, s0], %k: int64[1]) { %r, %r1 = onnx::TopK(%x, %k) return %r, %r1 } opset "ai.onnx" 11)",
            "!k is not known float32[8, ?]; int64[8, ?]"},
        RuleRow{"Indices", "(%x: int64[]) { %r = aten::msort.default(%x) return %r }", "int64[]"}),
    rowName);

// Only the data know how many differ.
INSTANTIATE_TEST_SUITE_P(
    Sets, Sorting,
    testing::Values(
        RuleRow{
            "All",
            "(%x: int64[8, s0]) { %r, %r1, %r2 = aten::_unique2.default(%x, true, true, false) return %r, %r1, %r2 }",
            "int64[u_0]; int64[8, s0]; int64[0]"},
        RuleRow{"Slices", "(%x: int64[8, s0]) { %r, %r1, %r2 = aten::unique_dim.default(%x, 1) return %r, %r1, %r2 }",
                "int64[8, u_0]; int64[s0]; int64[u_0]"},
        RuleRow{"OfNothing",
                "(%x: int64[0]) { %r, %r1, %r2 = aten::_unique2.default(%x, true, false, true) return %r, %r1, %r2 }",
                "int64[0]; int64[0]; int64[0]"},
        RuleRow{"Onnx", "(%x: float32[8, s0]) { %r, %r1, %r2, %r3 = onnx::Unique(%x) return %r, %r1, %r2, %r3 }",
                "float32[u_0]; int64[u_0]; int64[8*s0]; int64[u_0]"},
        RuleRow{"OnnxSlices",
                "(%x: float32[8, s0]) { %r, %r1, %r2, %r3 = onnx::Unique(%x, axis=0) return %r, %r1, %r2, %r3 }",
                "float32[u_0, s0]; int64[u_0]; int64[8]; int64[u_0]"},
        RuleRow{"OnnxOfConstants",
                "() { %x = onnx::Constant(value_ints=[3, 1, 3, 1]) %y = onnx::Constant(value_floats=[0.5, 2.0, 0.5]) "
                "%r, %r1, %r2, %r3 = onnx::Unique(%x) %s = onnx::Unique(%y) return %r, %r1, %r2, %r3, %s }",
                "int64[2]; int64[2]; int64[4]; int64[2]; float32[2]"},
        RuleRow{"OnnxSlicesOfConstants",
                "() { %c = onnx::Constant(value_ints=[1, 2, 1, 1, 2, 1]) %x = onnx::Reshape(%c, [2, 3]) "
                "%r, %r1, %r2 = onnx::Unique(%x, axis=0) %s, %s1, %s2 = onnx::Unique(%x, axis=-1) "
                "return %r, %r2, %s, %s2 }",
                "int64[1, 3]; int64[2]; int64[2, 2]; int64[3]"}),
    rowName);

// Places among boundaries, and how many are in each bin.
INSTANTIATE_TEST_SUITE_P(
    Bins, Sorting,
    testing::Values(
        RuleRow{
            "Buckets",
            "(%x: float32[8, s0], %b: float32[5]) { %r = aten::bucketize.Tensor(%x, %b, out_int32=true) return %r }",
            "int32[8, s0]"},
        RuleRow{"BucketOfANumber", "(%b: float32[5]) { %r = aten::bucketize.Scalar(2.5, %b) return %r }", "int64[]"},
        RuleRow{"Searched", "(%x: float32[8, s0], %b: float32[5]) { %r = aten::searchsorted.Tensor(%b, %x) return %r }",
                "int64[8, s0]"},
        RuleRow{"Histogram", "(%x: float32[8, s0]) { %r = aten::histc.default(%x, 20) return %r }", "float32[20]"},
        RuleRow{"HistogramOfEdges",
                "(%x: float32[8], %b: float32[5]) { %r, %r1 = aten::histogram.bins_tensor(%x, %b) return %r, %r1 }",
                "float32[4]; float32[5]"},
        RuleRow{"HistogramOfPoints",
                "(%x: float64[8, 2], %b: float64[5]) { %r, %e = aten::histogramdd(%x, [3, 4]) "
                "%s, %f = aten::histogramdd.int_bins(%x, 6) %t, %g = aten::histogramdd.TensorList_bins(%x, [%b, %b]) "
                "return %r, %e, %s, %t }",
                "float64[3, 4]; [float64[4], float64[5]]; float64[6, 6]; float64[4, 4]"},
        RuleRow{"Segments",
                "(%x: float32[7, 3], %l: int64[4], %o: int64[5]) { %r = aten::segment_reduce(%x, \"sum\", lengths=%l) "
                "%s = aten::segment_reduce(%x, \"sum\", offsets=%o) return %r, %s }",
                "float32[4, 3]; float32[4, 3]"},
        RuleRow{"Counted", "(%x: int64[8]) { %r = aten::bincount.default(%x) return %r }", "int64[u_0]"},
        RuleRow{"Weighed", "(%x: int64[8], %w: float16[8]) { %r = aten::bincount.default(%x, %w) return %r }",
                "float64[u_0]"}),
    rowName);

} // namespace

} // namespace cutaway::test
