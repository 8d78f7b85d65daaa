// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/float_values.h"

#include <cmath>
#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

using Values = std::optional<std::vector<std::optional<double>>>;

TEST(FloatValues, areThoseOfListsTensorsAndNumbers)
{
    EXPECT_EQ(ops::floatValues(ops::floatFact(1.5)), Values({1.5}));
    EXPECT_EQ(ops::floatValues(ops::listFact({ops::floatFact(1.5), ops::intFact(std::int64_t{2})})),
              Values({1.5, 2.0}));
    EXPECT_EQ(ops::floatValues(ops::vectorTensor(ir::DType::Int64, {std::int64_t{3}, std::int64_t{4}})),
              Values({3.0, 4.0}));
}

TEST(FloatValues, areEmptyWhereOneIsNotKnown)
{
    EXPECT_EQ(ops::floatValues(ops::listFact({ops::floatFact(), ops::floatFact(2.0)})), Values({std::nullopt, 2.0}));
    EXPECT_EQ(ops::floatValues(ops::vectorTensor(ir::DType::Int64, {ir::UnknownDim{}})),
              Values(std::vector{std::optional<double>()}));
}

TEST(FloatValues, areNoneWhereTheirNumberIsNotKnown)
{
    EXPECT_EQ(ops::floatValues(ops::tensorFact(ir::DType::Float32)), std::nullopt);
    EXPECT_EQ(ops::floatValues(ops::Fact(ops::TextFact{"text"})), std::nullopt);
}

TEST(OrderedFloatValues, needEveryNumber)
{
    using Ordered = std::optional<std::vector<double>>;
    EXPECT_EQ(ops::orderedFloatValues(ops::listFact({ops::floatFact(2.0), ops::floatFact(-1.0)})),
              Ordered({2.0, -1.0}));
    EXPECT_EQ(ops::orderedFloatValues(ops::listFact({ops::floatFact(2.0), ops::floatFact()})), std::nullopt);
    EXPECT_EQ(ops::orderedFloatValues(ops::floatFact(std::nan(""))), std::nullopt);
}

} // namespace
} // namespace cutaway::test
