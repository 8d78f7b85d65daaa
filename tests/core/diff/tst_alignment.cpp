// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/alignment.h"

#include <gtest/gtest.h>
#include <string>

namespace cutaway::test {
namespace {

std::string alignedTexts(const std::string &a, const std::string &b)
{
    std::string text;
    const auto fit = [&](std::uint32_t i, std::uint32_t k) { return a[i] == b[k] ? 1 : 0; };
    for (const auto &[i, k] :
         diff::aligned(static_cast<std::uint32_t>(a.size()), static_cast<std::uint32_t>(b.size()), fit))
        text += a[i];
    return text;
}

TEST(Alignment, isTheLongestCommonSequence)
{
    EXPECT_EQ(alignedTexts("", "abc"), "");
    EXPECT_EQ(alignedTexts("abc", "abc"), "abc");
    EXPECT_EQ(alignedTexts("axbyc", "abzc"), "abc");
    EXPECT_EQ(alignedTexts("abcbdab", "bdcaba").size(), 4u);
}

TEST(Alignment, ofLongSequencesLooksAlongTheDiagonal)
{
    const std::string a(20'000, 'a');
    EXPECT_EQ(alignedTexts(a, "b" + a).size(), a.size());
}

TEST(Alignment, prefersWhatFitsBetter)
{
    // The first of both fit a little; the first and the second, with which the second of A pairs too, fit well.
    constexpr int fits[2][2] = {{1, 3}, {0, 2}};
    const auto pairs = diff::aligned(2, 2, [&](std::uint32_t i, std::uint32_t k) { return fits[i][k]; });
    EXPECT_EQ(pairs, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}, {1, 1}}));
    const auto alone = diff::aligned(1, 2, [&](std::uint32_t i, std::uint32_t k) { return fits[i][k]; });
    EXPECT_EQ(alone, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}}));
}

TEST(Alignment, pairsNothingThatDoesNotFit)
{
    EXPECT_TRUE(diff::aligned(2, 3, [](std::uint32_t, std::uint32_t) { return 0; }).empty());
    EXPECT_TRUE(diff::aligned(2, 3, [](std::uint32_t, std::uint32_t) { return -1; }).empty());
}

} // namespace
} // namespace cutaway::test
