// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/normalization_arguments.h"

#include "core/ops/network/window.h"

namespace cutaway::ops {

std::optional<std::size_t> NormalizationArguments::axisOf(std::size_t rank) const
{
    if (normalizedShape)
        return normalizedShape->size() <= rank ? std::optional(rank - normalizedShape->size()) : std::nullopt;
    return axis ? dimension(*axis, rank) : std::nullopt;
}

namespace {

/// Whether the node normalizes as in training. Before operator set 14 the number of results shows it: only training
/// returns statistics. Before operator set 7 `is_test` excludes training.
std::optional<bool> trainsOf(const Call &call)
{
    if (call.opset() < 14)
        return call.resultCount() > 1 && call.integer("is_test").value_or(0) == 0;
    return call.has("training_mode") ? call.flag("training_mode") : std::optional(false);
}

NormalizationArguments onnxNormalization(const Call &call)
{
    NormalizationArguments made;
    const std::string_view name = call.name();
    const bool isLayer = name.contains("LayerNorm") || name == "RMSNormalization";
    // The weight of a Skip… operator comes after the skip connection.
    const std::size_t weight = name.starts_with("Skip") && isLayer ? 2 : 1;
    made.input = 0;
    made.weight = weight;
    if (name != "RMSNormalization" && !name.contains("Simplified"))
        made.bias = weight + 1;
    if (name.starts_with("BatchNorm")) {
        made.mean = 3;
        made.variance = 4;
        made.useInputStats = trainsOf(call);
        made.isOfEachPlace = call.opset() < 9 && call.integer("spatial") == 0;
    }
    if (isLayer)
        made.axis = call.has("axis") ? call.integer("axis") : std::optional<std::int64_t>(-1);
    made.groups = asInt(call.any({"num_groups", "groups"})).value_or(ir::UnknownDim{});
    made.epsilon = call.has("epsilon") ? call.floating("epsilon") : 1e-5;
    made.channelsLast = hasChannelsLast(call);
    return made;
}

/// Whether mean and variance are computed from the input. Operators without a flag for it do compute them, except those
/// of batch normalization whose name does not contain "with_update".
std::optional<bool> useInputStats(const Call &call)
{
    const Position flag = call.position({"training", "use_input_stats"});
    if (!flag)
        return !call.name().contains("batch_norm") || call.name().contains("with_update");
    return call.flag(flag);
}

NormalizationArguments torchNormalization(const Call &call)
{
    NormalizationArguments made;
    made.input = 0;
    made.weight = call.position({"weight"});
    made.bias = call.position({"bias"});
    made.mean = call.position({"running_mean", "mean"});
    made.variance = call.position({"running_var", "var"});
    made.useInputStats = useInputStats(call);
    made.normalizedShape = call.sizes("normalized_shape");
    made.groups = asInt(call.any({"num_groups", "group"})).value_or(ir::UnknownDim{});
    if (const Fact &epsilon = call.any({"eps", "epsilon"}); !epsilon.as<NoneFact>())
        made.epsilon = asFloat(epsilon);
    return made;
}

} // namespace

NormalizationArguments normalizationArguments(const Call &call)
{
    return call.isOnnx() ? onnxNormalization(call) : torchNormalization(call);
}

} // namespace cutaway::ops
