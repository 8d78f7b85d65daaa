// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/fx.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/small_model.h"

namespace cutaway::test {
namespace {

TEST(FxListing, hasALinePerNodeAndAListingPerRegion)
{
    EXPECT_EQ(print::fxListing(smallModel(), {}), R"(forward:
  opcode         name           target                         args                                         kwargs
  placeholder    p_fc_weight    p_fc_weight                    ()                                           {}
  placeholder    x              x                              ()                                           {}
  placeholder    n              n                              ()                                           {}
  get_attr       b_mean         mean                           ()                                           {}
  call_function  linear         torch.ops.aten.linear.default  (x, p_fc_weight)                             {sizes: [1, s0], dtype: torch.float16}
  get_attr       true_graph_0   true_graph_0                   ()                                           {}
  get_attr       false_graph_0  false_graph_0                  ()                                           {}
  call_function  cond           torch.ops.higher_order.cond    (n, true_graph_0, false_graph_0, (linear,))  {}
  call_function  getitem        operator.getitem               (cond, 0)                                    {}
  output         output         output                         ((getitem,),)                                {}

true_graph_0:
  opcode         name    target                      args       kwargs
  placeholder    arg0    arg0                        ()         {}
  call_function  sin     torch.ops.aten.sin.default  (arg0,)    {}
  output         output  output                      ((sin,),)  {}

false_graph_0:
  opcode         name    target                      args       kwargs
  placeholder    arg0    arg0                        ()         {}
  call_function  cos     torch.ops.aten.cos.default  (arg0,)    {}
  output         output  output                      ((cos,),)  {}
)");
}

const bool fxCases = forEachCase(
    "Fx", "print/fx", [](const GraphCase &given) { return print::fxListing(parsed(given.graphs.front()), {}); });

} // namespace
} // namespace cutaway::test
