// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class Partition : public ::testing::TestWithParam<PassRow> { };

TEST_P(Partition, groupsWhatIsSupported) { expectRow("partition", GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Rows, Partition,
    ::testing::Values(
        PassRow{"withSeveralResults",
                R"((%x: float32[2]) {
                     %a: float32[2] = aten::relu(self=%x)
                     %s: float32[2] = aten::softmax.int(self=%a, dim=0)
                     %b: float32[2] = aten::neg(self=%a)
                     %c: float32[2] = aten::relu(self=%b)
                     return %s, %c })",
                R"((%x: float32[2]) {
                     %a: float32[2], %c: float32[2] = cutaway::partition() name "partition_0"
                       region "partition_0" {
                         %a#1: float32[2] = aten::relu(self=%x)
                         %b: float32[2] = aten::neg(self=%a#1)
                         %c#1: float32[2] = aten::relu(self=%b)
                         return %a#1, %c#1
                       }
                     %s: float32[2] = aten::softmax.int(self=%a, dim=0)
                     return %s, %c })",
                "{supports=relu+neg}"},
        PassRow{"withoutACircle",
                R"((%x: float32[2]) {
                     %a: float32[2] = aten::relu(self=%x)
                     %s: float32[2] = aten::softmax.int(self=%a, dim=0)
                     %b: float32[2] = aten::neg(self=%a)
                     %c: float32[2] = aten::add.Tensor(self=%b, other=%s)
                     return %c })",
                R"((%x: float32[2]) {
                     %a: float32[2], %b: float32[2] = cutaway::partition() name "partition_0"
                       region "partition_0" {
                         %a#1: float32[2] = aten::relu(self=%x)
                         %b#1: float32[2] = aten::neg(self=%a#1)
                         return %a#1, %b#1
                       }
                     %s: float32[2] = aten::softmax.int(self=%a, dim=0)
                     %c: float32[2] = aten::add.Tensor(self=%b, other=%s)
                     return %c })",
                "{supports=relu+neg+add}"},
        PassRow{"butNotFewerThanItIsWorth",
                R"((%x: float32[2]) {
                     %a: float32[2] = aten::relu(self=%x)
                     %b: float32[2] = aten::neg(self=%a)
                     return %b })",
                "", "{supports=relu+neg,least=3}"},
        PassRow{"butNotWhatIsWrittenTo",
                R"((%x: float32[2]) {
                     %a: float32[2] = aten::relu(self=%x)
                     %b: float32[2] = aten::neg_(self=%a)
                     %c: float32[2] = aten::relu(self=%b)
                     return %c })",
                "", "{supports=relu+neg}"},
        PassRow{
            "butNotWhatNobodyNamed",
            "(%x: float32[2]) { %a: float32[2] = aten::relu(self=%x) %b: float32[2] = aten::neg(self=%a) return %b }",
            "", "{supports=conv}"}),
    rowName);

} // namespace
} // namespace cutaway::test
