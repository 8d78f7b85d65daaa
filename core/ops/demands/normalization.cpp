// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ops/arguments/normalization_arguments.h"
#include "core/ops/demands/demands.h"
#include "core/ops/demands/expected.h"

#include <utility>

namespace cutaway::ops::demand {

namespace {

using ir::Dim;
using ir::Shape;

struct Parameter {
    Position position;
    std::string_view name;
};

/// Returns the scale and the shift of a normalization, with the names that the dialect gives them.
std::vector<Parameter> scaleAndShift(const Call &call, const NormalizationArguments &given)
{
    return {{given.weight, call.isOnnx() ? "the scale" : "the weight"}, {given.bias, "the bias"}};
}

const Dim &channelsOf(const Shape &input, bool channelsLast) { return channelsLast ? input.back() : input[1]; }

std::string hasChannels(const Dim &channels) { return formatted("as the input has {} channels", ir::print(channels)); }

} // namespace

Met batchNorm(const Call &call)
{
    const NormalizationArguments given = normalizationArguments(call);
    if (call.name() == "BatchNormalization" && call.opset() >= 14 && call.resultCount() > 1
        && !call.flag("training_mode").value_or(false))
        return wrong(formatted("{} results without training_mode, expected is 1", call.resultCount()));
    const Shape *input = call.shape(given.input);
    if (!input || input->size() < 2 || given.isOfEachPlace)
        return {};
    const Dim &channels = channelsOf(*input, given.channelsLast);
    auto parameters = scaleAndShift(call, given);
    parameters.push_back({given.mean, "the mean"});
    parameters.push_back({given.variance, "the variance"});
    for (const Parameter &parameter : parameters)
        CUTAWAY_RETURN_IF_ERROR(
            expectShape(call, parameter.position, parameter.name, {channels}, hasChannels(channels)));
    return {};
}

Met layerNorm(const Call &call)
{
    const NormalizationArguments given = normalizationArguments(call);
    const Shape *input = call.shape(given.input);
    const auto axis = input ? given.axisOf(input->size()) : std::nullopt;
    if (!axis)
        return {};
    const Shape normalized(input->begin() + static_cast<std::ptrdiff_t>(*axis), input->end());
    for (const auto &[position, name] : scaleAndShift(call, given)) {
        const Shape *shape = call.shape(position);
        const bool isSpread = shape && call.isOnnx()
            && (mayBroadcastTo(*shape, *input) || !isDifferent(product(*shape), product(normalized)));
        if (!isSpread)
            CUTAWAY_RETURN_IF_ERROR(
                expectShape(call, position, name, normalized,
                            formatted("as {} is normalized from dimension {} on", ir::print(*input), *axis)));
    }
    return {};
}

Met groupNorm(const Call &call)
{
    const NormalizationArguments given = normalizationArguments(call);
    const Shape *input = call.shape(given.input);
    if (!input || input->size() < 2)
        return {};
    const Dim &channels = channelsOf(*input, given.channelsLast);
    if (!mayDivide(channels, given.groups))
        return wrong(
            formatted("{} channels cannot be divided into {} groups", ir::print(channels), ir::print(given.groups)));
    const bool isPerGroup = call.dialect() == "onnx" && call.opset() < 21;
    for (const auto &[position, name] : scaleAndShift(call, given))
        CUTAWAY_RETURN_IF_ERROR(expectShape(call, position, name, {isPerGroup ? given.groups : channels},
                                            isPerGroup ? "one for each group" : hasChannels(channels)));
    return {};
}

} // namespace cutaway::ops::demand
