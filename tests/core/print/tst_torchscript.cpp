// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/text/text.h"
#include "core/print/torchscript.h"
#include "tests/core/small_model.h"

#include <gtest/gtest.h>

using namespace cutaway;

namespace {

std::string codeOf(const std::string &text, ir::FunctionId function = {})
{
    const Result<ir::Model> model = ir::parseText(text);
    EXPECT_TRUE(model) << model.error().text();
    return model ? print::torchScriptCode(*model, function) : "";
}

/// Statements of a function of two tensors, and the code they become.
struct StatementRow {
    const char *name;
    const char *graph;
    const char *code;
};

class Statements : public testing::TestWithParam<StatementRow> { };

TEST_P(Statements, becomeCode)
{
    const std::string code =
        codeOf(std::string("graph @forward(%x: tensor[*], %y: tensor[*]) {") + GetParam().graph + "}");
    std::string expected = GetParam().code; // begins with a newline, so that the rows read well
    EXPECT_EQ(code, "def forward(self, x: Tensor, y: Tensor) -> None:\n" + expected.substr(1));
}

std::string nameOf(const testing::TestParamInfo<StatementRow> &row) { return row.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Operators, Statements,
    testing::Values(
        StatementRow{"nothing", "", R"(
  pass
)"},
        StatementRow{"requiredArgumentsHaveNoNames", "%a = aten::add.Tensor(self=%x, other=2) aten::relu(self=%a)", R"(
  a = torch.add(x, 2)
  torch.relu(a)
)"},
        StatementRow{"optionalConstantsAreNamed", "aten::conv2d(input=%x, weight=%y, bias=none, stride=[2, 2])", R"(
  torch.conv2d(x, y, bias=None, stride=[2, 2])
)"},
        StatementRow{"whatStandsBehindAGapIsNamed", "aten::clamp.Tensor(self=%x, max=%y)", R"(
  torch.clamp(x, max=y)
)"},
        StatementRow{"manyRequiredConstantsAreNamed",
                     "aten::batch_norm(input=%x, weight=%y, bias=%y, running_mean=%y, running_var=%y, training=false, "
                     "momentum=0.1, eps=1e-05, cudnn_enabled=true)",
                     R"(
  torch.batch_norm(x, y, y, y, y, training=False, momentum=0.1, eps=1e-05, cudnn_enabled=True)
)"},
        StatementRow{"keywordsAreNoNamesOfArguments", "my::op(self=%x, from=0, \"a b\"=1)", R"(
  ops.my.op(x, **{"from": 0}, **{"a b": 1})
)"},
        StatementRow{"otherNamespaces",
                     "quantized::linear(%x) torch._functorch.predispatch::go() onnx::Conv(%x, pads=[1])", R"(
  ops.quantized.linear(x)
  torch._functorch.predispatch.go()
  onnx.Conv(x, pads=[1])
)"},
        StatementRow{"severalResults", "%a, %#0, %b = my::three(%x) my::use(%a, %b)", R"(
  a, _, b = ops.my.three(x)
  ops.my.use(a, b)
)"},
        StatementRow{"resultsNobodyReadsOrNamed", "%add_ = aten::add_.Tensor(self=%x, other=1) %mine = my::f(%x)", R"(
  torch.add_(x, 1)
  mine = ops.my.f(x)
)"},
        StatementRow{
            "literals",
            "my::op(none, true, -1, 2.0, 1e22, inf, nan, complex(1.0, -2.0), \"a\\n\\\"b\", float16, channels_last, "
            "strided, device(\"cuda:0\"), [], (1,), (1, %x), {\"k\": 2}, type(optional<list<int>>), "
            "op(aten::mul.Tensor))",
            R"(
  ops.my.op(None, True, -1, 2.0, 1e+22, float('inf'), float('nan'), (1.0-2.0j), "a\n\"b", torch.float16, torch.channels_last, torch.strided, torch.device("cuda:0"), [], (1,), (1, x), {"k": 2}, Optional[List[int]], torch.ops.aten.mul.Tensor)
)"},
        StatementRow{"pythonsOwnOperators",
                     "%a = aten::__is__(self=%x, obj=none) %b = aten::__not__(self=%a) %c = aten::__getitem__(%y, 1) "
                     "%d = _operator::ge(a=$(2*s0), b=0) %e = aten::Int(a=%c) my::use(%b, %d, %e)",
                     R"(
  a = x is None
  b = not a
  c = y[1]
  d = (2*s0) >= 0
  e = int(c)
  ops.my.use(b, d, e)
)"},
        StatementRow{"containers",
                     "%t = prim::TupleConstruct(%x) %l = prim::ListConstruct(%x, %y) %a = prim::TupleUnpack(%t) "
                     "%b, %c = prim::ListUnpack(%l) %d = prim::DictConstruct(\"a\", %a) aten::_set_item(%l, 0, %b) "
                     "aten::append(%l, %c) %k = aten::keys(%d) my::use(%k)",
                     R"(
  t = (x,)
  l = [x, y]
  a, = t
  b, c = l
  d = {"a": a}
  l[0] = b
  l.append(c)
  k = d.keys()
  ops.my.use(k)
)"},
        StatementRow{"anEffectWhoseResultIsReadIsACall", "%l = aten::append(%x, %y) my::use(%l)", R"(
  l = torch.append(x, y)
  ops.my.use(l)
)"},
        StatementRow{"types",
                     "%a: list<tensor[*]> = prim::unchecked_cast(%x) %u: int = prim::Uninitialized() my::use(%a, %u)",
                     R"(
  a = unchecked_cast(List[Tensor], x)
  u = uninitialized(int)
  ops.my.use(a, u)
)"},
        StatementRow{"raise", "prim::RaiseException(msg=\"no\", cls=\"builtins.ValueError\") prim::RaiseException(%x)",
                     R"(
  raise ValueError("no")
  raise Exception(x)
)"}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    ControlFlow, Statements,
    testing::Values(
        StatementRow{
            "ifWithResults",
            "%a, %b = prim::If(cond=%x) region { %t = my::f(%y) return %t, 1 } region { return %x, %y } my::use(%a, "
            "%b)",
            R"(
  if x:
    t = ops.my.f(y)
    a, b = t, 1
  else:
    a, b = x, y
  ops.my.use(a, b)
)"},
        StatementRow{"anElseOfNothingIsLeftOut", "prim::If(cond=%x) region { my::f() } region { }", R"(
  if x:
    ops.my.f()
)"},
        StatementRow{"emptyBranchesPass", "prim::If(cond=%x) region { } region { my::f() }", R"(
  if x:
    pass
  else:
    ops.my.f()
)"},
        StatementRow{"onnxIf",
                     "%a = onnx::If(%x) region \"then\" { %t = onnx::Neg(%y) return %t } region \"else\" { return %y } "
                     "onnx::Relu(%a)",
                     R"(
  if x:
    t = onnx.Neg(y)
    a = t
  else:
    a = y
  onnx.Relu(a)
)"},
        StatementRow{"anIfWithoutElseRegionIsACall", "%a = prim::If(cond=%x) region { return %y } my::use(%a)", R"(
  def closure() -> Tensor:
    return y
  a = ops.prim.If(closure, x)
  ops.my.use(a)
)"},
        StatementRow{"forLoop",
                     "%s = prim::Loop(trip_count=3, cond=true, carried=[%x]) region (%i: int, %c) "
                     "{ %n = my::f(%c, %i) return true, %n } my::use(%s)",
                     R"(
  s = x
  for i in range(3):
    n = ops.my.f(s, i)
    s = n
  ops.my.use(s)
)"},
        StatementRow{
            "variablesMoveAtOnce",
            "%p, %q = prim::Loop(3, true, %x, %y) region (%i: int, %a, %b) { return true, %b, %a } my::use(%p, %q)", R"(
  p, q = x, y
  for _ in range(3):
    p, q = q, p
  ops.my.use(p, q)
)"},
        StatementRow{
            "whatALoopDoesNotChangeIsNotMoved",
            "%p, %q = prim::Loop(3, true, %x, %y) region (%i: int, %a, %b) { %n = my::f(%a) return true, %n, %b }", R"(
  p, q = x, y
  for _ in range(3):
    n = ops.my.f(p)
    p = n
)"},
        StatementRow{"whileLoop",
                     "%s = prim::Loop(trip_count=9223372036854775807, cond=%y, carried=[%x]) region (%i: int, %c) "
                     "{ %n = my::f(%c) %go = my::g(%n) return %go, %n }",
                     R"(
  s = x
  proceed = y
  while proceed:
    n = ops.my.f(s)
    go = ops.my.g(n)
    proceed, s = go, n
)"},
        StatementRow{"endlessLoop", "prim::Loop(9223372036854775807, true) region (%i: int) { my::f() return true }",
                     R"(
  while True:
    ops.my.f()
)"},
        StatementRow{"forLoopThatMayEndEarly", "prim::Loop(%x, true) region (%i: int) { %go = my::f(%i) return %go }",
                     R"(
  proceed = True
  for i in range(x):
    if not proceed:
      break
    go = ops.my.f(i)
    proceed = go
)"},
        StatementRow{"aLoopWithAVariableTooFewIsACall",
                     "%s = prim::Loop(3, true) region \"body\" (%i: int) { return true }", R"(
  def body(i: int) -> bool:
    return True
  s = ops.prim.Loop(body, 3, True)
)"},
        StatementRow{
            "onnxLoop",
            "%v, %scan = onnx::Loop(%x, none, %y) region \"body\" (%i, %c, %a) { %n = onnx::Neg(%a) return %c, %n, %n "
            "}",
            R"(
  def body(i, c, a):
    n = onnx.Neg(a)
    return c, n, n
  v, scan = onnx.Loop(x, None, y, body=body)
)"},
        StatementRow{"exportedCond",
                     "%a = higher_order::cond(%x, [%y]) region \"true_graph_0\" (%p: tensor[*]) { return %p } "
                     "region \"false_graph_0\" (%q: tensor[*]) { %n = aten::neg(self=%q) return %n }",
                     R"(
  def true_graph_0(p: Tensor) -> Tensor:
    return p
  def false_graph_0(q: Tensor):
    n = torch.neg(q)
    return n
  a = ops.higher_order.cond(x, true_graph_0, false_graph_0, [y])
)"},
        StatementRow{"exportedMap", "%a = higher_order::map_impl([%x], [%y]) region \"body_0\" (%p, %q) { return %p }",
                     R"(
  def body_0(p, q):
    return p
  a = ops.higher_order.map_impl(body_0, [x], [y])
)"},
        StatementRow{"fork", "%f = prim::fork() region { %a = my::f(%x) return %a } %r = aten::wait(self=%f)", R"(
  def closure():
    a = ops.my.f(x)
    return a
  f = fork(closure)
  r = torch.wait(f)
)"},
        StatementRow{"withBlocks",
                     "%a = prim::Enter(%x) %b = prim::Enter(%y) my::f(%a) prim::Exit(%y) prim::Exit(%x) my::g()",
                     R"(
  with x as a:
    with y as b:
      ops.my.f(a)
  ops.my.g()
)"},
        StatementRow{"anEnterWithoutExitIsACall", "%a = prim::Enter(%x) my::f(%a) prim::Exit(%y)", R"(
  a = x.__enter__()
  ops.my.f(a)
  y.__exit__()
)"}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Names, Statements,
    testing::Values(StatementRow{"areIdentifiers",
                                 "%/a/b.0/Conv_output_0 = my::f() %\"a::b\" = my::f() %7 = my::f() %lambda = my::f() "
                                 "my::g(%/a/b.0/Conv_output_0, %\"a::b\", %7, %lambda)",
                                 R"(
  Conv = ops.my.f()
  a_b = ops.my.f()
  _7 = ops.my.f()
  lambda_ = ops.my.f()
  ops.my.g(Conv, a_b, _7, lambda_)
)"},
                    StatementRow{
                        "areUniqueAndThoseOfTheFileComeFirst",
                        "%x.1 = my::f() %x_1 = my::f() %x#1 = my::f() %torch = my::f() my::g(%x.1, %x_1, %x#1, %torch)",
                        R"(
  x_1_1 = ops.my.f()
  x_1 = ops.my.f()
  x_2 = ops.my.f()
  torch_1 = ops.my.f()
  ops.my.g(x_1_1, x_1, x_2, torch_1)
)"}),
    nameOf);

struct Form {
    const char *name;
    const char *model;
    const char *code;
};

class Functions : public testing::TestWithParam<Form> { };

TEST_P(Functions, becomeCode)
{
    const std::string expected = GetParam().code;
    EXPECT_EQ(codeOf(GetParam().model), expected.substr(1));
}

INSTANTIATE_TEST_SUITE_P(Rows, Functions,
                         testing::Values(Form{"aMethodWithItsFullName", R"(
            method @"__torch__.a.Net.forward"(%self: module "__torch__.a.Net", %x: tensor[*]) {
              %conv1: module "__torch__.Conv" = prim::GetAttr(self=%self, name="conv1")
              %0: module "__torch__.Conv" = prim::GetAttr(self=%conv1, name="0")
              %y: tensor[*] = prim::CallMethod(method="forward", self=%0, %x, 3)
              %weight: tensor[*] = prim::GetAttr(self=%self, name="weight")
              %n: int = prim::GetAttr(self=%self, name="n b")
              %z: tensor[*] = prim::CallFunction(function="__torch__.a.f", %y, %weight)
              prim::SetAttr(self=%self, name="n b", value=%n)
              return %z, %n
            })",
                                              R"(
# __torch__.a.Net.forward
def forward(self, x: Tensor) -> Tuple[Tensor, int]:
  y = self.conv1[0].forward(x, 3)
  n = getattr(self, "n b")
  z = __torch__.a.f(y, self.weight)
  setattr(self, "n b", n)
  return z, n
)"},
                                         Form{"namedTuplesHaveFieldsAndConstantsTypes", R"(
            graph @forward(%p: tuple "__torch__.P" <"x": tensor[*], "n": int>) {
              %a: int = prim::TupleIndex(%p, 1)
              return %a, 1.5, "s", none
            })",
                                              R"(
def forward(self, p: __torch__.P) -> Tuple[int, float, str, None]:
  a = p.n
  return a, 1.5, "s", None
)"},
                                         Form{"anAttributeThatIsSetIsReadWhereItStands", R"(
            method @forward(%self: module "N", %x: tensor[*]) {
              %old: tensor[*] = prim::GetAttr(self=%self, name="state")
              prim::SetAttr(self=%self, name="state", value=%x)
              return %old
            })",
                                              R"(
def forward(self, x: Tensor) -> Tensor:
  old = self.state
  self.state = x
  return old
)"},
                                         Form{"aSelfThatIsNoArgumentOfTheUserIsOneAllTheSame", R"(
            method @forward(custom_object %self: module "N") {
              %a: module "N" = prim::GetAttr(self=%self, name="a")
              %y = prim::CallMethod(method="run", self=%a)
              return %y
            })",
                                              R"(
def forward(self):
  y = self.a.run()
  return y
)"},
                                         Form{"weightsAreAttributes", R"(
            tensor @layer1.0.w: float32[2] parameter
            tensor @"onnx::Conv_7": float32[2]
            tensor @/a.b/C_output_0: float32[2]
            tensor @"": int64[1]
            graph @main_graph(%x: tensor[*]) {
              weight %w = @layer1.0.w  weight %c = @"onnx::Conv_7"  weight %n = @/a.b/C_output_0
              %y: tensor[*] = onnx::Sum(%x, %w, %c, %n, value=@#0)
              return %y
            })",
                                              R"(
def main_graph(self, x: Tensor) -> Tensor:
  y = onnx.Sum(x, self.layer1[0].w, self.onnx_Conv_7, self.C, value=self.constant_3)
  return y
)"},
                                         Form{"aFunctionOfOnnxTakesAttributes", R"(
            function @"my.dom::Block"(%A, %W) attributes(slope=none, alpha=0.5) {
              %B = onnx::LeakyRelu(%A, alpha={"ref_attr_name": "slope"})
              return %B
            })",
                                              R"(
# my.dom::Block
def Block(A, W, *, slope, alpha=0.5):
  B = onnx.LeakyRelu(A, alpha=slope)
  return B
)"},
                                         Form{"anExportedProgramWritesItsBuffersLast", R"(
            tensor @n.mean: float32[2] buffer
            graph @forward(buffer weight %b_n_mean: float32[2] = @n.mean target "n.mean", %x: float32[2],
                           constant_input ref 3 named "k")
                -> (buffer_mutation %add target "n.mean", user_input_mutation %add target "x", %add) {
              %add: float32[2] = aten::add.Tensor(self=%b_n_mean, other=%x)
              return %add, %add, %add
            })",
                                              R"(
def forward(self, x: Tensor, k=3) -> Tensor:
  add = torch.add(self.n.mean, x)
  self.n.mean.copy_(add)
  x.copy_(add)
  return add
)"},
                                         Form{"aLongSignatureHasAParameterPerLine", R"(
            graph @forward(%a_rather_long_name: tensor[*], %another_long_name: tensor[*],
                           %the_third_long_name: dict<str, list<tensor[*]>>) { return %a_rather_long_name })",
                                              R"(
def forward(
    self,
    a_rather_long_name: Tensor,
    another_long_name: Tensor,
    the_third_long_name: Dict[str, List[Tensor]]) -> Tensor:
  return a_rather_long_name
)"},
                                         Form{"commentsTellTheModuleButNotEveryLeaf", R"(
            graph @forward(%x: tensor[*]) {
              %a = aten::relu(self=%x) in relu
              %b = aten::relu(self=%a) in layer1.0.relu
              %c = aten::relu(self=%b) in layer1.0
              %d = aten::relu(self=%c) in layer1.1.relu
              %e = aten::relu(self=%d)
              return %e
            })",
                                              R"(
def forward(self, x: Tensor):
  a = torch.relu(x)

  # layer1.0
  b = torch.relu(a)
  c = torch.relu(b)

  # layer1.1
  d = torch.relu(c)

  # (top level)
  e = torch.relu(d)
  return e
)"}),
                         [](const auto &row) { return row.param.name; });

TEST(TorchScriptCode, ofAProgramWithBranches)
{
    EXPECT_EQ(print::torchScriptCode(test::smallModel(), {}),
              R"(def forward(self, x: Tensor, n: int) -> Tensor:
  linear = torch.linear(x, self.fc.weight, sizes=[1, s0], dtype=torch.float16)
  def true_graph_0(arg0: Tensor):
    sin = torch.sin(arg0)
    return sin
  def false_graph_0(arg0_1: Tensor):
    cos = torch.cos(arg0_1)
    return cos
  getitem = ops.higher_order.cond(n, true_graph_0, false_graph_0, (linear,))
  return getitem
)");
}

TEST(TorchScriptCode, ofALongChainOfAttributesIsLinear)
{
    std::string text = "method @forward(%self: module \"N\") {";
    for (int i = 0; i < 20000; ++i)
        text += "%a" + std::to_string(i) + ": module \"N\" = prim::GetAttr(self=%"
            + (i == 0 ? "self" : "a" + std::to_string(i - 1)) + ", name=\"a\")\n";
    EXPECT_LT(codeOf(text + "my::use(%a19999) }").size(), 100 * 1000);
}

TEST(TorchScriptCode, ofManyOpenWithBlocksIsLinear)
{
    std::string text = "graph @forward(%x: tensor[*]) {";
    for (int i = 0; i < 10000; ++i)
        text += "prim::Enter(%x) name \"\"\n";
    for (int i = 0; i < 10000; ++i)
        text += "prim::Exit(%x) name \"\"\n";
    EXPECT_LT(codeOf(text + "}").size(), 1500 * 1000);
}

} // namespace
