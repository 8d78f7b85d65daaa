// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class ReorderForMemory : public ::testing::TestWithParam<PassRow> { };

TEST_P(ReorderForMemory, putsNodesWhereLessIsAlive) { expectRow("reorder-for-memory", GetParam()); }

INSTANTIATE_TEST_SUITE_P(Rows, ReorderForMemory,
                         ::testing::Values(PassRow{"largeOnesOneAfterAnother",
                                                   R"((%x: float32[2]) {
                     %a: float32[1000, 2] = aten::expand_copy(self=%x, size=[1000, 2])
                     %b: float32[1000, 2] = aten::expand_copy(self=%x, size=[1000, 2])
                     %c: float32[] = aten::sum(self=%a)
                     %d: float32[] = aten::sum(self=%b)
                     %r: float32[] = aten::add.Tensor(self=%c, other=%d)
                     return %r })",
                                                   R"((%x: float32[2]) {
                     %a: float32[1000, 2] = aten::expand_copy(self=%x, size=[1000, 2])
                     %c: float32[] = aten::sum(self=%a)
                     %b: float32[1000, 2] = aten::expand_copy(self=%x, size=[1000, 2])
                     %d: float32[] = aten::sum(self=%b)
                     %r: float32[] = aten::add.Tensor(self=%c, other=%d)
                     return %r })"},
                                           PassRow{"butNotWhatIsNoBetter",
                                                   R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %b: float32[2] = aten::abs(self=%x)
                     %r: float32[2] = aten::add.Tensor(self=%a, other=%b)
                     return %r })",
                                                   ""},
                                           PassRow{"butNotWhatDraws",
                                                   R"((%x: float32[1000, 2]) {
                     %a: float32[1000, 2] = aten::bernoulli(self=%x)
                     %b: float32[1000, 2] = aten::bernoulli(self=%x)
                     %c: float32[] = aten::sum(self=%b)
                     %d: float32[] = aten::sum(self=%a)
                     %r: float32[] = aten::add.Tensor(self=%c, other=%d)
                     return %r })",
                                                   R"((%x: float32[1000, 2]) {
                     %a: float32[1000, 2] = aten::bernoulli(self=%x)
                     %d: float32[] = aten::sum(self=%a)
                     %b: float32[1000, 2] = aten::bernoulli(self=%x)
                     %c: float32[] = aten::sum(self=%b)
                     %r: float32[] = aten::add.Tensor(self=%c, other=%d)
                     return %r })"},
                                           PassRow{"butNotBehindAWrite",
                                                   R"((%x: float32[2]) {
                     %a: float32[1000, 2] = aten::expand_copy(self=%x, size=[1000, 2])
                     %b: float32[1000, 2] = aten::expand_copy(self=%x, size=[1000, 2])
                     %w: float32[1000, 2] = aten::relu_(self=%b)
                     %e: float32[1000, 2] = aten::add_.Tensor(self=%a, other=%b)
                     %c: float32[] = aten::sum(self=%a)
                     %d: float32[] = aten::sum(self=%b)
                     %r: float32[] = aten::add.Tensor(self=%c, other=%d)
                     return %r })",
                                                   ""}),
                         rowName);

} // namespace
} // namespace cutaway::test
