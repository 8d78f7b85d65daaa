// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition.h"

#include <algorithm>

// Pools, padding and resampling of images.

namespace cutaway::passes {

namespace {

using D = Decomposition;

Parts adaptiveMean(D &d, std::string_view target, std::size_t spatial)
{
    const Term x = d["self"];
    const auto result = d.result();
    if (!result || result->rank() < spatial)
        return {};
    std::vector<std::int64_t> dims;
    bool isGlobal = true;
    for (std::size_t i = 0; i < spatial; ++i) {
        dims.push_back(-static_cast<std::int64_t>(i) - 1);
        isGlobal = isGlobal && ops::isOne(result->shape[result->rank() - 1 - i]);
    }
    if (isGlobal)
        return {d.mean(x, dims, true)};
    return {d.make(target, {x, d.sizes(std::span(result->shape).last(spatial))})};
}

Parts maxPool(D &d, std::string_view target)
{
    return {
        d.makeAll(target, {d["self"], d["kernel_size"], d["stride"], d["padding"], d["dilation"], d["ceil_mode"]}, 2)
            .front()};
}

/// A window of one dimension is one of two that is one high.
Parts maxPoolOfLine(D &d)
{
    const auto kernel = d.integers("kernel_size"), stride = d.integers("stride"), padding = d.integers("padding"),
               dilation = d.integers("dilation");
    if (!kernel || !stride || !padding || !dilation || kernel->size() != 1 || padding->size() != 1
        || dilation->size() != 1 || stride->size() > 1)
        return {};
    const std::int64_t step = stride->empty() ? kernel->front() : stride->front();
    const auto pool = d.makeAll("max_pool2d_with_indices",
                                {d.unsqueeze(d["self"], -2), D::list({1, kernel->front()}), D::list({1, step}),
                                 D::list({0, padding->front()}), D::list({1, dilation->front()}), d["ceil_mode"]},
                                2);
    Parts parts;
    for (std::size_t i = 0; i < d.resultCount() && i < pool.size(); ++i)
        parts.emplace_back(d.make("squeeze.dim", {pool[i], -2}));
    return parts;
}

Parts adaptiveMaxOfLine(D &d)
{
    const auto size = d.integers("output_size");
    if (!size || size->size() != 1)
        return {};
    const auto pool = d.makeAll("adaptive_max_pool2d", {d.unsqueeze(d["self"], -2), D::list({1, size->front()})}, 2);
    return {d.make("squeeze.dim", {pool[0], -2}), d.make("squeeze.dim", {pool[1], -2})};
}

/// What stands at the other end of each padded dimension comes in.
std::optional<Term> paddedAround(D &d, Term x, const std::vector<std::int64_t> &padding)
{
    for (std::size_t i = 0; i < padding.size() / 2; ++i) {
        const auto known = d.tensor(x);
        const auto dim = known && i < known->rank() ? std::optional(known->rank() - 1 - i) : std::nullopt;
        const auto size = dim ? ops::number(known->shape[*dim]) : std::nullopt;
        const std::int64_t before = padding[2 * i], after = padding[2 * i + 1];
        if (!size || before < 0 || after < 0 || before > *size || after > *size)
            return std::nullopt;
        std::vector<Term> parts;
        if (before > 0)
            parts.push_back(d.slice(x, *dim, *size - before, *size));
        parts.push_back(x);
        if (after > 0)
            parts.push_back(d.slice(x, *dim, std::int64_t{0}, after));
        if (parts.size() > 1)
            x = d.make("cat", {D::list(parts), static_cast<std::int64_t>(*dim)});
    }
    return x;
}

Parts padded(D &d)
{
    const Term x = d["self"];
    const std::string_view mode = d.text("mode");
    if (mode == "constant")
        return {d.make("constant_pad_nd", {x, d["pad"], d.has("value") ? d["value"] : d.term(std::int64_t{0})})};
    const auto padding = d.integers("pad");
    if (!padding || padding->empty() || padding->size() > 6 || padding->size() % 2 != 0)
        return {};
    if (mode == "circular") {
        const auto made = paddedAround(d, x, *padding);
        return made ? Parts{*made} : Parts{};
    }
    const std::size_t spatial = padding->size() / 2;
    if (mode == "reflect")
        return {d.make("reflection_pad" + std::to_string(spatial) + "d", {x, D::list(*padding)})};
    return mode == "replicate"
        ? Parts{d.make("replication_pad" + std::to_string(spatial) + "d", {x, D::list(*padding)})}
        : Parts{};
}

/// A line is an image one high.
Parts replicatedLine(D &d)
{
    const auto padding = d.integers("padding");
    const auto known = d.tensor(d["self"]);
    if (!padding || padding->size() != 2 || !known)
        return {};
    const Term image = d.unsqueeze(d["self"], -2);
    return {d.make("squeeze.dim",
                   {d.make("replication_pad2d", {image, D::list({padding->front(), padding->back(), 0, 0})}), -2})};
}

/// The scale of a dimension that is resampled, or nothing where only the result's size is given.
ir::Operand scalesWithOne(D &d)
{
    const Term given = d["scale_factors"];
    const auto *list = given.operand.as<ir::List>();
    if (!list || list->items.size() != 1)
        return {};
    return ir::List{{1.0, list->items.front()}};
}

/// A line is resampled as an image one high.
Parts resampledLine(D &d, std::string_view target, bool hasAlignment)
{
    const auto result = d.result();
    if (!result || result->rank() != 3)
        return {};
    const Term image = d.unsqueeze(d["input"], 2);
    const ir::Operand scales = scalesWithOne(d);
    const ir::Operand sizes =
        scales.as<ir::None>() ? d.sizes(ir::Shape{ops::one, result->shape.back()}) : ir::Operand();
    const Term made = hasAlignment ? d.make(target, {image, sizes, d["align_corners"], scales})
                                   : d.make(target, {image, sizes, scales});
    return {d.make("squeeze.dim", {made, 2})};
}

constexpr DecompositionRule poolingRules[] = {
    {"adaptive_avg_pool2d", [](D &d) { return adaptiveMean(d, "_adaptive_avg_pool2d", 2); }},
    {"adaptive_avg_pool3d", [](D &d) { return adaptiveMean(d, "_adaptive_avg_pool3d", 3); }},
    {"adaptive_max_pool1d", adaptiveMaxOfLine},
    {"max_pool1d", maxPoolOfLine},
    {"max_pool1d_with_indices", maxPoolOfLine},
    {"max_pool2d", [](D &d) { return maxPool(d, "max_pool2d_with_indices"); }},
    {"max_pool3d", [](D &d) { return maxPool(d, "max_pool3d_with_indices"); }},
    {"pad", padded},
    {"replication_pad1d", replicatedLine},
    {"upsample_linear1d", [](D &d) { return resampledLine(d, "upsample_bilinear2d.vec", true); }},
    {"upsample_nearest1d", [](D &d) { return resampledLine(d, "upsample_nearest2d.vec", false); }},
};

} // namespace

std::span<const DecompositionRule> poolingDecompositions() { return poolingRules; }

} // namespace cutaway::passes
