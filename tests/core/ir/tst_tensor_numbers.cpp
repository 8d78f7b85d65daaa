// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/context.h"
#include "core/ir/model.h"
#include "core/ir/tensors/random_numbers.h"
#include "core/ir/tensors/small_float.h"
#include "core/ir/tensors/tensor_numbers.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace cutaway::ir {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct RoundedRow {
    std::string name;
    DType dtype;
    double given, expected;
};

class Rounded : public ::testing::TestWithParam<RoundedRow> { };

TEST_P(Rounded, isTheNearestNumberOfTheDType)
{
    EXPECT_EQ(rounded(GetParam().dtype, GetParam().given), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(TensorNumbers, Rounded,
                         ::testing::Values(RoundedRow{"half", DType::Float16, 0.1, 0.0999755859375},
                                           RoundedRow{"tieToEvenBelow", DType::Float16, 2049, 2048},
                                           RoundedRow{"tieToEvenAbove", DType::Float16, 2051, 2052},
                                           RoundedRow{"carriesIntoTheExponent", DType::Float16, 2047.9, 2048},
                                           RoundedRow{"largest", DType::Float16, 65519, 65504},
                                           RoundedRow{"tooLarge", DType::Float16, 65520, infinity},
                                           RoundedRow{"subnormal", DType::Float16, -0x1.8p-24, -0x1p-23},
                                           RoundedRow{"tooSmall", DType::Float16, 0x1p-25, 0},
                                           RoundedRow{"brain", DType::BFloat16, 1.01, 1.0078125},
                                           RoundedRow{"single", DType::Float32, 0.1, 0x1.99999ap-4},
                                           RoundedRow{"largestOfFourBits", DType::Float4E2M1FN, 100, 6},
                                           RoundedRow{"doubles", DType::Float64, 0.1, 0.1}),
                         [](const ::testing::TestParamInfo<RoundedRow> &row) { return row.param.name; });

TEST(TensorNumbers, haveNoInfinityWhereTheFormatHasNone)
{
    EXPECT_TRUE(std::isnan(rounded(DType::Float8E4M3FN, 1e6)));
    EXPECT_TRUE(std::isnan(rounded(DType::Float8E4M3FNUZ, infinity)));
    EXPECT_FALSE(std::signbit(rounded(DType::Float8E5M2FNUZ, -0.0)));
    EXPECT_TRUE(std::signbit(rounded(DType::Float16, -0.0)));
}

TEST(TensorNumbers, everyPatternOfASmallFormatComesBack)
{
    for (const DType dtype : {DType::Float8E5M2, DType::Float8E4M3FN, DType::Float8E5M2FNUZ, DType::Float8E4M3FNUZ}) {
        const SmallFloat format = *smallFloat(dtype);
        for (std::uint32_t pattern = 0; pattern < 256; ++pattern)
            if (const double x = decode(format, pattern); !std::isnan(x)) {
                EXPECT_EQ(encode(format, x), pattern) << name(dtype);
            }
    }
    for (std::uint32_t pattern = 0; pattern < 65536; ++pattern)
        if (const double x = decode(halfPrecision, pattern); !std::isnan(x)) {
            EXPECT_EQ(encode(halfPrecision, x), pattern);
        }
}

TEST(TensorNumbers, haveALargestOneAndAStepFromOne)
{
    EXPECT_EQ(floatLimits(DType::Float16)->largest, 65504);
    EXPECT_EQ(floatLimits(DType::Float16)->epsilon, 0x1p-10);
    EXPECT_EQ(floatLimits(DType::BFloat16)->largest, 0x1.FEp127);
    EXPECT_EQ(floatLimits(DType::BFloat16)->epsilon, 0x1p-7);
    EXPECT_EQ(floatLimits(DType::Float32)->largest, std::numeric_limits<float>::max());
    EXPECT_EQ(floatLimits(DType::Float64)->epsilon, 0x1p-52);
    EXPECT_FALSE(floatLimits(DType::Int8));
}

TEST(TensorNumbers, wrapAsTheDTypeHasBits)
{
    EXPECT_EQ(wrapped(DType::Int8, 200), -56);
    EXPECT_EQ(wrapped(DType::UInt8, -1), 255);
    EXPECT_EQ(wrapped(DType::Int4, 9), -7);
    EXPECT_EQ(wrapped(DType::Bool, 2), 1);
    EXPECT_EQ(wrapped(DType::Int64, std::numeric_limits<std::int64_t>::min()),
              std::numeric_limits<std::int64_t>::min());
}

TEST(TensorNumbers, becomeBytesAndComeBack)
{
    const Numbers whole = std::vector<std::int64_t>{-8, 7, 0, -1, 3};
    for (const DType dtype : {DType::Int4, DType::Int8, DType::Int16, DType::Int32, DType::Int64})
        EXPECT_EQ(decodeNumbers(dtype, encodeNumbers(dtype, whole), 5), whole) << name(dtype);
    const Numbers real = std::vector<double>{-1.5, 0, 0.25, 96};
    for (const DType dtype : {DType::Float8E5M2, DType::Float16, DType::BFloat16, DType::Float32, DType::Float64})
        EXPECT_EQ(decodeNumbers(dtype, encodeNumbers(dtype, real), 4), real) << name(dtype);
}

Model modelOf(Tensor tensor, std::vector<std::byte> bytes)
{
    Model model;
    const auto length = static_cast<std::uint64_t>(bytes.size());
    model.storages.push_back({InlineBytes{std::make_shared<const std::vector<std::byte>>(std::move(bytes))}, length});
    model.tensors.push_back(std::move(tensor));
    return model;
}

TEST(TensorNumbers, areReadInTheOrderOfTheirStrides)
{
    Tensor tensor;
    tensor.dtype = DType::Float32;
    tensor.shape = {2, 2};
    tensor.strides = std::vector<std::int64_t>{1, 2};
    const Model model = modelOf(tensor, encodeNumbers(DType::Float32, std::vector<double>{1, 2, 3, 4}));
    EXPECT_EQ(numbersOf(model, TensorId{0}), (Numbers(std::vector<double>{1, 3, 2, 4})));
}

TEST(TensorNumbers, areNotReadOfComplexTensorsAndShortOnes)
{
    Tensor tensor;
    tensor.dtype = DType::Complex64;
    tensor.shape = {1};
    const auto complex = numbersOf(modelOf(tensor, std::vector<std::byte>(8)), TensorId{0});
    ASSERT_FALSE(complex);
    EXPECT_TRUE(complex.error().message.contains("complex64")) << complex.error().text();
    tensor.dtype = DType::Int32;
    EXPECT_FALSE(numbersOf(modelOf(tensor, std::vector<std::byte>(3)), TensorId{0}));
}

TEST(RandomNumbers, areThoseOfTheMersenneTwister)
{
    // Its first outputs for seed 5489 are known: 3499211612, 581869302, 3890346734.
    constexpr double half = 2147483648.0;
    EXPECT_EQ(randomNumbers(DType::Float64, 3, 5489),
              Numbers(std::vector<double>{3499211612 / half - 1, 581869302 / half - 1, 3890346734 / half - 1}));
    EXPECT_EQ(randomNumbers(DType::Int64, 3, 5489), Numbers(std::vector<std::int64_t>{1, 0, 1}));
    EXPECT_NE(randomNumbers(DType::Float32, 3, 1), randomNumbers(DType::Float32, 3, 2));
}

TEST(RandomNumbers, coverTheDTypeOfImagesAndQuantizedTensors)
{
    const auto range = [](DType dtype) {
        const Numbers numbers = randomNumbers(dtype, 10'000, 1);
        const auto [least, most] = std::ranges::minmax(std::get<std::vector<std::int64_t>>(numbers));
        return std::pair(least, most);
    };
    EXPECT_EQ(range(DType::UInt8), std::pair(std::int64_t{0}, std::int64_t{255}));
    EXPECT_EQ(range(DType::Int8), std::pair(std::int64_t{-128}, std::int64_t{127}));
    EXPECT_EQ(range(DType::Int32), std::pair(std::int64_t{0}, std::int64_t{1}));
}

TEST(RandomNumbers, areOfTheRange)
{
    EXPECT_EQ(randomNumbers(DType::Float64, 1, 5489, NumberRange{2, 6}),
              Numbers(std::vector<double>{2 + 3499211612 / 1073741824.0}));
    const Numbers indices = randomNumbers(DType::Int64, 1000, 1, NumberRange{3, 7});
    const auto &all = std::get<std::vector<std::int64_t>>(indices);
    EXPECT_EQ(std::set(all.begin(), all.end()), (std::set<std::int64_t>{3, 4, 5, 6, 7}));
    const auto only = [](std::int64_t x) { return Numbers(std::vector<std::int64_t>{x}); };
    EXPECT_EQ(randomNumbers(DType::Int8, 1, 1, NumberRange{1000, 2000}), only(127));
    EXPECT_EQ(randomNumbers(DType::UInt8, 1, 1, NumberRange{-8, -2}), only(0));
    EXPECT_EQ(randomNumbers(DType::Int32, 1, 1, NumberRange{0.25, 0.75}), only(1));
    EXPECT_EQ(randomNumbers(DType::Bool, 2, 5489, NumberRange{5, 9}), Numbers(std::vector<std::int64_t>{1, 0}));
}

} // namespace
} // namespace cutaway::ir
