// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Arithmetic : public testing::TestWithParam<RuleRow> { };

TEST_P(Arithmetic, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

// Shapes broadcast, and dtypes promote as PyTorch's do.
INSTANTIATE_TEST_SUITE_P(
    Tensors, Arithmetic,
    testing::Values(
        RuleRow{"Broadcasts", "(%x: float32[2, 1, s0], %y: float32[3, 1]) { %r = aten::add.Tensor(%x, %y) return %r }",
                "float32[2, 3, s0]", "0/6*s0"},
        RuleRow{"ZeroDimensions", "(%x: float32[], %y: float32[]) { %r = aten::mul.Tensor(%x, %y) return %r }",
                "float32[]", "0/1"},
        RuleRow{"WithANumber", "(%x: float16[2]) { %r = aten::add.Scalar(%x, 2.5) return %r }", "float16[2]"},
        RuleRow{"IntegersWithAFloat", "(%x: int32[2]) { %r = aten::mul.Scalar(%x, 2.5) return %r }", "float32[2]"},
        RuleRow{"IntegersWithAnInt", "(%x: int8[2]) { %r = aten::mul.Scalar(%x, 2) return %r }", "int8[2]"},
        RuleRow{"ZeroDimensionsAreWeak", "(%x: float16[2], %y: float64[]) { %r = aten::sub.Tensor(%x, %y) return %r }",
                "float16[2]"},
        RuleRow{"OfSeveralWidths", "(%x: int16[2], %y: uint8[2]) { %r = aten::sub.Tensor(%x, %y) return %r }",
                "int16[2]"},
        RuleRow{"InPlaceKeepsTheFirst",
                "(%x: float32[3, 2], %y: float64[2]) { %r = aten::add_.Tensor(%x, %y) return %r }", "float32[3, 2]"},
        RuleRow{"CannotBroadcast", "(%x: float32[2, 3], %y: float32[4]) { %r = aten::add.Tensor(%x, %y) return %r }",
                "!cannot broadcast [2, 3] with [4] float32"},
        RuleRow{"RankNotKnown", "(%x: float32[*], %y: float32[4]) { %r = aten::add.Tensor(%x, %y) return %r }",
                "!the rank of an operand is not known float32"},
        RuleRow{"OfOnnx", "(%x: float16[2, s0], %y: float16[1]) { %r = onnx::Sub(%x, %y) return %r }",
                "float16[2, s0]"},
        RuleRow{"OfOldOnnxAlongAnAxis",
                "(%x: float32[2, 3, 4], %y: float32[3]) { %r = onnx::Add(%x, %y, axis=1, broadcast=1) return %r }",
                "float32[2, 3, 4]"},
        RuleRow{"SumOfMany",
                "(%x: float32[2], %y: float32[3, 1], %z: float32[1]) { %r = onnx::Sum(%x, %y, %z) return %r }",
                "float32[3, 2]", "0/12"},
        RuleRow{"DivisionGivesFloats", "(%x: int64[2]) { %r = aten::div.Scalar(%x, 2) return %r }", "float32[2]"},
        RuleRow{"RoundedDivisionDoesNot",
                "(%x: int64[2]) { %r = aten::div.Scalar_mode(%x, 2, rounding_mode=\"floor\") return %r }", "int64[2]"},
        RuleRow{"FloatPower", "(%x: float32[2]) { %r = aten::float_power.Tensor_Scalar(%x, 2) return %r }",
                "float64[2]"},
        RuleRow{"OnnxPowerHasTheTypeOfTheBase", "(%x: float32[2], %y: int64[]) { %r = onnx::Pow(%x, %y) return %r }",
                "float32[2]"},
        RuleRow{"Shift", "(%x: int32[2]) { %r = aten::__lshift__.Scalar(%x, 1) return %r }", "int32[2]"},
        RuleRow{"NarrowElementsWrapAround",
                "() { %x = aten::full.default([2], 200, dtype=uint8) %r = aten::add.Scalar(%x, 100) %s = "
                "aten::bitwise_not.default(%x) %t = aten::full.default([], -100, dtype=int8) %u = "
                "aten::sub.Scalar(%t, 100) return %r, %s, %u }",
                "uint8[2] = [44, 44]; uint8[2] = [55, 55]; int8[] = [56]"},
        RuleRow{"SquareOfBooleans", "(%x: bool[2, s0]) { %r = aten::square(%x) return %r }", "int64[2, s0]", "0/2*s0"},
        RuleRow{"Clamp", "(%x: int64[2, s0]) { %r = aten::clamp(%x, max=2.5) return %r }", "float32[2, s0]"},
        RuleRow{"ClipWithBounds", "(%x: float32[2, s0], %a: float32[]) { %r = onnx::Clip(%x, none, %a) return %r }",
                "float32[2, s0]"},
        RuleRow{"LinearInterpolation",
                "(%x: float32[2, 1], %y: float32[3]) { %r = aten::lerp.Scalar(%x, %y, 0.5) return %r }",
                "float32[2, 3]", "0/18"},
        RuleRow{"ProductAdded",
                "(%x: float32[2, 1], %y: float32[3], %z: float32[3]) { %r = aten::addcmul(%x, %y, %z) return %r }",
                "float32[2, 3]"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Functions, Arithmetic,
    testing::Values(
        RuleRow{"KeepsTheType", "(%x: float16[2, s0]) { %r = aten::neg(%x) return %r }", "float16[2, s0]", "0/2*s0"},
        RuleRow{"GivesFloats", "(%x: int64[2]) { %r = aten::exp(%x) return %r }", "float32[2]"},
        RuleRow{"OfOnnx", "(%x: float64[2]) { %r = onnx::Sqrt(%x) return %r }", "float64[2]"},
        RuleRow{"InPlace", "(%x: float64[2]) { %r = aten::sqrt_(%x) return %r }", "float64[2]"},
        RuleRow{"FloorKeepsIntegers", "(%x: int64[2]) { %r = aten::floor(%x) return %r }", "int64[2]"},
        RuleRow{"SecondArgument", "(%x: int64[2]) { %r = aten::polygamma(1, %x) return %r }", "float32[2]"},
        RuleRow{"Frexp", "(%x: float64[2]) { %r, %s = aten::frexp.Tensor(%x) return %r, %s }", "float64[2]; int32[2]"},
        RuleRow{"LengthOfComplex", "(%x: complex64[2]) { %r = aten::abs(%x) return %r }", "float32[2]"},
        RuleRow{"PartOfComplex", "(%x: complex128[2]) { %r = aten::imag(%x) return %r }", "float64[2]"},
        RuleRow{"AngleOfIntegers", "(%x: int64[2]) { %r = aten::angle(%x) return %r }", "float32[2]"},
        RuleRow{"ComplexOfTwo", "(%x: float32[2, 1], %y: float32[3]) { %r = aten::complex(%x, %y) return %r }",
                "complex64[2, 3]"}),
    rowName);

// Numbers, and tensors of sizes, are computed.
INSTANTIATE_TEST_SUITE_P(
    Values, Arithmetic,
    testing::Values(
        RuleRow{"Ints", "(%a: int(s0)) { %r = aten::add.int(%a, 2) return %r }", "s0 + 2"},
        RuleRow{"IntAndFloat", "() { %r = aten::mul.int_float(3, 0.5) return %r }", "1.5"},
        RuleRow{"QuotientIsAFloat", "() { %r = aten::div.int(7, 2) return %r }", "3.5"},
        RuleRow{"FloorOfTheQuotient",
                "(%a: int(s0)) { %q = aten::div.int(%a, 2) %r = aten::floor.float(%q) return %r }", "s0//2"},
        RuleRow{"ScaledSize",
                "(%a: int(s0)) { %f = torch::sym_float(a=%a) %m = _operator::mul(a=%f, b=1.5) %r = math::trunc(%m) "
                "return %r }",
                "trunc(tofloat(s0)*1.5)"},
        RuleRow{"FloorDivisionRoundsDown", "() { %r = aten::floordiv.int(-7, 2) return %r }", "-4"},
        RuleRow{"ByZero", "() { %r = aten::floordiv.int(7, 0) return %r }", "!division by zero int"},
        RuleRow{"Overflows", "() { %r = aten::mul.int(9223372036854775807, 2) return %r }", "int"},
        RuleRow{"Modulo", "() { %r = aten::remainder.int(-7, 4) return %r }", "1"},
        RuleRow{"OnnxModulo",
                "() { %a = onnx::Constant(value_ints=[-7, 7]) %b = onnx::Constant(value_int=4) "
                "%p = onnx::Mod(%a, %b) %c = onnx::Mod(%a, %b, fmod=1) return %p, %c }",
                "int64[2] = [1, 3]; int64[2] = [-3, 3]"},
        RuleRow{"OnnxDivisionTruncates",
                "() { %a = onnx::Constant(value_ints=[-7, 7]) %b = onnx::Constant(value_int=2) %r = onnx::Div(%a, %b) "
                "return %r }",
                "int64[2] = [-3, 3]"},
        RuleRow{"PowerOfInts", "() { %r = aten::pow.int_to_int(2, 5) %f = aten::pow.int(2, 5) return %r, %f }",
                "32; 32"},
        RuleRow{"RootOfASquare", "() { %f = aten::pow.int_float(49, 0.5) %r = aten::Int.float(%f) return %r }", "7"},
        RuleRow{"ElementsBroadcast",
                "(%a: int(s0)) { %x = aten::tensor([%a, 3]) %y = aten::tensor([[1], [2]]) "
                "%r = aten::mul.Tensor(%x, %y) return %r }",
                "int64[2, 2] = [s0, 3, 2*s0, 6]"},
        RuleRow{"Alpha",
                "() { %x = aten::tensor([5, 3]) %y = aten::tensor([1, 2]) %r = aten::sub.Tensor(%x, %y, alpha=2) "
                "%s = aten::rsub.Scalar(%x, 7) return %r, %s }",
                "int64[2] = [3, -1]; int64[2] = [2, 4]"},
        RuleRow{"ClampedElements", "() { %x = aten::tensor([-5, 3, 9]) %r = aten::clamp(%x, 0, 4) return %r }",
                "int64[3] = [0, 3, 4]"},
        RuleRow{"FloatsToo", "() { %x = aten::tensor([5, 3]) %r = aten::mul.Scalar(%x, 0.5) return %r }",
                "float32[2] = [2.5, 1.5]"},
        RuleRow{
            "InSinglePrecision",
            "() { %x = onnx::Constant(value_float=0.7) %y = onnx::Constant(value_float=10.0) %m = onnx::Mul(%x, %y) "
            "%r = onnx::Floor(%m) return %r }",
            "float32[] = [7]"},
        RuleRow{"ScaledAndCutSizes",
                "(%a: int(s0)) { %x = aten::tensor([%a, 10]) %f = onnx::Cast(%x, to=1) %c = "
                "onnx::Constant(value_float=0.75) "
                "%m = onnx::Mul(%f, %c) %g = onnx::Floor(%m) %r = onnx::Cast(%g, to=7) return %r }",
                "int64[2] = [floor(s0*0.75), 7]"},
        RuleRow{"FormulasThatRound", "(%a: int(s0)) { %x = aten::tensor(%a) %r = aten::mul.Scalar(%x, 0.7) return %r }",
                "float32[]"},
        RuleRow{"QuotientOfFloats",
                "() { %x = onnx::Constant(value_float=7.0) %y = onnx::Constant(value_float=2.0) %r = onnx::Div(%x, %y) "
                "return %r }",
                "float32[] = [3.5]"},
        RuleRow{"BooleanAnd", "(%a: bool) { %r = aten::__and__.bool(%a, false) return %r }", "false"},
        RuleRow{"Bits", "() { %r = aten::__or__.int(5, 2) %s = aten::__lshift__.int(1, 10) return %r, %s }", "7; 1024"},
        RuleRow{"Negated", "(%a: int(s0)) { %r = _operator::neg(a=%a) return %r }", "-s0"},
        RuleRow{"SumOfSizes", "(%a: int(s0)) { %r = torch::sym_sum([%a, 2, %a]) return %r }", "2*s0 + 2"},
        RuleRow{"RangeLength",
                "() { %r = aten::__range_length(2, 9, 3) %s = aten::__derive_index(2, 2, 3) "
                "return %r, %s }",
                "3; 8"},
        RuleRow{"Backwards", "() { %r = aten::__range_length(9, 2, -3) return %r }", "3"},
        RuleRow{"ListsAreJoined", "() { %r = aten::add.t([1, 2], [3]) return %r }", "[1, 2, 3]"},
        RuleRow{"ListsAreRepeated", "() { %r = aten::mul.left_t([1, 2], 2) return %r }", "[1, 2, 1, 2]"},
        RuleRow{"SquareOfTruths",
                "(%x: bool[3], %y: int8[3]) { %r = aten::square(%x) %s = aten::square(%y) return %r, %s }",
                "int64[3]; int8[3]"},
        RuleRow{
            "ShiftedPolynomial",
            "(%x: int64[3], %n: int64[2, 1]) { %r = aten::special_shifted_chebyshev_polynomial_t(%x, %n) return %r }",
            "float32[2, 3]"},
        RuleRow{"AddRelu", "(%x: float16[3], %y: float32[2, 1]) { %r = aten::_add_relu.Tensor(%x, %y) return %r }",
                "float32[2, 3]"},
        RuleRow{"TextsAreJoined", "() { %r = aten::add.str(\"a\", \"b\") return %r }", "\"ab\""},
        RuleRow{"Divmod", "() { %r, %s = aten::divmod.int(7, 2) return %r, %s }", "3; 1"},
        RuleRow{"DivisionByZero",
                "() { %n = onnx::Constant(value_ints=[8, 4]) %z = onnx::Constant(value_ints=[0, 2]) %r = onnx::Div(%n, "
                "%z) return %r }",
                "!division by zero int64[2] = [?, 2]"},
        RuleRow{"FloatsByZero",
                "() { %n = onnx::Constant(value_floats=[8.0]) %z = onnx::Constant(value_floats=[0.0]) %r = "
                "onnx::Div(%n, %z) return %r }",
                "float32[1]"}),
    rowName);

} // namespace

} // namespace cutaway::test
