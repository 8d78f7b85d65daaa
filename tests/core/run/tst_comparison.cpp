// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/array.h"
#include "core/run/comparison.h"
#include "core/tensor/numbers.h"

#include <gtest/gtest.h>
#include <limits>

namespace cutaway::run {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

protocol::Tensor floats(const std::vector<double> &numbers, ir::DType dtype = ir::DType::Float64)
{
    return tensor::tensorOf(compute::Array{dtype, {static_cast<std::int64_t>(numbers.size())}, numbers});
}

struct DistanceRow {
    const char *label;
    std::vector<double> a, b;
    Distance expected;
};

class Distances : public testing::TestWithParam<DistanceRow> { };

TEST_P(Distances, tellHowFarElementsAre)
{
    const auto found = distance(floats(GetParam().a), floats(GetParam().b), {0.01, 0.001});
    ASSERT_TRUE(found);
    EXPECT_DOUBLE_EQ(found->maxAbsolute, GetParam().expected.maxAbsolute);
    EXPECT_DOUBLE_EQ(found->maxRelative, GetParam().expected.maxRelative);
    EXPECT_EQ(found->outside, GetParam().expected.outside);
    EXPECT_EQ(found->elements, GetParam().expected.elements);
    if (!std::isnan(GetParam().expected.cosine)) {
        EXPECT_NEAR(found->cosine, GetParam().expected.cosine, 1e-12);
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, Distances,
                         testing::Values(DistanceRow{"Same", {1, -2}, {1, -2}, {0, 0, 1, 0, 2}},
                                         DistanceRow{"Empty", {}, {}, {0, 0, 1, 0, 0}},
                                         DistanceRow{"WithinTheRelative", {100}, {101}, {1, 1 / 101.0, 1, 0, 1}},
                                         DistanceRow{"OutsideTheRelative", {100}, {102}, {2, 2 / 102.0, 1, 1, 1}},
                                         DistanceRow{"WithinTheAbsolute", {0}, {0.001}, {0.001, 1, 0, 0, 1}},
                                         DistanceRow{"OutsideTheAbsolute", {0}, {0.002}, {0.002, 1, 0, 1, 1}},
                                         DistanceRow{"OtherSign", {3}, {-3}, {6, 2, -1, 1, 1}},
                                         DistanceRow{"RightAngle", {1, 0}, {0, 1}, {1, 1, 0, 2, 2}},
                                         DistanceRow{"HugeNumbers", {1e300, 1e300}, {1e300, 1e300}, {0, 0, 1, 0, 2}},
                                         DistanceRow{"NoNumberOnBothSides", {nan, inf}, {nan, inf}, {0, 0, nan, 0, 2}},
                                         DistanceRow{"NoNumberOnOneSide", {nan}, {1}, {inf, inf, nan, 1, 1}},
                                         DistanceRow{"InfiniteOnOneSide", {inf}, {1}, {inf, inf, nan, 1, 1}},
                                         DistanceRow{"OtherInfinity", {inf}, {-inf}, {inf, inf, nan, 1, 1}}),
                         [](const auto &row) { return row.param.label; });

TEST(Distances, areOfNumbersOfAnyDtype)
{
    const auto half = distance(floats({1, 2}, ir::DType::Float16), floats({1, 2}, ir::DType::Float32), {});
    ASSERT_TRUE(half);
    EXPECT_EQ(half->outside, 0);
}

TEST(Distances, ofTextsAreThoseOfTheElements)
{
    const std::vector<std::string> a{"x", "y"}, b{"x", "z"};
    const auto found = distance(protocol::tensorOf({2}, a), protocol::tensorOf({2}, b), {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->outside, 1);
    EXPECT_EQ(found->maxAbsolute, inf);
}

TEST(Distances, needOneShape)
{
    protocol::Tensor a = floats({1, 2, 3, 4}), b = a;
    b.shape = {2, 2};
    EXPECT_FALSE(distance(a, b, {}));
    EXPECT_FALSE(distance(a, protocol::tensorOf({4}, std::vector<std::string>(4)), {}));
}

Outcome outcome(const std::vector<std::pair<std::string, double>> &results)
{
    Outcome outcome;
    for (const auto &[name, x] : results)
        outcome.outputs.push_back({name, floats({x})});
    return outcome;
}

TEST(Comparisons, areByNameWhereAllAreThere)
{
    const auto all = compare(outcome({{"x", 1}, {"y", 2}}), outcome({{"y", 2}, {"x", 1}}), {});
    ASSERT_EQ(all.size(), 2u);
    EXPECT_TRUE(all[0].agrees());
    EXPECT_TRUE(all[1].agrees());
    EXPECT_EQ(all[0].b, "x");
}

TEST(Comparisons, areByPositionElse)
{
    const auto all = compare(outcome({{"x", 1}, {"y", 2}}), outcome({{"p", 1}, {"q", 3}}), {});
    ASSERT_EQ(all.size(), 2u);
    EXPECT_TRUE(all[0].agrees());
    EXPECT_FALSE(all[1].agrees());
    EXPECT_EQ(all[1].b, "q");
}

TEST(Comparisons, nameWhatOnlyOneHas)
{
    const auto fewer = compare(outcome({{"x", 1}, {"y", 2}}), outcome({{"x", 1}}), {});
    ASSERT_EQ(fewer.size(), 2u);
    EXPECT_FALSE(fewer[1].agrees());
    EXPECT_NE(fewer[1].reason, "");
    const auto more = compare(outcome({{"x", 1}}), outcome({{"y", 2}, {"x", 1}}), {});
    ASSERT_EQ(more.size(), 2u);
    EXPECT_EQ(more[1].b, "y");
}

TEST(Comparisons, sayWhyThereIsNone)
{
    const Compared compared = compare({"s", Opaque{"sequence of 2"}}, {"s", floats({1})}, {});
    EXPECT_FALSE(compared.agrees());
    EXPECT_EQ(compared.reason, "sequence of 2 and float64[1] are not comparable");
}

} // namespace

} // namespace cutaway::run
