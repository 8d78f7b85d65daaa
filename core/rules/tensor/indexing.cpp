// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/arguments/scatter_arguments.h"
#include "core/rules/rules.h"

#include <algorithm>

namespace cutaway::rules::to_aten {

namespace {

// ---- core ATen

using D = Decomposition;

Parts putAlong(D &d, const Term &values, bool adds)
{
    const std::int64_t dim = d.axis("dim", d.tensor("self").rank());
    if (d.tensor("index").rank() != 1)
        return d.refuse("its index is no vector");
    ir::List indices{std::vector<ir::Operand>(static_cast<std::size_t>(dim))};
    indices.items.push_back(d["index"]);
    return {d.make("index_put", {d["self"], std::move(indices), values, adds})};
}

Parts indexAdd(D &d)
{
    const bool isScaled = d.number("alpha") != 1;
    return putAlong(d, isScaled ? d.make("mul.Scalar", {d["source"], d["alpha"]}) : d["source"], true);
}

Parts indexFill(D &d)
{
    const Term value = d["value"];
    const ir::DType dtype = d.dtype(d["self"]);
    return putAlong(d, d.isTensor(value) ? cast(value, dtype) : d.scalar(value, dtype), false);
}

Parts takenAlong(D &d)
{
    const Term x = d["self"], index = d["indices"];
    const auto known = d.tensor("self"), places = d.tensor("indices");
    if (!d.has("dim"))
        return {
            d.make("gather",
                   {reshape(x, {ops::elementsOf(known.shape)}), 0, reshape(index, {ops::elementsOf(places.shape)})})};
    const std::int64_t dim = d.axis("dim", known.rank());
    if (known.rank() != places.rank())
        return d.refuse("its indices are of other dimensions");
    ir::Shape from = known.shape, to = places.shape;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (i == static_cast<std::size_t>(dim))
            continue;
        if (!ops::isSame(from[i], to[i]) && !ops::isOne(from[i]) && !ops::isOne(to[i]))
            return d.refuse("whether its indices broadcast is not known");
        from[i] = to[i] = ops::isOne(from[i]) ? to[i] : from[i];
    }
    return {d.make("gather", {expand(x, from), dim, expand(index, to)})};
}

/// Returns square matrices with the elements on a diagonal, and zeros elsewhere.
Parts diagonalMatrix(D &d)
{
    const auto known = d.tensor("self");
    if (known.rank() == 0 || known.rank() + 1 != d.result().rank())
        return d.refuse("its diagonal is no vector");
    const Term index = d.arange(known.shape.back());
    const Term rows = unsqueeze(index, 1);
    const Term columns = unsqueeze(index, 0);
    const Term isOn = compared("eq", columns, rows);
    const Term zero = d.scalar(std::int64_t{0}, known.dtype);
    return {where(isOn, unsqueeze(d["self"], -2), zero)};
}

Parts diagonalEmbedded(D &d)
{
    if (d.integer("offset") != 0 || d.integer("dim1") != -2 || d.integer("dim2") != -1)
        return d.refuse("it is not the main diagonal of the last two dimensions");
    return diagonalMatrix(d);
}

Parts diagonalOf(D &d)
{
    if (d.tensor("self").rank() != 1)
        return {applied("clone", d.make("diagonal", {d["self"], d["diagonal"]}))};
    return d.integer("diagonal") == 0 ? diagonalMatrix(d) : d.refuse("it is not the main diagonal");
}

/// Computes the cross product of vectors with three elements: each element is made of the two others.
Parts crossProduct(D &d)
{
    const Term a = d["self"], b = d["other"];
    const auto x = d.tensor("self"), y = d.tensor("other"), result = d.result();
    if (x.rank() != y.rank() || result.rank() != x.rank())
        return d.refuse("its factors are of other dimensions");
    const auto isThree = [](const ir::Dim &size) { return ops::number(size) == 3; };
    const auto mayBeThree = [](const ir::Dim &size) { return ops::number(size).value_or(3) == 3; };
    const auto firstThree = std::ranges::find_if(result.shape, mayBeThree) - result.shape.begin();
    const auto dim = static_cast<std::size_t>(d.has("dim") ? d.axis("dim", result.rank()) : firstThree);
    if (dim >= result.rank() || !isThree(x.shape[dim]) || !isThree(y.shape[dim]))
        return d.refuse("along which dimension of three elements is not known");
    const auto turned = [&](const Term &t, std::int64_t by) {
        return concat({slice(t, dim, by, std::int64_t{3}), slice(t, dim, std::int64_t{0}, by)},
                      static_cast<std::int64_t>(dim));
    };
    const Term a1 = turned(a, 1), b2 = turned(b, 2), a2 = turned(a, 2), b1 = turned(b, 1);
    const Term first = a1 * b2, second = a2 * b1;
    return {first - second};
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

constexpr DecompositionRule indexingDecompositions[] = {
    {"aten::cross", crossProduct},          {"aten::diag", diagonalOf},
    {"aten::diag_embed", diagonalEmbedded}, {"aten::embedding_bag", embeddingBag},
    {"aten::index_add", indexAdd},          {"aten::index_copy", [](D &d) { return putAlong(d, d["source"], false); }},
    {"aten::index_fill", indexFill},        {"aten::linalg_cross", crossProduct},
    {"aten::take_along_dim", takenAlong},
};

// ---- from ONNX

using N = OnnxNode;
using Numbers = N::Numbers;

/// Selects by indices along a dimension. A single known index removes the dimension; other indices are used as in
/// torch's brackets, where negative indices count from the end.
Parts gather(N &n)
{
    const std::int64_t axis = n.dimension("axis", 0);
    const auto known = n.knownIntegers(1);
    if (n.tensor(1).rank() == 0 && known && known->size() == 1)
        return {n.make("select.int", {n[0], axis, known->front()})};
    std::vector<ir::Operand> places(static_cast<std::size_t>(axis));
    places.push_back(cast(n[1], ir::DType::Int64).operand);
    return {n.make("index.Tensor", {n[0], ir::List{std::move(places)}})};
}

/// Returns the node's indices along a dimension with negative ones replaced: torch's gather and scatter do not count
/// from the end.
Term placesAlong(N &n, std::int64_t axis)
{
    const auto x = n.tensor(0);
    const auto size = x.rank() > 0 ? ops::number(x.shape[static_cast<std::size_t>(axis)]) : std::nullopt;
    if (!size || *size == 0)
        n.refuse("the size of the dimension that it indexes is not known");
    return n.make("remainder.Scalar", {cast(n[1], ir::DType::Int64), size.value_or(1)});
}

Parts gatherElements(N &n)
{
    const std::int64_t axis = n.dimension("axis", 0);
    return {n.make("gather", {n[0], axis, placesAlong(n, axis)})};
}

using ops::ScatterReduction;

Parts scatterElements(N &n)
{
    const std::int64_t axis = n.dimension("axis", 0);
    const auto reduction = n.known(ops::scatterArguments(n.call()).reduction, "its reduction is");
    const Term places = placesAlong(n, axis);
    if (reduction == ScatterReduction::None)
        return {n.make("scatter.src", {n[0], axis, places, n[2]})};
    return {n.make("scatter_reduce.two", {n[0], axis, places, n[2], n.word(ops::torchName(reduction))})};
}

/// Returns the indices as a list of tensors, one for each dimension that is indexed; they are the slices of the last
/// dimension.
std::vector<Term> indicesApart(N &n)
{
    const auto x = n.tensor(0), indices = n.tensor(1);
    const auto count = indices.rank() > 0 ? ops::number(indices.shape.back()) : std::nullopt;
    if (!count || *count < 1 || *count > std::ssize(x.shape))
        n.refuse("how many dimensions it indexes is not known");
    std::vector<Term> apart;
    for (std::int64_t i = 0; i < count.value_or(0) && !n.isRefused(); ++i)
        apart.push_back(n.make("select.int", {cast(n[1], ir::DType::Int64), -1, i}));
    return apart;
}

/// Selects by GatherND. The first dimensions are a batch, each sample of which has its own indices.
Parts gatherNd(N &n)
{
    const auto x = n.tensor(0), given = n.tensor(1);
    const auto batch = static_cast<std::size_t>(n.integer("batch_dims", 0));
    if (batch > 0 && (batch >= given.rank() || batch >= x.rank()))
        return n.refuse("its batch has all dimensions");
    const std::vector<Term> apart = indicesApart(n);
    std::vector<Term> all;
    for (std::size_t i = 0; i < batch; ++i) {
        ir::Shape shape(given.rank() - 1, ops::one);
        shape[i] = x.shape[i];
        all.push_back(reshape(n.arange(x.shape[i]), shape));
    }
    std::ranges::copy(apart, std::back_inserter(all));
    return {n.make("index.Tensor", {n[0], N::list(all)})};
}

Parts scatterNd(N &n)
{
    const auto reduction = ops::scatterArguments(n.call()).reduction;
    if (reduction != ScatterReduction::None && reduction != ScatterReduction::Sum)
        return n.refuse("torch puts or adds at such places, and does nothing else");
    return {n.make("index_put", {n[0], N::list(indicesApart(n)), n[2], reduction == ScatterReduction::Sum})};
}

/// Reverses the first elements along one dimension; for each sample of the batch, the node gives how many.
Parts reverseSequence(N &n)
{
    const auto x = n.tensor(0);
    const std::int64_t time = n.integer("time_axis", 0), batch = n.integer("batch_axis", 1);
    if (x.rank() < 2 || time < 0 || time > 1 || batch != 1 - time)
        return n.refuse("time and batch are not its first dimensions");
    const ir::Dim &steps = x.shape[static_cast<std::size_t>(time)], &samples = x.shape[static_cast<std::size_t>(batch)];
    const Term places = unsqueeze(n.arange(steps), 1), lengths = unsqueeze(n[1], 0);
    const Term turned = n.make("add.Scalar", {lengths - places, -1});
    const Term unturned = expand(places, {steps, samples});
    Term source = where(compared("lt", places, lengths), turned, unturned);
    if (time == 1)
        source = transposed(source, 0, 1);
    for (std::size_t i = 2; i < x.rank(); ++i)
        source = unsqueeze(source, static_cast<std::int64_t>(i));
    return {n.make("gather", {n[0], time, expand(source, x.shape)})};
}

Parts dataDecidesSize(N &n) { return n.refuse("only the data decides the size of its result"); }

Parts nonZero(N &n)
{
    if (n.tensor(0).rank() == 0)
        return n.refuse("it looks at a number");
    return {n.make("t", {n.make("nonzero", {n[0]})})};
}

/// Makes a one-hot tensor. Indices from -depth to depth - 1 are valid; for others, all elements get the value for
/// "off".
Parts oneHot(N &n)
{
    const std::int64_t depth = n.known(n.call().integer(1), "its depth is");
    const auto rank = std::ssize(n.tensor(0).shape);
    std::int64_t axis = n.integer("axis", -1);
    axis += axis < 0 ? rank + 1 : 0;
    if (rank == 0 || axis < 0 || axis > rank)
        return n.refuse("it has no such axis");
    const Term given = cast(n[0], ir::DType::Int64), zero = n.term(std::int64_t{0});
    const Term fromEnd = n.make("add.Scalar", {given, depth});
    const Term places = where(compared("lt", given, zero), fromEnd, given);
    const Term classes = n.arange(depth);
    const Term isOn = compared("eq", unsqueeze(places, -1), classes);
    const Term on = n.make("select.int", {n[2], 0, 1}), off = n.make("select.int", {n[2], 0, 0});
    const Term made = where(isOn, on, off);
    return {axis == rank ? made : n.make("movedim.int", {made, -1, axis})};
}

Parts trilu(N &n)
{
    const std::int64_t k = n.has(1) ? n.known(n.call().integer(1), "which diagonal it is, is") : 0;
    return {n.make(n.integer("upper", 1) != 0 ? AtenName("triu") : AtenName("tril"), {n[0], k})};
}

Parts topK(N &n)
{
    const std::int64_t k = n.opset() < 10 ? n.integer("k", 1) : n.known(n.call().integer(1), "how many it takes is");
    if (n.resultCount() != 2)
        return {};
    const auto made = n.makeAll(
        "topk", {n[0], k, n.integer("axis", -1), n.integer("largest", 1) != 0, n.integer("sorted", 1) != 0}, 2);
    return {made[0], made[1]};
}

/// Makes a plane from blocks of columns, with the same padding on both sides of a dimension.
Parts columnsToImage(N &n)
{
    const auto image = n.integers(1), block = n.integers(2);
    const auto numbersOr = [&](std::string_view attribute, const Numbers &byDefault) {
        return n.has(attribute) ? n.integers(attribute) : byDefault;
    };
    const Numbers dilations = numbersOr("dilations", {1, 1}), strides = numbersOr("strides", {1, 1});
    const Numbers pads = numbersOr("pads", {0, 0, 0, 0});
    if (image.size() != 2 || block.size() != 2 || pads.size() != 4 || pads[0] != pads[2] || pads[1] != pads[3])
        return n.refuse("it is no plane, or padded in another way on each side");
    return {n.make(
        "col2im",
        {n[0], N::list(image), N::list(block), N::list(dilations), N::list({pads[0], pads[1]}), N::list(strides)})};
}

constexpr OnnxLowering indexingLowerings[] = {
    {"onnx::Col2Im", columnsToImage},
    {"onnx::Compress", dataDecidesSize},
    {"onnx::Gather", gather},
    {"onnx::GatherElements", gatherElements},
    {"onnx::GatherND", gatherNd},
    {"onnx::NonZero", nonZero},
    {"onnx::OneHot", oneHot},
    {"onnx::ReverseSequence", reverseSequence},
    {"onnx::Scatter", scatterElements},
    {"onnx::ScatterElements", scatterElements},
    {"onnx::ScatterND", scatterNd},
    {"onnx::TopK", topK},
    {"onnx::Trilu", trilu},
    {"onnx::Unique", dataDecidesSize},
    {"com.microsoft::Trilu", trilu},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

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

/// The index tensors of x[a, :, b], with the dimensions in which they select.
struct Indices {
    std::vector<Term> tensors;
    std::vector<std::size_t> dims;
    std::vector<std::size_t> ranks;
    bool areAdjacent() const { return dims.back() - dims.front() + 1 == dims.size(); }
    std::size_t rank() const { return *std::ranges::max_element(ranks); }
};

/// Returns the items of the argument "indices"; none if they are not known.
std::vector<Lowered> indexItems(L &l)
{
    const auto *list = l.call()["indices"].as<ops::SequenceFact>();
    const Lowered given = list && list->items() ? l.lowered(*l.operand("indices")) : Lowered();
    return given.items.value_or(std::vector<Lowered>{});
}

/// Returns the mask that is the only index, and has the first dimensions of the tensor; None if there is no such mask.
Term onlyMask(L &l, const std::vector<Lowered> &items)
{
    const bool isMask =
        items.size() == 1 && !items.front().operand.as<ir::None>() && items.front().dtype == DType::Bool;
    return isMask ? l.term(items.front()) : l.none();
}

/// Returns the indices. Refuses masks, and more indices than the tensor has dimensions.
Indices indicesOf(L &l, const std::vector<Lowered> &items)
{
    Indices made;
    const auto *list = l.call()["indices"].as<ops::SequenceFact>();
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].operand.as<ir::None>())
            continue;
        const auto known = tensorIn(i < list->each().size() ? list->each()[i] : ops::Fact());
        if (!known || !isIndex(known->dtype)) {
            l.refuse(known ? formatted("an index of {}", ir::name(known->dtype))
                           : "an index whose dtype or rank is not known");
            return made;
        }
        made.tensors.push_back(l.term(items[i]));
        made.dims.push_back(i);
        made.ranks.push_back(known->rank());
    }
    const ir::Shape *x = l.call().shape(0U);
    if (made.dims.empty())
        l.refuse("its indices are not known");
    else if (x && made.dims.back() >= x->size())
        l.refuse("more indices than dimensions");
    return made;
}

/// Returns the indices as one tensor [their common shape…, number of indices].
Term joinedIndices(const Indices &given)
{
    Term common = given.tensors.front();
    for (const Term &each : std::span(given.tensors).subspan(1)) {
        const Term sum = cast(common, DType::Int64), next = cast(each, DType::Int64);
        common = sum + next;
    }
    const Term shape = shapeOf(common);
    std::vector<Term> columns;
    for (const Term &each : given.tensors)
        columns.push_back(unsqueeze(expand(cast(each, DType::Int64), shape), {-1}));
    return concat(columns, -1);
}

/// Returns the positions of the true elements of a mask, a row for each.
Term markedPlaces(L &l, const Term &mask) { return transpose(l.make("NonZero", {mask}, {}, DType::Int64), {1, 0}); }

/// Selects by a mask, by one index tensor, or by several. With several, the indexed dimensions are moved to the front;
/// if they are adjacent, the dimensions of the selected elements are moved back to the position of the first of them,
/// as in torch.
Results indexRule(L &l)
{
    const std::vector<Lowered> items = indexItems(l);
    if (const Term mask = onlyMask(l, items); !mask.isNone())
        return {l.make("GatherND", {l[0], markedPlaces(l, mask)})};
    const Indices given = indicesOf(l, items);
    if (!l.isRefused() && given.tensors.size() == 1)
        return {
            l.make("Gather", {l[0], given.tensors.front()}, {{"axis", static_cast<std::int64_t>(given.dims.front())}})};
    const auto x = l.tensor(0);
    if (l.isRefused())
        return {};
    std::vector<std::int64_t> order(given.dims.begin(), given.dims.end());
    for (std::size_t i = 0; i < x.rank(); ++i)
        if (!std::ranges::contains(given.dims, i))
            order.push_back(static_cast<std::int64_t>(i));
    const Term from = std::ranges::is_sorted(order) ? l[0] : transpose(l[0], order);
    Term made = l.make("GatherND", {from, joinedIndices(given)});
    const std::size_t first = given.dims.front(), chosen = given.rank();
    if (given.areAdjacent() && first > 0) {
        std::vector<std::int64_t> back;
        for (std::size_t i = 0; i < first; ++i)
            back.push_back(static_cast<std::int64_t>(chosen + i));
        for (std::size_t i = 0; i < chosen; ++i)
            back.push_back(static_cast<std::int64_t>(i));
        for (std::size_t i = chosen + first; i < chosen + x.rank() - given.dims.size(); ++i)
            back.push_back(static_cast<std::int64_t>(i));
        made = transpose(made, back);
    }
    return {made};
}

Results maskedSelectRule(L &l)
{
    const auto x = l.tensor("self"), mask = l.tensor("mask");
    if (std::ranges::equal(x.shape, mask.shape, ops::isSame))
        return {l.make("Compress", {vectorOf(l["self"]), vectorOf(l["mask"])}, {{"axis", std::int64_t{0}}})};
    const Term from = expand(l["self"], shapeOf(l["mask"]));
    return {
        l.make("Compress", {vectorOf(from), vectorOf(expand(l["mask"], shapeOf(from)))}, {{"axis", std::int64_t{0}}})};
}

Results nonzeroRule(L &l)
{
    if (l.tensor(0).rank() == 0)
        return l.refuse("of a scalar");
    return {markedPlaces(l, l[0])};
}

/// Returns the values of x[:, i] = values in the shape of the selected elements, with the indexed dimensions in front.
Term putValues(L &l, const Indices &given, const Term &places, const Term &from, std::size_t rank)
{
    const std::size_t chosen = given.dims.size();
    const std::size_t before = given.areAdjacent() ? given.dims.front() : 0, picked = given.rank();
    const auto sizes = [&](std::size_t begin, std::size_t end) {
        return slice(shapeOf(from), 0, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
    };
    std::vector<Term> shape;
    if (before > 0)
        shape.push_back(sizes(chosen, chosen + before));
    shape.push_back(slice(shapeOf(places), 0, 0, -1));
    if (rank > chosen + before)
        shape.push_back(sizes(chosen + before, rank));
    const Term whole = concat(shape, 0);
    Term values = expand(l.as("values", from.dtype), whole);
    if (before == 0)
        return values;
    std::vector<std::int64_t> order;
    for (std::size_t i = 0; i < picked; ++i)
        order.push_back(static_cast<std::int64_t>(before + i));
    for (std::size_t i = 0; i < picked + rank - chosen; ++i)
        if (i < before || i >= before + picked)
            order.push_back(static_cast<std::int64_t>(i));
    return transpose(values, order);
}

/// Computes x[mask] = values, where the mask has the first dimensions of x.
Results maskPut(L &l, const Term &mask)
{
    const auto x = l.tensor(0);
    const auto known = tensorIn(l.call()["indices"].as<ops::SequenceFact>()->each().front());
    if (!known || known->rank() > x.rank())
        return l.refuse("a mask of unknown rank");
    if (l.flag("accumulate"))
        return l.refuse("values are added by a mask");
    const auto axes = consecutive(known->rank(), x.rank());
    const Term from = l[0];
    if (l.tensor("values").rank() != 0) {
        const Term places = markedPlaces(l, mask);
        std::vector<Term> shape{vectorOf(sizeOf(places, 0))};
        for (const std::int64_t axis : axes)
            shape.push_back(vectorOf(sizeOf(from, axis)));
        const Term whole = concat(shape, 0);
        return {l.make("ScatterND", {from, places, expand(l.as("values", from.dtype), whole)})};
    }
    const Term values = l.as("values", from.dtype);
    return {where(axes.empty() ? mask : unsqueeze(mask, axes), values, from)};
}

/// Computes x[i, j] = values. The indexed dimensions are moved to the front, and back afterwards.
Results indexPutRule(L &l)
{
    const std::vector<Lowered> items = indexItems(l);
    if (const Term mask = onlyMask(l, items); !mask.isNone())
        return maskPut(l, mask);
    const Indices given = indicesOf(l, items);
    const auto x = l.tensor(0);
    if (l.isRefused())
        return {};
    std::vector<std::int64_t> order(given.dims.begin(), given.dims.end()), back(x.rank());
    for (std::size_t i = 0; i < x.rank(); ++i)
        if (!std::ranges::contains(given.dims, i))
            order.push_back(static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < x.rank(); ++i)
        back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    const bool isInOrder = std::ranges::is_sorted(order);
    const Term places = joinedIndices(given);
    const Term from = isInOrder ? l[0] : transpose(l[0], order);
    const Term updates = putValues(l, given, places, from, x.rank());
    L::Attributes attributes;
    if (l.flag("accumulate"))
        attributes.emplace_back("reduction", ir::String{l.graph().context().name("add")});
    const Term made = l.make("ScatterND", {from, places, updates}, attributes);
    return {isInOrder ? made : transpose(made, back)};
}

/// Returns the node's first argument with the elements `updates` at `places` along one dimension.
Term replacedAlong(L &l, std::size_t rank, std::int64_t axis, const Term &places, const Term &updates)
{
    std::vector<std::int64_t> sizes(rank, 1);
    sizes[static_cast<std::size_t>(axis)] = -1;
    const Term wanted = shapeOf(updates);
    const Term everywhere = expand(reshape(places, sizes), wanted);
    return l.make("ScatterElements", {l[0], everywhere, updates}, {{"axis", axis}});
}

Results selectScatterRule(L &l)
{
    const auto x = l.tensor(0);
    if (x.rank() == 0)
        return l.refuse("of a scalar");
    const auto axis = l.axis("dim", x.rank());
    const Term updates = unsqueeze(l.as("src", l[0].dtype), {axis});
    return {replacedAlong(l, x.rank(), axis, vectorOf(l.as("index", DType::Int64)), updates)};
}

Results sliceScatterRule(L &l)
{
    const auto x = l.tensor(0), source = l.tensor("src");
    if (x.rank() == 0)
        return l.refuse("of a scalar");
    const auto axis = l.axis("dim", x.rank());
    const ir::Dim size = x.shape[static_cast<std::size_t>(axis)];
    const auto start = l.has("start") ? l.call().integer("start") : std::optional<std::int64_t>(0);
    const auto length = ops::number(size);
    if (!start || (*start < 0 && !length))
        return l.refuse("where it starts is not known");
    const std::int64_t step = l.integer("step"), first = *start < 0 ? *start + *length : *start;
    const Term updates = l.as("src", l[0].dtype);
    const Term count = sizeOf(updates, axis);
    const Term steps = l.make("Range", {l.scalar(std::int64_t{0}), count, l.scalar(std::int64_t{1})}, {}, DType::Int64);
    const Term apart = steps * l.scalar(step);
    const Term places = apart + l.scalar(first);
    if (source.rank() != x.rank() || (length && first > *length))
        return l.refuse("a source of another rank");
    return {replacedAlong(l, x.rank(), axis, places, updates)};
}

Results copyRule(L &l)
{
    const Term from = l[0];
    const Term whole = shapeOf(from);
    return {expand(l.as("src", from.dtype), whole)};
}

/// Returns the number of boundaries below each value; with `right`, also those that are equal to it. If the boundaries
/// have several rows, each row of values is compared with its own. `boundaries` and `values` are positions of
/// arguments.
Results countedBelow(L &l, std::size_t boundaries, std::size_t values)
{
    const auto edgesKnown = l.tensor(boundaries), known = l.tensor(values);
    if (edgesKnown.rank() != 1 && edgesKnown.rank() != known.rank())
        return l.refuse("boundaries of other dimensions than the values");
    const bool isReal = ir::isFloating(known.dtype) || ir::isFloating(edgesKnown.dtype);
    const bool isDouble = known.dtype == DType::Float64 || edgesKnown.dtype == DType::Float64;
    const DType dtype = isDouble ? DType::Float64 : isReal ? DType::Float32 : DType::Int64;
    Term edges = l.as(boundaries, dtype);
    if (l.has("sorter"))
        edges = l.make("GatherElements", {edges, l["sorter"]}, {{"axis", std::int64_t{-1}}});
    const Term each = unsqueeze(l.as(values, dtype), {-1});
    const bool isRight = l.flag("right") || (l.has("side") && l.text("side") == "right");
    const Term isBelow = compared(isRight ? OnnxName("LessOrEqual") : OnnxName("Less"),
                                  edgesKnown.rank() > 1 ? unsqueeze(edges, {-2}) : edges, each);
    return {reduce("ReduceSum", cast(isBelow, DType::Int64), {-1}, false)};
}

Results topkRule(L &l)
{
    const auto x = l.tensor(0);
    const Term from = l[0];
    if (x.rank() == 0)
        return l.refuse("of a scalar");
    const auto made = l.makeAll("TopK", {from, vectorOf(l.as("k", DType::Int64))},
                                {{"axis", l.axis("dim", x.rank())},
                                 {"largest", std::int64_t{l.flag("largest")}},
                                 {"sorted", std::int64_t{l.flag("sorted")}}},
                                {from.dtype, DType::Int64});
    return {made[0], made[1]};
}

/// Returns the k-th smallest element and its index; for a median, the middle element, or the lower of two.
Results kthRule(L &l)
{
    const auto x = l.tensor(0);
    const bool isOfAll = !l.call().position({"dim"});
    const Term from = isOfAll ? vectorOf(l[0]) : l[0];
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

/// Returns the sorted elements, and their original positions.
Results sortRule(L &l)
{
    const auto x = l.tensor(0);
    const Term from = l[0];
    if (x.rank() == 0)
        return l.refuse("of a scalar");
    const auto axis = l.axis("dim", x.rank());
    const auto made =
        l.makeAll("TopK", {from, vectorOf(sizeOf(from, axis))},
                  {{"axis", axis}, {"largest", std::int64_t{l.flag("descending")}}, {"sorted", std::int64_t{1}}},
                  {from.dtype, DType::Int64});
    return {made[0], made[1]};
}

Results oneHotRule(L &l)
{
    const auto count = l.call().integer("num_classes");
    if (!count || *count <= 0)
        return l.refuse("the number of classes is not known");
    return {l.make("OneHot", {l[0], l.scalar(*count), l.ints({0, 1})}, {}, DType::Int64)};
}

constexpr LoweringRule indexingRules[] = {
    {"aten::embedding", embeddingRule},
    {"aten::index_select", indexSelectRule},
    {"aten::gather", gatherRule},
    {"aten::index aten::_unsafe_index", indexRule},
    {"aten::index_put aten::_unsafe_index_put", indexPutRule},
    {"aten::select_scatter", selectScatterRule},
    {"aten::slice_scatter", sliceScatterRule},
    {"aten::copy", copyRule},
    {"aten::bucketize", [](L &l) { return countedBelow(l, 1, 0); }},
    {"aten::searchsorted", [](L &l) { return countedBelow(l, 0, 1); }},
    {"aten::masked_select", maskedSelectRule},
    {"aten::nonzero aten::argwhere", nonzeroRule},
    {"aten::topk", topkRule},
    {"aten::sort", sortRule},
    {"aten::kthvalue aten::median", kthRule},
    {"aten::one_hot", oneHotRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family indexing()
{
    return {.decompositions = to_aten::indexingDecompositions,
            .fromOnnx = to_aten::indexingLowerings,
            .toOnnx = to_onnx::indexingRules};
}

} // namespace cutaway::rules
