// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/ir/parsed.h"

namespace cutaway::test {

/// A program with a symbolic size, weights that share a storage, a buffer outside the signature and two branches.
inline ir::Model smallModel()
{
    return parsed(R"(
        path "small.pt2"  format "pt2"  producer "pytorch" "2.6.0"  opset "aten" 10  metadata "author" "nobody"
        symbol s0 [2, 64] hint 8
        symbol u0 [0, *]
        storage 0: 48 bytes missing "a test"
        storage 1: 8 bytes missing "a test"
        tensor @fc.weight: float32[3, 4] parameter in storage 0
        tensor @fc.bias: float32[3] parameter in storage 0
        tensor @mean: float32[2] buffer in storage 1
        diagnostic warning "test.odd" "a \"quoted\" oddity"
        scope fc class "torch.nn.Linear"
        graph @forward(parameter weight %p_fc_weight: float32[3, 4] = @fc.weight target "fc.weight",
                       %x: float32[s0, 4, 2*u0], %n: int(u0)) {
          weight %b_mean: float32[2] = @mean
          %linear: float32[s0, 3] = aten::linear.default(input=%x, weight=%p_fc_weight, sizes=[1, $(s0)], dtype=float16)
              in fc at "net.py":12
          %getitem: float32[s0, ?] = higher_order::cond(%n, (%linear)) name ""
          region "true_graph_0" (%arg0: float32[s0, 3]) { %sin = aten::sin.default(self=%arg0) return %sin }
          region "false_graph_0" (%arg0#1: float32[s0, 3]) { %cos = aten::cos.default(self=%arg0#1) return %cos }
          return %getitem
        })");
}

} // namespace cutaway::test
