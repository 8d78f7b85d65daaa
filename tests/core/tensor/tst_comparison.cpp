// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/comparison.h"

#include "core/base/formatted.h"
#include "core/tensor/values.h"
#include "tests/core/tensor/one_tensor.h"

#include <cmath>
#include <gtest/gtest.h>

namespace cutaway::tensor {
namespace {

using enum ir::DType;

std::string compared(const ir::Model &a, const ir::Model &b)
{
    const auto result = compare(Values::of(a, theTensor).value(), Values::of(b, theTensor).value());
    if (!result)
        return result.error().text();
    if (!result->firstDifference)
        return formatted("{} same", result->elements);
    return formatted("{} of {} from {}, {} at {}, {} at {}", result->differing, result->elements,
                     *result->firstDifference, result->maxAbsolute, result->maxAbsoluteAt, result->maxRelative,
                     result->maxRelativeAt);
}

TEST(TensorComparison, countsWhatDiffers)
{
    const ir::Model a = oneTensor<float>(Float32, {2, 2}, {1, 2, 100, 4}),
                    b = oneTensor<float>(Float32, {2, 2}, {1, 3, 110, 4});
    EXPECT_EQ(compared(a, b), formatted("2 of 4 from 1, 10 at 2, {} at 1", 1.0 / 3));
    EXPECT_EQ(compared(a, a), "4 same");
}

TEST(TensorComparison, takesTwoDTypes)
{
    EXPECT_EQ(compared(oneTensor<float>(Float32, {2}, {1, 2}), oneTensor<std::int64_t>(Int64, {2}, {1, 2})), "2 same");
}

TEST(TensorComparison, ofNumbersThatAreNone)
{
    EXPECT_EQ(compared(oneTensor<float>(Float32, {3}, {NAN, 0.0f, INFINITY}),
                       oneTensor<float>(Float32, {3}, {NAN, -0.0f, INFINITY})),
              "3 same");
    EXPECT_EQ(compared(oneTensor<float>(Float32, {2}, {0, NAN}), oneTensor<float>(Float32, {2}, {0, 1})),
              "1 of 2 from 1, inf at 1, 2 at 1");
    EXPECT_EQ(compared(oneTensor<float>(Float32, {1}, {INFINITY}), oneTensor<float>(Float32, {1}, {-INFINITY})),
              "1 of 1 from 0, inf at 0, 2 at 0");
}

TEST(TensorComparison, isExactForLargeIntegers)
{
    const std::int64_t large = std::int64_t{1} << 60;
    EXPECT_EQ(
        compared(oneTensor<std::int64_t>(Int64, {2}, {large, 1}), oneTensor<std::int64_t>(Int64, {2}, {large + 1, 1})),
        "1 of 2 from 0, 0 at 0, 0 at 0");
}

TEST(TensorComparison, ofComplexElementsLooksAtBothParts)
{
    EXPECT_EQ(compared(oneTensor<float>(Complex64, {2}, {1, 2, 3, 4}), oneTensor<float>(Complex64, {2}, {1, 2, 3, 8})),
              "1 of 2 from 1, 4 at 1, 0.5 at 1");
}

TEST(TensorComparison, refusesOtherShapes)
{
    EXPECT_EQ(compared(oneTensor<float>(Float32, {2}, {1, 2}), oneTensor<float>(Float32, {1, 2}, {1, 2})),
              "tensors of shapes [2] and [1, 2] are not compared");
    EXPECT_EQ(compared(oneTensor<float>(Float32, {1}, {1}), oneTensor<float>(Complex64, {1}, {1, 0})),
              "complex numbers are not compared with real ones");
}

TEST(TensorComparison, ofQuantizedElementsIsOfWhatTheyStandFor)
{
    const ir::Model model = oneTensor(UInt8, {2}, "ab");
    const auto of = [&](double scale) {
        return Values(Elements::of(model, theTensor).value(), Quantization{.scales = {scale}, .zeroPoints = {97}});
    };
    EXPECT_EQ(compare(of(0.5), of(0.5))->differing, 0u);
    EXPECT_EQ(compare(of(0.5), of(2))->maxAbsolute, 1.5);
}

std::string differences(const ir::Model &a, const ir::Model &b)
{
    const auto difference = Values::of(a, theTensor).value().minus(Values::of(b, theTensor).value());
    if (!difference)
        return difference.error().text();
    std::vector<double> numbers(static_cast<std::size_t>(difference->elements().count()));
    difference->read(0, numbers);
    std::string text;
    for (const double number : numbers)
        text += formatted("{} ", number);
    return text;
}

TEST(TensorDifferences, areNumbersOfTwoDTypes)
{
    EXPECT_EQ(differences(oneTensor<float>(Float32, {2}, {1, 2.5}), oneTensor<std::int64_t>(Int64, {2}, {3, 2})),
              "-2 0.5 ");
}

TEST(TensorDifferences, ofNumbersThatAreNone)
{
    EXPECT_EQ(differences(oneTensor<float>(Float32, {3}, {NAN, INFINITY, INFINITY}),
                          oneTensor<float>(Float32, {3}, {NAN, INFINITY, 1})),
              "0 0 inf ");
}

TEST(TensorDifferences, ofOtherShapesAreRefused)
{
    EXPECT_EQ(differences(oneTensor<float>(Float32, {2}, {1, 2}), oneTensor<float>(Float32, {1, 2}, {1, 2})),
              "tensors of shapes [2] and [1, 2] are not compared");
}

} // namespace
} // namespace cutaway::tensor
