// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/inspect.h"

#include "core/ir/text/text.h"
#include "tests/core/small_model.h"

#include <gtest/gtest.h>

using namespace cutaway;

namespace {

TEST(InspectText, saysWhatIsInTheModel)
{
    EXPECT_EQ(report::inspectText(test::smallModel(), {{{"s0", 5}}, {}}), R"(small.pt2
  format       pt2
  producer     pytorch 2.6.0
  opsets       aten 10
  parameters   15 in 2 tensors, 60 B, stored in 48 B
  buffers      2 in 1 tensor, 8 B
  nodes        4
  FLOPs        240*u0
  activations  peak max(480, 160*u0 + 240)

Inputs
  x  float32  [5, 4, 2*u0]
  n  int(u0)

Outputs
  getitem  float32  [5, 4, 3]

Symbols
  s0  2 to 64             exported with 8  given as 5
  u0  0 to …   needed: 2

Operators
  1  aten::linear.default  matrix product
  1  higher_order::cond    control flow
  1  aten::sin.default     elementwise
  1  aten::cos.default     elementwise

Diagnostics
  warning  test.odd        a "quoted" oddity
  warning  shape.mismatch  linear: float32[5, 4, 3] is derived and float32[s0, 3] recorded   at linear
  warning  size.needed     only u0 = 2 works: 2*u0 has to be 4                               at linear
  warning  shape.mismatch  getitem: float32[5, 4, 3] is derived and float32[s0, ?] recorded  at %1
)");
}

TEST(InspectText, listsInputsOfOneValueWithIt)
{
    const auto model = ir::parseText("model \"m\"\n"
                                     "graph @forward(%x: float32[2], constant_input ref 3 named \"times\", "
                                     "constant_input ref \"fast\" named \"mode\") {\n"
                                     "  return %x, none\n"
                                     "}\n");
    ASSERT_TRUE(model) << model.error().text();
    const std::string shown = report::inspectText(*model, {});
    EXPECT_TRUE(shown.contains("Inputs\n"
                               "  x      float32   [2]\n"
                               "  times  constant  3\n"
                               "  mode   constant  \"fast\"\n"))
        << shown;
}

TEST(InspectText, tellsLowerBoundsAndWhatIsKnownFromTheFileAlone)
{
    const auto model = ir::parseText(R"(model "m"
graph @forward(%x: float32[2, 2]) {
  %a: float32[2, 2] = mine::op(%x)
  %b: float32[2, 2] = mine::op(%a)
  %y = aten::mm(self=%b, mat2=%b)
  return %y, %b
}
)");
    ASSERT_TRUE(model) << model.error().text();
    const std::string text = report::inspectText(*model, {}, {});
    for (const char *part :
         {"  FLOPs        ≥ 16 FLOP, 2 nodes unknown\n", "  b  float32  [2, 2]  as recorded in the file\n",
          "  info  shapes.recorded  no rule for mine::op; its results are as the file records them"
          "  at 2 nodes\n"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

} // namespace
