// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class View : public testing::TestWithParam<RuleRow> { };

TEST_P(View, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, View,
    testing::Values(
        RuleRow{"View", "(%x: float32[2, 3, 4]) { %r = aten::view(%x, [6, 4]) return %r }", "float32[6, 4]", "0/0"},
        RuleRow{"OneSizeIsLeftOpen", "(%x: float32[s0, 3, 4]) { %r = aten::view(%x, [-1, 6]) return %r }",
                "float32[2*s0, 6]"},
        RuleRow{"EqualFactorsCancel",
                "(%x: float32[s0, s1, 512], %n: int(s0)) { %r = aten::reshape(%x, [%n, -1, 8, 64]) return %r }",
                "float32[s0, s1, 8, 64]"},
        RuleRow{"ToAScalar", "(%x: float32[1, 1]) { %r = aten::view(%x, []) return %r }", "float32[]"},
        RuleRow{"DoesNotFit", "(%x: float32[2, 3]) { %r = aten::view(%x, [4, -1]) return %r }",
                "!the elements of [2, 3] do not fit [4, -1] float32"},
        RuleRow{"TwoAreOpen", "(%x: float32[2, 3]) { %r = aten::view(%x, [-1, -1]) return %r }",
                "!the elements of [2, 3] do not fit [-1, -1] float32"},
        RuleRow{"AsAnotherType", "(%x: float32[2, 4]) { %r = aten::view.dtype(%x, int16) return %r }", "int16[2, 8]"},
        RuleRow{"UnknownRankOfTheInput", "(%x: float32[*]) { %r = aten::view(%x, [2, -1]) return %r }",
                "float32[2, ?]"},
        RuleRow{"UnknownSizes", "(%x: float32[2], %s: list<int>) { %r = aten::view(%x, %s) return %r }",
                "!the sizes are not known float32"},
        RuleRow{"AsOther", "(%x: float32[6], %y: int64[2, 3]) { %r = aten::view_as(%x, %y) return %r }",
                "float32[2, 3]"},
        RuleRow{"ElementsStay",
                "(%a: int(s0)) { %x = aten::tensor([%a, 3, 4, 5]) %r = aten::view(%x, [2, 2]) return %r }",
                "int64[2, 2] = [s0, 3, 4, 5]"},
        RuleRow{"Flatten", "(%x: float32[2, s0, 4]) { %r = aten::flatten.using_ints(%x, 1) return %r }",
                "float32[2, 4*s0]"},
        RuleRow{"FlattenAScalar", "(%x: float32[]) { %r = aten::flatten.using_ints(%x) return %r }", "float32[1]"},
        RuleRow{"FlattenBackwards", "(%x: float32[2, 3]) { %r = aten::flatten.using_ints(%x, 1, 0) return %r }",
                "!flattened from a later dimension to an earlier one unknown"},
        RuleRow{"Ravel", "(%x: float32[2, s0]) { %r = aten::ravel(%x) return %r }", "float32[2*s0]"},
        RuleRow{"Unflatten", "(%x: float32[2, 12]) { %r = aten::unflatten.int(%x, -1, [3, -1]) return %r }",
                "float32[2, 3, 4]"},
        RuleRow{"UnflattenDoesNotFit", "(%x: float32[2, 12]) { %r = aten::unflatten.int(%x, 1, [5, -1]) return %r }",
                "!12 elements do not fit the sizes unknown"},
        RuleRow{"Contiguous", "(%x: float32[2, s0]) { %r = aten::contiguous(%x) return %r }", "float32[2, s0]", "0/0"},
        RuleRow{"CopyOfAList", "() { %r = aten::copy.t([1, 2]) return %r }", "[1, 2]"},
        RuleRow{"CopyKeepsTheTarget", "(%x: float32[2, 3], %y: int64[3]) { %r = aten::copy_(%x, %y) return %r }",
                "float32[2, 3]"},
        RuleRow{"Resize", "(%x: float32[2, 3]) { %r = aten::resize_(%x, [7]) return %r, %x }",
                "float32[7]; float32[7]"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, View,
    testing::Values(
        RuleRow{"ReshapeCopiesZeros",
                "(%x: float32[s0, 3, 4]) { %s = aten::tensor([0, -1]) %r = onnx::Reshape(%x, %s) return %r }",
                "float32[s0, 12]"},
        RuleRow{"ReshapeAllowsZeros",
                "(%x: float32[0, 3]) { %s = aten::tensor([3, 0]) %r = onnx::Reshape(%x, %s, allowzero=1) return %r }",
                "float32[3, 0]"},
        RuleRow{"ReshapeByAttribute", "(%x: float32[2, 3]) { %r = onnx::Reshape(%x, shape=[3, -1]) return %r }",
                "float32[3, 2]"},
        RuleRow{"ReshapeToUnknownSizes", "(%x: float32[2, 3], %s: int64[3]) { %r = onnx::Reshape(%x, %s) return %r }",
                "!the sizes are not known float32[?, ?, ?]"},
        RuleRow{"Flatten", "(%x: float32[2, 3, s0]) { %r = onnx::Flatten(%x) return %r }", "float32[2, 3*s0]"},
        RuleRow{"FlattenAll", "(%x: float32[2, 3]) { %r = onnx::Flatten(%x, axis=0) return %r }", "float32[1, 6]"},
        RuleRow{"FlattenOutside", "(%x: float32[2, 3]) { %r = onnx::Flatten(%x, axis=3) return %r }",
                "!the axis is outside the dimensions of the input unknown"},
        RuleRow{"SqueezeByInput",
                "(%x: float32[1, 3, s0]) { %a = aten::tensor([0, 2]) %r = onnx::Squeeze(%x, %a) return %r }",
                "float32[3]"},
        RuleRow{"SqueezeByAttribute", "(%x: float32[1, 3]) { %r = onnx::Squeeze(%x, axes=[0]) return %r }",
                "float32[3]"},
        RuleRow{"SqueezeWhatIsNotOne", "(%x: float32[2, 3]) { %r = onnx::Squeeze(%x, axes=[0]) return %r }",
                "!a dimension of [2, 3] that is squeezed is not 1 unknown"},
        RuleRow{"Unsqueeze", "(%x: float32[3]) { %a = aten::tensor([0, -1]) %r = onnx::Unsqueeze(%x, %a) return %r }",
                "float32[1, 3, 1]"},
        RuleRow{"UnsqueezeTwice", "(%x: float32[3]) { %r = onnx::Unsqueeze(%x, axes=[0, 0]) return %r }",
                "!one dimension is given twice unknown"},
        RuleRow{"TransposeReversesByDefault", "(%x: float32[2, 3, s0]) { %r = onnx::Transpose(%x) return %r }",
                "float32[s0, 3, 2]"},
        RuleRow{"Transpose", "(%x: float32[2, 3, s0]) { %r = onnx::Transpose(%x, perm=[0, 2, 1]) return %r }",
                "float32[2, s0, 3]"},
        RuleRow{"Identity", "(%x: list<float32[2]>) { %r = onnx::Identity(%x) return %r }", "list of ? × float32[2]"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Dimensions, View,
    testing::Values(
        RuleRow{"SqueezeAll", "(%x: float32[1, s0, 1, 3]) { %r = aten::squeeze(%x) return %r }", "float32[s0, 3]"},
        RuleRow{"SqueezeOne", "(%x: float32[1, 3]) { %r = aten::squeeze.dim(%x, 0) return %r }", "float32[3]"},
        RuleRow{"SqueezeWhatStays", "(%x: float32[2, 3]) { %r = aten::squeeze.dim(%x, -1) return %r }",
                "float32[2, 3]"},
        RuleRow{"SqueezeSeveral", "(%x: float32[1, 3, 1]) { %r = aten::squeeze.dims(%x, [0, 1, 2]) return %r }",
                "float32[3]"},
        RuleRow{"SqueezeWhatMayBeOne", "(%x: float32[?, 3]) { %r = aten::squeeze(%x) return %r }",
                "!a size that may be 1 is not known float32"},
        RuleRow{"SqueezeInPlace", "(%x: float32[1, 3]) { %r = aten::squeeze_.dim(%x, 0) return %x }", "float32[3]"},
        RuleRow{"Unsqueeze", "(%x: float32[s0]) { %r = aten::unsqueeze(%x, -1) return %r }", "float32[s0, 1]"},
        RuleRow{"UnsqueezeOutside", "(%x: float32[3]) { %r = aten::unsqueeze(%x, 2) return %r }",
                "!dimension 2 of a tensor with 2 dimensions float32"},
        RuleRow{"AtLeast", "(%x: float32[3]) { %r = aten::atleast_3d(%x) return %r }", "float32[1, 3, 1]"},
        RuleRow{"Permute", "(%x: float32[2, s0, 4]) { %r = aten::permute(%x, [2, 0, -2]) return %r }",
                "float32[4, 2, s0]"},
        RuleRow{"PermuteNotAll", "(%x: float32[2, 3]) { %r = aten::permute(%x, [0, 0]) return %r }",
                "!the dimensions are not all those of [2, 3] unknown"},
        RuleRow{"PermuteMovesElements",
                "() { %x = aten::tensor([1, 2, 3, 4, 5, 6]) %y = aten::view(%x, [2, 3]) %r = aten::permute(%y, [1, 0]) "
                "return %r }",
                "int64[3, 2] = [1, 4, 2, 5, 3, 6]"},
        RuleRow{"Transpose", "(%x: float32[2, 3, s0]) { %r = aten::transpose.int(%x, 1, -1) return %r }",
                "float32[2, s0, 3]"},
        RuleRow{"TransposeInPlace", "(%x: float32[2, 3]) { %r = aten::t_(%x) return %x }", "float32[3, 2]"},
        RuleRow{"Matrices", "(%x: float32[5, 2, 3]) { %r = aten::mT(%x) return %r }", "float32[5, 3, 2]"},
        RuleRow{"VectorStays", "(%x: float32[5]) { %r = aten::t(%x) return %r }", "float32[5]"},
        RuleRow{"AllReversed", "(%x: float32[2, 3, 4]) { %r = aten::numpy_T(%x) return %r }", "float32[4, 3, 2]"},
        RuleRow{"Move", "(%x: float32[2, 3, 4]) { %r = aten::movedim.int(%x, 0, -1) return %r }", "float32[3, 4, 2]"},
        RuleRow{"MoveSeveral", "(%x: float32[2, 3, 4]) { %r = aten::movedim.intlist(%x, [0, 1], [2, 0]) return %r }",
                "float32[3, 4, 2]"},
        RuleRow{"MoveDoesNotPair", "(%x: float32[2, 3]) { %r = aten::movedim.intlist(%x, [0, 1], [0]) return %r }",
                "!sources and destinations do not pair up unknown"},
        RuleRow{"AsReal", "(%x: complex64[2]) { %r = aten::view_as_real(%x) return %r }", "float32[2, 2]"},
        RuleRow{"AsComplex", "(%x: float64[3, 2]) { %r = aten::view_as_complex(%x) return %r }", "complex128[3]"},
        RuleRow{"AsComplexOfNoPairs", "(%x: float32[3]) { %r = aten::view_as_complex(%x) return %r }",
                "!the last dimension of [3] is not 2 unknown"},
        RuleRow{"OnnxExpandDims", "(%x: float32[2, s0]) { %r = com.microsoft::ExpandDims(%x, -1) return %r }",
                "float32[2, s0, 1]"}),
    rowName);

} // namespace

} // namespace cutaway::test
