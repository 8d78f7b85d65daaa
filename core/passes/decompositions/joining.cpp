// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/decompositions/decomposition_rules.h"

#include <algorithm>

// Operators that make one tensor of several, several of one, and copies side by side.

namespace cutaway::passes {

namespace {

using D = Decomposition;

/// The dimension that an argument names in a tensor of this rank.
std::optional<std::size_t> dimensionOf(D &d, std::string_view parameter, std::size_t rank)
{
    const auto given = d.integer(parameter);
    return given ? ops::dimension(*given, rank) : std::nullopt;
}

Term concatenated(D &d, const std::vector<Term> &parts, std::size_t dim)
{
    return d.make("cat", {D::list(parts), static_cast<std::int64_t>(dim)});
}

Parts stacked(D &d)
{
    const auto result = d.result();
    const auto dim = result ? dimensionOf(d, "dim", result->rank()) : std::nullopt;
    if (!dim)
        return {};
    std::vector<Term> parts;
    for (const Term &item : d.items("tensors"))
        parts.push_back(d.unsqueeze(item, static_cast<std::int64_t>(*dim)));
    return parts.empty() ? Parts{} : Parts{concatenated(d, parts, *dim)};
}

/// hstack and its kind: tensors of fewer dimensions get ones, then one dimension is joined.
template <std::size_t leastRank>
Parts stackedAlong(D &d)
{
    std::vector<Term> parts;
    std::size_t rank = 0;
    for (const Term &item : d.items("tensors")) {
        const auto known = d.tensor(item);
        if (!known)
            return {};
        ir::Shape shape = known->shape;
        if (leastRank >= 2 && shape.size() < 2)
            shape.insert(shape.begin(), 2 - shape.size(), ops::one);
        shape.resize(std::max(shape.size(), leastRank), ops::one);
        rank = shape.size();
        parts.push_back(d.reshape(item, shape));
    }
    if (parts.empty())
        return {};
    const std::size_t axis = leastRank == 1 ? std::min<std::size_t>(1, rank - 1) : leastRank == 2 ? 0 : 2;
    return {concatenated(d, parts, axis)};
}

/// Columns: vectors become columns of a matrix.
Parts stackedColumns(D &d)
{
    std::vector<Term> parts;
    for (const Term &item : d.items("tensors")) {
        const auto known = d.tensor(item);
        if (!known)
            return {};
        parts.push_back(known->rank() < 2 ? d.reshape(item, {ops::elementsOf(known->shape), ops::one}) : item);
    }
    return parts.empty() ? Parts{} : Parts{concatenated(d, parts, 1)};
}

/// Parts one after the other: the results say how large each is.
Parts split(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    const auto dim = known ? dimensionOf(d, "dim", known->rank()) : std::nullopt;
    if (!dim || d.resultCount() == 0)
        return {};
    ir::Shape sizes;
    for (std::size_t i = 0; i < d.resultCount(); ++i) {
        const auto part = d.result(i);
        if (!part)
            return {};
        sizes.push_back(part->shape[*dim]);
    }
    const auto parts =
        d.makeAll("split_with_sizes", {x, d.sizes(sizes), static_cast<std::int64_t>(*dim)}, sizes.size());
    return {parts.begin(), parts.end()};
}

/// tensor_split and its kind, whose parts overlap where the indices fall.
Parts splitAt(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    const auto dim = known ? dimensionOf(d, "dim", known->rank()) : std::nullopt;
    const auto size = dim ? ops::number(known->shape[*dim]) : std::nullopt;
    const auto sections = d.has("sections") ? d.integer("sections") : std::nullopt;
    if (!size || !sections || *sections <= 0 || static_cast<std::size_t>(*sections) != d.resultCount())
        return {};
    Parts parts;
    for (std::int64_t i = 0, start = 0; i < *sections; ++i) {
        const std::int64_t end = start + *size / *sections + (i < *size % *sections ? 1 : 0);
        parts.emplace_back(d.slice(x, *dim, start, end));
        start = end;
    }
    return parts;
}

Parts unbound(D &d)
{
    const Term x = d["self"];
    const auto known = d.tensor(x);
    const auto dim = known ? dimensionOf(d, "dim", known->rank()) : std::nullopt;
    if (!dim)
        return {};
    Parts parts;
    for (std::size_t i = 0; i < d.resultCount(); ++i)
        parts.emplace_back(d.make("select.int", {x, static_cast<std::int64_t>(*dim), static_cast<std::int64_t>(i)}));
    return parts;
}

Parts tiled(D &d)
{
    const auto known = d.tensor(d["self"]);
    if (!known)
        return {};
    const std::vector<Term> counts = d.items("dims");
    std::vector<ir::Operand> repeats(known->rank() - std::min(known->rank(), counts.size()), std::int64_t{1});
    repeats.insert(repeats.end(), counts.begin(), counts.end());
    return {d.make("repeat", {d["self"], ir::List{std::move(repeats)}})};
}

/// Each element several times.
Parts repeated(D &d)
{
    Term x = d["self"];
    auto known = d.tensor(x);
    const auto result = d.result();
    const auto count = d.isTensor(d["repeats"]) ? std::nullopt : d.call().size("repeats");
    if (!known || !result || !count || (known->rank() == 0 && d.has("dim")))
        return {};
    if (!d.has("dim")) {
        x = d.reshape(x, {ops::elementsOf(known->shape)});
        known->shape = {ops::elementsOf(known->shape)};
    }
    const auto dim = d.has("dim") ? dimensionOf(d, "dim", known->rank()) : std::optional<std::size_t>(0);
    if (!dim)
        return {};
    ir::Shape wide = known->shape;
    wide.insert(wide.begin() + static_cast<std::ptrdiff_t>(*dim) + 1, *count);
    return {d.reshape(d.expand(d.unsqueeze(x, static_cast<std::int64_t>(*dim) + 1), wide), result->shape)};
}

Parts broadcastTogether(D &d)
{
    const auto tensors = d.items("tensors");
    if (tensors.size() != d.resultCount())
        return {};
    Parts parts;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const auto result = d.result(i);
        if (!result)
            return {};
        parts.emplace_back(d.expand(tensors[i], result->shape));
    }
    return parts;
}

/// Each vector along its own dimension of the grid; "xy" exchanges the first two.
std::vector<Term> gridOf(D &d, const std::vector<Term> &vectors, bool exchanges)
{
    ir::Shape shape;
    for (const Term &vector : vectors) {
        const auto known = d.tensor(vector);
        if (!known || known->rank() > 1)
            return {};
        shape.push_back(ops::elementsOf(known->shape));
    }
    const bool swaps = exchanges && vectors.size() >= 2;
    if (swaps)
        std::swap(shape[0], shape[1]);
    std::vector<Term> grid;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        const std::size_t dim = swaps && i < 2 ? 1 - i : i;
        ir::Shape line(vectors.size(), ops::one);
        line[dim] = shape[dim];
        grid.push_back(d.expand(d.reshape(vectors[i], line), shape));
    }
    return grid;
}

Parts meshGrid(D &d)
{
    const auto grid = gridOf(d, d.items("tensors"), d.text("indexing") == "xy");
    return {grid.begin(), grid.end()};
}

Parts cartesianProduct(D &d)
{
    const auto vectors = d.items("tensors");
    const auto result = d.result();
    if (vectors.size() < 2 || !result)
        return {};
    std::vector<Term> columns;
    for (const Term &coordinate : gridOf(d, vectors, false))
        columns.push_back(d.reshape(coordinate, {result->shape.front(), ops::one}));
    return columns.empty() ? Parts{} : Parts{concatenated(d, columns, 1)};
}

constexpr DecompositionRule joiningRules[] = {
    {"aten::broadcast_tensors", broadcastTogether},
    {"aten::cartesian_prod", cartesianProduct},
    {"aten::chunk", split},
    {"aten::column_stack", stackedColumns},
    {"aten::dstack", stackedAlong<3>},
    {"aten::hstack", stackedAlong<1>},
    {"aten::meshgrid", meshGrid},
    {"aten::repeat_interleave", repeated},
    {"aten::row_stack", stackedAlong<2>},
    {"aten::split", split},
    {"aten::stack", stacked},
    {"aten::tensor_split", splitAt},
    {"aten::tile", tiled},
    {"aten::unbind", unbound},
    {"aten::unsafe_chunk", split},
    {"aten::unsafe_split", split},
    {"aten::unsafe_split_with_sizes", split},
    {"aten::vstack", stackedAlong<2>},
};

} // namespace

std::span<const DecompositionRule> joiningDecompositions() { return joiningRules; }

} // namespace cutaway::passes
