// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class DeadInputs : public ::testing::TestWithParam<PassRow> { };

TEST_P(DeadInputs, takesOutWhatNobodyReads) { expectRow("dead-inputs", GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Rows, DeadInputs,
    ::testing::Values(
        PassRow{
            "betweenOthers",
            "(%x: float32[2], %y: float32[2], %z: float32[2]) { %r = aten::add.Tensor(self=%x, other=%z) return %r }",
            "(%x: float32[2], %z: float32[2]) { %r = aten::add.Tensor(self=%x, other=%z) return %r }"},
        PassRow{"ofOnnx", "(%x: float32[2], %y: float32[2]) { %r = onnx::Relu(%x) return %r }",
                "(%x: float32[2]) { %r = onnx::Relu(%x) return %r }"},
        PassRow{"butNotWhatIsReturned", "(%x: float32[2], %y: float32[2]) { return %x, %y }", ""},
        PassRow{"butNotWhatARegionReads",
                R"((%x: float32[2], %y: float32[2], %c: bool) {
                     %r: float32[2] = prim::If(%c)
                       region "then" { return %x }
                       region "else" { return %y }
                     return %r })",
                ""},
        PassRow{"butNotTheModule", R"((%self: module "Net", %x: float32[2]) { return %x })", ""},
        PassRow{"butNotWhatIsChangedForTheCaller",
                R"((%x: float32[2], %y: float32[2]) -> (user %x, user_input_mutation %x target "y") { return %x })",
                ""},
        PassRow{"butNotOfAFunctionThatIsCalled",
                R"((%x: float32[2], %y: float32[2]) { return %x }
                   function @g(%a: float32[2]) {
                     %r: float32[2] = prim::CallFunction(function=graph @forward, %a, %a)
                     return %r })",
                ""}),
    rowName);

} // namespace
} // namespace cutaway::test
