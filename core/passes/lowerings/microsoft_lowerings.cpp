// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What ONNX Runtime's optimizer makes of ONNX's operators.
#include "core/passes/lowerings/onnx_node.h"

#include <array>

namespace cutaway::passes {

namespace {

using N = OnnxNode;

Term withBias(N &n) { return n.has(1) ? n.input(0) + n.input(1) : n.input(0); }

Parts biasGelu(N &n) { return {n.d.make("gelu", {withBias(n)})}; }

Parts fastGelu(N &n) { return {n.d.make("gelu", {withBias(n), {"approximate", n.d.word("tanh")}})}; }

Parts quickGelu(N &n)
{
    const Term x = n.input(0);
    return {x * applied("sigmoid", x * n.real("alpha", 1.702))};
}

/// alpha * A * B, either transposed.
Parts fusedMatMul(N &n)
{
    if (n.integer("transBatchA", 0) != 0 || n.integer("transBatchB", 0) != 0)
        return {};
    const auto factor = [&](std::size_t position, std::string_view attribute) {
        const auto x = n.tensor(position);
        const bool isTurned = n.integer(attribute, 0) != 0 && x && x->rank() > 1;
        return isTurned ? n.d.transposed(n.input(position), x->rank() - 2, x->rank() - 1) : n.input(position);
    };
    const Term product = n.d.matmul(factor(0, "transA"), factor(1, "transB"));
    const double alpha = n.real("alpha", 1);
    return {alpha == 1 ? product : product * alpha};
}

/// (input, skip, scale, shift, bias): the sum of input, skip and bias is normalized; it may be the fourth result.
Parts skipLayerNorm(N &n)
{
    const auto x = n.tensor(0);
    if (!x || x->rank() < 1 || n.reads(1) || n.reads(2) || n.resultCount() > 1)
        return {};
    const Term both = n.input(0) + n.input(1);
    const Term sum = n.has(4) ? both + n.input(4) : both;
    const ir::Shape normalized{x->shape.back()};
    return {n.d.make("layer_norm",
                     {sum, n.d.sizes(normalized), n.input(2), n.input(3), ir::Operand(n.real("epsilon", 1e-12))})};
}

constexpr std::array microsoftRules{
    OnnxLowering{"com.microsoft::BiasGelu", biasGelu},
    OnnxLowering{"com.microsoft::FastGelu", fastGelu},
    OnnxLowering{"com.microsoft::FusedMatMul", fusedMatMul},
    OnnxLowering{"com.microsoft::Gelu", biasGelu},
    OnnxLowering{"com.microsoft::QuickGelu", quickGelu},
    OnnxLowering{"com.microsoft::SkipLayerNormalization", skipLayerNorm},
};

} // namespace

std::span<const OnnxLowering> microsoftLowerings() { return microsoftRules; }

} // namespace cutaway::passes
