// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/onnx/lowering.h"

#include <algorithm>

namespace cutaway::convert {

namespace {

using L = Lowering;
using ir::DType;

bool isIndex(DType dtype) { return dtype == DType::Int64 || dtype == DType::Int32; }

Results embeddingRule(L &l) { return {l.make("Gather", {l["weight"], l["indices"]}, {{"axis", std::int64_t{0}}})}; }

Results indexSelectRule(L &l)
{
    const auto x = l.tensor(0);
    if (x.rank() == 0 || l.tensor("index").rank() != 1)
        return l.refuse("of a scalar");
    return {l.make("Gather", {l[0], l["index"]}, {{"axis", l.axis("dim", x.rank())}})};
}

Results gatherRule(L &l)
{
    const auto x = l.tensor(0);
    if (x.rank() == 0)
        return l.refuse("of a scalar");
    return {l.make("GatherElements", {l[0], l["index"]}, {{"axis", l.axis("dim", x.rank())}})};
}

/// ONNX wants as many updates as there are indices; torch may have more along each dimension.
Results scatterRule(L &l)
{
    const auto x = l.tensor(0), index = l.tensor("index");
    if (x.rank() == 0 || index.rank() != x.rank())
        return l.refuse("of a scalar");
    const Term from = l[0];
    Term updates = l.none();
    if (l.call().position({"src"})) {
        const auto source = l.tensor("src");
        if (!std::ranges::equal(source.shape, index.shape, ops::isSame))
            return l.refuse("a source of another shape than the indices");
        updates = l.as("src", from.dtype);
    } else {
        updates = l.expand(l.as("value", from.dtype), l.shapeOf(l["index"]));
    }
    L::Attributes attributes{{"axis", l.axis("dim", x.rank())}};
    if (l.has("reduce"))
        return l.refuse("a reduction");
    if (!l.rule().target.empty())
        attributes.emplace_back("reduction", ir::String{l.graph().context().name(l.rule().target)});
    return {l.make("ScatterElements", {from, l["index"], updates}, attributes)};
}

/// The index tensors of x[a, :, b] with the dimensions that they choose from.
struct Indices {
    std::vector<Term> tensors;
    std::vector<std::size_t> dims;
    std::vector<std::size_t> ranks;
    bool areAdjacent() const { return dims.back() - dims.front() + 1 == dims.size(); }
    std::size_t rank() const { return *std::ranges::max_element(ranks); }
};

/// Nothing: one of them is of booleans or not known.
std::optional<Indices> indicesOf(L &l)
{
    Indices made;
    const auto *list = l.call()["indices"].as<ops::SequenceFact>();
    const auto given = list && list->items() ? l.lowered(*l.node().argument("indices")) : Lowered();
    for (std::size_t i = 0; given.items && i < given.items->size(); ++i) {
        const Lowered &item = (*given.items)[i];
        if (item.operand.as<ir::None>())
            continue;
        const auto *known = i < list->each().size() ? ops::asTensor(list->each()[i]) : nullptr;
        if (!known || !known->dtype || !isIndex(*known->dtype) || !known->shape)
            return std::nullopt;
        made.tensors.push_back(l.term(item));
        made.dims.push_back(i);
        made.ranks.push_back(known->shape->size());
    }
    return made.tensors.empty() ? std::nullopt : std::optional(std::move(made));
}

/// [places…, number of indices], in the shape that all have together.
Term joinedIndices(L &l, const Indices &given)
{
    Term common = given.tensors.front();
    for (const Term &next : std::span(given.tensors).subspan(1))
        common = l.cast(common, DType::Int64) + l.cast(next, DType::Int64);
    const Term shape = l.shapeOf(common);
    std::vector<Term> columns;
    for (const Term &each : given.tensors)
        columns.push_back(l.unsqueeze(l.expand(l.cast(each, DType::Int64), shape), {-1}));
    return l.concat(columns, -1);
}

Results indexOneRule(L &l)
{
    const auto given = indicesOf(l);
    if (!given || given->tensors.size() != 1)
        return l.refuse("more than one index");
    return {
        l.make("Gather", {l[0], given->tensors.front()}, {{"axis", static_cast<std::int64_t>(given->dims.front())}})};
}

/// The indexed dimensions go to the front, and what they choose back to where the first of them was.
Results indexSeveralRule(L &l)
{
    const auto given = indicesOf(l);
    if (!given)
        return l.refuse("an index of booleans, or of a rank that is not known");
    const auto x = l.tensor(0);
    std::vector<std::int64_t> order(given->dims.begin(), given->dims.end());
    for (std::size_t i = 0; i < x.rank(); ++i)
        if (!std::ranges::contains(given->dims, i))
            order.push_back(static_cast<std::int64_t>(i));
    const Term from = std::ranges::is_sorted(order) ? l[0] : l.transpose(l[0], order);
    Term made = l.make("GatherND", {from, joinedIndices(l, *given)});
    const std::size_t first = given->dims.front(), chosen = given->rank();
    if (given->areAdjacent() && first > 0) {
        std::vector<std::int64_t> back;
        for (std::size_t i = 0; i < first; ++i)
            back.push_back(static_cast<std::int64_t>(chosen + i));
        for (std::size_t i = 0; i < chosen; ++i)
            back.push_back(static_cast<std::int64_t>(i));
        for (std::size_t i = chosen + first; i < chosen + x.rank() - given->dims.size(); ++i)
            back.push_back(static_cast<std::int64_t>(i));
        made = l.transpose(made, back);
    }
    return {made};
}

/// The positions of the true elements of a mask, a row for each.
Term markedPlaces(L &l, const Term &mask) { return l.transpose(l.make("NonZero", {mask}, {}, DType::Int64), {1, 0}); }

/// By one mask of the first dimensions.
Results indexByMaskRule(L &l)
{
    const auto *list = l.call()["indices"].as<ops::SequenceFact>();
    const auto given = list && list->items() ? l.lowered(*l.node().argument("indices")) : Lowered();
    if (!given.items || given.items->size() != 1 || given.items->front().dtype != DType::Bool)
        return l.refuse("a mask among other indices");
    return {l.make("GatherND", {l[0], markedPlaces(l, l.term(given.items->front()))})};
}

Results maskedSelectRule(L &l)
{
    const auto x = l.tensor("self"), mask = l.tensor("mask");
    if (std::ranges::equal(x.shape, mask.shape, ops::isSame))
        return {l.make("Compress", {l.vectorOf(l["self"]), l.vectorOf(l["mask"])}, {{"axis", std::int64_t{0}}})};
    const Term from = l.expand(l["self"], l.shapeOf(l["mask"]));
    return {l.make("Compress", {l.vectorOf(from), l.vectorOf(l.expand(l["mask"], l.shapeOf(from)))},
                   {{"axis", std::int64_t{0}}})};
}

Results nonzeroRule(L &l)
{
    if (l.tensor(0).rank() == 0)
        return l.refuse("of a scalar");
    return {markedPlaces(l, l[0])};
}

/// The values of x[:, i] = values, in the shape that the indices choose, with what they choose in front.
Term putValues(L &l, const Indices &given, const Term &places, const Term &from, std::size_t rank)
{
    const std::size_t chosen = given.dims.size();
    const std::size_t before = given.areAdjacent() ? given.dims.front() : 0, picked = given.rank();
    const auto sizes = [&](std::size_t begin, std::size_t end) {
        return l.slice(l.shapeOf(from), 0, l.scalar(static_cast<std::int64_t>(begin)),
                       l.scalar(static_cast<std::int64_t>(end)));
    };
    std::vector<Term> shape;
    if (before > 0)
        shape.push_back(sizes(chosen, chosen + before));
    shape.push_back(l.slice(l.shapeOf(places), 0, l.scalar(std::int64_t{0}), l.scalar(std::int64_t{-1})));
    if (rank > chosen + before)
        shape.push_back(sizes(chosen + before, rank));
    Term values = l.expand(l.as("values", from.dtype), l.concat(shape, 0));
    if (before == 0)
        return values;
    std::vector<std::int64_t> order;
    for (std::size_t i = 0; i < picked; ++i)
        order.push_back(static_cast<std::int64_t>(before + i));
    for (std::size_t i = 0; i < picked + rank - chosen; ++i)
        if (i < before || i >= before + picked)
            order.push_back(static_cast<std::int64_t>(i));
    return l.transpose(values, order);
}

/// x[i, j] = values. The indexed dimensions go to the front and back.
Results indexPutRule(L &l)
{
    const auto given = indicesOf(l);
    const auto x = l.tensor(0);
    if (!given)
        return l.refuse("indices of booleans");
    std::vector<std::int64_t> order(given->dims.begin(), given->dims.end()), back(x.rank());
    for (std::size_t i = 0; i < x.rank(); ++i)
        if (!std::ranges::contains(given->dims, i))
            order.push_back(static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < x.rank(); ++i)
        back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    const bool isInOrder = std::ranges::is_sorted(order);
    const Term places = joinedIndices(l, *given);
    const Term from = isInOrder ? l[0] : l.transpose(l[0], order);
    const Term updates = putValues(l, *given, places, from, x.rank());
    L::Attributes attributes;
    if (l.flag("accumulate"))
        attributes.emplace_back("reduction", ir::String{l.graph().context().name("add")});
    const Term made = l.make("ScatterND", {from, places, updates}, attributes);
    return {isInOrder ? made : l.transpose(made, back)};
}

/// x[mask] = values
Results maskPutRule(L &l)
{
    const auto *list = l.call()["indices"].as<ops::SequenceFact>();
    const auto given = list && list->items() ? l.lowered(*l.node().argument("indices")) : Lowered();
    const auto x = l.tensor(0);
    if (!given.items || given.items->size() != 1 || given.items->front().dtype != DType::Bool || l.flag("accumulate"))
        return l.refuse("a mask among other indices");
    const auto *mask = ops::asTensor(list->each().front());
    if (!mask || !mask->shape || mask->shape->size() > x.rank())
        return l.refuse("a mask of unknown rank");
    std::vector<std::int64_t> axes;
    for (std::size_t i = mask->shape->size(); i < x.rank(); ++i)
        axes.push_back(static_cast<std::int64_t>(i));
    const Term marks = l.term(given.items->front()), from = l[0];
    if (l.tensor("values").rank() != 0) {
        const Term places = markedPlaces(l, marks);
        std::vector<Term> shape{l.vectorOf(l.sizeOf(places, 0))};
        for (const std::int64_t axis : axes)
            shape.push_back(l.vectorOf(l.sizeOf(from, axis)));
        return {l.make("ScatterND", {from, places, l.expand(l.as("values", from.dtype), l.concat(shape, 0))})};
    }
    return {l.make("Where", {axes.empty() ? marks : l.unsqueeze(marks, axes), l.as("values", from.dtype), from}, {},
                   from.dtype)};
}

/// The tensor with other elements at some places along one dimension.
Term replacedAlong(L &l, std::size_t rank, std::int64_t axis, const Term &places, const Term &updates)
{
    std::vector<std::int64_t> sizes(rank, 1);
    sizes[static_cast<std::size_t>(axis)] = -1;
    const Term everywhere = l.expand(l.reshape(places, sizes), l.shapeOf(updates));
    return l.make("ScatterElements", {l[0], everywhere, updates}, {{"axis", axis}});
}

Results selectScatterRule(L &l)
{
    const auto x = l.tensor(0);
    const auto axis = l.axis("dim", x.rank());
    const Term updates = l.unsqueeze(l.as("src", l[0].dtype), {axis});
    return {replacedAlong(l, x.rank(), axis, l.vectorOf(l.as("index", DType::Int64)), updates)};
}

Results sliceScatterRule(L &l)
{
    const auto x = l.tensor(0), source = l.tensor("src");
    const auto axis = l.axis("dim", x.rank());
    const ir::Dim size = x.shape[static_cast<std::size_t>(axis)];
    const auto start = l.has("start") ? l.call().integer("start") : std::optional<std::int64_t>(0);
    const auto length = ops::number(size);
    if (!start || (*start < 0 && !length))
        return l.refuse("where it starts is not known");
    const std::int64_t step = l.integer("step"), first = *start < 0 ? *start + *length : *start;
    const Term updates = l.as("src", l[0].dtype);
    const Term count = l.sizeOf(updates, axis);
    const Term places = l.make("Range", {l.scalar(std::int64_t{0}), count, l.scalar(std::int64_t{1})}, {}, DType::Int64)
            * l.scalar(step)
        + l.scalar(first);
    if (source.rank() != x.rank() || (length && first > *length))
        return l.refuse("a source of another rank");
    return {replacedAlong(l, x.rank(), axis, places, updates)};
}

Results copyRule(L &l)
{
    const Term from = l[0];
    return {l.expand(l.as("src", from.dtype), l.shapeOf(from))};
}

/// How many boundaries are below each value; of several sequences each has its own values.
Results bucketizeRule(L &l)
{
    const bool isSearch = l.rule().target == "sequence first";
    const std::size_t boundaries = isSearch ? 0 : 1, values = isSearch ? 1 : 0;
    const auto edgesKnown = l.tensor(boundaries), known = l.tensor(values);
    if (edgesKnown.rank() != 1 && edgesKnown.rank() != known.rank())
        return l.refuse("boundaries of other dimensions than the values");
    const bool isReal = ir::isFloating(known.dtype) || ir::isFloating(edgesKnown.dtype);
    const bool isDouble = known.dtype == DType::Float64 || edgesKnown.dtype == DType::Float64;
    const DType dtype = isDouble ? DType::Float64 : isReal ? DType::Float32 : DType::Int64;
    Term edges = l.as(boundaries, dtype);
    if (l.has("sorter"))
        edges = l.make("GatherElements", {edges, l["sorter"]}, {{"axis", std::int64_t{-1}}});
    const Term each = l.unsqueeze(l.as(values, dtype), {-1});
    const bool isRight = l.flag("right") || (l.has("side") && l.text("side") == "right");
    const Term isBelow = l.make(isRight ? "LessOrEqual" : "Less",
                                {edgesKnown.rank() > 1 ? l.unsqueeze(edges, {-2}) : edges, each}, {}, DType::Bool);
    return {l.reduce("ReduceSum", l.cast(isBelow, DType::Int64), {-1}, false)};
}

Results topkRule(L &l)
{
    const auto x = l.tensor(0);
    const Term from = l[0];
    if (x.rank() == 0)
        return l.refuse("of a scalar");
    const auto made = l.makeAll("TopK", {from, l.vectorOf(l.as("k", DType::Int64))},
                                {{"axis", l.axis("dim", x.rank())},
                                 {"largest", std::int64_t{l.flag("largest")}},
                                 {"sorted", std::int64_t{l.flag("sorted")}}},
                                {from.dtype, DType::Int64});
    return {made[0], made[1]};
}

/// The k-th smallest and its place; of a median the middle one, the lower of two.
Results kthRule(L &l)
{
    const auto x = l.tensor(0);
    const bool isOfAll = !l.call().position({"dim"});
    const Term from = isOfAll ? l.vectorOf(l[0]) : l[0];
    if (x.rank() == 0)
        return l.refuse("of a scalar");
    const std::int64_t axis = isOfAll ? 0 : l.axis("dim", x.rank());
    const auto size =
        isOfAll ? ops::number(ops::elementsOf(x.shape)) : ops::number(x.shape[static_cast<std::size_t>(axis)]);
    if (!size || *size == 0)
        return l.refuse("the number of elements is not known");
    const std::int64_t k = l.call().position({"k"}) ? l.integer("k") : (*size + 1) / 2;
    const auto made = l.makeAll("TopK", {from, l.ints({k})},
                                {{"axis", axis}, {"largest", std::int64_t{0}}, {"sorted", std::int64_t{1}}},
                                {from.dtype, DType::Int64});
    const bool keepDim = !isOfAll && l.flag("keepdim");
    const Term which = keepDim ? l.ints({k - 1}) : l.scalar(k - 1);
    const auto picked = [&](const Term &all) { return l.make("Gather", {all, which}, {{"axis", axis}}); };
    if (isOfAll)
        return {picked(made[0])};
    return {picked(made[0]), picked(made[1])};
}

Results sortRule(L &l)
{
    const auto x = l.tensor(0);
    const Term from = l[0];
    if (x.rank() == 0)
        return l.refuse("of a scalar");
    const auto axis = l.axis("dim", x.rank());
    const auto made =
        l.makeAll("TopK", {from, l.vectorOf(l.sizeOf(from, axis))},
                  {{"axis", axis}, {"largest", std::int64_t{l.flag("descending")}}, {"sorted", std::int64_t{1}}},
                  {from.dtype, DType::Int64});
    if (l.rule().target == "places")
        return {made[1]};
    return {made[0], made[1]};
}

Results oneHotRule(L &l)
{
    const auto count = l.call().integer("num_classes");
    if (!count || *count <= 0)
        return l.refuse("the number of classes is not known");
    return {l.make("OneHot", {l[0], l.scalar(*count), l.ints({0, 1})}, {}, DType::Int64)};
}

constexpr LoweringRule indexingTable[] = {
    {"aten::embedding", embeddingRule},
    {"aten::index_select", indexSelectRule},
    {"aten::gather", gatherRule},
    {"aten::scatter", scatterRule},
    {"aten::scatter_add", scatterRule, "add"},
    {"aten::index aten::_unsafe_index", indexOneRule},
    {"aten::index aten::_unsafe_index", indexSeveralRule},
    {"aten::index", indexByMaskRule},
    {"aten::index_put aten::_unsafe_index_put", indexPutRule},
    {"aten::index_put aten::_unsafe_index_put", maskPutRule},
    {"aten::select_scatter", selectScatterRule},
    {"aten::slice_scatter", sliceScatterRule},
    {"aten::copy", copyRule},
    {"aten::bucketize", bucketizeRule},
    {"aten::searchsorted", bucketizeRule, "sequence first"},
    {"aten::masked_select", maskedSelectRule},
    {"aten::nonzero aten::argwhere", nonzeroRule},
    {"aten::topk", topkRule},
    {"aten::sort", sortRule},
    {"aten::argsort", sortRule, "places"},
    {"aten::kthvalue aten::median", kthRule},
    {"aten::one_hot", oneHotRule},
};

} // namespace

std::span<const LoweringRule> indexingRules() { return indexingTable; }

} // namespace cutaway::convert
