// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition_rules.h"

#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/arguments/softmax_arguments.h"

#include <cmath>

namespace cutaway::passes {

namespace {

using D = Decomposition;

Parts batchNorm(D &d)
{
    const Term x = d["input"];
    if (ops::normalizationArguments(d.call()).useInputStats != false || !d.has("running_mean") || !d.has("running_var"))
        return {};
    return {d.makeAll("_native_batch_norm_legit_no_training",
                      {x, d["weight"], d["bias"], d["running_mean"], d["running_var"], d["momentum"], d["eps"]}, 3)
                .front()};
}

Parts layerNorm(D &d)
{
    return {d.makeAll("native_layer_norm", {d["input"], d["normalized_shape"], d["weight"], d["bias"], d["eps"]}, 3)
                .front()};
}

Parts groupNorm(D &d)
{
    const Term x = d["input"];
    const auto known = d.tensor(x);
    if (!known || known->rank() < 2)
        return {};
    const ir::Dim image = ops::product(std::span(known->shape).subspan(2));
    const Term lying = d.isRowMajor(x) ? x : d.make("clone", {x, {"memory_format", ir::MemoryFormat::Contiguous}});
    return {d.makeAll("native_group_norm",
                      {lying, d["weight"], d["bias"], d.size(known->shape[0]), d.size(known->shape[1]), d.size(image),
                       d["num_groups"], d["eps"]},
                      3)
                .front()};
}

/// Each channel of each image by itself: as one image of N·C channels.
Parts instanceNorm(D &d)
{
    const Term x = d["input"];
    const auto known = d.tensor(x);
    if (!known || known->rank() < 2 || d.flag("use_input_stats") != true || d.has("running_mean"))
        return {};
    ir::Shape joined = known->shape;
    joined[1] = ops::times(joined[0], joined[1]);
    joined[0] = ops::one;
    const Term normal =
        d.makeAll("_native_batch_norm_legit.no_stats",
                  {d.reshape(x, joined), {"training", true}, {"momentum", d["momentum"]}, {"eps", d["eps"]}}, 3)
            .front();
    Term made = d.reshape(normal, known->shape);
    ir::Shape channels(known->rank(), ops::one);
    channels[1] = known->shape[1];
    if (d.has("weight"))
        made = made * d.reshape(d["weight"], channels);
    return {d.has("bias") ? made + d.reshape(d["bias"], channels) : made};
}

/// The distance from 1 to the next larger number of a dtype (machine epsilon).
std::optional<double> epsilonOf(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::Float16:
        return 0x1p-10;
    case ir::DType::BFloat16:
        return 0x1p-7;
    case ir::DType::Float32:
        return 0x1p-23;
    case ir::DType::Float64:
        return 0x1p-52;
    default:
        return std::nullopt;
    }
}

Parts rmsNorm(D &d)
{
    const Term x = d["input"], weight = d["weight"];
    const auto known = d.tensor(x);
    const auto normalized = d.call().sizes("normalized_shape");
    if (!known || !normalized)
        return {};
    const Term wide = d.widened(x);
    const auto eps = d.has("eps") ? d.number("eps") : epsilonOf(d.dtype(wide));
    if (!eps)
        return {};
    std::vector<std::int64_t> dims;
    for (std::size_t i = 0; i < normalized->size(); ++i)
        dims.push_back(-static_cast<std::int64_t>(i) - 1);
    const Term scale = applied("rsqrt", d.mean(wide * wide, dims, true) + *eps);
    const Term normal = wide * scale;
    return {d.cast(weight.isNone() ? normal : normal * weight, known->dtype)};
}

Parts softmaxInto(D &d, std::string_view target)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    const auto given = ops::softmaxArguments(d.call());
    if (!known || d["dim"].isNone() || (given.dtype && !*given.dtype))
        return {};
    return {d.make(target, {given.dtype ? d.cast(x, **given.dtype) : x, d["dim"], false})};
}

/// v·g / |v|, the length taken over all dimensions but one.
Parts weightNorm(D &d)
{
    const Term v = d["v"], g = d["g"];
    const auto known = d.tensor(v);
    const auto dim = d.integer("dim");
    if (!known || !dim || *dim < -1 || *dim >= static_cast<std::int64_t>(known->rank()))
        return {};
    std::vector<std::int64_t> others;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(known->rank()); ++i)
        if (i != *dim)
            others.push_back(i);
    const Term length = applied("sqrt", d.sum(v * v, others, *dim >= 0));
    return {v * (g / length)};
}

constexpr DecompositionRule normalizationRules[] = {
    {"aten::_weight_norm", weightNorm},
    {"aten::batch_norm", batchNorm},
    {"aten::group_norm", groupNorm},
    {"aten::instance_norm", instanceNorm},
    {"aten::layer_norm", layerNorm},
    {"aten::log_softmax", [](D &d) { return softmaxInto(d, "_log_softmax"); }},
    {"aten::rms_norm", rmsNorm},
    {"aten::softmax", [](D &d) { return softmaxInto(d, "_softmax"); }},
    {"aten::special_log_softmax", [](D &d) { return softmaxInto(d, "_log_softmax"); }},
    {"aten::special_softmax", [](D &d) { return softmaxInto(d, "_softmax"); }},
};

} // namespace

std::span<const DecompositionRule> normalizationDecompositions() { return normalizationRules; }

} // namespace cutaway::passes
