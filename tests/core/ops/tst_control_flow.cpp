// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class ControlFlow : public testing::TestWithParam<RuleRow> { };

TEST_P(ControlFlow, infers) { EXPECT_EQ(inferred(GetParam().graph), GetParam().results); }

INSTANTIATE_TEST_SUITE_P(
    OfProcesses, ControlFlow,
    testing::Values(
        RuleRow{"AllGather",
                "(%x: float16[2, s0]) { %p = _c10d_functional::all_gather_into_tensor(%x, 4, \"0\") "
                "%r = _c10d_functional::wait_tensor(%p) return %r }",
                "float16[8, s0]"},
        RuleRow{"AllGatherOfNoRank",
                "(%x: float32[*]) { %r = _c10d_functional::all_gather_into_tensor(%x, 4, \"0\") return %r }",
                "!the shape of a part is not known unknown"},
        RuleRow{
            "AllReduceChangesTheElements",
            "() { %x = aten::ones([2], dtype=int64) %r = _c10d_functional::all_reduce(%x, \"sum\", \"0\") return %r }",
            "int64[2]"}),
    rowName);

} // namespace

} // namespace cutaway::test
