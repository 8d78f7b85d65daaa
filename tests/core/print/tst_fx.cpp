// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/text/text.h"
#include "core/print/fx.h"
#include "tests/core/small_model.h"

#include <gtest/gtest.h>

using namespace cutaway;

namespace {

TEST(FxListing, hasALinePerNodeAndAListingPerRegion)
{
    EXPECT_EQ(print::fxListing(test::smallModel(), {}), R"(forward:
  opcode         name           target                         args                                         kwargs
  placeholder    p_fc_weight    fc.weight
  placeholder    x              x
  placeholder    n              n
  get_attr       b_mean         mean
  call_function  linear         torch.ops.aten.linear.default  (x)                                          {weight: p_fc_weight, sizes: [1, s0], dtype: torch.float16}
  get_attr       true_graph_0   true_graph_0
  get_attr       false_graph_0  false_graph_0
  call_function  getitem        torch.ops.higher_order.cond    (n, (linear,), true_graph_0, false_graph_0)  {}
  output         output         output                         ((getitem,),)

true_graph_0:
  opcode         name    target                      args       kwargs
  placeholder    arg0    arg0
  call_function  sin     torch.ops.aten.sin.default  (arg0)     {}
  output         output  output                      ((sin,),)

false_graph_0:
  opcode         name    target                      args       kwargs
  placeholder    arg0    arg0
  call_function  cos     torch.ops.aten.cos.default  (arg0)     {}
  output         output  output                      ((cos,),)
)");
}

struct FxOpcodeRow {
    const char *name;
    const char *function;
    const char *rows; ///< without the function's name, the heading and the output
};

/// Two spaces between columns, whatever their width.
std::string narrow(std::string text)
{
    for (std::size_t at = 0; (at = text.find("   ", at)) != text.npos;)
        text.erase(at, 1);
    return text;
}

class FxOpcodes : public testing::TestWithParam<FxOpcodeRow> { };

TEST_P(FxOpcodes, followWhatANodeDoes)
{
    const Result<ir::Model> model = ir::parseText(GetParam().function);
    ASSERT_TRUE(model) << model.error().text();
    std::string listing = print::fxListing(*model, {});
    listing.erase(0, listing.find('\n', listing.find('\n') + 1));
    EXPECT_EQ(narrow(listing.substr(0, listing.find("\n  output "))), narrow(GetParam().rows)) << listing;
}

INSTANTIATE_TEST_SUITE_P(Rows, FxOpcodes,
                         testing::Values(FxOpcodeRow{"theForwardOfASubmoduleIsTheModuleCalled", R"(
            method @forward(%self: module "N", %x: tensor[*]) {
              %a: module "M" = prim::GetAttr(self=%self, name="layer1")
              %b: module "M" = prim::GetAttr(self=%a, name="0")
              %y = prim::CallMethod(method="forward", self=%b, %x, 2)
              %z = prim::CallMethod(method="forward", self=%b, %y)
              return %z
            })",
                                                     R"(
  placeholder  self    self
  placeholder  x       x
  call_module  y       layer1.0  (x, 2)  {}
  call_module  z       layer1.0  (y)     {})"},
                                         FxOpcodeRow{"otherMethodsAreMethodsOfTheirObject", R"(
            method @forward(%self: module "N", %x: tensor[*]) {
              %a: module "M" = prim::GetAttr(self=%self, name="a")
              %y = prim::CallMethod(method="reset", self=%a, %x)
              %z = prim::CallMethod(method="forward", self=%self, %y)
              return %z
            })",
                                                     R"(
  placeholder  self    self
  placeholder  x       x
  get_attr     a       a
  call_method  y       reset    (a, x)     {}
  call_method  z       forward  (self, y)  {})"},
                                         FxOpcodeRow{"aModuleThatIsAnArgumentIsListed", R"(
            method @forward(%self: module "N") {
              %a: module "M" = prim::GetAttr(self=%self, name="a")
              %y = prim::CallMethod(method="forward", self=%a, %a)
              return %y
            })",
                                                     R"(
  placeholder  self    self
  get_attr     a       a
  call_module  y       a       (a)        {})"},
                                         FxOpcodeRow{"attributesOfSelfByTheirPath", R"(
            method @forward(%self: module "N", %o: object "O") {
              %a: module "M" = prim::GetAttr(self=%self, name="a")
              %w: tensor[*] = prim::GetAttr(self=%a, name="weight")
              %v = prim::GetAttr(self=%o, name="v")
              prim::SetAttr(self=%o, name="v", value=%w) name "set"
              return %w, %v
            })",
                                                     R"(
  placeholder    self    self
  placeholder    o       o
  get_attr       w       a.weight
  call_function  v       builtins.getattr  (o, "v")  {}
  call_function  set     builtins.setattr  (o, "v", w)  {})"},
                                         FxOpcodeRow{"functionsAndMethodsOfContainers", R"(
            graph @forward(%x: list<int>) {
              %a = prim::CallFunction(function="__torch__.f", %x)
              %b = aten::append.t(self=%x, el=%a)
              %c = prim::tolist(%b)
              %d = aten::relu(self=%c)
              return %d
            })",
                                                     R"(
  placeholder    x       x
  call_function  a       __torch__.f                  (x)   {}
  call_method    b       append                       (x)   {el: a}
  call_method    c       tolist                       (b)   {}
  call_function  d       torch.ops.aten.relu.default  (c)   {})"},
                                         FxOpcodeRow{"operatorsOfAllFormats", R"(
            graph @forward(%x: tensor[*]) {
              %a = onnx::Conv(%x, group=1)
              %b = com.microsoft::Gelu(%a)
              %c = _operator::add(a=%b, b=inf)
              %d = aten::to.device(self=%c, device=device("cuda:0"), dtype=float16)
              return %d
            })",
                                                     R"(
  placeholder    x       x
  call_function  a       onnx.Conv                 (x)   {group: 1}
  call_function  b       com.microsoft.Gelu        (a)   {}
  call_function  c       _operator.add             (b)   {b: float('inf')}
  call_function  d       torch.ops.aten.to.device  (c)   {device: torch.device("cuda:0"), dtype: torch.float16})"},
                                         FxOpcodeRow{"severalResultsAreItems", R"(
            graph @forward(%x: tensor[*]) {
              %a, %b = prim::ListUnpack(%x) name "pair"
              return %a, %b
            })",
                                                     R"(
  placeholder    x       x
  call_function  pair    torch.ops.prim.ListUnpack  (x)         {}
  call_function  a       _operator.getitem          (pair, 0)   {}
  call_function  b       _operator.getitem          (pair, 1)   {})"}),
                         [](const auto &row) { return row.param.name; });

} // namespace
