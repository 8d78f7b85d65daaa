// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class DeadCode : public ::testing::TestWithParam<PassRow> { };

TEST_P(DeadCode, takesOutWhatNobodyReads) { expectRow("dead-code", GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Rows, DeadCode,
    ::testing::Values(
        PassRow{
            "aChainToNowhere",
            "(%x: float32[2]) { %a = aten::relu(self=%x) %b = aten::neg(self=%a) %r = aten::abs(self=%x) return %r }",
            "(%x: float32[2]) { %r = aten::abs(self=%x) return %r }"},
        PassRow{"ofOnnx", "(%x: float32[2]) { %a = onnx::Relu(%x) %r = onnx::Neg(%x) return %r }",
                "(%x: float32[2]) { %r = onnx::Neg(%x) return %r }"},
        PassRow{"butNotWhatIsReturned", "(%x: float32[2]) { %r = aten::relu(self=%x) return %r }", ""},
        PassRow{"butNotWhatWritesInPlace", "(%x: float32[2]) { %a = aten::relu_(self=%x) return %x }", ""},
        PassRow{"butNotWhatIsUnknown", "(%x: float32[2]) { %a = my::thing(%x) return %x }", ""},
        PassRow{"butNotWhatDraws", "(%x: float32[2]) { %a = aten::bernoulli(self=%x) return %x }", ""},
        PassRow{"butNotACall",
                R"((%x: float32[2]) { %a: none = prim::CallFunction(function=graph @f, %x) return %x }
                   function @f(%x: float32[2]) { %w: none = prim::Print(%x) return none })",
                ""},
        PassRow{"dropoutOutOfTraining",
                "(%x: float32[2]) { %a = aten::dropout(input=%x, p=0.5, train=false) return %x }",
                "(%x: float32[2]) { return %x }"},
        PassRow{"butNotDropoutInTraining",
                "(%x: float32[2]) { %a = aten::dropout(input=%x, p=0.5, train=true) return %x }", ""},
        PassRow{"insideABranch",
                R"((%c: bool, %x: float32[2]) {
                     %r: float32[2] = prim::If(%c)
                       region "then" { %a: float32[2] = aten::neg(self=%x) %b: float32[2] = aten::abs(self=%x) return %b }
                       region "else" { return %x }
                     return %r })",
                R"((%c: bool, %x: float32[2]) {
                     %r: float32[2] = prim::If(%c)
                       region "then" { %b: float32[2] = aten::abs(self=%x) return %b }
                       region "else" { return %x }
                     return %r })"},
        PassRow{"aBranchThatNobodyReads",
                R"((%c: bool, %x: float32[2]) {
                     %r: float32[2] = prim::If(%c)
                       region "then" { %b: float32[2] = aten::abs(self=%x) return %b }
                       region "else" { return %x }
                     return %x })",
                "(%c: bool, %x: float32[2]) { return %x }"},
        PassRow{"butNotABranchThatActs",
                R"((%c: bool, %x: float32[2]) {
                     %r: float32[2] = prim::If(%c)
                       region "then" { %b: float32[2] = aten::abs_(self=%x) return %b }
                       region "else" { return %x }
                     return %x })",
                ""}),
    rowName);

} // namespace
} // namespace cutaway::test
