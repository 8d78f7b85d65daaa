// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Comparison : public testing::TestWithParam<RuleRow> { };

TEST_P(Comparison, infers) { EXPECT_EQ(inferred(GetParam().graph), GetParam().results); }

INSTANTIATE_TEST_SUITE_P(
    Tensors, Comparison,
    testing::Values(
        RuleRow{"Broadcasts", "(%x: float32[2, 1], %y: float32[s0]) { %r = aten::lt.Tensor(%x, %y) return %r }",
                "bool[2, s0]"},
        RuleRow{"InPlaceKeepsTheType", "(%x: float32[2]) { %r = aten::eq_.Scalar(%x, 1) return %r }", "float32[2]"},
        RuleRow{"OnnxLess", "(%x: float32[2, 1], %y: float32[3]) { %r = onnx::Less(%x, %y) return %r }", "bool[2, 3]"},
        RuleRow{"CannotBroadcast", "(%x: float32[2], %y: float32[3]) { %r = onnx::Equal(%x, %y) return %r }",
                "!cannot broadcast [2] with [3] bool"},
        RuleRow{"IsNan", "(%x: float32[2]) { %r = aten::isnan(%x) return %r }", "bool[2]"},
        RuleRow{"MaximumPromotes", "(%x: float32[2], %y: float64[2]) { %r = aten::maximum(%x, %y) return %r }",
                "float64[2]"},
        RuleRow{"OnnxMaximum", "(%x: float32[2, 1], %y: float32[3]) { %r = onnx::Max(%x, %y) return %r }",
                "float32[2, 3]"},
        RuleRow{"Where",
                "(%c: bool[2, 1], %x: float32[3], %y: float32[]) { %r = aten::where.self(%c, %x, %y) return %r }",
                "float32[2, 3]"},
        RuleRow{"WhereWithANumber",
                "(%c: bool[2], %x: int64[2]) { %r = aten::where.ScalarOther(%c, %x, 0.5) "
                "return %r }",
                "float32[2]"},
        RuleRow{"WhereAlone", "(%c: bool[2, s0]) { %r = aten::where(%c) return %r }", "[int64[u_0], int64[u_0]]"},
        RuleRow{"Membership", "(%x: int64[2, s0], %y: int64[5]) { %r = aten::isin.Tensor_Tensor(%x, %y) return %r }",
                "bool[2, s0]"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Values, Comparison,
    testing::Values(
        RuleRow{"Ints", "() { %r = aten::gt.int(3, 2) return %r }", "true"},
        RuleRow{"FormulasThatDifferByANumber",
                "(%a: int(s0)) { %b = aten::add.int(%a, 1) %r = aten::lt.int(%a, %b) return %r }", "true"},
        RuleRow{"FormulasThatMayBeEqual", "(%a: int(s0)) { %r = aten::eq.int(%a, 4) return %r }", "bool"},
        RuleRow{"SizesAreNotNegative",
                "(%a: int(s0)) { %r = aten::eq.int(%a, -1) %s = aten::ge.int(%a, 0) %t = aten::gt.int(0, %a) "
                "%u = aten::gt.int(%a, 0) return %r, %s, %t, %u }",
                "false; true; false; bool"},
        RuleRow{"ItemsMayBe",
                "(%x: int64[]) { %a = aten::item(%x) %r = aten::eq.int(%a, -1) %s = aten::lt.int(%a, 0) "
                "return %r, %s }",
                "bool; bool"},
        RuleRow{"Texts", "() { %r = aten::eq.str(\"a\", \"b\") return %r }", "false"},
        RuleRow{"Lists", "(%a: int(s0)) { %r = aten::eq.int_list([1, %a], [2, %a]) return %r }", "false"},
        RuleRow{"ListsOfOtherLength", "() { %r = aten::ne.int_list([1], [1, 2]) return %r }", "true"},
        RuleRow{"DTypes", "() { %r = aten::eq.int(float32, 6) %s = aten::eq.int(float32, 5) return %r, %s }",
                "true; false"},
        RuleRow{"IsNone",
                "(%x: float32[2]) { %r = aten::__is__(%x, none) %s = aten::__isnot__(%x, none) "
                "%t = aten::__is__(none, none) return %r, %s, %t }",
                "false; true; true"},
        RuleRow{"AreNotOneTensor",
                "(%x: float32[2, s0], %y: float32[3, s0], %z: float32[2, s1]) { %r = aten::__is__(%x, %y) "
                "%s = aten::__isnot__(%x, %y) %t = aten::__is__(%x, %z) return %r, %s, %t }",
                "false; true; bool"},
        RuleRow{"IsOfAType",
                "(%x: float32[2], %n: int, %o: optional<int>) { %r = prim::isinstance(%x, types=[type(int)]) "
                "%s = prim::isinstance(%n, types=[type(tensor[*]), type(int)]) "
                "%t = prim::isinstance(%o, types=[type(int)]) %u = prim::isinstance(none, types=[type(none)]) "
                "return %r, %s, %t, %u }",
                "false; true; bool; true"},
        RuleRow{"MayBeNone", "(%x: optional<int>) { %r = aten::__is__(%x, none) return %r }", "bool"},
        RuleRow{"Not", "() { %r = aten::__not__(false) return %r }", "true"},
        RuleRow{"Elements",
                "(%a: int(s0)) { %x = aten::tensor([%a, 3]) %y = aten::tensor([%a, 4]) "
                "%r = aten::eq.Tensor(%x, %y) return %r }",
                "bool[2] = [1, 0]"},
        RuleRow{"ChosenElements",
                "(%a: int(s0)) { %x = aten::tensor([%a, -1]) %m = onnx::Constant(value_int=-1) "
                "%o = onnx::Constant(value_int=1) %c = onnx::Equal(%x, %m) %r = onnx::Where(%c, %o, %x) return %r }",
                "int64[2] = [s0, 1]"},
        RuleRow{"GreatestOfAList", "(%a: int(s0)) { %r = prim::max.self_int([3, %a, 5]) return %r }", "max(5, s0)"},
        RuleRow{"LeastOfTwo", "(%a: int(s0)) { %r = torch::sym_min(a=%a, b=7) return %r }", "min(7, s0)"},
        RuleRow{"ChosenNumber", "() { %r = torch::sym_ite(true, 3, 4) return %r }", "3"}),
    rowName);

} // namespace

} // namespace cutaway::test
