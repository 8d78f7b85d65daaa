// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/printer.h"

#include "core/formats/python/printer.h"
#include "core/formats/torchscript/source/parser.h"

#include <gtest/gtest.h>

namespace cutaway::formats::torchscript {
namespace {

struct Row {
    std::string name;
    std::string source;
    std::string printed = source; ///< the source itself where nothing is redundant in it
};

/// Source is read and printed, and the printed text is read and prints the same.
void expectPrinted(const std::string &source, const std::string &printed)
{
    const auto parsed = parse(source);
    ASSERT_TRUE(parsed) << parsed.error().text();
    EXPECT_EQ(print(parsed->tree), printed);
    const auto again = parse(printed);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(print(again->tree), printed);
}

class Files : public testing::TestWithParam<Row> { };

TEST_P(Files, PrintAsTheyRead) { expectPrinted(GetParam().source, GetParam().printed); }

INSTANTIATE_TEST_SUITE_P(
    Printer, Files,
    testing::Values(
        Row{"Module",
            "class A(Module):\n  __parameters__ = [\"weight\", \"bias\", ]\n  __buffers__ = []\n  weight : Tensor\n"
            "  bias : Optional[Tensor]\n  training : bool\n  __annotations__[\"0\"] = __torch__.torch.nn.Linear\n"
            "  eps : Final[float] = 0.001\n  size : Final[Tuple[int, int]] = (1, 1)\n"
            "  def forward(self: __torch__.A,\n      x: Tensor,\n      k: int=3) -> Tensor:\n    return x\n"},
        Row{"ModuleOfNumberedChildren",
            "class S(Module):\n  __parameters__ = []\n  __annotations__ = []\n"
            "  __annotations__[\"0\"] = __torch__.A\n  __annotations__[\"1\"] = __torch__.A\n"},
        Row{"Hooks",
            "class A(Module):\n  __forward_pre_hooks__ = [\"before\", ]\n  __forward_hooks__ = [\"after\", ]\n"
            "  def before(self: __torch__.A,\n      x: Tuple[Tensor]) -> NoneType:\n    return None\n"},
        Row{"KeywordAttribute", "class A(Module):\n  class : Tensor\n  def : int\n  pass : int\n"},
        Row{"NamedTuple", "class P(NamedTuple):\n  x : Tensor\n  y : int\n"},
        Row{"Enum", "class Color(Enum):\n  RED = 1\n  NAME = \"n\"\n  pass = 2\n"},
        Row{"Interface", "class I(ModuleInterface):\n  def go(self: Any,\n      x: Tensor) -> Tensor:\n    pass\n"},
        Row{"EmptyClass", "class _Record:\n  pass\n"},
        Row{"ClassesAndFunctionsInOrder",
            "def f(x: int) -> int:\n  return x\nclass C:\n  a : int\ndef g() -> Tuple[()]:\n  return ()\n"},
        Row{"CommentsAndBlankLines", "# c\n\ndef f():\n\n  # d\n  x = 1 # e\n\n      # f\n  y = 2",
            "def f():\n  x = 1\n  y = 2\n"},
        Row{"OtherIndentation", "def f():\n        if c:\n         a = 1\n        else:\n            pass\n",
            "def f():\n  if c:\n    a = 1\n  else:\n    pass\n"},
        Row{"CarriageReturns", "def f():\r\n  x = 1\r\n", "def f():\n  x = 1\n"}),
    [](const auto &row) { return row.param.name; });

class Statements : public testing::TestWithParam<Row> { };

TEST_P(Statements, PrintAsTheyRead)
{
    expectPrinted("def f():\n" + GetParam().source, "def f():\n" + GetParam().printed);
}

INSTANTIATE_TEST_SUITE_P(
    Printer, Statements,
    testing::Values(Row{"Assignment", "  x = y\n"}, Row{"TypedAssignment", "  x : Optional[Tensor] = None\n"},
                    Row{"AttributeAssignment", "  self.a = x\n"}, Row{"KeywordAttribute", "  self.class = self.if\n"},
                    Row{"SeveralOutputs", "  a, b = torch.max(x, 0)\n"}, Row{"Unpacking", "  a, b, = t\n"},
                    Row{"UnpackingOne", "  a, = t\n"}, Row{"UnpackingInBrackets", "  (a,) = (b,)\n", "  a, = b,\n"},
                    Row{"UnpackingNothing", "  a, b, = ()\n"}, Row{"ParallelMove", "  _6, x0 = _12, _9\n"},
                    Row{"Expression", "  ops.prim.RaiseException(\"bad\", \"builtins.ValueError\")\n"},
                    Row{"IfElse", "  if c:\n    x = 1\n  else:\n    x = 2\n"},
                    Row{"IfAlone", "  if c:\n    x = 1\n", "  if c:\n    x = 1\n  else:\n    pass\n"},
                    Row{"While", "  while _6:\n    x = 1\n"},
                    Row{"For",
                        "  for _0 in range(torch.__range_length(2, 9, 3)):\n    i = torch.__derive_index(_0, 2, 3)\n"},
                    Row{"With", "  with _0:\n    y = x\n"}, Row{"WithName", "  with _0 as k:\n    y = k\n"},
                    Row{"Fork", "  def __forked_function():\n    return x\n  f = fork(__forked_function)\n"},
                    Row{"LocalFunctionInBlock",
                        "  if c:\n    def g(a: int,\n        b: int):\n      return a\n  else:\n    pass\n"},
                    Row{"Pass", "  pass\n"}, Row{"ReturnAlone", "  return\n"}),
    [](const auto &row) { return row.param.name; });

class Expressions : public testing::TestWithParam<Row> { };

TEST_P(Expressions, PrintAsTheyRead)
{
    expectPrinted("def f():\n  " + GetParam().source + "\n", "def f():\n  " + GetParam().printed + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Printer, Expressions,
    testing::Values(
        Row{"Constants", "(None, True, False, CONSTANTS.c0)"}, Row{"Integers", "(0, -5, -9223372036854775808)"},
        Row{"Floats", "(5., -1., 0.10000000000000001, 1e+22, 1.0000000000000001e-05, -0.)",
            "(5., -1., 0.1, 1e+22, 1e-05, -0.)"},
        Row{"InfinityAndNan", "(inf, -inf, nan)"}, Row{"Complex", "(2.+3.j, inf-1.j, -0.-1.j, nan+nanj, 1.-infj)"},
        Row{"ComplexOfOnePart", "(3.j, -3j)", "(0.+3.j, -0.-3.j)"},
        Row{"Strings", R"(["t\t n\n q\' d\" b\\ nul\000 esc\033 del\177"])"},
        Row{"ForeignStrings", R"_(['it"s', "\0)+\/.)", "\q"])_", R"_(["it\"s", "\303\251", "\\q"])_"},
        Row{"Lists", "[[], [1], [1, 2]]"}, Row{"Tuples", "((), (1,), (1, 2))"},
        Row{"Dicts", "({}, {\"a\": 1, \"b\": [x]})"}, Row{"Operator", "torch.add(x, y, alpha=2)"},
        Row{"OtherOperator", "ops.torchvision.nms(b, s, 0.5)"},
        Row{"MethodCall", "(self.conv).forward((x), )", "self.conv.forward(x)"},
        Row{"MethodOfOperator", "torch.view(x, [-1]).tolist()"},
        Row{"FunctionCall", "__torch__.p.f(x, )", "__torch__.p.f(x)"},
        Row{"NewObject", "__torch__.p.C.__new__(__torch__.p.C)"}, Row{"Subscripts", "(t)[0][i]", "t[0][i]"},
        Row{"SubscriptOfTuples", "(t[(1, 2), 3], t[(1,)], t[()], t[:], t[::2,])",
            "(t[(1, 2), 3], t[1,], t[()], t[:], t[::2,])"},
        Row{"EnumValue", "(__torch__.p.Color.RED).value", "__torch__.p.Color.RED.value"},
        Row{"NumberedAttribute", "getattr(self.layer, \"0\").forward(x)"},
        Row{"NamedGetattr", "getattr(self, \"a\")", "self.a"}, Row{"Negation", "(-x, -f(x), --x, -(5))"},
        Row{"NegationOfAPart", "(-x).a"}, Row{"AttributeOfNumber", "((5).a, (-5)[0])"},
        Row{"Annotate", "annotate(Dict[str, List[Tensor]], {})"},
        Row{"UncheckedCast", "unchecked_cast(Union[int, str], x)"}, Row{"Uninitialized", "uninitialized(Tuple[()])"},
        Row{"IsInstance", "(isinstance(x, int), isinstance(x, (List[int], NoneType)))"},
        Row{"IsInstanceOfOne", "isinstance(x, (int,))"},
        Row{"BuiltinNamesAsVariables", "f(annotate, isinstance=getattr)"},
        Row{"JoinedLines", "torch.add(x,\n\n y)", "torch.add(x, y)"}),
    [](const auto &row) { return row.param.name; });

TEST(Printer, PrintsPartsOfATree)
{
    const auto parsed = parse("class C:\n  def f(self):\n    x = torch.neg(y)\n");
    ASSERT_TRUE(parsed);
    const Tree &tree = parsed->tree;
    EXPECT_EQ(python::print(tree, FunctionId{0}), "def f(self):\n  x = torch.neg(y)\n");
    EXPECT_EQ(print(tree, ClassId{0}), print(tree));
    EXPECT_EQ(python::print(tree, StatementId{0}), "x = torch.neg(y)\n");
    EXPECT_EQ(python::print(tree, *std::get<Assign>(tree.statements.front().kind).value), "torch.neg(y)");
}

} // namespace
} // namespace cutaway::formats::torchscript
