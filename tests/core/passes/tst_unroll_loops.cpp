// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class UnrollLoops : public ::testing::TestWithParam<PassRow> { };

TEST_P(UnrollLoops, putsTheTurnsOneBehindAnother) { expectRow("unroll-loops", GetParam()); }

/// Two trips, and a condition that is true.
constexpr const char *constants = R"(opset "ai.onnx" 17
    storage 0: 8 bytes data "\x02\x00\x00\x00\x00\x00\x00\x00"
    storage 1: 1 bytes data "\x01"
    tensor @n: int64[] constant in storage 0
    tensor @yes: bool[] constant in storage 1
    tensor @w: float32[2] parameter
)";

INSTANTIATE_TEST_SUITE_P(
    Rows, UnrollLoops,
    ::testing::Values(PassRow{"withTheTurnsNumber",
                              R"((%x: float32[2]) {
                     %r: float32[2] = prim::Loop(2, true, %x)
                       region (%i: int, %a: float32[2]) {
                         %b: float32[2] = aten::add.Scalar(self=%a, other=%i)
                         return true, %b
                       }
                     return %r })",
                              R"((%x: float32[2]) {
                     %b: float32[2] = aten::add.Scalar(self=%x, other=0)
                     %b#1: float32[2] = aten::add.Scalar(self=%b, other=1)
                     return %b#1 named "r" })"},
                      PassRow{"none",
                              R"((%x: float32[2]) {
                     %r: float32[2] = prim::Loop(0, true, %x)
                       region (%i: int, %a: float32[2]) {
                         %b: float32[2] = aten::neg(self=%a)
                         return true, %b
                       }
                     return %r })",
                              R"((%x: float32[2]) { return %x named "r" })"},
                      PassRow{"whatIsCarriedChangesPlaces",
                              R"((%x: float32[2], %y: float32[2]) {
                     %r: float32[2], %s: float32[2] = prim::Loop(3, true, %x, %y)
                       region (%i: int, %a: float32[2], %b: float32[2]) { return true, %b, %a }
                     return %r, %s })",
                              R"((%x: float32[2], %y: float32[2]) { return %y named "r", %x named "s" })"},
                      PassRow{"insideOneAnotherWithBranches",
                              R"((%x: float32[2], %c: bool) {
                     %r: float32[2] = prim::Loop(1, true, %x)
                       region (%i: int, %a: float32[2]) {
                         %d: float32[2] = prim::If(%c)
                           region "then" {
                             %s: float32[2] = prim::Loop(2, true, %a)
                               region (%j: int, %e: float32[2]) {
                                 %f: float32[2] = aten::neg(self=%e)
                                 return true, %f
                               }
                             return %s
                           }
                           region "else" { return %a }
                         return true, %d
                       }
                     return %r })",
                              R"((%x: float32[2], %c: bool) {
                     %d: float32[2] = prim::If(%c)
                       region "then" {
                         %f: float32[2] = aten::neg(self=%x)
                         %f#1: float32[2] = aten::neg(self=%f)
                         return %f#1
                       }
                       region "else" { return %x }
                     return %d named "r" })"},
                      PassRow{"butNotMoreThanTheLimit",
                              R"((%x: float32[2]) {
                     %r: float32[2] = prim::Loop(5, true, %x)
                       region (%i: int, %a: float32[2]) {
                         %b: float32[2] = aten::neg(self=%a)
                         return true, %b
                       }
                     return %r })",
                              "", "{turns=4}"},
                      PassRow{"butNotMoreNodesThanTheLimit",
                              R"((%x: float32[2]) {
                     %r: float32[2] = prim::Loop(5, true, %x)
                       region (%i: int, %a: float32[2]) {
                         %b: float32[2] = aten::neg(self=%a)
                         return true, %b
                       }
                     return %r })",
                              "", "{nodes=4}"},
                      PassRow{"butNotWhereTheNumberIsUnknown",
                              R"((%x: float32[2], %n: int) {
                     %r: float32[2] = prim::Loop(%n, true, %x)
                       region (%i: int, %a: float32[2]) {
                         %b: float32[2] = aten::neg(self=%a)
                         return true, %b
                       }
                     return %r })",
                              ""},
                      PassRow{"butNotWhereItMayBreak",
                              R"((%x: float32[2]) {
                     %r: float32[2] = prim::Loop(2, true, %x)
                       region (%i: int, %a: float32[2]) {
                         %b: bool = aten::is_nonzero(self=%a)
                         return %b, %a
                       }
                     return %r })",
                              ""}),
    rowName);

TEST(UnrollLoopsOfOnnx, stackWhatIsScanned)
{
    const std::string before = R"((%x: float32[2]) {
        weight %n = @n
        weight %yes = @yes
        %r: float32[2], %s: float32[2, 2] = onnx::Loop(%n, %yes, %x)
          region "body" (%i: int64[], %c: bool[], %a: float32[2]) {
            weight %w = @w
            %d: bool[] = onnx::Identity(%c)
            %b: float32[2] = onnx::Add(%a, %w)
            return %d, %b, %a
          }
        return %r, %s })";
    const std::string after = R"((%x: float32[2]) {
        weight %n = @n
        weight %yes = @yes
        weight %true: bool[] = @true
        weight %w = @w
        weight %axis: int64[1] = @axis
        %d: bool[] = onnx::Identity(%true)
        %b: float32[2] = onnx::Add(%x, %w)
        %d#1: bool[] = onnx::Identity(%true)
        %b#1: float32[2] = onnx::Add(%b, %w)
        %Unsqueeze = onnx::Unsqueeze(%x, %axis) name ""
        %Unsqueeze#1 = onnx::Unsqueeze(%b, %axis) name ""
        %Concat: float32[2, 2] = onnx::Concat(%Unsqueeze, %Unsqueeze#1, axis=0) name ""
        return %b#1 named "r", %Concat named "s" })";
    const std::string made = "tensor @true: bool[] constant tensor @axis: int64[1] constant\n";
    EXPECT_EQ(afterPipeline("unroll-loops", before, constants), printed(*parsedModel(after, constants + made)));
}

} // namespace
} // namespace cutaway::test
