// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/core_aten.h"

#include <gtest/gtest.h>

namespace cutaway::ops {
namespace {

TEST(CoreAten, listsOverloads)
{
    EXPECT_TRUE(isCoreAten("addmm", ""));
    EXPECT_TRUE(isCoreAten("addmm", "default"));
    EXPECT_TRUE(isCoreAten("add", "Tensor"));
    EXPECT_TRUE(isCoreAten("where", "self")); // the last one
    EXPECT_TRUE(isCoreAten("_adaptive_avg_pool2d", ""));
    EXPECT_FALSE(isCoreAten("add", ""));
    EXPECT_FALSE(isCoreAten("linear", ""));
    EXPECT_FALSE(isCoreAten("torch 2", "6.0"));
}

TEST(CoreAten, knowsWhoseListItIs) { EXPECT_EQ(coreAtenVersion(), "2.6.0"); }

} // namespace
} // namespace cutaway::ops
