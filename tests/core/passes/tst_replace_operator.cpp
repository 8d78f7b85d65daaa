// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class ReplaceOperator : public ::testing::TestWithParam<PassRow> { };

TEST_P(ReplaceOperator, putsOneInThePlaceOfAnother) { expectRow("replace-operator", GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Rows, ReplaceOperator,
    ::testing::Values(PassRow{"reluByGelu", "(%x: float32[2]) { %r = aten::relu(self=%x) return %r }",
                              "(%x: float32[2]) { %r = aten::gelu(self=%x) return %r }"},
                      PassRow{"inPlace", "(%x: float32[2]) { %r = aten::relu_(self=%x) return %r }",
                              "(%x: float32[2]) { %r = aten::gelu_(self=%x) return %r }"},
                      PassRow{"ofOnnx", "(%x: float32[2]) { %r = onnx::Relu(%x) return %r }",
                              "(%x: float32[2]) { %r = onnx::Sigmoid(%x) return %r }", "{to=sigmoid}"},
                      PassRow{"withItsOptionsGone",
                              "(%x: float32[2]) { %r = aten::hardtanh(self=%x, min_val=0.0, max_val=6.0) return %r }",
                              "(%x: float32[2]) { %r = aten::relu(self=%x) return %r }", "{from=hardtanh to=relu}"},
                      PassRow{"butNotOthers", "(%x: float32[2]) { %r = aten::neg(self=%x) return %r }", ""}),
    rowName);

TEST(ReplaceOperator, needsAnOperatorOfOneTensor)
{
    EXPECT_EQ(afterPipeline("replace-operator{to=add}", "(%x: float32[2]) { %r = aten::relu(self=%x) return %r }"),
              "failed: there is no operator 'add' of one tensor in the dialect aten");
}

} // namespace
} // namespace cutaway::test
