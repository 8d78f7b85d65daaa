// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/evaluate/row_test.h"

// Expected numbers are those of PyTorch and ONNX Runtime, or follow from the definition.

namespace cutaway::evaluate {
namespace {

TEST_P(Evaluate, computesTheOperator)
{
    const Row &row = GetParam();
    const Values inputs{floats({2, 3}, {-2, -1, 0, 1, 2, 3}), wholes(ir::DType::Int64, {3}, {7, -7, 2})};
    EXPECT_EQ(resultOf("(%x: float32[2, 3], %i: int64[3]) { " + row.node + " return %r }", inputs, row.header),
              row.expected);
}

INSTANTIATE_TEST_SUITE_P(
    Elementwise, Evaluate,
    ::testing::Values(
        Row{"relu", "%r = aten::relu(self=%x)", "float32[2, 3] 0 0 0 1 2 3"},
        Row{"alpha", "%r = aten::add.Scalar(self=%x, other=1, alpha=2)", "float32[2, 3] 0 1 2 3 4 5"},
        Row{"alphaOfTheSubtracted", "%r = aten::rsub.Scalar(self=%x, other=1, alpha=2)",
            "float32[2, 3] 5 3 1 -1 -3 -5"},
        Row{"anotherNameOfIt", "%r = aten::arctan2(self=%x, other=%x)",
            "float32[2, 3] -2.35619 -2.35619 0 0.785398 0.785398 0.785398"},
        Row{"broadcastOfBoth",
            "%a = aten::select.int(self=%x, dim=0, index=0) %b = aten::slice.Tensor(self=%x, dim=1, "
            "start=1, end=2) %r = aten::mul.Tensor(self=%a, other=%b)",
            "float32[2, 3] 2 1 -0 -4 -2 0"},
        Row{"promotesToFloat", "%r = aten::add.Tensor(self=%x, other=%i)", "float32[2, 3] 5 -8 2 8 -5 5"},
        Row{"trueDivisionOfWholeNumbers", "%r = aten::div.Tensor(self=%i, other=2)", "float32[3] 3.5 -3.5 1"},
        Row{"divisionRoundedDown", "%r = aten::div.Tensor_mode(self=%i, other=2, rounding_mode=\"floor\")",
            "int64[3] 3 -4 1"},
        Row{"divisionOfOnnx", "%t = onnx::Constant(value_int=2) %r = onnx::Div(%i, %t)", "int64[3] 3 -3 1"},
        Row{"remainderHasTheDivisorsSign", "%r = aten::remainder.Scalar(self=%i, other=3)", "int64[3] 1 2 2"},
        Row{"fmodHasTheDividendsSign", "%r = aten::fmod.Scalar(self=%i, other=3)", "int64[3] 1 -1 2"},
        Row{"wraps", "%s = aten::to.dtype(self=%i, dtype=int8) %r = aten::mul.Scalar(self=%s, other=100)",
            "int8[3] -68 68 -56"},
        Row{"comparesAfterRounding",
            "%h = aten::full(size=[1], fill_value=0.1, dtype=float32) %r = "
            "aten::eq.Scalar(self=%h, other=0.1)",
            "bool[1] 1"},
        Row{"where",
            "%c = aten::gt.Scalar(self=%x, other=0) %r = aten::where.ScalarOther(condition=%c, self=%x, other=9)",
            "float32[2, 3] 9 9 9 1 2 3"},
        Row{"clampWithOneBound", "%r = aten::clamp(self=%x, max=1)", "float32[2, 3] -2 -1 0 1 1 1"},
        Row{"halvesAreRounded", "%h = aten::to.dtype(self=%i, dtype=float16) %r = aten::div.Scalar(self=%h, other=3)",
            "float16[3] 2.33398 -2.33398 0.666504"},
        Row{"boolsAddToOr", "%c = aten::gt.Scalar(self=%i, other=0) %r = aten::add.Tensor(self=%c, other=%c)",
            "bool[3] 1 0 1"},
        Row{"gelu", "%r = aten::gelu(self=%x)", "float32[2, 3] -0.0455003 -0.158655 0 0.841345 1.9545 2.99595"},
        Row{"maxOfThree", "%a = onnx::Neg(%x) %b = onnx::Abs(%a) %r = onnx::Max(%x, %a, %b)",
            "float32[2, 3] 2 1 0 1 2 3"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Moved, Evaluate,
    ::testing::Values(
        Row{"viewWithAnInferredSize", "%r = aten::view(self=%x, size=[3, -1])", "float32[3, 2] -2 -1 0 1 2 3"},
        Row{"transposed", "%r = aten::t(self=%x)", "float32[3, 2] -2 1 -1 2 0 3"},
        Row{"transposedOfOnnx", "%r = onnx::Transpose(%x)", "float32[3, 2] -2 1 -1 2 0 3"},
        Row{"sliceWithAStep", "%r = aten::slice.Tensor(self=%i, dim=0, start=0, end=3, step=2)", "int64[2] 7 2"},
        Row{"sliceBackwards", "%r = onnx::Slice(%x, @s, @e, @a, @m)", "float32[2, 2] 0 -1 3 2",
            "storage 0: 8 bytes data \"\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\"\n"
            "storage 1: 8 bytes data \"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"\n"
            "storage 2: 8 bytes data \"\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"\n"
            "tensor @s: int64[1] in storage 0 tensor @e: int64[1] in storage 1\n"
            "tensor @a: int64[1] in storage 2 tensor @m: int64[1] in storage 0\n"},
        Row{"selectFromTheEnd", "%r = aten::select.int(self=%x, dim=1, index=-1)", "float32[2] 0 3"},
        Row{"flipped", "%r = aten::flip(self=%x, dims=[1])", "float32[2, 3] 0 -1 -2 3 2 1"},
        Row{"expanded", "%u = aten::unsqueeze(self=%i, dim=0) %r = aten::expand(self=%u, size=[2, -1])",
            "int64[2, 3] 7 -7 2 7 -7 2"},
        Row{"repeated", "%r = aten::repeat(self=%i, repeats=[2])", "int64[6] 7 -7 2 7 -7 2"},
        Row{"concatenated", "%r = aten::cat(tensors=[%x, %x], dim=1)", "float32[2, 6] -2 -1 0 -2 -1 0 1 2 3 1 2 3"},
        Row{"stacked", "%r = aten::stack(tensors=[%i, %i], dim=1)", "int64[3, 2] 7 7 -7 -7 2 2"},
        Row{"concatOfOnnx", "%r = onnx::Concat(%x, %x, axis=0)", "float32[4, 3] -2 -1 0 1 2 3 -2 -1 0 1 2 3"},
        Row{"splitUnevenly", "%l = aten::split.Tensor(self=%x, split_size=2, dim=1) %a, %r = prim::ListUnpack(%l)",
            "float32[2, 1] 0 3"},
        Row{"chunked", "%l = aten::chunk(self=%i, chunks=2) %r, %b = prim::ListUnpack(%l)", "int64[2] 7 -7"},
        Row{"gathered", "%p = onnx::Constant(value_ints=[-1, 0]) %r = onnx::Gather(%x, %p, axis=1)",
            "float32[2, 2] 0 -2 3 1"},
        Row{"padded", "%r = aten::constant_pad_nd(self=%x, pad=[1, -1], value=5)", "float32[2, 3] 5 -2 -1 5 1 2"},
        Row{"triangle", "%r = aten::tril(self=%x)", "float32[2, 3] -2 0 0 1 2 0"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Reduced, Evaluate,
    ::testing::Values(
        Row{"sumOfAll", "%r = aten::sum(self=%x)", "float32[] 3"},
        Row{"sumAlong", "%r = aten::sum.dim_IntList(self=%x, dim=[0], keepdim=true)", "float32[1, 3] -1 1 3"},
        Row{"sumOfWholeNumbers", "%r = aten::sum(self=%i)", "int64[] 2"},
        Row{"mean", "%r = aten::mean.dim(self=%x, dim=[-1])", "float32[2] -1 2"},
        Row{"meanOfOnnx", "%r = onnx::ReduceMean(%x, axes=[1])", "float32[2, 1] -1 2"},
        Row{"argmax", "%r = aten::argmax(self=%x, dim=1)", "int64[2] 2 2"},
        Row{"argminOfOnnx", "%r = onnx::ArgMin(%x)", "int64[1, 3] 0 0 0"},
        Row{"maxAndPlaces", "%m, %r = aten::max.dim(self=%x, dim=0)", "int64[3] 1 1 1"},
        Row{"variance", "%r = aten::var.correction(self=%x, dim=[1], correction=0)", "float32[2] 0.666667 0.666667"},
        Row{"cumulative", "%r = aten::cumsum(self=%x, dim=1)", "float32[2, 3] -2 -3 -3 1 3 6"},
        Row{"softmax", "%r = aten::softmax.int(self=%x, dim=-1)",
            "float32[2, 3] 0.0900306 0.244728 0.665241 0.0900306 0.244728 0.665241"},
        Row{"softmaxOverTheFirst", "%r = aten::softmax.int(self=%x, dim=0)",
            "float32[2, 3] 0.0474259 0.0474259 0.0474259 0.952574 0.952574 0.952574"},
        Row{"instanceNormByStatisticsOfTraining",
            "%a = aten::view(self=%x, size=[1, 2, 3]) "
            "%r = aten::instance_norm(input=%a, running_mean=@m, running_var=@v, use_input_stats=false, eps=0)",
            "float32[1, 2, 3] -1.5 -1 -0.5 -1 0 1",
            "storage 0: 8 bytes data \"\\x00\\x00\\x80\\x3f\\x00\\x00\\x00\\x40\"\n"
            "storage 1: 8 bytes data \"\\x00\\x00\\x80\\x40\\x00\\x00\\x80\\x3f\"\n"
            "tensor @m: float32[2] in storage 0 tensor @v: float32[2] in storage 1\n"},
        Row{"layerNorm", "%r = aten::layer_norm(input=%x, normalized_shape=[3], eps=0)",
            "float32[2, 3] -1.22474 0 1.22474 -1.22474 0 1.22474"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Products, Evaluate,
    ::testing::Values(
        Row{"matmul", "%t = aten::t(self=%x) %r = aten::matmul(self=%x, other=%t)", "float32[2, 2] 5 -4 -4 14"},
        Row{"ofMatrixAndVector", "%f = aten::to.dtype(self=%i, dtype=float32) %r = aten::matmul(self=%x, other=%f)",
            "float32[2] -7 -1"},
        Row{"linear", "%r = aten::linear(input=%x, weight=%x)", "float32[2, 2] 5 -4 -4 14"},
        Row{"addmm", "%t = aten::t(self=%x) %r = aten::addmm(self=1, mat1=%x, mat2=%t, beta=2, alpha=0.5)",
            "float32[2, 2] 4.5 0 0 9"},
        Row{"gemm", "%r = onnx::Gemm(%x, %x, transB=1, alpha=2.0)", "float32[2, 2] 10 -8 -8 28"},
        Row{"ofTurnedBatches",
            "%q = aten::view(self=%x, size=[2, 1, 3]) %r = com.microsoft::FusedMatMul(%q, %q, transBatchA=1, "
            "transBatchB=1, transB=1)",
            "float32[1, 2, 2] 5 -4 -4 14"},
        Row{"attention",
            "%q = aten::view(self=%x, size=[1, 1, 2, 3]) %r = aten::scaled_dot_product_attention(query=%q, "
            "key=%q, value=%q, is_causal=true)",
            "float32[1, 1, 2, 3] -2 -1 0 0.999908 1.99991 2.99991"},
        Row{"convolution",
            "%a = aten::view(self=%x, size=[1, 1, 2, 3]) %k = aten::ones(size=[1, 1, 2, 2]) %r = "
            "aten::conv2d(input=%a, weight=%k)",
            "float32[1, 1, 1, 2] 0 4"},
        Row{"convolutionWithEverything",
            "%a = aten::view(self=%x, size=[1, 2, 3]) %k = aten::ones(size=[2, 1, 2]) %r = aten::conv1d(input=%a, "
            "weight=%k, stride=[2], padding=[1], dilation=[2], groups=2)",
            "float32[1, 2, 2] -1 -1 2 2"},
        Row{"convolutionWithItsBiasBehindTheKernelSize",
            "%a = aten::view(self=%x, size=[1, 1, 2, 3]) %k = aten::ones(size=[1, 1, 2, 2]) %b = aten::ones(size=[1]) "
            "%r = aten::thnn_conv2d(self=%a, weight=%k, kernel_size=[2, 2], bias=%b)",
            "float32[1, 1, 1, 2] 1 5"},
        Row{"transposedConvolution",
            "%a = aten::view(self=%x, size=[1, 2, 3]) %k = aten::ones(size=[2, 1, 2]) %r = "
            "aten::conv_transpose1d(input=%a, weight=%k, stride=[2])",
            "float32[1, 1, 6] -1 -1 1 1 3 3"},
        Row{"maxPool",
            "%a = aten::view(self=%x, size=[1, 2, 3]) %r = aten::max_pool1d(self=%a, kernel_size=[2], "
            "stride=[1])",
            "float32[1, 2, 2] -1 0 2 3"},
        Row{"averageWithPadding",
            "%a = aten::view(self=%x, size=[1, 2, 3]) %r = aten::avg_pool1d(self=%a, "
            "kernel_size=[2], stride=[2], padding=[1])",
            "float32[1, 2, 2] -1 -0.5 0.5 2.5"},
        Row{"globalAverage", "%a = onnx::Unsqueeze(%x, axes=[0]) %r = onnx::GlobalAveragePool(%a)",
            "float32[1, 2, 1] -1 2"},
        Row{"globalNorm", "%a = onnx::Unsqueeze(%x, axes=[0]) %r = onnx::GlobalLpPool(%a)",
            "float32[1, 2, 1] 2.23607 3.74166"},
        Row{"maximaOfRegions",
            "%n = onnx::Constant(value_ints=[1, 1, 2, 3]) %a = onnx::Reshape(%x, %n) %b = onnx::Constant("
            "value_floats=[0.0, 0.0, 0.0, 1.0, 1.0]) %m = onnx::Constant(value_ints=[1, 5]) %c = onnx::Reshape(%b, %m) "
            "%r = onnx::MaxRoiPool(%a, %c, pooled_shape=[1, 2])",
            "float32[1, 1, 1, 2] 1 2", "opset \"ai.onnx\" 13\n"},
        Row{"sampledAtReflectedPlaces",
            "%n = onnx::Constant(value_ints=[1, 1, 2, 3]) %a = onnx::Reshape(%x, %n) %b = onnx::Constant("
            "value_floats=[0.9, 1.3, -1.2, 0.0]) %m = onnx::Constant(value_ints=[1, 1, 2, 2]) %g = onnx::Reshape(%b, "
            "%m) "
            "%r = onnx::GridSample(%a, %g, mode=\"cubic\", padding_mode=\"reflection\")",
            "float32[1, 1, 1, 2] 3.53063 -0.62", "opset \"ai.onnx\" 20\n"},
        Row{"sampledAtTheBorder",
            "%n = onnx::Constant(value_ints=[1, 1, 2, 3]) %a = onnx::Reshape(%x, %n) %b = onnx::Constant("
            "value_floats=[0.9, 1.3, -1.2, 0.0]) %m = onnx::Constant(value_ints=[1, 1, 2, 2]) %g = onnx::Reshape(%b, "
            "%m) "
            "%r = onnx::GridSample(%a, %g, mode=\"cubic\", padding_mode=\"border\")",
            "float32[1, 1, 1, 2] 3.11091 -0.5", "opset \"ai.onnx\" 20\n"},
        Row{"resizedToOneAsPyTorch",
            "%s = onnx::Constant(value_ints=[2, 1]) %r = onnx::Resize(%x, none, none, %s, mode=\"cubic\", "
            "coordinate_transformation_mode=\"pytorch_half_pixel\")",
            "float32[2, 1] -2 1", "opset \"ai.onnx\" 19\n"},
        Row{"resizedByOpset10ToThePixelAbove",
            "%s = onnx::Constant(value_floats=[1.0, 0.67]) %r = onnx::Resize(%x, %s, mode=\"nearest\")",
            "float32[2, 2] -2 0 1 3", "opset \"ai.onnx\" 10\n"},
        Row{"resizedFromTheMiddle",
            "%n = onnx::Constant(value_ints=[1, 6]) %a = onnx::Reshape(%x, %n) %b = onnx::Constant(value_ints=[0]) "
            "%e = onnx::Constant(value_ints=[5]) %d = onnx::Constant(value_ints=[1]) %c = onnx::Slice(%a, %b, %e, %d) "
            "%s = onnx::Constant(value_floats=[1.0, 0.5]) %r = onnx::Resize(%c, none, %s, mode=\"nearest\", "
            "nearest_mode=\"floor\", coordinate_transformation_mode=\"half_pixel_symmetric\")",
            "float32[1, 2] -1 1", "opset \"ai.onnx\" 19\n"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Picked, Evaluate,
    ::testing::Values(
        Row{"byIndicesAndMask", "%m = aten::gt.Scalar(self=%x, other=0) %r = aten::index.Tensor(self=%x, indices=[%m])",
            "float32[3] 1 2 3"},
        Row{"byIndicesOfTwoDimensions", "%a = aten::arange(end=2) %r = aten::index.Tensor(self=%x, indices=[none, %a])",
            "float32[2, 2] -2 -1 1 2"},
        Row{"positions", "%r = onnx::NonZero(%x)", "int64[2, 5] 0 0 1 1 1 0 1 0 1 2"},
        Row{"scatteredByAdding",
            "%p = onnx::Constant(value_ints=[0, 0, 2]) %r = aten::scatter_add(self=%i, dim=0, index=%p, src=%i)",
            "int64[3] 7 -7 4"},
        Row{"sortedWithPositions", "%v, %r = aten::sort(self=%i, dim=0, descending=true)", "int64[3] 0 2 1"},
        Row{"largestWithPositions", "%k = onnx::Constant(value_ints=[2]) %v, %r = onnx::TopK(%x, %k, axis=1)",
            "int64[2, 2] 2 1 2 1"},
        Row{"differentElements", "%s = onnx::Sign(%i) %r, %a, %b, %c = onnx::Unique(%s)", "int64[2] -1 1"},
        Row{"contracted", "%r = aten::einsum(equation=\"ij,kj->ik\", tensors=[%x, %x])", "float32[2, 2] 5 -4 -4 14"},
        Row{"paddedByReflection", "%r = aten::pad(self=%i, pad=[1, 2], mode=\"reflect\")", "int64[6] -7 7 -7 2 -7 7"},
        Row{"rolled", "%r = aten::roll(self=%i, shifts=[1], dims=[0])", "int64[3] 2 7 -7"},
        Row{"resampled",
            "%a = aten::view(self=%x, size=[1, 2, 3]) %r = aten::upsample_nearest1d(self=%a, output_size=[6])",
            "float32[1, 2, 6] -2 -2 -1 -1 0 0 1 1 2 2 3 3"},
        Row{"resampledBetween",
            "%a = aten::view(self=%x, size=[1, 2, 3]) %r = aten::upsample_linear1d(self=%a, output_size=[5], "
            "align_corners=true)",
            "float32[1, 2, 5] -2 -1.5 -1 -0.5 0 1 1.5 2 2.5 3"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Quantized, Evaluate,
    ::testing::Values(
        Row{"thereAndBack",
            "%s = aten::full(size=[2], fill_value=0.75, dtype=float32) %z = aten::zeros(size=[2], dtype=int32) %r = "
            "aten::fake_quantize_per_channel_affine(self=%x, scale=%s, zero_point=%z, axis=0, quant_min=-2, "
            "quant_max=2)",
            "float32[2, 3] -1.5 -0.75 0 0.75 1.5 1.5"},
        Row{"saturates", "%s = onnx::Constant(value_float=0.01) %r = onnx::QuantizeLinear(%x, %s)",
            "uint8[2, 3] 0 0 0 100 200 255"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    NoTensors, Evaluate,
    ::testing::Values(Row{"sizes", "%n = aten::size.int(self=%x, dim=1) %r = aten::mul.int(a=%n, b=2)", "6"},
                      Row{"sizesAsTensors", "%s = onnx::Shape(%x) %r = onnx::Mul(%s, %s)", "int64[2] 4 9"},
                      Row{"filledToASize", "%s = onnx::Shape(%x) %r = onnx::ConstantOfShape(%s)",
                          "float32[2, 3] 0 0 0 0 0 0"},
                      Row{"counted", "%r = aten::arange.start_step(start=1, end=8, step=3)", "int64[3] 1 4 7"},
                      Row{"anItem", "%a = aten::select.int(self=%i, dim=0, index=2) %r = aten::item(self=%a)", "2"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Refused, Evaluate,
    ::testing::Values(Row{"unknownOperators", "%r = mine::op(%x)",
                          "no value for mine::op: the evaluator has no rule for the operator"},
                      Row{"anotherShapeOfWhatMayBeAnotherTensor",
                          "%c = aten::contiguous(self=%x) %r = aten::t_(self=%x)",
                          "no value for aten::t_: it is not known who else has the tensor"},
                      Row{"resultsGivenByTheCaller",
                          "%e = aten::zeros(size=[2, 3]) %r = aten::add.out(self=%x, other=%x, out=%e)",
                          "no value for aten::add.out: the evaluator does not write to other arguments than the first"},
                      Row{"chance", "%r = aten::rand_like(self=%x)",
                          "no value for aten::rand_like: the evaluator draws no random numbers"},
                      Row{"training", "%r = aten::dropout(input=%x, p=0.5, train=true)",
                          "no value for aten::dropout: the evaluator draws no random numbers"},
                      Row{"operatorsWithoutARule", "%r = aten::special_ndtri(self=%x)",
                          "no value for aten::special_ndtri: the evaluator has no rule for the operator"},
                      Row{"divisionByZero", "%r = aten::floor_divide(self=%i, other=0)",
                          "no value for aten::floor_divide: the evaluator's rule does not cover these arguments"},
                      Row{"positionsOutside", "%p = onnx::Constant(value_ints=[3]) %r = onnx::Gather(%x, %p, axis=1)",
                          "no value for onnx::Gather: the evaluator's rule does not cover these arguments"},
                      Row{"paddingThatTheDTypeDoesNotHave",
                          "%u = aten::to.dtype(self=%i, dtype=uint8) %r = aten::constant_pad_nd(self=%u, pad=[1, 1], "
                          "value=-3)",
                          "no value for aten::constant_pad_nd: the evaluator's rule does not cover these arguments"},
                      Row{"hugeCounts",
                          "%p = onnx::Constant(value_ints=[1]) %r = aten::bincount(self=%p, "
                          "minlength=4000000000000000000)",
                          "no value for aten::bincount: the evaluator's rule does not cover these arguments"},
                      Row{"hugeTensors", "%r = aten::zeros(size=[100000, 100000])",
                          "no value for aten::zeros: the result is too large"}),
    rowName);

const std::string sq = "%t = aten::t(self=%x) %s = aten::matmul(self=%x, other=%t) "; // 5 -4, -4 14
const std::string bagged = "%p = onnx::Constant(value_ints=[1, 0, 1]) %o = onnx::Constant(value_ints=[0, 1, 1]) ";

INSTANTIATE_TEST_SUITE_P(
    Matrices, Evaluate,
    ::testing::Values(Row{"determinant", sq + "%r = aten::linalg_det(A=%s)", "float32[] 54"},
                      Row{"determinantOfOnnx", sq + "%r = onnx::Det(%s)", "float32[] 54"},
                      Row{"logarithmOfTheDeterminant", sq + "%a, %r = aten::linalg_slogdet(A=%s)", "float32[] 3.98898"},
                      Row{"inverse", sq + "%r = aten::linalg_inv(A=%s)",
                          "float32[2, 2] 0.259259 0.0740741 0.0740741 0.0925926"},
                      Row{"inverseOfASingularMatrix", "%s = aten::zeros(size=[2, 2]) %r = aten::linalg_inv(A=%s)",
                          "no value for aten::linalg_inv: the evaluator's rule does not cover these arguments"},
                      Row{"lowerTriangleOfCholesky", sq + "%r = aten::linalg_cholesky(self=%s)",
                          "float32[2, 2] 2.23607 0 -1.78885 3.28634"},
                      Row{"upperTriangleOfCholesky", sq + "%r = aten::linalg_cholesky(self=%s, upper=true)",
                          "float32[2, 2] 2.23607 -1.78885 0 3.28634"},
                      Row{"power", sq + "%r = aten::matrix_power(self=%s, n=3)", "float32[2, 2] 509 -1228 -1228 3272"},
                      Row{"powerOfTheInverse", sq + "%r = aten::matrix_power(self=%s, n=-2)",
                          "float32[2, 2] 0.0727023 0.0260631 0.0260631 0.0140604"},
                      Row{"solution", sq + "%r = aten::linalg_solve(A=%s, B=%x)",
                          "float32[2, 3] -0.444444 -0.111111 0.222222 -0.0555556 0.111111 0.277778"},
                      Row{"normOfAMatrix", "%r = aten::linalg_matrix_norm.str_ord(self=%x)", "float32[] 4.3589"},
                      Row{"largestColumn", "%r = aten::linalg_matrix_norm(self=%x, ord=1)", "float32[] 3"},
                      Row{"normOfAllElements", "%r = aten::norm.Scalar(self=%x, p=3)", "float32[] 3.55689"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Signals, Evaluate,
    ::testing::Values(
        Row{"equalSteps", "%r = aten::linspace(start=-1, end=1, steps=5)", "float32[5] -1 -0.5 0 0.5 1"},
        Row{"oneStep", "%r = aten::linspace(start=3, end=9, steps=1)", "float32[1] 3"},
        Row{"powersInEqualSteps", "%r = aten::logspace(start=0, end=3, steps=4, base=2.0)", "float32[4] 1 2 4 8"},
        Row{"windowOfHann", "%r = aten::hann_window(window_length=4)", "float32[4] 0 0.5 1 0.5"},
        Row{"symmetricWindowOfHamming", "%r = aten::hamming_window.periodic(window_length=3, periodic=false)",
            "float32[3] 0.08 1 0.08"},
        Row{"frequencies", "%r = aten::fft_fftfreq(n=5, d=0.5)", "float32[5] 0 0.4 0.8 -0.8 -0.4"},
        Row{"halfOfTheFrequencies", "%r = aten::fft_rfftfreq(n=5)", "float32[3] 0 0.2 0.4"},
        Row{"middleInFront", "%r = aten::fft_fftshift(self=%x)", "float32[2, 3] 3 1 2 0 -2 -1"},
        Row{"middleBack", "%r = aten::fft_ifftshift(self=%x, dim=[1])", "float32[2, 3] -1 0 -2 2 3 1"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Bags, Evaluate,
    ::testing::Values(Row{"sums", bagged + "%r, %b, %c, %d = aten::embedding_bag(weight=%x, indices=%p, offsets=%o)",
                          "float32[3, 3] 1 2 3 0 0 0 -1 1 3"},
                      Row{"means",
                          bagged + "%r, %b, %c, %d = aten::embedding_bag(weight=%x, indices=%p, offsets=%o, mode=1)",
                          "float32[3, 3] 1 2 3 0 0 0 -0.5 0.5 1.5"},
                      Row{"largest",
                          bagged + "%r, %b, %c, %d = aten::embedding_bag(weight=%x, indices=%p, offsets=%o, mode=2)",
                          "float32[3, 3] 1 2 3 0 0 0 1 2 3"}),
    rowName);

TEST(EvaluateControlFlow, followsTheBranchThatIsTaken)
{
    const std::string graph = R"((%x: float32[1]) { %c = aten::Bool.Tensor(a=%x)
        %r = prim::If(%c) region "then" { %a = aten::neg(self=%x) return %a } region "else" { return %x }
        return %r })";
    EXPECT_EQ(resultOf(graph, Values{floats({1}, {2})}), "float32[1] -2");
    EXPECT_EQ(resultOf(graph, Values{floats({1}, {0})}), "float32[1] 0");
}

TEST(EvaluateControlFlow, turnsALoopAsOftenAsItSays)
{
    const std::string graph = R"((%x: float32[1]) { %r = prim::Loop(3, true, %x)
        region "body" (%i: int, %s) { %t = aten::add.Scalar(self=%s, other=%i) return true, %t }
        return %r })";
    EXPECT_EQ(resultOf(graph, Values{floats({1}, {10})}), "float32[1] 13");
}

TEST(EvaluateControlFlow, stacksWhatALoopOfOnnxScans)
{
    const std::string graph = R"((%n: int64[], %x: float32[1]) { %r, %all = onnx::Loop(%n, none, %x)
        region "body" (%i: int64[], %c: bool[], %s: float32[1]) { %t = onnx::Add(%s, %s) return %c, %t, %s }
        return %all })";
    EXPECT_EQ(resultOf(graph, Values{wholes(ir::DType::Int64, {}, {3}), floats({1}, {1})}), "float32[3, 1] 1 2 4");
}

TEST(EvaluateControlFlow, scansBackwards)
{
    const std::string graph = R"((%s: float32[], %x: float32[3]) {
        %last, %r = onnx::Scan(%s, %x, num_scan_inputs=1, scan_input_directions=[1])
        region "body" (%a: float32[], %b: float32[]) { %c = onnx::Add(%a, %b) return %c, %c }
        return %r })";
    EXPECT_EQ(resultOf(graph, Values{floats({}, {0}), floats({3}, {1, 2, 3})}, "opset \"ai.onnx\" 17\n"),
              "float32[3] 3 5 6");
}

TEST(EvaluateControlFlow, repeatsWhileTheConditionHolds)
{
    const std::string graph = R"((%i: int64[], %x: float32[1]) { %n, %r = higher_order::while_loop([%i, %x], [])
        region "condition" (%a: int64[], %b: float32[1]) { %c = aten::lt.Scalar(self=%a, other=3) return %c }
        region "body" (%d: int64[], %e: float32[1]) {
          %f = aten::add.Scalar(self=%d, other=1) %g = aten::mul.Scalar(self=%e, other=2) return %f, %g }
        return %r })";
    EXPECT_EQ(resultOf(graph, Values{wholes(ir::DType::Int64, {}, {0}), floats({1}, {1})}), "float32[1] 8");
}

TEST(EvaluateControlFlow, mapsOverSlices)
{
    const std::string graph = R"((%x: float32[2, 2], %y: float32[2]) { %r = higher_order::map_impl([%x], [%y])
        region "body" (%a: float32[2], %b: float32[2]) { %c = aten::add.Tensor(self=%a, other=%b) return %c }
        return %r })";
    EXPECT_EQ(resultOf(graph, Values{floats({2, 2}, {1, 2, 3, 4}), floats({2}, {10, 20})}),
              "float32[2, 2] 11 22 13 24");
}

INSTANTIATE_TEST_SUITE_P(
    InPlace, Evaluate,
    ::testing::Values(
        Row{"throughAView",
            "%v = aten::select.int(self=%x, dim=0, index=0) %w = aten::add_.Scalar(self=%v, other=10) "
            "%r = aten::alias(self=%x)",
            "float32[2, 3] 8 9 10 1 2 3"},
        Row{"throughAViewOfAView",
            "%v = aten::t(self=%x) %w = aten::select.int(self=%v, dim=0, index=1) %z = aten::zero_(self=%w) "
            "%r = aten::alias(self=%x)",
            "float32[2, 3] -2 0 0 1 0 3"},
        Row{"isSeenByViewsThatWereMadeBefore",
            "%r = aten::slice.Tensor(self=%i, dim=0, start=1) %w = aten::mul_.Scalar(self=%i, other=2)",
            "int64[2] -14 4"},
        Row{"notThroughACopy", "%c = aten::clone(self=%x) %w = aten::zero_(self=%c) %r = aten::alias(self=%x)",
            "float32[2, 3] -2 -1 0 1 2 3"},
        Row{"notThroughAReshapeThatCopies",
            "%t = aten::t(self=%x) %f = aten::reshape(self=%t, shape=[6]) %w = aten::zero_(self=%f) "
            "%r = aten::alias(self=%x)",
            "float32[2, 3] -2 -1 0 1 2 3"},
        Row{"throughAReshapeThatIsAView",
            "%f = aten::reshape(self=%x, shape=[6]) %v = aten::slice.Tensor(self=%f, dim=0, start=4) "
            "%w = aten::zero_(self=%v) %r = aten::alias(self=%x)",
            "float32[2, 3] -2 -1 0 1 0 0"},
        Row{"keepsTheDType", "%r = aten::copy_(self=%i, src=@s)", "int64[3] -2 -1 0",
            "storage 0: 12 bytes data \"\\x00\\x00\\x00\\xc0\\x00\\x00\\x80\\xbf\\x00\\x00\\x00\\x00\"\n"
            "tensor @s: float32[3] in storage 0\n"},
        Row{"inAListThatIsUnpacked",
            "%l = aten::unbind.int(self=%x, dim=0) %a, %b = prim::ListUnpack(%l) %w = aten::neg_(self=%b) "
            "%r = aten::alias(self=%x)",
            "float32[2, 3] -2 -1 0 -1 -2 -3"},
        Row{"whereAMaskSays",
            "%m = aten::gt.Scalar(self=%x, other=1) %v = aten::full(size=[], fill_value=9, dtype=float32) "
            "%w = aten::index_put_(self=%x, indices=[%m], values=%v) %r = aten::alias(self=%x)",
            "float32[2, 3] -2 -1 0 1 9 9"},
        Row{"anotherShape",
            "%t = aten::t_(self=%x) %w = aten::select.int(self=%x, dim=0, index=0) %z = aten::zero_(self=%w) "
            "%r = aten::alias(self=%t)",
            "float32[3, 2] 0 0 -1 2 0 3"},
        Row{"anotherShapeButNotOfItsViews",
            "%v = aten::select.int(self=%x, dim=0, index=1) %t = aten::unsqueeze_(self=%x, dim=0) "
            "%w = aten::neg_(self=%x) %r = aten::alias(self=%v)",
            "float32[3] -1 -2 -3"},
        Row{"appendsToAList",
            "%l = prim::ListConstruct(%x) %k = prim::TupleConstruct(%l) %a = aten::append.t(self=%l, el=%x) "
            "%m = prim::TupleUnpack(%k) %r = aten::cat(tensors=%m)",
            "float32[4, 3] -2 -1 0 1 2 3 -2 -1 0 1 2 3"}),
    rowName);

TEST(EvaluateCalls, runTheFunction)
{
    const auto model =
        ir::parseText("model \"m\"\n"
                      "graph @forward(%x: float32[2]) { "
                      "%r = prim::CallFunction(function=graph @twice, %x) return %r }\n"
                      "function @twice(%a: float32[2]) { %b = aten::add.Tensor(self=%a, other=%a) return %b }\n");
    ASSERT_TRUE(model) << model.error().text();
    const auto results = evaluate(*model, ir::FunctionId{0}, Values{floats({2}, {1, 2})});
    ASSERT_TRUE(results) << results.error().text();
    EXPECT_EQ(text(results->front()), "float32[2] 2 4");
}

TEST(EvaluateCalls, ofMethodsGiveTheTuplesThatTheyReturn)
{
    const auto model =
        ir::parseText("module 0 \"\" class \"Net\"\n"
                      "module 1 in 0 \"list\" class \"List\"\n"
                      "module 2 in 1 \"0\" class \"A\" attributes(n: int = 2)\n"
                      "module 3 in 1 \"1\" class \"A\" attributes(n: int = 3)\n"
                      "graph @forward(%x: float32[2], custom_object %self: module \"__torch__.Net\") { "
                      "%list: module \"__torch__.List\" = prim::GetAttr(self=%self, name=\"list\") "
                      "%last: interface \"__torch__.Any\" = prim::ModuleContainerIndex.list(self=%list, ind=1) "
                      "%t: tuple<tensor[*], tuple<tensor[*], int>> = prim::CallMethod(method=\"f\", self=%last, %x) "
                      "%a: tensor[*], %u: tuple<tensor[*], int> = prim::TupleUnpack(%t) "
                      "%b: tensor[*], %n: int = prim::TupleUnpack(%u) "
                      "%c: tensor[*] = aten::mul.Scalar(self=%b, other=%n) return %a, %c }\n"
                      "method @__torch__.A.f(custom_object %self: module \"__torch__.A\", %x: tensor[*]) { "
                      "%n: int = prim::GetAttr(self=%self, name=\"n\") %b: tensor[*] = aten::neg(self=%x) "
                      "return %x, %b, %n }\n");
    ASSERT_TRUE(model) << model.error().text();
    const Value self(ops::Fact(ir::ModuleId{0}));
    const auto results = evaluate(*model, ir::FunctionId{0}, Values{floats({2}, {1, 2}), self});
    ASSERT_TRUE(results) << results.error().text();
    EXPECT_EQ(text((*results)[0]), "float32[2] 1 2");
    EXPECT_EQ(text((*results)[1]), "float32[2] -3 -6");
}

TEST(EvaluateCalls, giveAFunctionOfOnnxItsAttributes)
{
    const auto model = ir::parseText(
        "model \"m\"\nopset \"ai.onnx\" 17\n"
        "graph @forward(%x: float32[2]) { %r = mine::Leak(%x, slope=0.5, callee=graph @leak) return %r }\n"
        "function @leak(%a) attributes(slope=none) { "
        "%b = onnx::LeakyRelu(%a, alpha={\"ref_attr_name\": \"slope\", \"type\": 1}) return %b }\n");
    ASSERT_TRUE(model) << model.error().text();
    const auto results = evaluate(*model, ir::FunctionId{0}, Values{floats({2}, {-1, 2})});
    ASSERT_TRUE(results) << results.error().text();
    EXPECT_EQ(text(results->front()), "float32[2] -0.5 2");
}

/// Before operator set 13 Softmax is one over all dimensions from its axis on.
TEST(EvaluateCalls, readAFunctionOfOnnxByItsOwnOperatorSet)
{
    const auto model = ir::parseText("model \"m\"\nopset \"ai.onnx\" 17\n"
                                     "attachment \"function soft: opset_import\" text \"ai.onnx 11\"\n"
                                     "graph @forward(%x: float32[1, 2, 2]) { "
                                     "%r = mine::Soft(%x, callee=graph @soft) return %r }\n"
                                     "function @soft(%a) { %b = onnx::Softmax(%a, axis=1) return %b }\n");
    ASSERT_TRUE(model) << model.error().text();
    const auto results = evaluate(*model, ir::FunctionId{0}, Values{floats({1, 2, 2}, {0, 0, 0, 0})});
    ASSERT_TRUE(results) << results.error().text();
    EXPECT_EQ(text(results->front()), "float32[1, 2, 2] 0.25 0.25 0.25 0.25");
}

TEST(EvaluateControlFlow, scansWithStates)
{
    const std::string graph =
        R"((%s: float32[], %x: float32[3]) { %r, %all = higher_order::scan([%s], [%x], 0, false, [])
        region "body" (%a: float32[], %b: float32[]) { %c = aten::add.Tensor(self=%a, other=%b) return %c, %c }
        return %all })";
    EXPECT_EQ(resultOf(graph, Values{floats({}, {0}), floats({3}, {1, 2, 3})}), "float32[3] 1 3 6");
}

TEST(EvaluateWeights, areRead)
{
    EXPECT_EQ(
        resultOf("(%x: float32[2]) { weight %w: float32[2] = @w %r = aten::add.Tensor(self=%x, other=%w) return %r }",
                 Values{floats({2}, {1, 2})},
                 "storage 0: 8 bytes data \"\\x00\\x00\\x80\\x3f\\x00\\x00\\x00\\x40\"\ntensor @w: float32[2] in "
                 "storage 0\n"),
        "float32[2] 2 4");
}

TEST(EvaluateShapes, thatCannotBeAreTold)
{
    const std::string told = resultOf("(%x: float32[2, 3]) { %r = aten::view(self=%x, size=[4]) return %r }",
                                      Values{floats({2, 3}, {1, 2, 3, 4, 5, 6})});
    EXPECT_TRUE(told.starts_with("no value for aten::view: ") && told.contains("4")) << told;
}

TEST(EvaluateInputs, mustBeAsManyAsTheGraphHas)
{
    EXPECT_EQ(resultOf("(%x: float32[1]) { return %x }", {}), "there are 1 inputs and 0 values for them");
}

} // namespace
} // namespace cutaway::evaluate
