// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

TEST(Container, listsThatDoubleAtEveryNodeAreLeftUnknown)
{
    std::string graph = "(%x: float32[2]) { %l0 = prim::ListConstruct(%x, %x) ";
    for (int i = 0; i < 60; ++i)
        graph += formatted("%l{} = prim::ListConstruct(%l{}, %l{}) ", i + 1, i, i);
    EXPECT_LT(inferred(graph + "return %l60 }").size(), 1'000'000U);
}

} // namespace
} // namespace cutaway::test
