// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ops/facts/promotion.h"

#include <array>
#include <gtest/gtest.h>

using namespace cutaway;
using ir::DType;
using enum ir::DType;

namespace {

// torch.promote_types, all of its dtypes against all: a row is an operand, a column the other.
constexpr std::array order{UInt8,   Int8,      Int16,     Int32,      Int64, Float16, Float32,
                           Float64, Complex32, Complex64, Complex128, Bool,  BFloat16};
constexpr std::size_t count = order.size();
constexpr auto u1 = UInt8, i1 = Int8, i2 = Int16, i4 = Int32, i8 = Int64, f2 = Float16, f4 = Float32, f8 = Float64,
               c2 = Complex32, c4 = Complex64, c8 = Complex128, b1 = Bool, bf = BFloat16;
constexpr DType documented[count][count] = {
    {u1, i2, i2, i4, i8, f2, f4, f8, c2, c4, c8, u1, bf}, // u1
    {i2, i1, i2, i4, i8, f2, f4, f8, c2, c4, c8, i1, bf}, // i1
    {i2, i2, i2, i4, i8, f2, f4, f8, c2, c4, c8, i2, bf}, // i2
    {i4, i4, i4, i4, i8, f2, f4, f8, c2, c4, c8, i4, bf}, // i4
    {i8, i8, i8, i8, i8, f2, f4, f8, c2, c4, c8, i8, bf}, // i8
    {f2, f2, f2, f2, f2, f2, f4, f8, c2, c4, c8, f2, f4}, // f2
    {f4, f4, f4, f4, f4, f4, f4, f8, c4, c4, c8, f4, f4}, // f4
    {f8, f8, f8, f8, f8, f8, f8, f8, c8, c8, c8, f8, f8}, // f8
    {c2, c2, c2, c2, c2, c2, c4, c8, c2, c4, c8, c2, c4}, // c2
    {c4, c4, c4, c4, c4, c4, c4, c8, c4, c4, c8, c4, c4}, // c4
    {c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8}, // c8
    {u1, i1, i2, i4, i8, f2, f4, f8, c2, c4, c8, b1, bf}, // b1
    {bf, bf, bf, bf, bf, f4, f4, f8, c4, c4, c8, bf, bf}, // bf
};

TEST(Promote, agreesWithPyTorchsTable)
{
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j)
            EXPECT_EQ(ir::name(ops::promote(order[i], order[j])), ir::name(documented[i][j]))
                << ir::name(order[i]) << " with " << ir::name(order[j]);
}

TEST(Promote, takesUnsignedIntegersToFloats)
{
    for (const DType integer : {UInt16, UInt32, UInt64}) {
        EXPECT_EQ(ops::promote(integer, Float16), Float16);
        EXPECT_EQ(ops::promote(BFloat16, integer), BFloat16);
    }
}

// For two dtypes of one width that PyTorch does not promote, either result is accepted.
TEST(Promote, isCommutativeForEveryDType)
{
    for (int i = 0; i < ir::dtypeCount; ++i)
        for (int j = 0; j < ir::dtypeCount; ++j) {
            const auto a = static_cast<DType>(i), b = static_cast<DType>(j);
            if (ir::bitWidth(a) != ir::bitWidth(b)) {
                EXPECT_EQ(ops::promote(a, b), ops::promote(b, a)) << ir::name(a) << " with " << ir::name(b);
            }
        }
}

struct ResultTypeRow {
    const char *name;
    std::vector<ops::Fact> arguments;
    std::optional<DType> expected;
};

ops::Fact matrix(DType dtype) { return ops::tensorFact(dtype, ir::Shape{std::int64_t{2}, std::int64_t{3}}); }
ops::Fact scalar(DType dtype) { return ops::tensorFact(dtype, ir::Shape{}); }
ops::Fact complexNumber() { return ops::NumberFact{ops::NumberFact::Kind::Complex, {}}; }

class ResultType : public testing::TestWithParam<ResultTypeRow> { };

TEST_P(ResultType, isPyTorchs)
{
    std::vector<const ops::Fact *> arguments;
    for (const ops::Fact &fact : GetParam().arguments)
        arguments.push_back(&fact);
    EXPECT_EQ(ops::resultType(arguments), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Operands, ResultType,
    testing::Values(ResultTypeRow{"TwoTensors", {matrix(Float16), matrix(Float32)}, Float32},
                    ResultTypeRow{"HalfAndBfloat", {matrix(Float16), matrix(BFloat16)}, Float32},
                    ResultTypeRow{"ByteAndChar", {matrix(UInt8), matrix(Int8)}, Int16},
                    ResultTypeRow{"ScalarTensorIsWeaker", {matrix(Float16), scalar(Float64)}, Float16},
                    ResultTypeRow{"ScalarTensorOfHigherCategory", {matrix(Int32), scalar(Float16)}, Float16},
                    ResultTypeRow{"TwoScalarTensors", {scalar(Float16), scalar(Float64)}, Float64},
                    ResultTypeRow{"IntNumberKeepsIntegers", {matrix(UInt8), ops::intFact(300)}, UInt8},
                    ResultTypeRow{"IntNumberLiftsBooleans", {matrix(Bool), ops::intFact(1)}, Int64},
                    ResultTypeRow{"BoolNumberLiftsNothing", {matrix(UInt8), ops::boolFact(true)}, UInt8},
                    ResultTypeRow{"FloatNumberLiftsIntegers", {matrix(Int64), ops::floatFact(0.5)}, Float32},
                    ResultTypeRow{"FloatNumberKeepsDouble", {matrix(Float64), ops::floatFact(0.5)}, Float64},
                    ResultTypeRow{"FloatNumberKeepsHalf", {matrix(Float16), ops::floatFact(0.5)}, Float16},
                    ResultTypeRow{"FloatNumberWithIntegerScalar", {scalar(Int64), ops::floatFact(0.5)}, Float32},
                    ResultTypeRow{"NumberIsWeakerThanScalar", {scalar(Float64), ops::floatFact(0.5)}, Float64},
                    ResultTypeRow{"ComplexNumberTakesTheWidth", {matrix(Float64), complexNumber()}, Complex128},
                    ResultTypeRow{"ComplexNumberOfHalf", {matrix(Float16), complexNumber()}, Complex32},
                    ResultTypeRow{"ComplexNumberOfIntegers", {matrix(Int16), complexNumber()}, Complex64},
                    ResultTypeRow{"OnlyNumbers", {ops::intFact(1), ops::floatFact(1.0)}, Float32},
                    ResultTypeRow{"NoneIsSkipped", {matrix(Int8), ops::NoneFact{}}, Int8},
                    ResultTypeRow{"UnknownDType", {matrix(Int8), ops::tensorFact({}, ir::Shape{})}, std::nullopt},
                    ResultTypeRow{"UnknownValue", {matrix(Int8), ops::AnyFact{}}, std::nullopt},
                    ResultTypeRow{
                        "UnknownRankCountsAsDimensions", {ops::tensorFact(Float16), scalar(Float64)}, Float16}),
    [](const auto &row) { return std::string(row.param.name); });

TEST(FloatType, isTheDefaultForIntegersAlone)
{
    EXPECT_EQ(ops::floatType(Int64), Float32);
    EXPECT_EQ(ops::floatType(Bool), Float32);
    EXPECT_EQ(ops::floatType(BFloat16), BFloat16);
    EXPECT_EQ(ops::floatType(Complex64), Complex64);
}

TEST(RealType, isHalfAsWideAsAComplexNumber)
{
    EXPECT_EQ(ops::realType(Complex32), Float16);
    EXPECT_EQ(ops::realType(Complex64), Float32);
    EXPECT_EQ(ops::realType(Complex128), Float64);
    EXPECT_EQ(ops::realType(Float16), Float16);
}

} // namespace
