// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class FusePointwise : public ::testing::TestWithParam<PassRow> { };

TEST_P(FusePointwise, groupsWhatIsReadByOneAnother) { expectRow("fuse-pointwise", GetParam()); }

INSTANTIATE_TEST_SUITE_P(Rows, FusePointwise,
                         ::testing::Values(PassRow{"aChain",
                                                   R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %b: float32[2] = aten::abs(self=%a)
                     %r: float32[2] = aten::softmax.int(self=%b, dim=0)
                     return %r })",
                                                   R"((%x: float32[2]) {
                     %b: float32[2] = cutaway::fused() name ""
                       region {
                         %a: float32[2] = aten::neg(self=%x)
                         %b#1: float32[2] = aten::abs(self=%a)
                         return %b#1
                       }
                     %r: float32[2] = aten::softmax.int(self=%b, dim=0)
                     return %r })"},
                                           PassRow{"branchesThatMeet",
                                                   R"((%x: float32[2], %y: float32[2]) {
                     %a: float32[2] = onnx::Relu(%x)
                     %b: float32[2] = onnx::Exp(%y)
                     %c: float32[2] = onnx::Add(%a, %b)
                     %d: float32[2] = onnx::Mul(%c, %a)
                     return %d })",
                                                   R"((%x: float32[2], %y: float32[2]) {
                     %d: float32[2] = cutaway::fused() name ""
                       region {
                         %a: float32[2] = onnx::Relu(%x)
                         %b: float32[2] = onnx::Exp(%y)
                         %c: float32[2] = onnx::Add(%a, %b)
                         %d#1: float32[2] = onnx::Mul(%c, %a)
                         return %d#1
                       }
                     return %d })"},
                                           PassRow{"butNotThroughWhatIsReadElsewhere",
                                                   R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %s: float32[2] = aten::softmax.int(self=%a, dim=0)
                     %b: float32[2] = aten::add.Tensor(self=%a, other=%s)
                     return %b })",
                                                   ""},
                                           PassRow{"butNotWhatIsReturnedToo",
                                                   R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %b: float32[2] = aten::abs(self=%a)
                     return %a, %b })",
                                                   ""},
                                           PassRow{"butNotWhatIsWrittenTo",
                                                   R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %b: float32[2] = aten::abs_(self=%a)
                     %c: float32[2] = aten::exp(self=%b)
                     return %c })",
                                                   ""},
                                           PassRow{"butNotAcrossABranch",
                                                   R"((%x: float32[2], %c: bool) {
                     %a: float32[2] = aten::neg(self=%x)
                     %r: float32[2] = prim::If(%c)
                       region "then" { %b: float32[2] = aten::abs(self=%a) return %b }
                       region "else" { return %x }
                     return %r })",
                                                   ""}),
                         rowName);

} // namespace
} // namespace cutaway::test
