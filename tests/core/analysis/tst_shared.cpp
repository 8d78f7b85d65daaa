// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/shared.h"

#include <gtest/gtest.h>
#include <vector>

namespace cutaway::analysis {
namespace {

TEST(Shared, countsEachWayToItsState)
{
    AccessCount accesses;
    Shared<std::vector<int>> first(accesses), second(accesses, 3U, 7);
    EXPECT_EQ(accesses.value(), 0U);
    first->push_back(1);
    (*second)[0] = 2;
    EXPECT_EQ(accesses.value(), 2U);
    EXPECT_EQ(first.uncounted().size() + second.uncounted().size(), 4U);
    EXPECT_EQ(accesses.value(), 2U);
}

} // namespace
} // namespace cutaway::analysis
