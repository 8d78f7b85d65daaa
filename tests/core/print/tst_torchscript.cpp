// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torchscript.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"
#include "tests/core/small_model.h"

namespace cutaway::test {
namespace {

const bool torchScriptCases = forEachCase("TorchScript", "print/torchscript", [](const GraphCase &given) {
    return print::torchScriptCode(parsed(given.graphs.front()), {});
});

TEST(TorchScriptCode, ofAProgramWithBranches)
{
    EXPECT_EQ(print::torchScriptCode(smallModel(), {}),
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
    EXPECT_LT(print::torchScriptCode(parsed(text + "my::use(%a19999) }"), {}).size(), 100 * 1000);
}

TEST(TorchScriptCode, ofManyOpenWithBlocksIsLinear)
{
    std::string text = "graph @forward(%x: tensor[*]) {";
    for (int i = 0; i < 10000; ++i)
        text += "prim::Enter(%x) name \"\"\n";
    for (int i = 0; i < 10000; ++i)
        text += "prim::Exit(%x) name \"\"\n";
    EXPECT_LT(print::torchScriptCode(parsed(text + "}"), {}).size(), 1500 * 1000);
}

} // namespace
} // namespace cutaway::test
