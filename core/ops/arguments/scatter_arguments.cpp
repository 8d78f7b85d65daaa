// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/scatter_arguments.h"

#include <algorithm>
#include <array>

namespace cutaway::ops {

namespace {

/// The names of a reduction. An empty name is one that it does not have.
struct ReductionNames {
    ScatterReduction reduction;
    std::string_view torch; ///< in scatter_reduce and index_reduce
    std::string_view onnx;
    std::string_view scatter = {}; ///< in torch's scatter, if that is not ONNX's name
};

constexpr std::array<ReductionNames, 6> reductionNames{{{ScatterReduction::None, "", "none"},
                                                        {ScatterReduction::Sum, "sum", "add"},
                                                        {ScatterReduction::Product, "prod", "mul", "multiply"},
                                                        {ScatterReduction::Maximum, "amax", "max"},
                                                        {ScatterReduction::Minimum, "amin", "min"},
                                                        {ScatterReduction::Mean, "mean", ""}}};

std::optional<ScatterReduction> reductionNamed(std::string_view name)
{
    for (const ReductionNames &each : reductionNames)
        if (!name.empty() && (name == each.torch || name == each.onnx || name == each.scatter))
            return each.reduction;
    return std::nullopt;
}

std::optional<ScatterReduction> reductionOf(const Call &call)
{
    using enum ScatterReduction;
    if (call.has("accumulate"))
        return call.flag("accumulate").transform([](bool adds) { return adds ? Sum : None; });
    const std::string_view parameter = call.isOnnx() ? "reduction" : "reduce";
    if (call.has(parameter))
        return reductionNamed(call.text(parameter));
    return call.name().ends_with("_add") ? Sum : None;
}

const ReductionNames &namesOf(ScatterReduction reduction)
{
    return *std::ranges::find(reductionNames, reduction, &ReductionNames::reduction);
}

} // namespace

std::string_view torchName(ScatterReduction reduction) { return namesOf(reduction).torch; }

std::string_view onnxName(ScatterReduction reduction) { return namesOf(reduction).onnx; }

ScatterArguments scatterArguments(const Call &call)
{
    return {reductionOf(call), call.has("include_self") ? call.flag("include_self") : true};
}

} // namespace cutaway::ops
