// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {
namespace {

class Aliases : public ::testing::TestWithParam<RuleRow> { };

TEST_P(Aliases, seeWhatIsWrittenToOneOfThem)
{
    EXPECT_EQ(inferred("(%x: float32[2], %c: bool, %n: int) {" + GetParam().graph + "}" + R"(
function @more(%l: list<tensor[*]>, %x: tensor[*]) {
  %a: list<tensor[*]> = aten::append.t(self=%l, el=%x)
  return none
}
)"),
              GetParam().results);
}

INSTANTIATE_TEST_SUITE_P(Rows, Aliases,
                         ::testing::Values(RuleRow{"anObjectsList",
                                                   R"(%o: object "Acc" = prim::CreateObject()
                %l: list<tensor[*]> = prim::ListConstruct(%x)
                prim::SetAttr(self=%o, name="items", value=%l)
                %m: list<tensor[*]> = prim::GetAttr(self=%o, name="items")
                %a: list<tensor[*]> = aten::append.t(self=%m, el=%x)
                %k: list<tensor[*]> = prim::GetAttr(self=%o, name="items")
                %r = aten::cat(tensors=%k) return %r)",
                                                   "float32[4]"},
                                           RuleRow{"aListInADictionary",
                                                   R"(%l: list<tensor[*]> = prim::ListConstruct(%x)
                %d: dict<str, list<tensor[*]>> = prim::DictConstruct("a", %l)
                %m: list<tensor[*]> = aten::__getitem__.Dict_str(self=%d, key="a")
                %a: list<tensor[*]> = aten::append.t(self=%m, el=%x)
                %k: list<tensor[*]> = aten::__getitem__.Dict_str(self=%d, key="a")
                return %k)",
                                                   "[float32[2], float32[2]]"},
                                           RuleRow{"aListThatWasPutIntoAnother",
                                                   R"(%l: list<tensor[*]> = prim::ListConstruct(%x)
                %o: list<list<tensor[*]>> = prim::ListConstruct()
                %p: list<list<tensor[*]>> = aten::append.t(self=%o, el=%l)
                %a: list<tensor[*]> = aten::append.t(self=%l, el=%x)
                return %o)",
                                                   "[[float32[2], float32[2]]]"},
                                           RuleRow{"anItemNobodyKnows",
                                                   R"(%l: list<tensor[*]> = prim::ListConstruct(%x)
                %k: list<tensor[*]> = prim::ListConstruct(%x)
                %o: list<list<tensor[*]>> = prim::ListConstruct(%l, %k)
                %m: list<tensor[*]> = aten::__getitem__.t(list=%o, idx=%n)
                %a: list<tensor[*]> = aten::append.t(self=%m, el=%x)
                %r: list<tensor[*]> = aten::__getitem__.t(list=%o, idx=0)
                %s: int = aten::len.t(a=%r)
                return %s)",
                                                   "int"},
                                           RuleRow{"whatABranchGives",
                                                   R"(%l: list<tensor[*]> = prim::ListConstruct(%x)
                %k: list<tensor[*]> = prim::ListConstruct(%x)
                %m: list<tensor[*]> = prim::If(cond=%c)
                  region "then" { return %l }
                  region "else" { return %k }
                %a: list<tensor[*]> = aten::append.t(self=%m, el=%x)
                %s: int = aten::len.t(a=%l)
                return %s)",
                                                   "int"},
                                           RuleRow{"aTensorThatIsReshapedTwice",
                                                   R"(%y: tensor[*] = aten::unsqueeze_(self=%x, dim=0)
                %z: tensor[*] = aten::t_(self=%y)
                return %x, %z)",
                                                   "float32[2, 1]; float32[2, 1]"},
                                           RuleRow{"aListThatAFunctionIsGiven",
                                                   R"(%l: list<tensor[*]> = prim::ListConstruct(%x)
                prim::CallFunction(function=graph @more, %l, %x)
                return %l)",
                                                   "[float32[2], float32[2]]"}),
                         rowName);

} // namespace
} // namespace cutaway::test
