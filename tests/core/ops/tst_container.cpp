// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class ContainerRow : public testing::TestWithParam<RuleRow> { };

TEST_P(ContainerRow, infers) { EXPECT_EQ(inferred(GetParam().graph), GetParam().results); }

INSTANTIATE_TEST_SUITE_P(
    Lists, ContainerRow,
    testing::Values(
        RuleRow{"Sorted",
                "(%n: int(s0)) { %r = aten::sorted.int([3, 1, 2]) %s = aten::sorted.int([%n, 1]) return %r, %s }",
                "[1, 2, 3]; list of 2 × int"},
        RuleRow{
            "Append",
            "(%x: float32[2], %y: float32[3]) { %l = prim::ListConstruct(%x) %a = aten::append.t(%l, %y) return %l }",
            "[float32[2], float32[3]]"},
        RuleRow{"Extend", "(%a: int(s0)) { %l = prim::ListConstruct(1) aten::extend.t(%l, [%a, 3]) return %l }",
                "[1, s0, 3]"},
        RuleRow{"Insert", "() { %l = prim::ListConstruct(1, 2) aten::insert.t(%l, -1, 7) return %l }", "[1, 7, 2]"},
        RuleRow{"InsertFarOutside", "() { %l = prim::ListConstruct(1) aten::insert.t(%l, 9, 7) return %l }", "[1, 7]"},
        RuleRow{"Pop", "() { %l = prim::ListConstruct(1, 2) %r = aten::pop.t(%l) return %l, %r }", "[1]; 2"},
        RuleRow{"SetItem", "() { %l = prim::ListConstruct(1, 2) %r = aten::_set_item.t(%l, -1, 5) return %l }",
                "[1, 5]"},
        RuleRow{"Delete", "() { %l = prim::ListConstruct(1, 2) aten::Delete.t(%l, 0) return %l }", "[2]"},
        RuleRow{"Reverse", "() { %l = prim::ListConstruct(1, 2) aten::reverse.t(%l) return %l }", "[2, 1]"},
        RuleRow{"Clear", "() { %l = prim::ListConstruct(1, 2) aten::clear.t(%l) return %l }", "[]"},
        RuleRow{"GetItem", "(%x: float32[s0]) { %s = aten::size(%x) %r = aten::__getitem__.t(%s, -1) return %r }",
                "s0"},
        RuleRow{"GetItemOutside", "() { %r = aten::__getitem__.t([1, 2], 2) return %r }",
                "!item 2 of a list of 2 unknown"},
        RuleRow{"GetSomeItem",
                "(%x: float32[2, 3], %y: float32[2, 4], %i: int) { %r = aten::__getitem__.t([%x, %y], %i) return %r }",
                "float32[2, ?]"},
        RuleRow{"Contains", "() { %r = aten::__contains__.int_list([1, 2], 2) return %r }", "true"},
        RuleRow{"ContainsNot", "() { %r = aten::__contains__.str_list([\"a\"], \"b\") return %r }", "false"},
        RuleRow{"MayContain", "(%n: int) { %r = aten::__contains__.int_list([1, 2], %n) return %r }", "bool"},
        RuleRow{"Unpack", "(%x: float32[3, 2]) { %s = aten::size(%x) %a, %b = prim::ListUnpack(%s) return %b, %a }",
                "2; 3"},
        RuleRow{"UnpackOtherwise", "() { %a = prim::ListUnpack([1, 2]) return %a }",
                "!2 items are unpacked into 1 unknown"},
        RuleRow{"UnpackUnknownMany", "(%l: list<float32[2]>) { %a, %b = prim::ListUnpack(%l) return %a, %b }",
                "float32[2]; float32[2]"},
        RuleRow{
            "Tuples",
            "(%x: float32[2]) { %t = prim::TupleConstruct(%x, 3) %r = prim::TupleIndex(%t, index=1) return %t, %r }",
            "(float32[2], 3); 3"},
        RuleRow{"Copy", "() { %r = aten::list.t([1, 2]) return %r }", "[1, 2]"},
        RuleRow{"RangeList", "() { %r = prim::rangelist(3) return %r }", "[0, 1, 2]"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Dictionaries, ContainerRow,
    testing::Values(
        RuleRow{
            "EachKeyHasItsValue",
            "(%x: float32[2], %y: float32[3]) { %d = prim::DictConstruct(\"a\", %x) aten::_set_item.str(%d, \"b\", %y) "
            "%r = aten::__getitem__.Dict_str(%d, \"a\") %s = aten::__getitem__.Dict_str(%d, \"b\") return %r, %s, %d }",
            "float32[2]; float32[3]; {\"a\": float32[2], \"b\": float32[3]}"},
        RuleRow{
            "KeysValuesItems",
            "(%x: float32[2]) { %d = prim::DictConstruct(\"a\", %x) %k = aten::keys.str(%d) %v = aten::values.str(%d) "
            "%i = aten::items.str(%d) return %k, %v, %i }",
            "[\"a\"]; [float32[2]]; [(\"a\", float32[2])]"},
        RuleRow{"UnknownKeys",
                "(%d: dict<str, float32[2]>, %k: str) { %r = aten::__getitem__.Dict_str(%d, %k) %l = "
                "aten::len.Dict_str(%d) "
                "return %r, %l }",
                "float32[2]; int"},
        RuleRow{"SomeKeyMakesAllUnknown",
                "(%k: str) { %d = prim::DictConstruct(\"a\", 1) aten::_set_item.str(%d, %k, 2) return %d }",
                "dict of int"},
        RuleRow{"Contains",
                "() { %d = prim::DictConstruct(\"a\", 1) %r = aten::__contains__.str(%d, \"a\") "
                "%s = aten::__contains__.str(%d, \"b\") return %r, %s }",
                "true; false"},
        RuleRow{"Get",
                "() { %d = prim::DictConstruct(1, 5) %r = aten::get.int(%d, 2) %s = aten::get.default_int(%d, 2, 7) "
                "return %r, %s }",
                "None; 7"},
        RuleRow{"Pop", "() { %d = prim::DictConstruct(1, 5, 2, 6) %r = aten::pop.Dict_int(%d, 1) return %r, %d }",
                "5; {2: 6}"},
        RuleRow{"SetDefault", "() { %d = prim::DictConstruct(1, 5) %r = aten::setdefault.int(%d, 2, 7) return %r, %d }",
                "7; {1: 5, 2: 7}"},
        RuleRow{"OfPairs",
                "(%x: float32[2]) { %p = prim::TupleConstruct(\"a\", %x) %l = prim::ListConstruct(%p) %r = "
                "aten::dict.str(%l) "
                "return %r }",
                "{\"a\": float32[2]}"},
        RuleRow{"Length", "() { %d = prim::DictConstruct(1, 5) %r = aten::len.Dict_int(%d) return %r }", "1"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    OnnxSequences, ContainerRow,
    testing::Values(RuleRow{"At",
                            "(%x: float32[2], %y: float32[3]) { %s = onnx::SequenceConstruct(%x, %y) "
                            "%i = aten::scalar_tensor(-1, dtype=int64) %r = onnx::SequenceAt(%s, %i) return %r }",
                            "float32[3]"},
                    RuleRow{"Insert",
                            "(%x: float32[2]) { %s = onnx::SequenceEmpty() %t = onnx::SequenceInsert(%s, %x) %n = "
                            "onnx::SequenceLength(%t) "
                            "return %t, %n }",
                            "[float32[2]]; int64[] = [1]"},
                    RuleRow{"Erase",
                            "(%x: float32[2], %y: float32[3]) { %s = onnx::SequenceConstruct(%x, %y) %r = "
                            "onnx::SequenceErase(%s) return %r }",
                            "[float32[2]]"},
                    RuleRow{"Optional",
                            "(%x: float32[2]) { %o = onnx::Optional(%x) %h = onnx::OptionalHasElement(%o) %r = "
                            "onnx::OptionalGetElement(%o) "
                            "return %h, %r }",
                            "bool[] = [1]; float32[2]"},
                    RuleRow{"NoOptional", "() { %o = onnx::Optional() %h = onnx::OptionalHasElement(%o) return %h }",
                            "bool[] = [0]"}),
    rowName);

TEST(Container, listsThatDoubleAtEveryNodeAreLeftUnknown)
{
    std::string graph = "(%x: float32[2]) { %l0 = prim::ListConstruct(%x, %x) ";
    for (int i = 0; i < 60; ++i)
        graph += formatted("%l{} = prim::ListConstruct(%l{}, %l{}) ", i + 1, i, i);
    EXPECT_LT(inferred(graph + "return %l60 }").size(), 1'000'000U);
}

} // namespace

} // namespace cutaway::test
