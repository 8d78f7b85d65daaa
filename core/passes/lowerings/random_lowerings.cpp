// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// torch draws other numbers of the same distribution; a seed of ONNX is none of torch.
#include "core/passes/lowerings/onnx_node.h"

#include <array>

namespace cutaway::passes {

namespace {

using N = OnnxNode;

/// In the shape that the result has, standing by itself or beside the tensor whose shape it is.
std::optional<Term> drawn(N &n, std::string_view target)
{
    const auto y = n.result();
    if (!y || !ir::isFloating(y->dtype))
        return std::nullopt;
    return n.d.make(target, {n.d.sizes(y->shape), {"dtype", y->dtype}});
}

Parts uniform(N &n)
{
    const auto numbers = drawn(n, "rand");
    const double low = n.real("low", 0), high = n.real("high", 1);
    return numbers ? Parts{*numbers * (high - low) + low} : Parts{};
}

Parts normal(N &n)
{
    const auto numbers = drawn(n, "randn");
    return numbers ? Parts{*numbers * n.real("scale", 1) + n.real("mean", 0)} : Parts{};
}

Parts bernoulli(N &n)
{
    const auto y = n.result();
    return y ? Parts{n.d.cast(n.d.make("bernoulli", {n.input(0)}), y->dtype)} : Parts{};
}

constexpr std::array randomRules{
    OnnxLowering{"onnx::Bernoulli", bernoulli},       OnnxLowering{"onnx::RandomNormal", normal},
    OnnxLowering{"onnx::RandomNormalLike", normal},   OnnxLowering{"onnx::RandomUniform", uniform},
    OnnxLowering{"onnx::RandomUniformLike", uniform},
};

} // namespace

std::span<const OnnxLowering> randomLowerings() { return randomRules; }

} // namespace cutaway::passes
