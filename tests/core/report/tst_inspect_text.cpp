// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/inspect.h"
#include "tests/core/small_model.h"

#include <gtest/gtest.h>

using namespace cutaway;

namespace {

TEST(InspectText, saysWhatIsInTheModel)
{
    EXPECT_EQ(report::inspectText(test::smallModel(), {{{"s0", 5}}, {}}), R"(small.pt2
  format      pt2
  producer    pytorch 2.6.0
  opsets      aten 10
  parameters  15 in 2 tensors, 60 B, stored in 48 B
  buffers     2 in 1 tensor, 8 B
  nodes       4

Inputs
  x  float32  [5, 4, 2*u0]
  n  int(u0)

Outputs
  getitem  float32  [5, 4, 3]

Symbols
  s0  2 to 64  exported with 8  given as 5
  u0  0 to …

Operators
  1  aten::linear.default  matrix product
  1  higher_order::cond    control flow
  1  aten::sin.default     elementwise
  1  aten::cos.default     elementwise

Diagnostics
  warning  test.odd  a "quoted" oddity
)");
}

} // namespace
