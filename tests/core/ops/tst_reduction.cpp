// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Reduction : public testing::TestWithParam<RuleRow> { };

TEST_P(Reduction, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

// Dimensions go away or stay as ones.
INSTANTIATE_TEST_SUITE_P(
    Torch, Reduction,
    testing::Values(
        RuleRow{"NoDifference",
                "(%x: int64[3, 4], %p: int64[3, 1]) { %r = aten::diff(%x, 0, -1, %p) %q = aten::diff(%x, 1, -1, %p) "
                "return %r, %q }",
                "int64[3, 4]; int64[3, 4]"},
        RuleRow{"WeighedCovariance",
                "(%x: bfloat16[3, 4], %w: float32[4]) { %r = aten::cov(%x, aweights=%w) %q = aten::cov(%x) "
                "return %r, %q }",
                "float32[3, 3]; bfloat16[3, 3]"},
        RuleRow{"SumToASize",
                "(%x: int32[3, 4]) { %a = aten::sum_to_size(%x, []) %b = aten::sum_to_size(%x, [4]) "
                "%c = aten::sum_to_size(%x, [3, 4]) return %a, %b, %c }",
                "int64[]; int64[4]; int32[3, 4]"},
        RuleRow{"All", "(%x: float32[s0, 3, 4]) { %r = aten::sum.default(%x) return %r }", "float32[]", "0/12*s0"},
        RuleRow{"OfUnknownRank", "(%x: float32[*]) { %r = aten::sum.default(%x) return %r }", "float32[]"},
        RuleRow{"Some", "(%x: float32[s0, 3, 4]) { %r = aten::mean.dim(%x, [0, -1]) return %r }", "float32[3]"},
        RuleRow{"SomeStay", "(%x: float32[s0, 3, 4]) { %r = aten::amax.default(%x, [1], true) return %r }",
                "float32[s0, 1, 4]"},
        RuleRow{"NoneMeansAll", "(%x: float32[s0, 3, 4]) { %r = aten::sum.dim_IntList(%x, []) return %r }",
                "float32[]"},
        RuleRow{"NoneMeansNone", "(%x: float32[s0, 3, 4]) { %r = aten::any.dims(%x, []) return %r }", "bool[s0, 3, 4]"},
        RuleRow{"OfAScalar", "(%x: float32[]) { %r = aten::sum.dim_IntList(%x, [-1], true) return %r }", "float32[]"},
        RuleRow{"BooleansAreCounted", "(%x: bool[5]) { %r = aten::sum.default(%x) return %r }", "int64[]"},
        RuleRow{"AsAnotherType", "(%x: int32[5]) { %r = aten::sum.default(%x, dtype=float16) return %r }", "float16[]"},
        RuleRow{"Mean", "(%x: float16[5]) { %r = aten::mean.default(%x) return %r }", "float16[]"},
        RuleRow{"MeanAsIntegersIsOfFloats",
                "(%x: float64[0]) { %r = aten::nanmean.default(%x, none, false, dtype=int32) return %r }", "float32[]"},
        RuleRow{"Trapezoids",
                "(%x: int32[2, s0]) { %r = aten::trapezoid.dx(%x) %s = aten::cumulative_trapezoid.dx(%x) return %r, %s "
                "}",
                "float32[2]; float32[2, s0 - 1]"},
        RuleRow{"TrapezoidsOfNothing",
                "(%x: int32[2, 0]) { %r = aten::trapezoid.dx(%x) %s = aten::cumulative_trapezoid.dx(%x) return %r, %s "
                "}",
                "int32[2]; float32[2, 0]"},
        RuleRow{"BytesStayBytes", "(%x: uint8[5]) { %r = aten::all.default(%x) return %r }", "uint8[]"},
        RuleRow{"Norm", "(%x: complex64[5, 2]) { %r = aten::linalg_vector_norm.default(%x, 2, [1]) return %r }",
                "float32[5]"},
        RuleRow{"MatrixNorm", "(%x: float32[s0, 5, 2]) { %r = aten::linalg_matrix_norm.default(%x, 1) return %r }",
                "float32[s0]"},
        RuleRow{"Places", "(%x: float32[s0, 3, 4]) { %r = aten::argmax.default(%x, 1) return %r }", "int64[s0, 4]"},
        RuleRow{"ValuesAndPlaces", "(%x: float32[s0, 3, 4]) { %r, %r1 = aten::max.dim(%x, -1, true) return %r, %r1 }",
                "float32[s0, 3, 1]; int64[s0, 3, 1]"},
        RuleRow{"OfTwoTensors", "(%x: float32[s0, 1], %y: float64[3]) { %r = aten::max.other(%x, %y) return %r }",
                "float64[s0, 3]"},
        RuleRow{"Median", "(%x: float32[s0, 3, 4]) { %r, %r1 = aten::median.dim(%x, 0) return %r, %r1 }",
                "float32[3, 4]; int64[3, 4]"},
        RuleRow{"Variance",
                "(%x: complex64[5, 2]) { %r, %r1 = aten::var_mean.correction(%x, [0], correction=1) return %r, %r1 }",
                "float32[2]; complex64[2]"},
        RuleRow{"Quantiles", "(%x: float32[5, 2], %q: float32[3]) { %r = aten::quantile.default(%x, %q, 0) return %r }",
                "float32[3, 2]"},
        RuleRow{"RunningSum", "(%x: bool[5, s0]) { %r = aten::cumsum.default(%x, 0) return %r }", "int64[5, s0]"},
        RuleRow{"RunningMaximum", "(%x: float32[5, s0]) { %r, %r1 = aten::cummax.default(%x, 0) return %r, %r1 }",
                "float32[5, s0]; int64[5, s0]"},
        RuleRow{"Differences", "(%x: float32[5, s0]) { %r = aten::diff.default(%x, 2, 0) return %r }",
                "float32[3, s0]"},
        RuleRow{"NoSuchDimension", "(%x: float32[s0, 3, 4]) { %r = aten::sum.dim_IntList(%x, [3]) return %r }",
                "!dimension 3 of a tensor with 3 dimensions unknown"},
        RuleRow{"UnknownDimension", "(%x: float32[s0, 3, 4], %d: int) { %r = aten::amax.default(%x, [%d]) return %r }",
                "!the dimension is not known float32"}),
    rowName);

// Small tensors and lists of integers keep their value.
INSTANTIATE_TEST_SUITE_P(Values, Reduction,
                         testing::Values(RuleRow{"Product", "(%n: int(s0)) { %r = aten::sum.int([%n, 3]) return %r }",
                                                 "s0 + 3"},
                                         RuleRow{"AnyOfAList", "() { %r = aten::any.int([0, 1]) return %r }", "true"},
                                         RuleRow{"AllOfAList", "() { %r = aten::all.int([0, 1]) return %r }", "false"}),
                         rowName);

// Axes are an attribute or an input.
INSTANTIATE_TEST_SUITE_P(
    Onnx, Reduction,
    testing::Values(
        RuleRow{
            "Attribute",
            R"((%x: float32[s0, 3, 4]) { %r = onnx::ReduceMean(%x, axes=[1, -1], keepdims=0) return %r } opset "ai.onnx" 13)",
            "float32[s0]", "0/12*s0"},
        RuleRow{"Input", R"((%x: float32[s0, 3, 4]) { %r = onnx::ReduceSum(%x, [1]) return %r } opset "ai.onnx" 13)",
                "float32[s0, 1, 4]"},
        RuleRow{"All", R"((%x: int32[s0, 3, 4]) { %r = onnx::ReduceMax(%x) return %r } opset "ai.onnx" 18)",
                "int32[1, 1, 1]"},
        RuleRow{"EmptyMeansAll",
                R"((%x: float32[s0, 3]) { %r = onnx::ReduceSum(%x, [], keepdims=0) return %r } opset "ai.onnx" 13)",
                "float32[]"},
        RuleRow{
            "EmptyMeansNothing",
            R"((%x: float32[s0, 3]) { %r = onnx::ReduceSum(%x, [], noop_with_empty_axes=1) return %r } opset "ai.onnx" 13)",
            "float32[s0, 3]"},
        RuleRow{
            "UnknownAxes",
            R"((%x: float32[s0, 3, 4], %a: int64[2]) { %r = onnx::ReduceSum(%x, %a, keepdims=0) return %r } opset "ai.onnx" 13)",
            "!the dimensions are not known float32[?]"},
        RuleRow{"Places", "(%x: float32[s0, 3, 4]) { %r = onnx::ArgMax(%x, axis=-1, keepdims=0) return %r }",
                "int64[s0, 3]"},
        RuleRow{"PlacesOfTheFirst", "(%x: float32[s0, 3, 4]) { %r = onnx::ArgMin(%x) return %r }", "int64[1, 3, 4]"},
        RuleRow{"RunningSum", "(%x: int32[s0, 3]) { %r = onnx::CumSum(%x, 0) return %r }", "int32[s0, 3]"},
        RuleRow{"Hardmax", "(%x: float32[s0, 3]) { %r = onnx::Hardmax(%x) return %r }", "float32[s0, 3]"},
        RuleRow{
            "OnnxQuantizedMean",
            "(%x: uint8[2, s0, 3], %s: float32[], %z: uint8[]) { %r = com.microsoft::QLinearReduceMean(%x, %s, %z, %s, "
            "%z, axes=[1], keepdims=0) %t = com.microsoft::QLinearReduceMean(%x, %s, %z, %s, %z) return %r, %t }",
            "uint8[2, 3]; uint8[1, 1, 1]"},
        RuleRow{"OnnxSumOfBytes",
                "(%x: uint8[2, s0, 3], %y: int8[2, 3]) { %r = com.microsoft::ReduceSumInteger(%x, axes=[1], "
                "keepdims=0) %t = com.microsoft::ReduceSumInteger(%y, axes=[-1]) return %r, %t }",
                "uint32[2, 3]; int32[2, 1]", "0/6*s0 + 6"},
        RuleRow{"OnnxWarpedPath", "(%x: float32[8, s0]) { %r = com.microsoft::DynamicTimeWarping(%x) return %r }",
                "int32[2, u_0]"}),
    rowName);

} // namespace

} // namespace cutaway::test
