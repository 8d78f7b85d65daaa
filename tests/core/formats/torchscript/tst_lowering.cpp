// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/lowering.h"

#include "core/formats/torchscript/reader.h"
#include "core/ir/context.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "tests/core/formats/temporary_file.h"
#include "tests/core/formats/torchscript/archive_text.h"

#include <gtest/gtest.h>
#include <regex>

namespace cutaway::formats::torchscript {
namespace {

using namespace tests::pickled;

/// An archive of code and, if it has a state, of its root's attributes.
struct LoweringRow {
    std::string name;
    std::string code;  ///< __torch__.py; the root is class Net
    std::string graph; ///< forward, without places and empty names
    std::string state = dict({});
    std::string notes = ""; ///< one message per line
};

class LoweringRows : public ::testing::TestWithParam<LoweringRow> { };

std::string plain(const std::string &text)
{
    static const std::regex noise(R"re(( name "[^"]*")|( at "[^"]*":\d+)|(^graph @forward))re",
                                  std::regex::ECMAScript | std::regex::multiline);
    return std::regex_replace(text, noise, "");
}

TEST_P(LoweringRows, givesTheGraph)
{
    tests::ArchiveText archive;
    archive.data = object("__torch__", "Net", GetParam().state);
    archive.code = GetParam().code;
    const std::string bytes = archive.bytes();
    const auto model = read(formats::archive::Probe(std::as_bytes(std::span(bytes)), {"net.pt", nullptr}), {});
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(ir::verify(*model), std::vector<std::string>());
    std::string notes;
    for (const ir::Diagnostic &diagnostic : model->diagnostics)
        notes += diagnostic.message + "\n";
    EXPECT_EQ(notes, GetParam().notes);
    ASSERT_FALSE(model->functions.empty());
    EXPECT_EQ("\n" + plain(ir::printText(*model, ir::FunctionId{0}, ir::TextForm::Reading)), GetParam().graph);
}

const std::string head = "class Net(Module):\n  __parameters__ = []\n  __buffers__ = []\n";

/// A forward of the root with these parameters and body lines.
std::string forward(const std::string &parameters, const std::string &result, const std::string &body)
{
    return "  def forward(self: __torch__.Net,\n    " + parameters + ") -> " + result + ":\n" + body;
}

const std::string linear = "class Linear(Module):\n"
                           "  __parameters__ = []\n"
                           "  __buffers__ = []\n"
                           "  slope : float\n"
                           "  def forward(self: __torch__.Linear,\n    input: Tensor) -> Tensor:\n"
                           "    slope = self.slope\n"
                           "    return torch.mul(input, slope)\n";

INSTANTIATE_TEST_SUITE_P(
    Rows, LoweringRows,
    ::testing::Values(
        LoweringRow{"anOperatorHasItsOverloadAndArgumentNames",
                    head + forward("x: Tensor", "Tensor", "    return torch.add(x, 2, alpha=3)\n"), R"(
(%x: tensor[*]) {
  %add: tensor[*] = aten::add.Scalar(self=%x, other=2, alpha=3)
  return %add
}
)"},
        LoweringRow{"aDtypeIsNamed",
                    head + forward("x: Tensor", "Tensor", "    return torch.zeros([2], dtype=5, layout=None)\n"), R"(
(%x: tensor[*]) {
  %zeros: tensor[*] = aten::zeros(size=[2], dtype=float16, layout=none)
  return %zeros
}
)"},
        LoweringRow{"anUnknownOperatorKeepsItsPlaces",
                    head + forward("x: Tensor", "Tensor", "    return ops.mine.op(x, 1, k=True)\n"), R"(
(%x: tensor[*]) {
  %op = mine::op(%x, 1, k=true)
  return %op
}
)",
                    dict({}),
                    "mine::op is an operator that Cutaway does not know: the types of its results are not known\n"},
        LoweringRow{"aBranchGivesWhatIsReadLater",
                    head
                        + forward("x: Tensor", "Tensor",
                                  "    if bool(torch.gt(torch.sum(x), 0)):\n      unread = torch.neg(x)\n"
                                  "      y = torch.add(x, 1)\n    else:\n      unread = x\n      y = x\n"
                                  "    return y\n"),
                    R"(
(%x: tensor[*]) {
  %sum: tensor[*] = aten::sum(self=%x)
  %gt: tensor[*] = aten::gt.Scalar(self=%sum, other=0)
  %Bool: bool = aten::Bool.Tensor(a=%gt)
  %y_1: tensor[*] = prim::If(cond=%Bool)
    region "then" {
      %unread: tensor[*] = aten::neg(self=%x)
      %y: tensor[*] = aten::add.Scalar(self=%x, other=1)
      return %y
    }
    region "else" {
      return %x
    }
  return %y_1
}
)"},
        LoweringRow{"aNameOfOneBranchIsWhatItWasOnTheOther",
                    head
                        + forward("x: Tensor,\n    c: bool", "Tensor",
                                  "    y = torch.neg(x)\n    if c:\n      y = torch.abs(y)\n    else:\n      pass\n"
                                  "    return y\n"),
                    R"(
(%x: tensor[*], %c: bool) {
  %y: tensor[*] = aten::neg(self=%x)
  %y_2: tensor[*] = prim::If(cond=%c)
    region "then" {
      %y_1: tensor[*] = aten::abs(self=%y)
      return %y_1
    }
    region "else" {
      return %y
    }
  return %y_2
}
)"},
        LoweringRow{
            "aForLoopCarriesWhatItAssigns",
            head
                + forward("x: Tensor", "Tensor",
                          "    y = x\n    for i in range(3):\n      t = torch.mul(y, i)\n      y = torch.add(t, y)\n"
                          "    return y\n"),
            R"(
(%x: tensor[*]) {
  %y_2: tensor[*] = prim::Loop(trip_count=3, cond=true, %x)
    region "body" (%i: int, %y: tensor[*]) {
      %t: tensor[*] = aten::mul.Scalar(self=%y, other=%i)
      %y_1: tensor[*] = aten::add.Tensor(self=%t, other=%y)
      return true, %y_1
    }
  return %y_2
}
)"},
        LoweringRow{"aWhileLoopGivesItsNextCondition",
                    head
                        + forward("x: Tensor,\n    n: int", "Tensor",
                                  "    y, k, go = x, n, torch.gt(n, 0)\n    while go:\n      k0 = torch.sub(k, 1)\n"
                                  "      go, y, k = torch.gt(k0, 0), torch.neg(y), k0\n    return y\n"),
                    R"(
(%x: tensor[*], %n: int) {
  %go: bool = aten::gt.int(a=%n, b=0)
  %y_2: tensor[*], %k_1: int = prim::Loop(trip_count=9223372036854775807, cond=%go, %x, %n)
    region "body" (%i: int, %y: tensor[*], %k: int) {
      %k0: int = aten::sub.int(a=%k, b=1)
      %go_1: bool = aten::gt.int(a=%k0, b=0)
      %y_1: tensor[*] = aten::neg(self=%y)
      return %go_1, %y_1, %k0
    }
  return %y_2
}
)"},
        LoweringRow{"whatALoopCarriesForItselfComesLastByName",
                    head
                        + forward("x: Tensor,\n    n: int", "Tensor",
                                  "    y, z, a, go = x, x, n, torch.gt(n, 0)\n    while go:\n"
                                  "      k = torch.sub(a, 1)\n      t = torch.mul(z, y)\n"
                                  "      go, z, y, a = torch.gt(k, 0), torch.neg(z), t, k\n    return y\n"),
                    R"(
(%x: tensor[*], %n: int) {
  %go: bool = aten::gt.int(a=%n, b=0)
  %y_1: tensor[*], %a_1: int, %z_2: tensor[*] = prim::Loop(trip_count=9223372036854775807, cond=%go, %x, %n, %x)
    region "body" (%i: int, %y: tensor[*], %a: int, %z: tensor[*]) {
      %k: int = aten::sub.int(a=%a, b=1)
      %t: tensor[*] = aten::mul.Tensor(self=%z, other=%y)
      %go_1: bool = aten::gt.int(a=%k, b=0)
      %z_1: tensor[*] = aten::neg(self=%z)
      return %go_1, %t, %k, %z_1
    }
  return %y_1
}
)"},
        LoweringRow{"functionsOfTheLanguageAreOperators",
                    head
                        + forward("x: Tensor,\n    l: List[int]", "Tuple[str, Tensor]",
                                  "    return (str(torch.dim(x)), torch.zeros(sorted(l)))\n"),
                    R"(
(%x: tensor[*], %l: list<int>) {
  %dim: int = aten::dim(self=%x)
  %str: str = aten::str(elem=%dim)
  %sorted: list<int> = aten::sorted.int(input=%l)
  %zeros: tensor[*] = aten::zeros(size=%sorted)
  return %str, %zeros
}
)"},
        LoweringRow{"resultsAndTuplesAreTakenApart",
                    head
                        + forward("x: Tensor,\n    p: Tuple[Tensor, int]", "Tuple[Tensor, Tuple[int, Tensor]]",
                                  "    values, indices = torch.max(x, 1)\n    a, n, = p\n    t = (values, indices)\n"
                                  "    return ((t)[1], (n, (p)[0]))\n"),
                    R"(
(%x: tensor[*], %p: tuple<tensor[*], int>) {
  %values: tensor[*], %indices: tensor[*] = aten::max.dim(self=%x, dim=1)
  %a: tensor[*], %n: int = prim::TupleUnpack(%p)
  %TupleIndex: tensor[*] = prim::TupleIndex(%p, index=0)
  return %indices, %n, %TupleIndex
}
)"},
        LoweringRow{"anyItemOfATupleIsOfTheTypeOfAll",
                    head
                        + forward("i: int,\n    p: Tuple[int, int, int],\n    q: Tuple[int, str]", "Tuple[int, int]",
                                  "    a = torch.remainder((p)[i], 4)\n    b = (q)[i]\n    return (a, b)\n"),
                    R"(
(%i: int, %p: tuple<int, int, int>, %q: tuple<int, str>) {
  %TupleIndex: int = prim::TupleIndex(%p, index=%i)
  %a: int = aten::remainder.int(a=%TupleIndex, b=4)
  %b = prim::TupleIndex(%q, index=%i)
  return %a, %b
}
)"},
        LoweringRow{"aListThatGrowsIsMadeInOnePlace",
                    head
                        + forward("x: Tensor", "Tensor",
                                  "    sizes = [2, 3]\n    parts = annotate(List[Tensor], [])\n"
                                  "    _0 = torch.append(parts, torch.view(x, sizes))\n    return torch.cat(parts)\n"),
                    R"(
(%x: tensor[*]) {
  %parts: list<tensor[*]> = prim::ListConstruct()
  %view: tensor[*] = aten::view(self=%x, size=[2, 3])
  %append: list<tensor[*]> = aten::append.t(self=%parts, el=%view)
  %cat: tensor[*] = aten::cat(tensors=%parts)
  return %cat
}
)"},
        LoweringRow{
            "modulesAreInlinedUnderTheirScope",
            linear + head + "  l : __torch__.Linear\n"
                + forward("x: Tensor", "Tensor",
                          "    l = self.l\n    y = (l).forward(x, )\n    l0 = self.l\n    return (l0).forward(y, )\n"),
            R"(
(%x: tensor[*]) {
  %mul: tensor[*] = aten::mul.Scalar(self=%x, other=0.5) in l
  %mul_1: tensor[*] = aten::mul.Scalar(self=%mul, other=0.5) in l#1
  return %mul_1
}
)",
            dict({{text("l"), object("__torch__", "Linear", dict({{text("slope"), real(0.5)}}))}})},
        LoweringRow{"anAttributeThatChangesIsReadWhereItIsRead",
                    head + "  n : int\n"
                        + forward("x: Tensor", "Tensor",
                                  "    n = self.n\n    self.n = torch.add(n, 1)\n    return torch.mul(x, n)\n"),
                    R"(
(%x: tensor[*], custom_object %self: module "__torch__.Net") {
  %n: int = prim::GetAttr(self=%self, name="n")
  %add: int = aten::add.int(a=%n, b=1)
  prim::SetAttr(self=%self, name="n", value=%add)
  %mul: tensor[*] = aten::mul.Scalar(self=%x, other=%n)
  return %mul
}
)",
                    dict({{text("n"), integer(0)}})},
        LoweringRow{"whatAFunctionCallsIsFoldedAndTheRootIsNot",
                    head
                        + forward("x: Tensor", "Tensor",
                                  "    return torch.add(__torch__.outer(x, ), __torch__.relu(x, False, ))\n")
                        + "def outer(x: Tensor) -> Tensor:\n  return __torch__.relu(x, False, )\n"
                          "def relu(x: Tensor,\n    inplace: bool=False) -> Tensor:\n"
                          "  if inplace:\n    y = torch.relu_(x)\n  else:\n    y = torch.relu(x)\n  return y\n",
                    R"(
(%x: tensor[*]) {
  %y: tensor[*] = aten::relu(self=%x)
  %y_3: tensor[*] = prim::If(cond=false)
    region "then" {
      %y_1: tensor[*] = aten::relu_(self=%x)
      return %y_1
    }
    region "else" {
      %y_2: tensor[*] = aten::relu(self=%x)
      return %y_2
    }
  %add: tensor[*] = aten::add.Tensor(self=%y, other=%y_3)
  return %add
}
)"},
        LoweringRow{"aBranchThatIsSkippedMayAssignNamesToEachOther",
                    head + forward("x: Tensor", "Tensor", "    return __torch__.outer(x, )\n")
                        + "def outer(x: Tensor) -> Tensor:\n  return __torch__.f(x, False, )\n"
                          "def f(x: Tensor,\n    c: bool=False) -> Tensor:\n"
                          "  if c:\n    y = z\n    z = y\n  else:\n    y = torch.neg(x)\n    z = y\n"
                          "  return torch.add(y, z)\n",
                    R"(
(%x: tensor[*]) {
  %y: tensor[*] = aten::neg(self=%x)
  %add: tensor[*] = aten::add.Tensor(self=%y, other=%y)
  return %add
}
)",
                    dict({}), "\"z\" is not defined (code/__torch__.py, line 12)\n"},
        LoweringRow{"aForkIsARegion",
                    head
                        + forward("x: Tensor", "Tensor",
                                  "    def __forked_function():\n      _0 = torch.neg(x)\n      return _0\n"
                                  "    f = fork(__forked_function)\n    return torch.wait(f)\n"),
                    R"(
(%x: tensor[*]) {
  %f: future<tensor[*]> = prim::fork()
    region "body" {
      %neg: tensor[*] = aten::neg(self=%x)
      return %neg
    }
  %wait: tensor[*] = aten::wait(self=%f)
  return %wait
}
)"},
        LoweringRow{"aWithEntersAndExits",
                    head
                        + forward("x: Tensor", "Tensor",
                                  "    g = __torch__.Guard.__new__(__torch__.Guard)\n    with g as k:\n"
                                  "      y = torch.neg(x)\n    return y\n")
                        + "class Guard:\n  def __enter__(self: __torch__.Guard) -> int:\n    return 1\n",
                    R"(
(%x: tensor[*]) {
  %g: object "__torch__.Guard" = prim::CreateObject()
  %k: int = prim::Enter(%g)
  %y: tensor[*] = aten::neg(self=%x)
  prim::Exit(%g)
  return %y
}
)"},
        LoweringRow{"optionalsEnumsAndNamedTuplesKeepTheirTypes",
                    head
                        + forward("x: Optional[Tensor],\n    e: __torch__.Color", "__torch__.Pair",
                                  "    if torch.__is__(x, None):\n      y = torch.zeros([1])\n    else:\n"
                                  "      y = unchecked_cast(Tensor, x)\n"
                                  "    n = annotate(int, (e).value)\n    same = torch.eq(e, __torch__.Color.RED)\n"
                                  "    b = isinstance(n, (int, str))\n    return __torch__.Pair(y, n)\n")
                        + "class Color(Enum):\n  RED = 1\nclass Pair(NamedTuple):\n  a : Tensor\n  b : int\n",
                    R"(
(%x: optional<tensor[*]>, %e: enum "__torch__.Color") {
  %__is__: bool = aten::__is__(self=%x, obj=none)
  %y_1: tensor[*] = prim::If(cond=%__is__)
    region "then" {
      %y: tensor[*] = aten::zeros(size=[1])
      return %y
    }
    region "else" {
      return %x
    }
  %n: int = prim::EnumValue.int(enum=%e, members={"__torch__.Color.RED": 1})
  %same: bool = aten::eq.enum(a=%e, b="__torch__.Color.RED")
  %b: bool = prim::isinstance(%n, types=[type(int), type(str)])
  return %y_1, %n
}
)"},
        LoweringRow{"aMemberOfAnEnumIsNamed",
                    head + "  c : __torch__.Color\n"
                        + forward("x: Tensor", "Tensor",
                                  "    c = self.c\n    same = torch.eq(c, __torch__.Color.RED)\n"
                                  "    return torch.mul(x, (c).value)\n")
                        + "class Color(Enum):\n  RED = 1\n  GREEN = 2\n",
                    R"(
(%x: tensor[*]) {
  %same: bool = aten::eq.enum(a="__torch__.Color.GREEN", b="__torch__.Color.RED")
  %EnumValue: int = prim::EnumValue.int(enum="__torch__.Color.GREEN", members={"__torch__.Color.RED": 1, "__torch__.Color.GREEN": 2})
  %mul: tensor[*] = aten::mul.Scalar(self=%x, other=%EnumValue)
  return %mul
}
)",
                    dict({{text("c"), call(global("__torch__", "Color"), integer(2))}})},
        LoweringRow{"anAnnotatedDictionaryHasItsType",
                    head
                        + forward("x: Tensor", "Dict[str, Tensor]",
                                  "    d = annotate(Dict[str, Tensor], {})\n    torch._set_item(d, \"a\", x)\n"
                                  "    return d\n"),
                    R"(
(%x: tensor[*]) {
  %d: dict<str, tensor[*]> = prim::DictConstruct()
  aten::_set_item.str(l=%d, idx="a", v=%x)
  return %d
}
)"},
        LoweringRow{"aParameterKeepsItsDefault",
                    head
                        + forward("x: Tensor, k: Optional[int]=3, mode: str=\"sum\", w: float=-0.5", "Tensor",
                                  "    return torch.add(x, 1)\n"),
                    R"(
(%x: tensor[*], %k: optional<int> default 3, %mode: str default "sum", %w: float default -0.5) {
  %add: tensor[*] = aten::add.Scalar(self=%x, other=1)
  return %add
}
)"},
        LoweringRow{"anOperatorOfATensorHasItsUsualName",
                    head
                        + forward("x: Tensor, b: bool", "Tensor",
                                  "    y = torch.swapaxes(x, 0, 1)\n    same = torch.__is__(b, True)\n"
                                  "    return torch.rsub(torch.absolute_(y), x)\n"),
                    R"(
(%x: tensor[*], %b: bool) {
  %y: tensor[*] = aten::transpose.int(self=%x, dim0=0, dim1=1)
  %same: bool = aten::eq.bool(a=%b, b=true)
  %abs_: tensor[*] = aten::abs_(self=%y)
  %sub: tensor[*] = aten::sub.Tensor(self=%x, other=%abs_)
  return %sub
}
)"},
        LoweringRow{"whatAListHoldsThatNothingChangesIsKnown",
                    head + "  sub : __torch__.Sub\n"
                        + forward("x: Tensor", "Tensor", "    sub = self.sub\n    return (sub).forward(x, )\n")
                        + "class Sub(Module):\n  __parameters__ = []\n  __buffers__ = []\n  def forward(self: "
                          "__torch__.Sub, x: Tensor) -> Tensor:\n"
                          "    xs = [x, torch.neg(x)]\n"
                          "    n = torch.len(xs)\n"
                          "    if torch.ne(n, 2):\n"
                          "      ops.prim.RaiseException(\"no\")\n"
                          "    else:\n"
                          "      pass\n"
                          "    y = __torch__.first(xs, )\n"
                          "    return torch.add(y, xs[-1])\n"
                        + "def first(xs: List[Tensor]) -> Tensor:\n  return xs[0]\n",
                    R"(
(%x: tensor[*]) {
  %neg: tensor[*] = aten::neg(self=%x) in sub
  #8 %add: tensor[*] = aten::add.Tensor(self=%x, other=%neg) in sub
  return %add
}
)",
                    dict({{text("sub"), object("__torch__", "Sub", dict({}))}})},
        LoweringRow{"whatAChangedListHoldsIsNotKnown",
                    head + "  sub : __torch__.Sub\n"
                        + forward("x: Tensor", "Tensor", "    sub = self.sub\n    return (sub).forward(x, )\n")
                        + "class Sub(Module):\n  __parameters__ = []\n  __buffers__ = []\n  def forward(self: "
                          "__torch__.Sub, x: Tensor) -> Tensor:\n"
                          "    xs = [x]\n"
                          "    _0 = torch.append(xs, x)\n"
                          "    return torch.add(xs[0], torch.len(xs))\n",
                    R"(
(%x: tensor[*]) {
  %xs: list<tensor[*]> = prim::ListConstruct(%x) in sub
  %append: list<tensor[*]> = aten::append.t(self=%xs, el=%x) in sub
  %__getitem__: tensor[*] = aten::__getitem__.t(list=%xs, idx=0) in sub
  %len: int = aten::len.t(a=%xs) in sub
  %add: tensor[*] = aten::add.Scalar(self=%__getitem__, other=%len) in sub
  return %add
}
)",
                    dict({{text("sub"), object("__torch__", "Sub", dict({}))}})},
        LoweringRow{"concatenationsOfConcatenationsAreOne",
                    head + "  sub : __torch__.Sub\n"
                        + forward("x: Tensor", "Tensor", "    sub = self.sub\n    return (sub).forward(x, )\n")
                        + "class Sub(Module):\n  __parameters__ = []\n  __buffers__ = []\n  def forward(self: "
                          "__torch__.Sub, x: Tensor) -> Tensor:\n"
                          "    a = torch.cat([x, torch.neg(x)], 1)\n"
                          "    b = torch.cat([x, x], 0)\n"
                          "    return torch.cat([x, a, b], 1)\n",
                    R"(
(%x: tensor[*]) {
  %neg: tensor[*] = aten::neg(self=%x) in sub
  #2 %b: tensor[*] = aten::cat(tensors=[%x, %x], dim=0) in sub
  %cat: tensor[*] = aten::cat(tensors=[%x, %x, %neg, %b], dim=1) in sub
  return %cat
}
)",
                    dict({{text("sub"), object("__torch__", "Sub", dict({}))}})},
        LoweringRow{"theRankOfAConvolutionsResultIsKnown",
                    head + "  sub : __torch__.Sub\n"
                        + forward("x: Tensor", "Tensor", "    sub = self.sub\n    return (sub).forward(x, )\n")
                        + "class Sub(Module):\n  __parameters__ = []\n  __buffers__ = []\n  def forward(self: "
                          "__torch__.Sub, x: Tensor) -> Tensor:\n"
                          "    y = torch.conv2d(x, x)\n"
                          "    if torch.ne(torch.dim(y), 4):\n"
                          "      ops.prim.RaiseException(\"no\")\n"
                          "    else:\n"
                          "      pass\n"
                          "    return torch.relu(y)\n",
                    R"(
(%x: tensor[*]) {
  %y: tensor[*] = aten::conv2d(input=%x, weight=%x) in sub
  #5 %relu: tensor[*] = aten::relu(self=%y) in sub
  return %relu
}
)",
                    dict({{text("sub"), object("__torch__", "Sub", dict({}))}})},
        LoweringRow{"theRankOfWhatIsChangedInPlaceIsNotKnown",
                    head + "  sub : __torch__.Sub\n"
                        + forward("x: Tensor", "Tensor", "    sub = self.sub\n    return (sub).forward(x, )\n")
                        + "class Sub(Module):\n  __parameters__ = []\n  __buffers__ = []\n  def forward(self: "
                          "__torch__.Sub, x: Tensor) -> Tensor:\n"
                          "    y = torch.conv2d(x, x)\n"
                          "    return torch.mul(torch.relu_(y), torch.dim(y))\n",
                    R"(
(%x: tensor[*]) {
  %y: tensor[*] = aten::conv2d(input=%x, weight=%x) in sub
  %relu_: tensor[*] = aten::relu_(self=%y) in sub
  %dim: int = aten::dim(self=%y) in sub
  %mul: tensor[*] = aten::mul.Scalar(self=%relu_, other=%dim) in sub
  return %mul
}
)",
                    dict({{text("sub"), object("__torch__", "Sub", dict({}))}})},
        LoweringRow{"whatIsWrittenAndNotReadIsLeftOutWithConstantsAlone",
                    head + "  sub : __torch__.Sub\n"
                        + forward("x: Tensor", "Tensor", "    sub = self.sub\n    return (sub).forward(x, )\n")
                        + "class Sub(Module):\n  __parameters__ = []\n  __buffers__ = []\n  def forward(self: "
                          "__torch__.Sub, x: Tensor) -> Tensor:\n"
                          "    y = torch.uniform_(torch.zeros([2]))\n"
                          "    n = torch.add(1, 2)\n"
                          "    return torch.mul(x, n)\n",
                    R"(
(%x: tensor[*]) {
  #2 %mul: tensor[*] = aten::mul.Scalar(self=%x, other=3) in sub
  return %mul
}
)",
                    dict({{text("sub"), object("__torch__", "Sub", dict({}))}})},
        LoweringRow{"unreadCodeStaysWhereNothingIsComputed",
                    head + "  sub : __torch__.Sub\n"
                        + forward("x: Tensor", "Tensor", "    sub = self.sub\n    return (sub).forward(x, )\n")
                        + "class Sub(Module):\n  __parameters__ = []\n  __buffers__ = []\n  def forward(self: "
                          "__torch__.Sub, x: Tensor) -> Tensor:\n"
                          "    y = torch.neg(x)\n"
                          "    return torch.relu(x)\n",
                    R"(
(%x: tensor[*]) {
  %y: tensor[*] = aten::neg(self=%x) in sub
  %relu: tensor[*] = aten::relu(self=%x) in sub
  return %relu
}
)",
                    dict({{text("sub"), object("__torch__", "Sub", dict({}))}})},
        LoweringRow{"aDeviceThatTheCallerNamesIsMadeWhenItRuns",
                    head + "  sub : __torch__.Sub\n"
                        + forward("x: Tensor", "Tensor", "    sub = self.sub\n    return (sub).forward(x, \"cpu\", )\n")
                        + "class Sub(Module):\n  __parameters__ = []\n  __buffers__ = []\n  def forward(self: "
                          "__torch__.Sub, x: Tensor, d: str) -> Tensor:\n"
                          "    return torch.to(x, torch.device(d))\n",
                    R"(
(%x: tensor[*]) {
  %device: device = aten::device(a="cpu") in sub
  %to: tensor[*] = aten::to.prim_Device(self=%x, device=%device) in sub
  return %to
}
)",
                    dict({{text("sub"), object("__torch__", "Sub", dict({}))}})},
        LoweringRow{"anItemOfAModuleListIsOfTheDeclaredInterface",
                    head + "  items : __torch__.Items\n"
                        + forward("x: Tensor, i: int", "Tensor",
                                  "    items = self.items\n    one : __torch__.One = (items)[i]\n"
                                  "    return (one).forward(x, )\n")
                        + "class Items(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
                          "class One(ModuleInterface):\n  def forward(self: __torch__.One, x: Tensor) -> Tensor:\n"
                          "    pass\n",
                    R"(
(%x: tensor[*], %i: int, custom_object %self: module "__torch__.Net") {
  %items: module "__torch__.Items" = prim::GetAttr(self=%self, name="items")
  %one: interface "__torch__.One" = prim::ModuleContainerIndex.list(self=%items, ind=%i)
  %forward: tensor[*] = prim::CallMethod(method="forward", self=%one, %x)
  return %forward
}
)",
                    dict({{text("items"), object("__torch__", "Items", dict({}))}})},
        LoweringRow{"whatIsNotDefinedIsANoteAndNoValue",
                    head + forward("x: Tensor", "Tensor", "    return torch.add(y, __torch__.gone(x, ))\n"), R"(
(%x: tensor[*]) {
  %add: tensor[*] = aten::add.Scalar(self=none, other=none)
  return %add
}
)",
                    dict({}),
                    "\"y\" is not defined (code/__torch__.py, line 6)\n"
                    "the function \"__torch__.gone\" is not in this archive (code/__torch__.py, line 6)\n"},
        LoweringRow{"aReturnInsideABranchIsANoteAndNoValue",
                    head
                        + forward("x: Tensor, c: bool", "Tensor",
                                  "    if c:\n      return torch.neg(x)\n    else:\n      pass\n    return x\n"),
                    R"(
(%x: tensor[*], %c: bool) {
  prim::If(cond=%c)
    region "then" {
    }
    region "else" {
    }
  return %x
}
)",
                    dict({}),
                    "a return inside a block, which torch does not write, is left out (code/__torch__.py, line 7)\n"}),
    [](const auto &row) { return row.param.name; });

std::string bytesOf(double x) { return bytes(std::bit_cast<std::uint64_t>(x), 8); }

// torch.jit.trace writes `x * 0.5` so; in a division that rounds, in `where` and as a module's attribute it is a
// tensor.
TEST(Lowering, aConstantWithoutDimensionsIsANumberInArithmetic)
{
    const auto number = [](const std::string &key) { return TensorText{key, "DoubleStorage", 1, {}, {}}.opcodes(); };
    tests::ArchiveText archive;
    archive.data = object("__torch__", "Net", dict({{text("half"), number("0")}}));
    archive.constants = tuple({number("0"), number("1")});
    archive.code = "class Net(Module):\n  __parameters__ = []\n  __buffers__ = [\"half\", ]\n  half : Tensor\n"
        + forward("x: Tensor", "Tensor",
                  "    half = self.half\n    a = torch.mul(x, CONSTANTS.c0)\n    b = torch.mul(a, half)\n"
                  "    c = torch.div(b, CONSTANTS.c0, rounding_mode=\"floor\")\n"
                  "    return torch.where(torch.gt(c, 0), c, CONSTANTS.c1)\n");
    archive.more = {{"net/constants/0", bytesOf(0.5)}, {"net/constants/1", bytesOf(0.25)}, {"net/data/0", bytesOf(2)}};
    const tests::TemporaryFile file(archive.bytes());
    const auto model = read(file.probe(), {});
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(ir::verify(*model), std::vector<std::string>());
    EXPECT_EQ("\n" + plain(ir::printText(*model, ir::FunctionId{0}, ir::TextForm::Reading)), R"(
(%x: tensor[*]) {
  weight %half: float64[] = @half
  weight %CONSTANTS.c0: float64[] = @CONSTANTS.c0
  weight %CONSTANTS.c1: float64[] = @CONSTANTS.c1
  %a: tensor[*] = aten::mul.Tensor(self=%x, other=0.5)
  %b: tensor[*] = aten::mul.Tensor(self=%a, other=%half)
  %c: tensor[*] = aten::div.Tensor_mode(self=%b, other=%CONSTANTS.c0, rounding_mode="floor")
  %gt: tensor[*] = aten::gt.Scalar(self=%c, other=0)
  %where: tensor[*] = aten::where.self(condition=%gt, self=%c, other=%CONSTANTS.c1)
  return %where
}
)");
}

TEST(Lowering, aFunctionThatCallsItselfMakesTheFileUnusable)
{
    tests::ArchiveText archive;
    archive.code = head + forward("x: Tensor", "Tensor", "    return __torch__.f(x, )\n")
        + "def f(x: Tensor) -> Tensor:\n  return torch.neg(__torch__.f(x, ))\n";
    const std::string bytes = archive.bytes();
    const auto model = read(formats::archive::Probe(std::as_bytes(std::span(bytes)), {"net.pt", nullptr}), {});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().text(), "__torch__.f calls itself, which TorchScript cannot (code/__torch__.py, line 8)");
}

} // namespace
} // namespace cutaway::formats::torchscript
