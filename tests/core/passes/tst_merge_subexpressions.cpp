// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class MergeSubexpressions : public ::testing::TestWithParam<PassRow> { };

TEST_P(MergeSubexpressions, areDoneOnce) { expectRow("common-subexpressions", GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Rows, MergeSubexpressions,
    ::testing::Values(
        PassRow{"twice",
                "(%x: float32[2]) { %a = aten::relu(self=%x) %b = aten::relu(self=%x) %r = aten::add.Tensor(self=%a, "
                "other=%b) return %r }",
                "(%x: float32[2]) { %a = aten::relu(self=%x) %r = aten::add.Tensor(self=%a, other=%a) return %r }"},
        PassRow{"ofOnnx",
                "(%x: float32[2]) { %a = onnx::Relu(%x) %b = onnx::Relu(%x) %r = onnx::Add(%a, %b) return %r }",
                "(%x: float32[2]) { %a = onnx::Relu(%x) %r = onnx::Add(%a, %a) return %r }"},
        PassRow{"oneAfterAnother",
                R"((%x: float32[2]) { %a = aten::relu(self=%x) %b = aten::relu(self=%x) %c = aten::neg(self=%a)
                   %d = aten::neg(self=%b) %r = aten::add.Tensor(self=%c, other=%d) return %r })",
                "(%x: float32[2]) { %a = aten::relu(self=%x) %c = aten::neg(self=%a) %r = aten::add.Tensor(self=%c, "
                "other=%c) return %r }"},
        PassRow{"butNotWithOtherConstants",
                "(%x: float32[2]) { %a = aten::sum.dim_IntList(self=%x, dim=[0]) %b = aten::sum.dim_IntList(self=%x, "
                "dim=[-1]) %r = aten::add.Tensor(self=%a, other=%b) return %r }",
                ""},
        PassRow{
            "butNotZeroAndMinusZero",
            "(%x: float32[2]) { %a = aten::div.Scalar(self=%x, other=0.0) %b = aten::div.Scalar(self=%x, other=-0.0) "
            "%r = aten::add.Tensor(self=%a, other=%b) return %r }",
            ""},
        PassRow{"butNotWhatDraws",
                "(%x: float32[2]) { %a = aten::rand_like(self=%x) %b = aten::rand_like(self=%x) %r = "
                "aten::sub.Tensor(self=%a, other=%b) return %r }",
                ""},
        PassRow{"butNotWhatIsWrittenInBetween",
                "(%x: float32[2]) { %a = aten::relu(self=%x) %w = aten::neg_(self=%x) %b = aten::relu(self=%x) %r = "
                "aten::sub.Tensor(self=%a, other=%b) return %r }",
                ""},
        PassRow{"butNotNewMemoryThatIsWrittenTo",
                "(%x: float32[2]) { %a = aten::zeros_like(self=%x) %b = aten::zeros_like(self=%x) %w = "
                "aten::add_.Tensor(self=%a, other=%x) %r = aten::sub.Tensor(self=%a, other=%b) return %r }",
                ""},
        PassRow{"butNotListsThatGrow",
                R"((%x: float32[2]) {
                     %a: list<tensor[*]> = prim::ListConstruct(%x)
                     %b: list<tensor[*]> = prim::ListConstruct(%x)
                     %g: list<tensor[*]> = aten::append.t(self=%a, el=%x)
                     return %a, %b })",
                ""},
        PassRow{"butNotTwoResults",
                "(%x: float32[2]) { %a = aten::relu(self=%x) %b = aten::relu(self=%x) return %a, %b }", ""},
        PassRow{"fromAroundABranch",
                R"((%c: bool, %x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %r: float32[2] = prim::If(%c)
                       region "then" { %b: float32[2] = aten::neg(self=%x) return %b }
                       region "else" { return %a }
                     return %r })",
                R"((%c: bool, %x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %r: float32[2] = prim::If(%c)
                       region "then" { return %a }
                       region "else" { return %a }
                     return %r })"},
        PassRow{"butNotFromOneBranchInAnother",
                R"((%c: bool, %x: float32[2]) {
                     %r: float32[2] = prim::If(%c)
                       region "then" { %a: float32[2] = aten::neg(self=%x) return %a }
                       region "else" { %b: float32[2] = aten::neg(self=%x) return %b }
                     return %r })",
                ""}),
    rowName);

} // namespace
} // namespace cutaway::test
