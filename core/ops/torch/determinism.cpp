// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/torch/determinism.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

bool isAlways(const Call &) { return true; }

bool accumulates(const Call &call) { return call.flag("accumulate") == true; }

bool hasWeights(const Call &call) { return call.has("weights"); }

bool givesIndices(const Call &call) { return call.has("dim"); }

/// scatter with "add" or "multiply", scatter_reduce but for the largest and the smallest.
bool reduces(const Call &call)
{
    const std::string_view reduction = call.text("reduce");
    return !reduction.empty() && reduction != "amax" && reduction != "amin";
}

/// Sums of integers are exact in any order.
bool sumsFloats(const Call &call)
{
    const auto dtype = call.has("dtype") ? call.dtype("dtype") : call.dtypeOf(0u);
    return dtype && (ir::isFloating(*dtype) || ir::isComplex(*dtype));
}

struct Varying {
    std::string_view name;
    bool (*varies)(const Call &call);
};

constexpr Varying varying[] = {
    {"bincount", hasWeights},
    {"cumsum", sumsFloats},
    {"histc", isAlways},
    {"index_add", isAlways},
    {"kthvalue", isAlways},
    {"max_unpool2d", isAlways},
    {"max_unpool3d", isAlways},
    {"median", givesIndices},
    {"nll_loss2d", isAlways},
    {"nll_loss2d_forward", isAlways},
    {"put", accumulates},
    {"scatter", reduces},
    {"scatter_add", isAlways},
    {"scatter_reduce", reduces},
    // Operators that differentiate.
    {"_adaptive_avg_pool2d_backward", isAlways},
    {"_adaptive_avg_pool3d_backward", isAlways},
    {"adaptive_max_pool2d_backward", isAlways},
    {"avg_pool3d_backward", isAlways},
    {"fractional_max_pool2d_backward", isAlways},
    {"fractional_max_pool3d_backward", isAlways},
    {"grid_sampler_2d_backward", isAlways},
    {"grid_sampler_3d_backward", isAlways},
    {"max_pool3d_with_indices_backward", isAlways},
    {"reflection_pad1d_backward", isAlways},
    {"reflection_pad2d_backward", isAlways},
    {"reflection_pad3d_backward", isAlways},
    {"replication_pad1d_backward", isAlways},
    {"replication_pad2d_backward", isAlways},
    {"replication_pad3d_backward", isAlways},
    {"upsample_bicubic2d_backward", isAlways},
    {"upsample_bilinear2d_backward", isAlways},
    {"upsample_linear1d_backward", isAlways},
    {"upsample_trilinear3d_backward", isAlways},
};

} // namespace

bool variesOnCuda(const Call &call)
{
    if (call.dialect() != "aten")
        return false;
    const auto known = std::ranges::find(varying, call.name(), &Varying::name);
    return known != std::end(varying) && known->varies(call);
}

} // namespace cutaway::ops
