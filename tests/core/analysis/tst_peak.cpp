// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/sizes/peak.h"

#include <gtest/gtest.h>

namespace cutaway::analysis {
namespace {

ir::Dim formula(const char *text) { return symbolic::parse(text).value(); }

std::string peakOf(const std::vector<ir::Dim> &steps)
{
    Products products;
    Peak peak;
    for (std::size_t i = 0; i < steps.size(); ++i)
        peak.offer(i, *products.termsOf(steps[i]));
    return ir::print(peak.bytes(products)) + (peak.step() ? " at " + std::to_string(*peak.step()) : "");
}

TEST(Peak, IsTheStepThatNoOtherOneOutdoes)
{
    EXPECT_EQ(peakOf({formula("4*s0"), formula("4*s0*s1 + 8*s0"), formula("8*s0")}),
              ir::print(formula("4*s0*s1 + 8*s0")) + " at 1");
    EXPECT_EQ(peakOf({std::int64_t{12}, std::int64_t{40}}), "40 at 1");
}

TEST(Peak, IsAMaximumOfStepsWhereSymbolsDecide)
{
    EXPECT_EQ(peakOf({formula("4*s0"), formula("8*s1")}), ir::print(formula("max(4*s0, 8*s1)")));
}

TEST(Peak, HasNoTermsOfAnUnknownSize)
{
    Products products;
    EXPECT_EQ(products.termsOf(ir::UnknownDim{}), nullptr);
}

} // namespace
} // namespace cutaway::analysis
