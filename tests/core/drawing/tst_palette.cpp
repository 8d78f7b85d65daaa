// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/drawing/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>

using namespace cutaway;
using drawing::Palette;
using drawing::Rgb;

namespace {

/// Relative luminance and contrast as the Web Content Accessibility Guidelines define them.
double luminance(drawing::Rgb c)
{
    const auto linear = [](std::uint8_t v) {
        const double s = v / 255.0;
        return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

double contrast(drawing::Rgb a, drawing::Rgb b)
{
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

class PaletteContrast : public testing::TestWithParam<bool> {
protected:
    const drawing::Palette &palette() const { return GetParam() ? drawing::darkPalette() : drawing::lightPalette(); }
};

TEST_P(PaletteContrast, textIsReadableOnEveryGround)
{
    const drawing::Palette &p = palette();
    std::vector<drawing::Rgb> grounds{p.canvas, p.card, p.input};
    for (int depth = 0; depth < 8; ++depth)
        grounds.push_back(p.moduleFill(depth));
    for (const drawing::Rgb ground : grounds)
        for (const drawing::Rgb text : {p.text, p.mutedText, p.edgeLabel})
            EXPECT_GE(contrast(text, ground), 4.5);
}

TEST_P(PaletteContrast, categoriesDifferFromEachOther)
{
    for (int i = 0; i < ops::categoryCount; ++i)
        for (int k = 0; k < i; ++k)
            EXPECT_NE(palette().category(static_cast<ops::Category>(i)),
                      palette().category(static_cast<ops::Category>(k)))
                << i << " and " << k;
}

TEST_P(PaletteContrast, modulesGetDeeperStepByStep)
{
    for (int depth = 0; depth < 3; ++depth)
        EXPECT_NE(palette().moduleFill(depth), palette().moduleFill(depth + 1));
    EXPECT_EQ(palette().moduleFill(100), palette().moduleFill(1000));
}

INSTANTIATE_TEST_SUITE_P(Themes, PaletteContrast, testing::Bool(),
                         [](const auto &row) { return row.param ? "dark" : "light"; });

} // namespace
