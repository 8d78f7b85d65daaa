// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition_rules.h"

namespace cutaway::passes {

namespace {

using D = Decomposition;

/// The indices of index_put that choose along one dimension.
std::optional<ir::Operand> along(D &d, const Term &x, const Term &index)
{
    const auto known = d.tensor(x);
    const auto given = d.integer("dim");
    const auto dim = known && given ? ops::dimension(*given, known->rank()) : std::nullopt;
    const auto shape = d.tensor(index);
    if (!dim || !shape || shape->rank() != 1)
        return std::nullopt;
    ir::List indices{std::vector<ir::Operand>(*dim)};
    indices.items.push_back(index);
    return indices;
}

Parts putAlong(D &d, const Term &values, bool adds)
{
    const Term x = d["self"];
    const auto indices = along(d, x, d["index"]);
    return indices ? Parts{d.make("index_put", {x, *indices, values, adds})} : Parts{};
}

Parts indexAdd(D &d)
{
    const auto alpha = d.number("alpha");
    if (!alpha)
        return {};
    return putAlong(d, *alpha == 1 ? d["source"] : d.make("mul.Scalar", {d["source"], d["alpha"]}), true);
}

Parts indexFill(D &d)
{
    const Term value = d["value"];
    const ir::DType dtype = d.dtype(d["self"]);
    return putAlong(d, d.isTensor(value) ? d.cast(value, dtype) : d.scalar(value, dtype), false);
}

Parts takenAlong(D &d)
{
    Term x = d["self"], index = d["indices"];
    const auto known = d.tensor(x), places = d.tensor(index);
    if (!known || !places)
        return {};
    if (!d.has("dim"))
        return {d.make(
            "gather",
            {d.reshape(x, {ops::elementsOf(known->shape)}), 0, d.reshape(index, {ops::elementsOf(places->shape)})})};
    const auto given = d.integer("dim");
    const auto dim = given ? ops::dimension(*given, known->rank()) : std::nullopt;
    if (!dim || known->rank() != places->rank())
        return {};
    ir::Shape from = known->shape, to = places->shape;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (i == *dim)
            continue;
        if (!ops::isSame(from[i], to[i]) && !ops::isOne(from[i]) && !ops::isOne(to[i]))
            return {};
        from[i] = to[i] = ops::isOne(from[i]) ? to[i] : from[i];
    }
    return {d.make("gather", {d.expand(x, from), static_cast<std::int64_t>(*dim), d.expand(index, to)})};
}

/// The elements on a diagonal of square matrices, zero beside it.
Parts diagonalMatrix(D &d, const Term &x)
{
    const auto known = d.tensor(x), result = d.result();
    if (!known || !result || known->rank() == 0 || known->rank() + 1 != result->rank())
        return {};
    const Term index = d.arange(known->shape.back());
    const Term isOn = compared("eq", d.unsqueeze(index, 0), d.unsqueeze(index, 1));
    return {where(isOn, d.unsqueeze(x, -2), d.scalar(std::int64_t{0}, known->dtype))};
}

Parts diagonalEmbedded(D &d)
{
    if (d.integer("offset") != 0 || d.integer("dim1") != -2 || d.integer("dim2") != -1)
        return {};
    return diagonalMatrix(d, d["self"]);
}

Parts diagonalOf(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    if (!known || (known->rank() == 1 && d.integer("diagonal") != 0))
        return {};
    if (known->rank() == 1)
        return diagonalMatrix(d, x);
    return {applied("clone", d.make("diagonal", {x, d["diagonal"]}))};
}

/// The cross product of vectors with three elements: each element is made of the two others.
Parts crossProduct(D &d)
{
    const Term a = d["self"], b = d["other"];
    const auto x = d.tensor(a), y = d.tensor(b), result = d.result();
    const auto given = d.integer("dim");
    if (!x || !y || !result || x->rank() != y->rank() || (d.has("dim") && !given))
        return {};
    std::optional<std::size_t> dim = given ? ops::dimension(*given, result->rank()) : std::nullopt;
    for (std::size_t i = 0; !given && !dim && i < result->rank(); ++i)
        if (const auto size = ops::number(result->shape[i]); !size || *size == 3)
            dim = size ? std::optional(i) : std::nullopt;
    if (!dim || ops::number(x->shape[*dim]) != 3 || ops::number(y->shape[*dim]) != 3)
        return {};
    const auto turned = [&](const Term &t, std::int64_t by) {
        const std::vector<Term> parts{d.slice(t, *dim, by, std::int64_t{3}), d.slice(t, *dim, std::int64_t{0}, by)};
        return d.make("cat", {D::list(parts), static_cast<std::int64_t>(*dim)});
    };
    return {turned(a, 1) * turned(b, 2) - turned(a, 2) * turned(b, 1)};
}

Parts embeddingBag(D &d)
{
    const auto bag =
        d.makeAll("_embedding_bag",
                  {d["weight"],
                   d["indices"],
                   d["offsets"],
                   d["scale_grad_by_freq"],
                   d["mode"],
                   d["sparse"],
                   d["per_sample_weights"],
                   d["include_last_offset"],
                   {"padding_idx", d["padding_idx"].isNone() ? d.term(std::int64_t{-1}) : d["padding_idx"]}},
                  4);
    return {bag.begin(), bag.end()};
}

constexpr DecompositionRule indexingRules[] = {
    {"aten::cross", crossProduct},          {"aten::diag", diagonalOf},
    {"aten::diag_embed", diagonalEmbedded}, {"aten::embedding_bag", embeddingBag},
    {"aten::index_add", indexAdd},          {"aten::index_copy", [](D &d) { return putAlong(d, d["source"], false); }},
    {"aten::index_fill", indexFill},        {"aten::linalg_cross", crossProduct},
    {"aten::take_along_dim", takenAlong},
};

} // namespace

std::span<const DecompositionRule> indexingDecompositions() { return indexingRules; }

} // namespace cutaway::passes
