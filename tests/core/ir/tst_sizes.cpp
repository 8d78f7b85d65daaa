// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/tensors/sizes.h"

#include <gtest/gtest.h>
#include <vector>

namespace cutaway::ir {
namespace {

std::string printed(const std::vector<std::int64_t> &sizes) { return printSizes(sizes); }

TEST(Sizes, standInBrackets)
{
    EXPECT_EQ(printed({}), "[]");
    EXPECT_EQ(printed({7}), "[7]");
    EXPECT_EQ(printed({64, 3, 0, -1}), "[64, 3, 0, -1]");
}

} // namespace
} // namespace cutaway::ir
