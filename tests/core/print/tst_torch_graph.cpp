// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch_graph.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

std::string printed(const std::string &text, std::uint32_t function = 0)
{
    return print::torchGraph(parsed(text), ir::FunctionId{function});
}

TEST(TorchGraph, writesConstantsListsAndDefaultsAsNodes)
{
    EXPECT_EQ(printed(R"(model "m"
format "torchscript" "file format 3"
graph @f(%x: tensor[*]) {
  %y: tensor[*] = aten::sum.dim_IntList(self=%x, dim=[0, 1]) at "net.py":3
  %z: tensor[*] = aten::add.Tensor(self=%x, other=%y)
  return %z, 1.5
}
)"),
              R"(graph(%x : Tensor):
  %3 : int = prim::Constant[value=0]()
  %4 : int = prim::Constant[value=1]()
  %6 : bool = prim::Constant[value=0]()
  %7 : NoneType = prim::Constant()
  %8 : float = prim::Constant[value=1.5]()
  %5 : int[] = prim::ListConstruct(%3, %4)
  %y : Tensor = aten::sum(%x, %5, %6, %7) # net.py:3
  %z : Tensor = aten::add(%x, %y, %4)
  return (%z, %8)
)");
}

TEST(TorchGraph, writesBlocks)
{
    EXPECT_EQ(printed(R"(model "m"
format "torchscript" "file format 3"
graph @f(%x: tensor[*], %n: int) {
  %r: tensor[*] = prim::Loop(trip_count=%n, cond=true, %x)
    region "body" (%i: int, %a: tensor[*]) {
      %c: bool = aten::gt.int(a=%i, b=0)
      %b: tensor[*] = prim::If(cond=%c)
        region "then" {
          return %a
        }
        region "else" {
          return %x
        }
      return true, %b
    }
  return %r
}
)"),
              R"(graph(%x : Tensor,
      %n : int):
  %7 : bool = prim::Constant[value=1]()
  %8 : int = prim::Constant[value=0]()
  %r : Tensor = prim::Loop(%n, %7, %x)
    block0(%i : int, %a : Tensor):
      %c : bool = aten::gt(%i, %8)
      %b : Tensor = prim::If(%c)
        block0():
          -> (%a)
        block1():
          -> (%x)
      -> (%7, %b)
  return (%r)
)");
}

TEST(TorchGraph, writesForksAsGraphsOfTheirOwn)
{
    EXPECT_EQ(printed(R"(model "m"
format "torchscript" "file format 3"
graph @f(%x: tensor[*], %n: int) {
  %f: future<tensor[*]> = prim::fork() at "net.py":3
    region "body" {
      %a: tensor[*] = aten::add.Scalar(self=%x, other=%n)
      %b: tensor[*] = aten::mul.Tensor(self=%a, other=%x)
      return %b
    }
  %w: tensor[*] = aten::wait(self=%f)
  %c: tensor[*] = aten::add.Scalar(self=%w, other=1)
  return %c
}
)"),
              R"(graph(%x : Tensor,
      %n : int):
  %8 : int = prim::Constant[value=1]()
  %f : Future[Tensor] = prim::fork_0(%x, %n) # net.py:3
  %w : Tensor = aten::wait(%f)
  %c : Tensor = aten::add(%w, %8, %8)
  return (%c)
with prim::fork_0 = graph(%x : Tensor, %n : int):
  %7 : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %n, %7)
  %b : Tensor = aten::mul(%a, %x)
  return (%b)
)");
}

TEST(TorchGraph, fetchesWeightsOfAModelFromItsModules)
{
    EXPECT_EQ(printed(R"(model "m"
format "torchscript" "file format 3"
storage 0: 16 bytes missing "-"
tensor @layer.w: float32[4] parameter in storage 0
tensor @CONSTANTS.c0: float32[4] in storage 0
module 0 "" class "Net"
module 1 in 0 "layer" class "Layer" tensors(@layer.w)
graph @forward(%x: tensor[*]) {
  weight %w: float32[4] = @layer.w
  weight %k: float32[4] = @CONSTANTS.c0
  %y: tensor[*] = aten::mul.Tensor(self=%x, other=%w)
  return %y, %k
}
)"),
              R"(graph(%self : __torch__.Net,
      %x : Tensor):
  %4 : __torch__.Layer = prim::GetAttr[name="layer"](%self)
  %w : Tensor = prim::GetAttr[name="w"](%4)
  %k : Tensor = prim::Constant[value=<Tensor>]()
  %y : Tensor = aten::mul(%x, %w)
  return (%y, %k)
)");
}

TEST(TorchGraph, callsMethodsByName)
{
    EXPECT_EQ(printed(R"(model "m"
format "torchscript" "file format 3"
method @__torch__.Net.forward(custom_object %self: module "__torch__.Net", %x: tensor[*]) {
  %k: int = prim::GetAttr(self=%self, name="k")
  %r: tuple<tensor[*], optional<str>> = prim::CallMethod(method="split", function=graph @__torch__.Net.split, self=%self, %x)
  %a: tensor[*], %b: optional<str> = prim::TupleUnpack(%r)
  return %a
}
method @__torch__.Net.split(custom_object %self: module "__torch__.Net", %x: tensor[*]) {
  return %x, none
}
)"),
              R"(graph(%self : __torch__.Net,
      %x : Tensor):
  %k : int = prim::GetAttr[name="k"](%self)
  %r : (Tensor, str?) = prim::CallMethod[name="split"](%self, %x)
  %a : Tensor, %b : str? = prim::TupleUnpack(%r)
  return (%a)
)");
}

} // namespace
} // namespace cutaway::test
