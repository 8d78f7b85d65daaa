// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/drawing/colour_scale.h"
#include "core/drawing/data_tints.h"

#include <gtest/gtest.h>

using namespace cutaway;
using drawing::Rgb;
using drawing::Scale;

namespace {

int distance(Rgb a, Rgb b) { return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b); }

class ColourScale : public testing::TestWithParam<bool> {
protected:
    const drawing::Palette &palette() const { return GetParam() ? drawing::darkPalette() : drawing::lightPalette(); }
};

TEST_P(ColourScale, aroundZeroIsNearTheBackgroundInTheMiddle)
{
    const Scale scale{-4, 4, Scale::Kind::AroundZero};
    const auto colour = [&](double number) { return scale.colour(scale.share(number), GetParam()); };
    EXPECT_LT(distance(colour(0), palette().canvas), 60);
    EXPECT_GT(colour(-4).b, colour(-4).r);
    EXPECT_GT(colour(4).r, colour(4).b);
    for (const double number : {1.0, 2.0, 3.0}) {
        EXPECT_LT(distance(colour(0), colour(number)), distance(colour(0), colour(number + 1)));
        EXPECT_LT(distance(colour(0), colour(-number)), distance(colour(0), colour(-number - 1)));
    }
}

TEST_P(ColourScale, thatHasOnlyZerosIsAtItsBeginning)
{
    EXPECT_EQ(Scale{}.share(0), 0);
    const Scale alike{3, 3};
    EXPECT_EQ(alike.share(3), 1);
}

INSTANTIATE_TEST_SUITE_P(Themes, ColourScale, testing::Bool());

} // namespace
