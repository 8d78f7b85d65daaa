// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/scatter_arguments.h"

namespace cutaway::ops {

namespace {

/// Finds a reduction by the name that it has in ONNX or in one of torch's operators.
std::optional<ScatterReduction> reductionNamed(std::string_view name)
{
    using enum ScatterReduction;
    if (name == "none")
        return None;
    if (name == "add" || name == "sum")
        return Sum;
    if (name == "mul" || name == "multiply" || name == "prod")
        return Product;
    if (name == "max" || name == "amax")
        return Maximum;
    if (name == "min" || name == "amin")
        return Minimum;
    return name == "mean" ? std::optional(Mean) : std::nullopt;
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

} // namespace

ScatterArguments scatterArguments(const Call &call)
{
    return {reductionOf(call), call.has("include_self") ? call.flag("include_self") : true};
}

} // namespace cutaway::ops
