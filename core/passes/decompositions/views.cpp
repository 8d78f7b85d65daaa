// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition_rules.h"

#include <algorithm>
#include <numeric>

namespace cutaway::passes {

namespace {

using D = Decomposition;

/// Elements in their order: the result says the shape, or the argument where that has formulas.
Parts reshaped(D &d)
{
    const Term x = d["self"], given = d["shape"];
    const auto result = d.result();
    if (!result)
        return {};
    const bool isStatic = std::ranges::all_of(result->shape, [](const ir::Dim &dim) { return !!ops::number(dim); });
    if (isStatic || given.isNone())
        return {d.reshape(x, result->shape)};
    const Term lying = d.isRowMajor(x) ? x : d.make("clone", {x, {"memory_format", ir::MemoryFormat::Contiguous}});
    return {d.make("view", {lying, given})};
}

Parts expanded(D &d)
{
    const auto result = d.result();
    return result ? Parts{d.expand(d["self"], result->shape)} : Parts{};
}

/// The dimensions that two arguments name.
std::optional<std::pair<std::size_t, std::size_t>> twoDimensions(D &d, std::string_view first, std::string_view second)
{
    const auto x = d.tensor(d["self"]);
    const auto a = d.integer(first), b = d.integer(second);
    const auto i = x && a ? ops::dimension(*a, x->rank()) : std::nullopt;
    const auto j = x && b ? ops::dimension(*b, x->rank()) : std::nullopt;
    return i && j ? std::optional(std::pair(*i, *j)) : std::nullopt;
}

Term swapped(const Term &x, std::size_t a, std::size_t b)
{
    const auto known = x.made->tensor(x);
    std::vector<std::int64_t> order(known->rank());
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[a], order[b]);
    return x.made->make("permute", {x, D::list(order)});
}

Parts transpose(D &d)
{
    const auto dims = d.has("dim0") ? twoDimensions(d, "dim0", "dim1") : twoDimensions(d, "axis0", "axis1");
    const auto x = d.tensor(d["self"]);
    if (!dims || x->rank() == 0)
        return {};
    return {swapped(d["self"], dims->first, dims->second)};
}

Parts transposeLast(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    if (!known || ir::isComplex(known->dtype))
        return {};
    return {known->rank() < 2 ? x : swapped(x, known->rank() - 2, known->rank() - 1)};
}

Parts reversedDimensions(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    if (!known)
        return {};
    std::vector<std::size_t> order(known->rank());
    std::iota(order.rbegin(), order.rend(), 0);
    return {d.permute(x, order)};
}

Parts moved(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    const auto from = d.integers("source"), to = d.integers("destination");
    if (!known || !from || !to || from->size() != to->size())
        return {};
    std::vector<std::optional<std::size_t>> order(known->rank());
    std::vector<bool> isTaken(known->rank());
    for (std::size_t i = 0; i < from->size(); ++i) {
        const auto a = ops::dimension((*from)[i], known->rank()), b = ops::dimension((*to)[i], known->rank());
        if (!a || !b || isTaken[*a] || order[*b])
            return {};
        order[*b] = a;
        isTaken[*a] = true;
    }
    std::vector<std::size_t> all;
    std::size_t next = 0;
    for (const auto &place : order) {
        while (!place && isTaken[next])
            ++next;
        all.push_back(place ? *place : next++);
    }
    return {d.permute(x, all)};
}

Parts squeezed(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x), result = d.result();
    if (!known || !result)
        return {};
    std::vector<std::int64_t> ones;
    for (std::size_t i = 0; i < known->rank(); ++i)
        if (ops::isOne(known->shape[i]))
            ones.push_back(static_cast<std::int64_t>(i));
    if (known->rank() - ones.size() != result->rank())
        return {};
    return {ones.empty() ? x : d.make("squeeze.dims", {x, D::list(ones)})};
}

Parts narrowed(D &d)
{
    const Term x = d["self"], start = d["start"];
    const auto known = d.tensor(x), result = d.result();
    const auto given = d.integer("dim");
    const auto dim = known && given ? ops::dimension(*given, known->rank()) : std::nullopt;
    auto first = d.call().size("start");
    if (!dim || !result || !first || d.isTensor(start))
        return {};
    if (const auto number = ops::number(*first); number && *number < 0)
        first = ops::plus(*first, known->shape[*dim]);
    return {d.slice(x, *dim, d.size(*first), d.size(ops::plus(*first, result->shape[*dim])))};
}

Parts rotated(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    const auto quarters = d.integer("k");
    const auto dims = d.integers("dims");
    if (!known || !quarters || !dims || dims->size() != 2)
        return {};
    const auto a = ops::dimension(dims->front(), known->rank()), b = ops::dimension(dims->back(), known->rank());
    if (!a || !b)
        return {};
    const auto flipped = [&](const Term &term, std::initializer_list<std::size_t> axes) {
        return d.make("flip", {term, D::list(std::vector<std::int64_t>(axes.begin(), axes.end()))});
    };
    switch ((*quarters % 4 + 4) % 4) {
    case 1:
        return {swapped(flipped(x, {*b}), *a, *b)};
    case 2:
        return {flipped(x, {*a, *b})};
    case 3:
        return {swapped(flipped(x, {*a}), *a, *b)};
    default:
        return {applied("clone", x)};
    }
}

/// The elements of each dimension that moved out at its end come in at its start.
Parts rolled(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    const auto shifts = d.integers("shifts"), dims = d.integers("dims");
    if (!known || !shifts || !dims)
        return {};
    if (dims->empty()) {
        const Term flat = d.reshape(x, {ops::elementsOf(known->shape)});
        return shifts->size() == 1
            ? Parts{d.reshape(d.make("roll", {flat, D::list(*shifts), D::list({0})}), known->shape)}
            : Parts{};
    }
    Term all = x;
    for (std::size_t i = 0; i < dims->size() && i < shifts->size(); ++i) {
        const auto dim = ops::dimension((*dims)[i], known->rank());
        const auto size = dim ? ops::number(known->shape[*dim]) : std::nullopt;
        if (!size)
            return {};
        const std::int64_t start = *size == 0 ? 0 : (*size - (*shifts)[i] % *size) % *size;
        if (start == 0)
            continue;
        const std::vector<Term> parts{d.slice(all, *dim, start, *size), d.slice(all, *dim, std::int64_t{0}, start)};
        all = d.make("cat", {D::list(parts), static_cast<std::int64_t>(*dim)});
    }
    return {all.operand == x.operand ? applied("clone", x) : all};
}

/// [..., C·r², H, W] with the channels' squares laid into the image, or back.
template <bool isBack>
Parts shuffledPixels(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x), result = d.result();
    const auto factor = d.integer(isBack ? "downscale_factor" : "upscale_factor");
    if (!known || !result || !factor || known->rank() < 3)
        return {};
    const std::size_t batch = known->rank() - 3;
    const auto &small = isBack ? result->shape : known->shape;
    const auto &large = isBack ? known->shape : result->shape;
    ir::Shape split(known->shape.begin(), known->shape.begin() + static_cast<std::ptrdiff_t>(batch));
    std::vector<std::size_t> order(batch);
    std::iota(order.begin(), order.end(), 0);
    const ir::Dim r = *factor;
    if (isBack) {
        split.insert(split.end(), {large[batch], small[batch + 1], r, small[batch + 2], r});
        order.insert(order.end(), {batch, batch + 2, batch + 4, batch + 1, batch + 3});
    } else {
        split.insert(split.end(), {large[batch], r, r, small[batch + 1], small[batch + 2]});
        order.insert(order.end(), {batch, batch + 3, batch + 1, batch + 4, batch + 2});
    }
    return {d.reshape(d.permute(d.reshape(x, split), order), result->shape)};
}

/// [N, g·k, …] is seen as [N, g, k, …], and back with both exchanged.
Parts shuffledChannels(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    const auto groups = d.integer("groups");
    if (!known || !groups || known->rank() < 3 || *groups <= 0)
        return {};
    ir::Shape split = known->shape;
    split[1] = ops::floorDivide(split[1], *groups);
    split.insert(split.begin() + 1, *groups);
    return {d.reshape(swapped(d.reshape(x, split), 1, 2), known->shape)};
}

constexpr DecompositionRule viewRules[] = {
    {"aten::_reshape_alias", reshaped},
    {"aten::_unsafe_view", reshaped},
    {"aten::adjoint", transposeLast},
    {"aten::atleast_1d", reshaped},
    {"aten::atleast_2d", reshaped},
    {"aten::atleast_3d", reshaped},
    {"aten::broadcast_to", expanded},
    {"aten::channel_shuffle", shuffledChannels},
    {"aten::expand_as", expanded},
    {"aten::flatten", reshaped},
    {"aten::mH", transposeLast},
    {"aten::mT", transposeLast},
    {"aten::matrix_H", transposeLast},
    {"aten::moveaxis", moved},
    {"aten::movedim", moved},
    {"aten::narrow", narrowed},
    {"aten::native_channel_shuffle", shuffledChannels},
    {"aten::numpy_T", reversedDimensions},
    {"aten::pixel_shuffle", shuffledPixels<false>},
    {"aten::pixel_unshuffle", shuffledPixels<true>},
    {"aten::ravel", reshaped},
    {"aten::reshape", reshaped},
    {"aten::reshape_as", reshaped},
    {"aten::roll", rolled},
    {"aten::rot90", rotated},
    {"aten::squeeze", squeezed},
    {"aten::swapaxes", transpose},
    {"aten::swapdims", transpose},
    {"aten::t", transposeLast},
    {"aten::transpose", transpose},
    {"aten::unflatten", reshaped},
    {"aten::view_as", reshaped},
};

} // namespace

std::span<const DecompositionRule> viewDecompositions() { return viewRules; }

} // namespace cutaway::passes
