// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/dim_sum.h"

#include "core/ops/facts/dim_arithmetic.h"

#include <gtest/gtest.h>
#include <limits>

namespace cutaway::ops {
namespace {

using symbolic::Expr;

std::string totalOf(const std::vector<ir::Dim> &dims)
{
    DimSum sum;
    for (const ir::Dim &dim : dims)
        sum.add(dim);
    return ir::print(sum.total());
}

ir::Dim size(const std::string &text) { return *symbolic::parse(text); }

TEST(DimSum, isThatOfAllOfThem)
{
    EXPECT_EQ(totalOf({}), "0");
    EXPECT_EQ(totalOf({std::int64_t{2}, std::int64_t{3}}), "5");
    EXPECT_EQ(totalOf({size("4*s0"), std::int64_t{7}, size("4*s0"), size("s0*s1"), size("4*s0")}), "12*s0 + s0*s1 + 7");
}

TEST(DimSum, isUnknownOnceOneIsOrItDoesNotFit)
{
    EXPECT_EQ(totalOf({size("s0"), ir::UnknownDim{}, std::int64_t{1}}), "?");
    EXPECT_EQ(totalOf({std::numeric_limits<std::int64_t>::max(), std::int64_t{1}}), "?");
}

TEST(DimSum, manyDifferentFormulasAreThePlainSum)
{
    DimSum sum;
    ir::Dim plain = std::int64_t{0};
    for (std::int64_t i = 1; i <= 300; ++i) {
        const ir::Dim dim = times(size("s0"), i);
        sum.add(dim);
        plain = plus(plain, dim);
    }
    EXPECT_EQ(ir::print(sum.total()), ir::print(plain));
}

TEST(DimSum, ofSumsIsTheSum)
{
    DimSum a, b;
    a.add(size("s0"));
    a.add(size("s0"));
    a.add(std::int64_t{1});
    b.add(size("s0"));
    b.add(a);
    EXPECT_EQ(ir::print(b.total()), "3*s0 + 1");
}

TEST(DimTotals, areThoseOfTheirSumsAndShareEqualFormulas)
{
    const auto sumOf = [](const std::vector<ir::Dim> &dims) {
        DimSum sum;
        for (const ir::Dim &dim : dims)
            sum.add(dim);
        return sum;
    };
    const auto identityOf = [](const ir::Dim &dim) { return std::get<symbolic::Expr>(dim).identity(); };
    DimTotals totals;
    const ir::Dim first = totals.of(sumOf({size("s0"), size("s0"), std::int64_t{1}}));
    const ir::Dim same = totals.of(sumOf({size("s0"), std::int64_t{1}, size("s0")}));
    const ir::Dim equal = totals.of(sumOf({size("2*s0"), std::int64_t{1}}));
    const ir::Dim other = totals.of(sumOf({size("2*s0"), std::int64_t{2}}));
    EXPECT_EQ(ir::print(first), "2*s0 + 1");
    EXPECT_EQ(identityOf(same), identityOf(first));
    EXPECT_EQ(identityOf(equal), identityOf(first));
    EXPECT_EQ(ir::print(other), "2*s0 + 2");
    EXPECT_EQ(ir::print(totals.of(sumOf({std::int64_t{3}}))), "3");
    EXPECT_EQ(ir::print(totals.of(sumOf({size("s0"), ir::UnknownDim{}}))), "?");
}

} // namespace
} // namespace cutaway::ops
