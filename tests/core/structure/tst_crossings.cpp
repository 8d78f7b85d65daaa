// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/structure/crossings.h"

#include <gtest/gtest.h>

namespace cutaway::structure {
namespace {

using Counts = std::vector<std::uint32_t>;

TEST(Crossings, CountWhatPassesEachBorder)
{
    const std::vector<Place> places(4);
    EXPECT_EQ(crossingsOf(places, {{.maker = 0, .readers = {1}}, {.maker = 1, .readers = {2, 3}}}),
              (Counts{0, 1, 1, 1, 0}));
}

TEST(Crossings, BeginAtTheTopForTheInputsOfAFunctionThatHasFew)
{
    const std::vector<Place> places(2);
    EXPECT_EQ(crossingsOf(places, {{.readers = {1}}}), (Counts{1, 1, 0}));
}

TEST(Crossings, EndBehindTheLastPlaceForResults)
{
    const std::vector<Place> places(2);
    EXPECT_EQ(crossingsOf(places, {{.maker = 0, .isReturned = true}}), (Counts{0, 1, 1}));
}

TEST(Crossings, DoNotCountConcatenationsOfAValueThatGoesOn)
{
    std::vector<Place> places(4);
    places[3].role = Role::Concat;
    EXPECT_EQ(crossingsOf(places, {{.maker = 0, .readers = {1, 3}}}), (Counts{0, 1, 0, 0, 0}));
}

} // namespace
} // namespace cutaway::structure
