// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/symbolic/pool.h"

#include <gtest/gtest.h>

using namespace cutaway;
using symbolic::Expr;

namespace {

TEST(Pool, hasEqualExpressionsShareOneTree)
{
    symbolic::Pool pool;
    const char *texts[] = {
        "3", "True", "0.5", "s0", "2*s0 + 1", "max(s0, 7)//4", "((((s0 + 1)//2 + 1)//2 + 1)//2 + 1)//2"};
    for (const char *text : texts) {
        const Expr first = pool.shared(*symbolic::parse(text)), second = pool.shared(*symbolic::parse(text));
        EXPECT_EQ(first.identity(), second.identity()) << text;
        EXPECT_EQ(symbolic::print(first), symbolic::print(*symbolic::parse(text)));
    }
    EXPECT_EQ(pool.size(), std::size(texts));
}

TEST(Pool, keepsApartWhatDiffersInTheDepth)
{
    symbolic::Pool pool;
    const Expr a = pool.shared(*symbolic::parse("((((s0 + 1)//2 + 1)//2 + 1)//2 + 1)//2"));
    const Expr b = pool.shared(*symbolic::parse("((((s0 + 2)//2 + 1)//2 + 1)//2 + 1)//2"));
    EXPECT_NE(symbolic::print(a), symbolic::print(b));
    EXPECT_EQ(pool.size(), 2);
}

} // namespace
