// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class FoldIf : public ::testing::TestWithParam<PassRow> { };

TEST_P(FoldIf, putsTheBranchThatIsTakenInPlace) { expectRow("fold-if", GetParam()); }

constexpr const char *yes = "storage 0: 1 bytes data \"\\x01\"\ntensor @c: bool[] constant in storage 0\n"
                            "tensor @w: float32[2] parameter\n";

INSTANTIATE_TEST_SUITE_P(
    Rows, FoldIf,
    ::testing::Values(
        PassRow{"ofAConstant",
                R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %r: float32[2] = prim::If(true)
                       region "then" { %b: float32[2] = aten::abs(self=%a) return %b }
                       region "else" { %c: float32[2] = aten::relu(self=%a) return %c }
                     %s: float32[2] = aten::exp(self=%r)
                     return %s })",
                R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %b: float32[2] = aten::abs(self=%a)
                     %s: float32[2] = aten::exp(self=%b)
                     return %s })"},
        PassRow{"theOtherBranchOfAFalseOne",
                R"((%x: float32[2]) {
                     %r: float32[2] = prim::If(false)
                       region "then" { %b: float32[2] = aten::abs(self=%x) return %b }
                       region "else" { return %x }
                     return %r })",
                R"((%x: float32[2]) { return %x named "r" })"},
        PassRow{"ofWhatIsDerived",
                R"((%x: float32[2, 3]) {
                     %n: int = aten::dim(self=%x)
                     %c: bool = aten::eq.int(a=%n, b=2)
                     %r: float32[2, 3] = prim::If(%c)
                       region "then" { %b: float32[2, 3] = aten::abs(self=%x) return %b }
                       region "else" { %e: none = prim::RaiseException("no") return %x }
                     return %r })",
                R"((%x: float32[2, 3]) {
                     %n: int = aten::dim(self=%x)
                     %c: bool = aten::eq.int(a=%n, b=2)
                     %b: float32[2, 3] = aten::abs(self=%x)
                     return %b named "r" })"},
        PassRow{"insideOneAnother",
                R"((%x: float32[2]) {
                     %r: float32[2] = prim::If(true)
                       region "then" {
                         %a: float32[2] = aten::neg(self=%x)
                         %i: float32[2] = prim::If(false)
                           region "then" { return %a }
                           region "else" { %b: float32[2] = aten::abs(self=%a) return %b }
                         %c: float32[2] = aten::exp(self=%i)
                         return %c
                       }
                       region "else" {
                         %j: float32[2] = prim::If(true) region "then" { return %x } region "else" { return %x }
                         return %j
                       }
                     return %r })",
                R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %b: float32[2] = aten::abs(self=%a)
                     %c: float32[2] = aten::exp(self=%b)
                     return %c named "r" })"},
        PassRow{"withWhatItWritesTo",
                R"((%x: float32[2]) {
                     prim::If(true)
                       region "then" { %b: float32[2] = aten::abs_(self=%x) }
                       region "else" { }
                     return %x })",
                "(%x: float32[2]) { %b: float32[2] = aten::abs_(self=%x) return %x }"},
        PassRow{
            "ofOnnxWhoseResultsAreTheModels",
            R"((%x: float32[2]) {
                     weight %c = @c
                     %r: float32[2], %s: float32[2] = onnx::If(%c)
                       region "then" { %b: float32[2] = onnx::Abs(%x) return %b, %x }
                       region "else" { return %x, %x }
                     return %r, %s })",
            R"((%x: float32[2]) { weight %c = @c %b: float32[2] = onnx::Abs(%x) return %b named "r", %x named "s" })",
            "", yes},
        PassRow{"withTheWeightsOfABranch",
                R"((%x: float32[2]) {
                     weight %c = @c
                     %r: float32[2] = onnx::If(%c)
                       region "then" { weight %w = @w %b: float32[2] = onnx::Add(%x, %w) return %b }
                       region "else" { return %x }
                     return %r })",
                R"((%x: float32[2]) {
                     weight %c = @c
                     weight %w = @w
                     %b: float32[2] = onnx::Add(%x, %w)
                     return %b named "r" })",
                "", yes},
        PassRow{"ofAnExportedProgram",
                R"((%x: float32[2], %y: float32[2]) {
                     %r: float32[2] = higher_order::cond(pred=true, operands=[%x, %y])
                       region "true_graph_0" (%a: float32[2], %b: float32[2]) {
                         %s: float32[2] = aten::add.Tensor(self=%a, other=%b)
                         return [%s]
                       }
                       region "false_graph_0" (%c: float32[2], %d: float32[2]) { return [%c] }
                     return %r })",
                R"((%x: float32[2], %y: float32[2]) {
                     %s: float32[2] = aten::add.Tensor(self=%x, other=%y)
                     return %s named "r" })"},
        PassRow{"butNotOfWhatIsUnknown",
                R"((%c: bool, %x: float32[2]) {
                     %r: float32[2] = prim::If(%c)
                       region "then" { %b: float32[2] = aten::abs(self=%x) return %b }
                       region "else" { return %x }
                     return %r })",
                ""},
        PassRow{"butNotOfWhatALoopChanges",
                R"((%x: float32[2]) {
                     %r: float32[2] = prim::Loop(3, true, %x)
                       region (%i: int, %a: float32[2]) {
                         %c: bool = aten::eq.int(a=%i, b=2)
                         %d: float32[2] = prim::If(%c)
                           region "then" { %b: float32[2] = aten::abs(self=%a) return %b }
                           region "else" { return %a }
                         return true, %d
                       }
                     return %r })",
                ""}),
    rowName);

} // namespace
} // namespace cutaway::test
