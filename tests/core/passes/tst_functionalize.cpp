// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class Functionalize : public ::testing::TestWithParam<PassRow> { };

TEST_P(Functionalize, makesNewValuesOfWrites) { expectRow("functionalize,dead-code", GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Rows, Functionalize,
    ::testing::Values(PassRow{"readByItsOldName",
                              R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %b: float32[2] = aten::add_.Tensor(self=%a, other=%x)
                     %c: float32[2] = aten::mul.Tensor(self=%a, other=%b)
                     return %c })",
                              R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %add: float32[2] = aten::add.Tensor(self=%a, other=%x) name ""
                     %c: float32[2] = aten::mul.Tensor(self=%add, other=%add)
                     return %c })"},
                      PassRow{"returned",
                              R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %b: float32[2] = aten::relu_(self=%a)
                     return %a })",
                              R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %relu: float32[2] = aten::relu(self=%a) name ""
                     return %relu named "a" })"},
                      PassRow{"whatWasReadBeforeStays",
                              R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %c: float32[2] = aten::abs(self=%a)
                     %b: float32[2] = aten::relu_(self=%a)
                     %d: float32[2] = aten::mul.Tensor(self=%c, other=%a)
                     return %d })",
                              R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %c: float32[2] = aten::abs(self=%a)
                     %relu: float32[2] = aten::relu(self=%a) name ""
                     %d: float32[2] = aten::mul.Tensor(self=%c, other=%relu)
                     return %d })"},
                      PassRow{"throughAView",
                              R"((%x: float32[2, 3]) {
                     %a: float32[2, 3] = aten::neg(self=%x)
                     %v: float32[3] = aten::select.int(self=%a, dim=0, index=1)
                     %w: float32[3] = aten::fill_.Scalar(self=%v, value=0.0)
                     %r: float32[2, 3] = aten::abs(self=%a)
                     return %r })",
                              R"((%x: float32[2, 3]) {
                     %a: float32[2, 3] = aten::neg(self=%x)
                     %v: float32[3] = aten::select.int(self=%a, dim=0, index=1)
                     %fill: float32[3] = aten::fill.Scalar(self=%v, value=0.0) name ""
                     %select_scatter: float32[2, 3] = aten::select_scatter(self=%a, src=%fill, dim=0, index=1) name ""
                     %r: float32[2, 3] = aten::abs(self=%select_scatter)
                     return %r })"},
                      PassRow{"throughAViewOfAView",
                              R"((%x: float32[4, 3]) {
                     %a: float32[4, 3] = aten::neg(self=%x)
                     %s: float32[2, 3] = aten::slice.Tensor(self=%a, dim=0, start=0, end=4, step=2)
                     %v: float32[3, 2] = aten::t(self=%s)
                     %w: float32[3, 2] = aten::relu_(self=%v)
                     return %a })",
                              R"((%x: float32[4, 3]) {
                     %a: float32[4, 3] = aten::neg(self=%x)
                     %s: float32[2, 3] = aten::slice.Tensor(self=%a, dim=0, start=0, end=4, step=2)
                     %v: float32[3, 2] = aten::t(self=%s)
                     %relu: float32[3, 2] = aten::relu(self=%v) name ""
                     %t: float32[2, 3] = aten::t(self=%relu) name ""
                     %slice_scatter: float32[4, 3] =
                       aten::slice_scatter(self=%a, src=%t, dim=0, start=0, end=4, step=2) name ""
                     return %slice_scatter named "a" })"},
                      PassRow{"aViewOfWhatIsWrittenLaterIsViewedAgain",
                              R"((%x: float32[2, 3]) {
                     %a: float32[2, 3] = aten::neg(self=%x)
                     %v: float32[3] = aten::select.int(self=%a, dim=0, index=1)
                     %w: float32[2, 3] = aten::relu_(self=%a)
                     return %v })",
                              R"((%x: float32[2, 3]) {
                     %a: float32[2, 3] = aten::neg(self=%x)
                     %relu: float32[2, 3] = aten::relu(self=%a) name ""
                     %select: float32[3] = aten::select.int(self=%relu, dim=0, index=1) name ""
                     return %select named "v" })"},
                      PassRow{"readInsideABranch",
                              R"((%x: float32[2], %c: bool) {
                     %a: float32[2] = aten::neg(self=%x)
                     %b: float32[2] = aten::relu_(self=%a)
                     %r: float32[2] = prim::If(%c)
                       region "then" { %d: float32[2] = aten::abs(self=%a) return %d }
                       region "else" { return %a }
                     return %r })",
                              R"((%x: float32[2], %c: bool) {
                     %a: float32[2] = aten::neg(self=%x)
                     %relu: float32[2] = aten::relu(self=%a) name ""
                     %r: float32[2] = prim::If(%c)
                       region "then" { %d: float32[2] = aten::abs(self=%relu) return %d }
                       region "else" { return %relu }
                     return %r })"},
                      PassRow{"throughAViewOfAnotherShape",
                              R"((%x) {
                     %a: tensor[*] = aten::clone(self=%x)
                     %v: tensor[*] = aten::view(self=%a, size=[-1])
                     %d: int = prim::dtype(a=%v)
                     %w: tensor[*] = aten::mul_.Scalar(self=%v, other=2)
                     return %a })",
                              R"((%x) {
                     %a: tensor[*] = aten::clone(self=%x)
                     %v: tensor[*] = aten::view(self=%a, size=[-1])
                     %mul: tensor[*] = aten::mul.Scalar(self=%v, other=2) name ""
                     %reshape_as: tensor[*] = aten::reshape_as(self=%mul, other=%a) name ""
                     return %reshape_as named "a" })"},
                      PassRow{"withIndices",
                              R"((%x, %i) {
                     %a: tensor[*] = aten::clone(self=%x)
                     %w: tensor[*] = aten::index_put_(self=%a, indices=[%i], values=%x)
                     return %a })",
                              R"((%x, %i) {
                     %a: tensor[*] = aten::clone(self=%x)
                     %index_put: tensor[*] = aten::index_put(self=%a, indices=[%i], values=%x) name ""
                     return %index_put named "a" })"},
                      PassRow{"butNotToAnInput", "(%x: float32[2]) { %b: float32[2] = aten::relu_(self=%x) return %b }",
                              ""},
                      PassRow{"butNotToAViewOfAnInput",
                              R"((%x: float32[2, 3]) {
                     %v: float32[3] = aten::select.int(self=%x, dim=0, index=1)
                     %w: float32[3] = aten::relu_(self=%v)
                     return %w })",
                              ""},
                      PassRow{"butNotInsideABranch",
                              R"((%x: float32[2], %c: bool) {
                     %a: float32[2] = aten::neg(self=%x)
                     %e: float32[2] = aten::relu_(self=%a)
                     prim::If(%c)
                       region "then" { %b: float32[2] = aten::abs_(self=%a) }
                       region "else" { }
                     return %a })",
                              ""},
                      PassRow{"butNotWhatMayBeTheMemoryOfAnother",
                              R"((%x: float32[2, 3]) {
                     %a: float32[2, 3] = aten::neg(self=%x)
                     %f: float32[6] = aten::reshape(self=%a, shape=[6])
                     %b: float32[2, 3] = aten::relu_(self=%a)
                     return %f })",
                              ""},
                      PassRow{"butWhatIsReshapedBehindTheLastWrite",
                              R"((%x: float32[2, 3]) {
                     %a: float32[2, 3] = aten::neg(self=%x)
                     %b: float32[2, 3] = aten::relu_(self=%a)
                     %f: float32[6] = aten::reshape(self=%a, shape=[6])
                     return %f })",
                              R"((%x: float32[2, 3]) {
                     %a: float32[2, 3] = aten::neg(self=%x)
                     %relu: float32[2, 3] = aten::relu(self=%a) name ""
                     %f: float32[6] = aten::reshape(self=%relu, shape=[6])
                     return %f })"},
                      PassRow{"butNotWhatConverts",
                              R"((%x: float32[2], %y: float64[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %b: float32[2] = aten::add_.Tensor(self=%a, other=%y)
                     return %a })",
                              ""},
                      PassRow{"butNotWhatIsUnknown",
                              R"((%x: float32[2]) {
                     %a: float32[2] = aten::neg(self=%x)
                     %b: float32[2] = aten::relu_(self=%a)
                     my::thing(%a)
                     return %a })",
                              ""}),
    rowName);

} // namespace
} // namespace cutaway::test
