// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

class InlineCalls : public ::testing::TestWithParam<PassRow> { };

TEST_P(InlineCalls, putsTheCalleeInPlace) { expectRow("inline-calls", GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Rows, InlineCalls,
    ::testing::Values(PassRow{"ofAFunction",
                              R"((%x: float32[2]) {
                     %r: float32[2] = prim::CallFunction(function=graph @f, %x)
                     %s: float32[2] = aten::neg(self=%r)
                     return %s }
                   function @f(%a: float32[2]) { %b: float32[2] = aten::abs(self=%a) return %b })",
                              R"((%x: float32[2]) {
                     %b: float32[2] = aten::abs(self=%x)
                     %s: float32[2] = aten::neg(self=%b)
                     return %s }
                   function @f(%a: float32[2]) { %b: float32[2] = aten::abs(self=%a) return %b })"},
                      PassRow{"ofAMethodUnderTheScopeOfItsModule",
                              R"((%self: module "Net", %x: float32[2]) {
                     %r: float32[2] = prim::CallMethod(method="run", function=graph @f, self=%self, %x) name "r"
                     return %r }
                   method @f(%me: module "Net", %a: float32[2]) {
                     %b: float32[2] = aten::abs(self=%a) in "inner"
                     return %b })",
                              R"((%self: module "Net", %x: float32[2]) {
                     %b: float32[2] = aten::abs(self=%x) in "inner"
                     return %b named "r" })"},
                      PassRow{"withArgumentsByName",
                              R"((%x: float32[2], %y: float32[2]) {
                     %r: float32[2] = prim::CallFunction(function=graph @f, %x, b=%y)
                     return %r }
                   function @f(%a: float32[2], %b: float32[2]) {
                     %c: float32[2] = aten::sub.Tensor(self=%a, other=%b)
                     return %c })",
                              R"((%x: float32[2], %y: float32[2]) {
                     %c: float32[2] = aten::sub.Tensor(self=%x, other=%y)
                     return %c named "r" })"},
                      PassRow{"throughOneAnotherWithRegions",
                              R"((%x: float32[2], %c: bool) {
                     %r: float32[2] = prim::If(%c)
                       region "then" { %s: float32[2] = prim::CallFunction(function=graph @f, %x) return %s }
                       region "else" { return %x }
                     return %r }
                   function @f(%a: float32[2]) {
                     %b: float32[2] = prim::CallFunction(function=graph @g, %a)
                     return %b }
                   function @g(%a: float32[2]) { %b: float32[2] = aten::abs(self=%a) return %b })",
                              R"((%x: float32[2], %c: bool) {
                     %r: float32[2] = prim::If(%c)
                       region "then" { %b: float32[2] = aten::abs(self=%x) return %b }
                       region "else" { return %x }
                     return %r })"},
                      PassRow{"butNotIntoItself",
                              R"((%x: float32[2]) {
                     %r: float32[2] = prim::CallFunction(function=graph @f, %x)
                     return %r }
                   function @f(%a: float32[2]) {
                     %b: float32[2] = prim::CallFunction(function=graph @f, %a)
                     return %b })",
                              R"((%x: float32[2]) {
                     %b: float32[2] = prim::CallFunction(function=graph @f, %x)
                     return %b named "r" }
                   function @f(%a: float32[2]) { return %a })"},
                      PassRow{"ofAFunctionOfOnnxWithItsAttributes",
                              R"((%x: float32[2]) {
                     %r: float32[2] = mine::f(%x, alpha=0.5, graph @f)
                     return %r }
                   function @f(%a: float32[2], %left_out: float32[2]) attributes (alpha=none, beta=2.0) {
                     %b: float32[2] = onnx::LeakyRelu(%a, alpha={"ref_attr_name": "alpha", "type": 1})
                     %c: float32[2] = onnx::Elu(%b, alpha={"ref_attr_name": "beta", "type": 1})
                     return %c })",
                              R"((%x: float32[2]) {
                     %b: float32[2] = onnx::LeakyRelu(%x, alpha=0.5) in "r"
                     %c: float32[2] = onnx::Elu(%b, alpha=2.0) in "r"
                     return %c named "r" })"},
                      PassRow{"ofARegionThatRunsOnce",
                              R"((%x: float32[2]) {
                     %r: float32[2] = higher_order::invoke_subgraph("name", %x)
                       region "g" (%a: float32[2]) { %b: float32[2] = aten::abs(self=%a) return [%b] }
                     return %r })",
                              R"((%x: float32[2]) { %b: float32[2] = aten::abs(self=%x) return %b named "r" })"},
                      PassRow{"butNotWithoutAllArguments",
                              R"((%x: float32[2]) {
                     %r: float32[2] = prim::CallFunction(function=graph @f, %x)
                     return %r }
                   function @f(%a: float32[2], %b: float32[2]) { return %a })",
                              ""}),
    rowName);

} // namespace
} // namespace cutaway::test
