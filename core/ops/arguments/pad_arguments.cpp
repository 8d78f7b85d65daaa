// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/pad_arguments.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ops/facts/moved_elements.h"

#include <algorithm>
#include <numeric>

namespace cutaway::ops {

std::optional<PadMode> padMode(const Call &call)
{
    const std::string_view given = call.text("mode"), mode = given.empty() ? call.name() : given;
    if (mode.contains("reflect"))
        return PadMode::Reflect;
    if (mode.contains("replicat") || mode == "edge")
        return PadMode::Edge;
    if (mode == "wrap" || mode.contains("circular"))
        return PadMode::Wrap;
    return given.empty() || given == "constant" ? std::optional(PadMode::Constant) : std::nullopt;
}

/// PyTorch lists a pair (before, after) for each dimension, the last dimension first. ONNX lists all beginnings and
/// then all ends, of all dimensions or of those that a fourth input names.
OrDoubt<Padding> paddingOf(const Call &call, std::size_t rank)
{
    const Fact &named = call.any({"pad", "padding", "pads", "paddings"});
    const auto given = asInts(named.as<NoneFact>() ? call[1u] : named);
    std::vector<std::size_t> dims(call.isOnnx() || !given ? rank : std::min(rank, given->size() / 2));
    if (call.isOnnx())
        std::iota(dims.begin(), dims.end(), 0);
    else
        std::iota(dims.rbegin(), dims.rend(), rank - dims.size());
    if (call.isOnnx() && call.has(3u)) {
        CUTAWAY_TRY(dims, axes(call[3u], rank));
    }
    if (!given)
        return unknown("padding unknown");
    if (given->size() != 2 * dims.size() || dims.size() > rank)
        return wrong(formatted("{} paddings for {} dimensions", given->size(), call.isOnnx() ? dims.size() : rank));
    Padding padding{std::vector<ir::Dim>(rank, zero), std::vector<ir::Dim>(rank, zero)};
    for (std::size_t i = 0; i < dims.size(); ++i) {
        padding.before[dims[i]] = (*given)[call.isOnnx() ? i : 2 * i];
        padding.after[dims[i]] = (*given)[call.isOnnx() ? dims.size() + i : 2 * i + 1];
    }
    return padding;
}

std::optional<std::int64_t> paddedFrom(PadMode mode, std::int64_t position, std::int64_t size)
{
    if (position >= 0 && position < size)
        return position;
    if (mode == PadMode::Constant || size <= 0)
        return std::nullopt;
    if (mode == PadMode::Edge)
        return std::clamp<std::int64_t>(position, 0, size - 1);
    const std::int64_t period = mode == PadMode::Wrap ? size : std::max<std::int64_t>(2 * (size - 1), 1);
    const std::int64_t rest = ((position % period) + period) % period;
    return rest < size ? rest : period - rest;
}

} // namespace cutaway::ops
