// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/tensor.h"

#include <gtest/gtest.h>

namespace cutaway::protocol {

namespace {

struct RefusedTensor {
    const char *label;
    Tensor tensor;
    const char *error;
};

class RefusedTensors : public testing::TestWithParam<RefusedTensor> { };

TEST_P(RefusedTensors, sayWhatIsWrong)
{
    const auto fits = check(GetParam().tensor);
    ASSERT_FALSE(fits);
    EXPECT_EQ(fits.error().text(), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RefusedTensors,
    testing::Values(
        RefusedTensor{
            "TooFewBytes", {ir::DType::Float32, {2}, "1234567"}, "a tensor of 2 float32 elements has 7 bytes"},
        RefusedTensor{"NegativeSize", {ir::DType::Int8, {2, -1}, ""}, "a tensor has the size -1"},
        RefusedTensor{"TooManyElements",
                      {ir::DType::Int8, {std::int64_t{1} << 40, std::int64_t{1} << 40}, ""},
                      "a tensor has more elements than can be"},
        RefusedTensor{
            "HalfAText", {ir::DType::String, {1}, std::string("\5\0\0\0ab", 6)}, "a tensor of texts ends within one"},
        RefusedTensor{
            "TooFewTexts", {ir::DType::String, {2}, std::string("\1\0\0\0a", 5)}, "a tensor of 2 texts has 1"}),
    [](const auto &row) { return row.param.label; });

TEST(Tensors, withoutElementsMayHaveLargeSizes)
{
    EXPECT_TRUE(check({ir::DType::Float32, {0, std::int64_t{1} << 62, 4}, ""}));
}

TEST(Tensors, packElementsSmallerThanAByte)
{
    EXPECT_TRUE(check({ir::DType::Int4, {3}, "ab"}));
    EXPECT_FALSE(check({ir::DType::Int4, {3}, "abc"}));
}

TEST(Tensors, ofTextsComeBack)
{
    const std::vector<std::string> texts{"", "a", std::string("\0\xff", 2), std::string(300, 'x')};
    const Tensor tensor = tensorOf({2, 2}, texts);
    ASSERT_TRUE(check(tensor));
    EXPECT_EQ(textsOf(tensor), texts);
}

class RandomTensors : public testing::TestWithParam<ir::DType> { };

TEST_P(RandomTensors, fitTheirShapeAndSeed)
{
    const auto tensor = randomTensor(GetParam(), {3, 5}, 7);
    ASSERT_TRUE(tensor) << tensor.error().text();
    EXPECT_TRUE(check(*tensor));
    EXPECT_EQ(randomTensor(GetParam(), {3, 5}, 7), tensor);
    EXPECT_NE(randomTensor(GetParam(), {3, 5}, 8), tensor);
}

INSTANTIATE_TEST_SUITE_P(Rows, RandomTensors,
                         testing::Values(ir::DType::Bool, ir::DType::Float16, ir::DType::Float32, ir::DType::Int64,
                                         ir::DType::Int4, ir::DType::Float8E4M3FN, ir::DType::Complex64,
                                         ir::DType::String),
                         [](const auto &row) { return std::string(ir::name(row.param)); });

TEST(RandomTensors, areNotMadeOfBits) { EXPECT_FALSE(randomTensor(ir::DType::Bits8, {2}, 1)); }

} // namespace

} // namespace cutaway::protocol
