// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/scope_tree.h"

#include "core/ir/context.h"

#include <gtest/gtest.h>

namespace cutaway::ir {
namespace {

TEST(ScopeTree, saysWhatLiesInWhat)
{
    Context context;
    const ScopeId a = context.childScope({}, "a", ""), b = context.childScope(a, "b", "");
    const ScopeId other = context.childScope({}, "ab", "");
    EXPECT_TRUE(isWithin(context, b, a));
    EXPECT_TRUE(isWithin(context, b, b));
    EXPECT_TRUE(isWithin(context, b, {}));
    EXPECT_FALSE(isWithin(context, a, b));
    EXPECT_FALSE(isWithin(context, other, a));
    EXPECT_EQ(scopeDepth(context, {}), 0);
    EXPECT_EQ(scopeDepth(context, other), 1);
    EXPECT_EQ(scopeDepth(context, b), 2);
}

} // namespace
} // namespace cutaway::ir
