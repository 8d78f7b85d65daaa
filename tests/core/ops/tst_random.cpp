// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/operator.h"
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

TEST(RandomOperators, saySo)
{
    EXPECT_EQ(ops::findOperator("aten", "randn_like")->traits.effect, ops::Effect::Random);
    EXPECT_EQ(ops::findOperator("aten", "uniform_")->traits.effect, ops::Effect::Random);
    EXPECT_EQ(ops::findOperator("aten", "relu_")->traits.effect, ops::Effect::Pure);
}

} // namespace
} // namespace cutaway::test
