// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition_rules.h"

#include <algorithm>

// Pools and padding of images.

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

/// Pads each dimension with the elements at its other end.
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

/// Elements go back to where in their image a pool took them from; zero elsewhere.
template <std::size_t spatial>
Parts unpooled(D &d)
{
    const Term x = d["self"], indices = d["indices"];
    const auto known = d.tensor(x), places = d.tensor(indices), result = d.result();
    if (!known || !places || !result || known->rank() <= spatial || places->dtype != ir::DType::Int64
        || places->shape != known->shape || result->rank() != known->rank())
        return {};
    const std::size_t outer = known->rank() - spatial;
    const auto images = ops::number(ops::product(std::span(known->shape).first(outer)));
    const auto size = ops::number(ops::product(std::span(result->shape).last(spatial)));
    if (!images || !size)
        return {};
    ir::Shape ofEach(known->rank(), ops::one);
    std::copy_n(known->shape.begin(), outer, ofEach.begin());
    const Term offset = d.reshape(d.arange(*images), ofEach) * d.term(*size);
    const ir::Shape all{ops::elementsOf(known->shape)};
    const Term place = d.reshape(indices + offset, all), elements = d.reshape(x, all);
    const Term zeros = d.full({ops::elementsOf(result->shape)}, std::int64_t{0}, known->dtype);
    return {d.reshape(d.make("index_put", {zeros, ir::List{{place.operand}}, elements}), result->shape)};
}

/// Where windows along one dimension of an image read it: [element of the window, window].
std::optional<Term> readPlaces(D &d, std::int64_t size, std::int64_t kernel, std::int64_t dilation, std::int64_t stride)
{
    const std::int64_t free = size - dilation * (kernel - 1) - 1;
    if (kernel < 1 || dilation < 1 || stride < 1 || free < 0)
        return std::nullopt;
    const Term starts = d.arange(free / stride + 1) * d.term(stride), steps = d.arange(kernel) * d.term(dilation);
    return d.unsqueeze(starts, 0) + d.unsqueeze(steps, -1);
}

/// The windows of an image as columns.
Parts columnsOfImage(D &d)
{
    const auto known = d.tensor(d["self"]), result = d.result();
    const auto kernel = d.integers("kernel_size"), dilation = d.integers("dilation"), padding = d.integers("padding"),
               stride = d.integers("stride");
    if (!known || !result || known->rank() < 3 || known->rank() > 4)
        return {};
    for (const auto &pair : {kernel, dilation, padding, stride})
        if (!pair || pair->size() != 2)
            return {};
    const std::size_t outer = known->rank() - 2; // the channels, perhaps after a batch
    ir::List places{std::vector<ir::Operand>(outer)};
    for (std::size_t i = 0; i < 2; ++i) {
        const auto size = ops::number(known->shape[outer + i]);
        const auto read = size && (*padding)[i] >= 0
            ? readPlaces(d, *size + 2 * (*padding)[i], (*kernel)[i], (*dilation)[i], (*stride)[i])
            : std::nullopt;
        if (!read)
            return {};
        places.items.push_back(i == 0 ? d.unsqueeze(d.unsqueeze(*read, -1), -1) : *read);
    }
    const Term image = d.make("constant_pad_nd",
                              {d["self"], D::list({(*padding)[1], (*padding)[1], (*padding)[0], (*padding)[0]}), 0.0});
    const Term windows = d.make("index.Tensor", {image, places});
    return {d.reshape(d.transposed(windows, outer + 1, outer + 2), result->shape)};
}

constexpr DecompositionRule poolingRules[] = {
    {"aten::adaptive_avg_pool2d", [](D &d) { return adaptiveMean(d, "_adaptive_avg_pool2d", 2); }},
    {"aten::adaptive_avg_pool3d", [](D &d) { return adaptiveMean(d, "_adaptive_avg_pool3d", 3); }},
    {"aten::adaptive_max_pool1d", adaptiveMaxOfLine},
    {"aten::im2col", columnsOfImage},
    {"aten::max_pool1d", maxPoolOfLine},
    {"aten::max_pool1d_with_indices", maxPoolOfLine},
    {"aten::max_pool2d", [](D &d) { return maxPool(d, "max_pool2d_with_indices"); }},
    {"aten::max_pool3d", [](D &d) { return maxPool(d, "max_pool3d_with_indices"); }},
    {"aten::max_unpool2d", unpooled<2>},
    {"aten::max_unpool3d", unpooled<3>},
    {"aten::pad", padded},
    {"aten::replication_pad1d", replicatedLine},
};

} // namespace

std::span<const DecompositionRule> poolingDecompositions() { return poolingRules; }

} // namespace cutaway::passes
