// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/arguments/pad_arguments.h"
#include "core/ops/arguments/slice_arguments.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

#include <algorithm>
#include <array>
#include <limits>
#include <ranges>

// The rules for operators that make one tensor of several, several of one, or copies side by side.

namespace cutaway::rules::to_aten {

namespace {

// ---- core ATen

using D = Decomposition;

Parts joined(D &d, const std::vector<Term> &parts, std::int64_t dim)
{
    return parts.empty() ? d.refuse("its tensors are not known") : Parts{concat(parts, dim)};
}

Parts stacked(D &d)
{
    const std::int64_t dim = d.axis("dim", d.result().rank());
    std::vector<Term> parts;
    for (const Term &item : d.items("tensors"))
        parts.push_back(unsqueeze(item, dim));
    return joined(d, parts, dim);
}

/// Makes hstack and similar operators: tensors with too few dimensions get dimensions of size 1, then the tensors are
/// joined along one dimension.
template <std::size_t leastRank>
Parts stackedAlong(D &d)
{
    std::vector<Term> parts;
    std::size_t rank = 0;
    for (const Term &item : d.items("tensors")) {
        ir::Shape shape = d.tensor(item).shape;
        if (leastRank >= 2 && shape.size() < 2)
            shape.insert(shape.begin(), 2 - shape.size(), ops::one);
        shape.resize(std::max(shape.size(), leastRank), ops::one);
        rank = shape.size();
        parts.push_back(reshape(item, shape));
    }
    return joined(d, parts,
                  leastRank == 1       ? std::min<std::int64_t>(1, static_cast<std::int64_t>(rank) - 1)
                      : leastRank == 2 ? 0
                                       : 2);
}

/// Joins columns; vectors become columns of a matrix.
Parts stackedColumns(D &d)
{
    std::vector<Term> parts;
    for (const Term &item : d.items("tensors")) {
        const auto known = d.tensor(item);
        parts.push_back(known.rank() < 2 ? reshape(item, {ops::elementsOf(known.shape), ops::one}) : item);
    }
    return joined(d, parts, 1);
}

/// Splits into parts with the sizes of the results.
Parts split(D &d)
{
    const std::int64_t dim = d.axis("dim", d.tensor("self").rank());
    ir::Shape sizes;
    for (std::size_t i = 0; i < d.resultCount(); ++i) {
        const auto part = d.result(i);
        if (part.rank() <= static_cast<std::size_t>(dim))
            return d.refuse("its parts are not known");
        sizes.push_back(part.shape[static_cast<std::size_t>(dim)]);
    }
    if (sizes.empty())
        return d.refuse("how many parts it has is not known");
    const auto parts = d.makeAll("split_with_sizes", {d["self"], d.sizes(sizes), dim}, sizes.size());
    return {parts.begin(), parts.end()};
}

/// Splits into a given number of parts, as tensor_split does: if the size is not divisible, the first parts are longer
/// by one.
Parts splitAt(D &d)
{
    const auto known = d.tensor("self");
    const auto dim = static_cast<std::size_t>(d.axis("dim", known.rank()));
    const std::int64_t sections = d.integer("sections");
    if (known.rank() == 0 || sections <= 0 || static_cast<std::size_t>(sections) != d.resultCount())
        return d.refuse("how many parts it has is not known");
    const std::int64_t size = d.known(ops::number(known.shape[dim]), "the size that it splits is");
    Parts parts;
    for (std::int64_t i = 0, start = 0; i < sections; ++i) {
        const std::int64_t end = start + size / sections + (i < size % sections ? 1 : 0);
        parts.emplace_back(slice(d["self"], dim, start, end));
        start = end;
    }
    return parts;
}

Parts unbound(D &d)
{
    const std::int64_t dim = d.axis("dim", d.tensor("self").rank());
    Parts parts;
    for (std::size_t i = 0; i < d.resultCount(); ++i)
        parts.emplace_back(d.make("select.int", {d["self"], dim, static_cast<std::int64_t>(i)}));
    return parts;
}

Parts tiled(D &d)
{
    const std::size_t rank = d.tensor("self").rank();
    const std::vector<Term> counts = d.items("dims");
    std::vector<ir::Operand> repeats(rank - std::min(rank, counts.size()), std::int64_t{1});
    repeats.insert(repeats.end(), counts.begin(), counts.end());
    return {d.make("repeat", {d["self"], ir::List{std::move(repeats)}})};
}

/// Repeats each element.
Parts repeated(D &d)
{
    Term x = d["self"];
    ir::Shape shape = d.tensor("self").shape;
    const auto count = d.isTensor(d["repeats"]) ? std::nullopt : d.call().size("repeats");
    if (!count || (shape.empty() && d.has("dim")))
        return d.refuse("each element is repeated in its own number");
    if (!d.has("dim")) {
        shape = {ops::elementsOf(shape)};
        x = reshape(x, shape);
    }
    const std::int64_t dim = d.has("dim") ? d.axis("dim", shape.size()) : 0;
    shape.insert(shape.begin() + dim + 1, *count);
    return {reshape(expand(unsqueeze(x, dim + 1), shape), d.result().shape)};
}

Parts broadcastTogether(D &d)
{
    const auto tensors = d.items("tensors");
    if (tensors.size() != d.resultCount())
        return d.refuse("its tensors are not known");
    Parts parts;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        parts.emplace_back(expand(tensors[i], d.result(i).shape));
    return parts;
}

/// Returns each vector along its own dimension of the grid; "xy" exchanges the first two.
std::vector<Term> gridOf(D &d, const std::vector<Term> &vectors, bool exchanges)
{
    ir::Shape shape;
    for (const Term &vector : vectors) {
        const auto known = d.tensor(vector);
        if (known.rank() > 1)
            d.refuse("a tensor of it is no vector");
        shape.push_back(ops::elementsOf(known.shape));
    }
    const bool swaps = exchanges && vectors.size() >= 2;
    if (swaps)
        std::swap(shape[0], shape[1]);
    std::vector<Term> grid;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        const std::size_t dim = swaps && i < 2 ? 1 - i : i;
        ir::Shape line(vectors.size(), ops::one);
        line[dim] = shape[dim];
        grid.push_back(expand(reshape(vectors[i], line), shape));
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
    if (vectors.size() < 2 || result.rank() == 0)
        return d.refuse("its tensors are not known, or one alone");
    std::vector<Term> columns;
    for (const Term &coordinate : gridOf(d, vectors, false))
        columns.push_back(reshape(coordinate, {result.shape.front(), ops::one}));
    return joined(d, columns, 1);
}

constexpr DecompositionRule joiningDecompositions[] = {
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

// ---- from ONNX

using N = OnnxNode;
using Numbers = N::Numbers;

/// The most elements of a dimension, and of its padding, for which indices are listed.
constexpr std::int64_t maxPicked = 1 << 20;

Parts concatenated(N &n)
{
    std::vector<Term> all;
    for (std::size_t i = 0; i < n.inputCount(); ++i)
        all.push_back(n[i]);
    if (all.empty())
        return n.refuse("it joins nothing");
    return {concat(all, n.integer("axis", n.opset() < 4 ? 1 : 0))};
}

Parts tile(N &n) { return {n.make("repeat", {n[0], n.sizes(n.known(n.call().sizes(1), "how often it repeats is"))})}; }

/// Returns a slice with a negative step, as a forward slice of the flipped tensor: torch's slices only go forward.
Term slicedBackwards(N &n, const Term &x, std::size_t dim, const ir::Dim &first, const ir::Dim &last, std::int64_t step)
{
    constexpr std::int64_t farthest = std::numeric_limits<std::int64_t>::max();
    const auto start = ops::number(first), end = ops::number(last), count = ops::number(n.tensor(0).shape[dim]);
    if (!start || !end || (!count && (*start >= 0 || *end >= 0))) {
        n.refuse(formatted("its step is {}, and its start, its end or the size is not known", step));
        return x;
    }
    // Positions in the reversed dimension: an index i that counts from the end becomes -(i + 1), which is ~i, from the
    // start.
    std::int64_t from = ~*start, to = *end <= -farthest ? farthest : ~*end;
    if (count) {
        const auto place = [&](std::int64_t index, std::int64_t least) {
            return *count - 1 - std::clamp(index < 0 ? index + *count : index, least, std::max(least, *count - 1));
        };
        from = place(*start, 0);
        to = place(*end, -1);
    }
    const auto axis = static_cast<std::int64_t>(dim);
    Term turned = n.make("flip", {x, N::list({axis})});
    if (from == 0 && step == -1 && (to == farthest || to == count))
        return turned;
    return n.make("slice.Tensor", {turned, axis, from, to, -step});
}

/// Makes a slice. Starts and ends beyond a dimension mean its ends in ONNX and in torch.
Parts slice(N &n)
{
    const auto slices = ops::slicedAxes(n.call(), n.tensor(0).rank());
    if (!slices)
        return n.refuse(slices.error().reason);
    Term x = n[0];
    for (const ops::SlicedAxis &each : *slices) {
        const std::int64_t step = n.known(each.step, "its step is");
        const bool isToTheEnd = ops::number(each.end).value_or(0) >= std::numeric_limits<std::int32_t>::max();
        const ir::Dim end = isToTheEnd ? ir::Dim(std::numeric_limits<std::int64_t>::max()) : each.end;
        if (n.isRefused() || step == std::numeric_limits<std::int64_t>::min())
            return n.refuse("its step makes no sense");
        x = step < 0
            ? slicedBackwards(n, x, each.axis, each.start, end, step)
            : n.make("slice.Tensor", {x, static_cast<std::int64_t>(each.axis), n.size(each.start), n.size(end), step});
    }
    return {x};
}

/// Splits into parts with the sizes of the results.
Parts split(N &n)
{
    const std::int64_t axis = n.dimension("axis", 0);
    Parts parts;
    ir::Dim start = ops::zero;
    for (std::size_t i = 0; i < n.resultCount(); ++i) {
        const auto y = n.result(i);
        if (y.rank() <= static_cast<std::size_t>(axis))
            return n.refuse("its parts are not known");
        const ir::Dim &size = y.shape[static_cast<std::size_t>(axis)];
        parts.push_back(n.make("narrow", {n[0], axis, n.size(start), n.size(size)}));
        start = ops::plus(start, size);
    }
    return parts;
}

/// Returns the padding in torch's order: from the last dimension to the first, for each before and after.
std::vector<ir::Dim> backwards(const ops::Padding &padding)
{
    std::vector<ir::Dim> turned;
    for (std::size_t i = padding.before.size(); i-- > 0;)
        turned.insert(turned.end(), {padding.before[i], padding.after[i]});
    return turned;
}

/// Pads dimensions of known size by selecting elements with indices.
Parts pickedAround(N &n, const N::Tensor &x, const ops::Padding &padding, ops::PadMode mode)
{
    Term made = n[0];
    for (std::size_t i = 0; i < x.rank(); ++i) {
        const auto before = ops::number(padding.before[i]), after = ops::number(padding.after[i]),
                   size = ops::number(x.shape[i]);
        if (before == 0 && after == 0)
            continue;
        if (!before || !after || !size || *size < 1 || std::max({*before, *after, *size}) > maxPicked
            || *before < -*size || *after < -*size)
            return n.refuse(formatted("its pads, or the size of what the mode '{}' pads, are not known or too large",
                                      n.text("mode")));
        Numbers places;
        for (std::int64_t place = -*before; place < *size + *after; ++place)
            places.push_back(ops::paddedFrom(mode, place, *size).value_or(0));
        made = n.make("index_select", {made, static_cast<std::int64_t>(i), n.constant(places)});
    }
    return {made};
}

/// Pads by mirroring. torch mirrors the last one to three dimensions of a tensor with one or two dimensions before
/// them, and by less than the size of a dimension.
Parts mirrored(N &n, const N::Tensor &x, const ops::Padding &padding, ops::PadMode mode)
{
    const std::size_t rank = x.rank();
    const auto isPadded = [&](std::size_t i) {
        return ops::number(padding.before[i]) != 0 || ops::number(padding.after[i]) != 0;
    };
    const auto fits = [&](std::size_t i) {
        const std::int64_t before = ops::number(padding.before[i]).value_or(0),
                           after = ops::number(padding.after[i]).value_or(0);
        const auto size = ops::number(x.shape[i]);
        return before >= 0 && after >= 0 && (!size || mode == ops::PadMode::Edge || std::max(before, after) < *size);
    };
    std::size_t first = 0;
    while (first < rank && !isPadded(first))
        ++first;
    if (first == rank)
        return {n[0]};
    // The number of dimensions of size 1 that are added in front, for torch.
    const std::size_t added = std::max(first < 2 ? 2 - first : 0, rank < 3 ? 3 - rank : 0);
    if (!std::ranges::all_of(std::views::iota(std::size_t{0}, rank), fits) || rank + added > 5)
        return pickedAround(n, x, padding, mode);
    Term wide = n[0];
    for (std::size_t i = 0; i < added; ++i)
        wide = unsqueeze(wide, 0);
    std::vector<ir::Dim> all = backwards(padding);
    all.resize(2 * (rank + added - 2), ops::zero);
    const std::string_view torchs = mode == ops::PadMode::Edge ? "replicate"
        : mode == ops::PadMode::Wrap                           ? "circular"
                                                               : "reflect";
    Term made = n.make("pad", {wide, n.sizes(all), {"mode", n.word(torchs)}});
    for (std::size_t i = 0; i < added; ++i)
        made = squeeze(made, 0);
    return {made};
}

/// Returns the number with which a Pad pads; nothing if it is not known. Before operator set 11 only floats are padded.
std::optional<ir::Operand> fillOf(N &n, ir::DType dtype)
{
    if (n.opset() < 11)
        return ir::isFloating(dtype) ? std::optional(ir::Operand(n.number("value", 0))) : std::nullopt;
    if (!ir::isFloating(dtype)) {
        const auto whole = n.has(2) ? n.constantInteger(2) : std::optional<std::int64_t>(0);
        return whole ? std::optional(ir::Operand(*whole)) : std::nullopt;
    }
    const auto value = n.has(2) ? n.constantNumber(2) : std::optional(0.0);
    return value ? std::optional(ir::Operand(*value)) : std::nullopt;
}

Parts pad(N &n)
{
    const auto mode = ops::padMode(n.call());
    const auto x = n.tensor(0);
    const auto padding = ops::paddingOf(n.call(), x.rank());
    if (!padding || !mode)
        return n.refuse("its pads, its axes or the rank are not known");
    if (*mode != ops::PadMode::Constant)
        return mirrored(n, x, *padding, *mode);
    const auto fill = fillOf(n, x.dtype);
    return fill ? Parts{n.make("constant_pad_nd", {n[0], n.sizes(backwards(*padding)), *fill})}
                : n.refuse("the number that it pads with is computed, or none that torch pads with");
}

/// Cuts some dimensions on both sides, or pads them with zeros, so that they have given sizes.
Parts centerCropPad(N &n)
{
    const auto x = n.tensor(0), y = n.result();
    Term made = n[0];
    Numbers pads(2 * x.rank());
    for (std::size_t i = 0; i < x.rank() && i < y.rank(); ++i) {
        if (ops::isSame(x.shape[i], y.shape[i]))
            continue;
        const std::int64_t from = n.known(ops::number(x.shape[i]), "the size of what it cuts or pads is");
        const std::int64_t to = n.known(ops::number(y.shape[i]), "the size of what it cuts or pads is");
        if (from > to) {
            made = n.make("narrow", {made, static_cast<std::int64_t>(i), (from - to) / 2, to});
        } else {
            pads[2 * (x.rank() - 1 - i)] = (to - from) / 2;
            pads[2 * (x.rank() - 1 - i) + 1] = to - from - (to - from) / 2;
        }
    }
    if (std::ranges::all_of(pads, [](std::int64_t pad) { return pad == 0; }))
        return {made};
    const ir::Operand zero = ir::isFloating(x.dtype) ? ir::Operand(0.0) : ir::Operand(std::int64_t{0});
    return {n.make("constant_pad_nd", {made, N::list(pads), zero})};
}

constexpr OnnxLowering joiningLowerings[] = {
    {"onnx::CenterCropPad", centerCropPad},
    {"onnx::Concat", concatenated},
    {"onnx::Pad", pad},
    {"onnx::Slice", slice},
    {"onnx::Split", split},
    {"onnx::Tile", tile},
};

} // namespace

} // namespace cutaway::rules::to_aten

namespace cutaway::rules::to_onnx { // from aten

namespace {

using L = Lowering;
using ir::DType;

std::vector<Term> castItems(L &l, std::string_view parameter)
{
    std::vector<Term> items = l.items(parameter);
    for (Term &item : items)
        item = cast(item, l.resultDType());
    return items;
}

/// Joins a sequence whose length is known only when the model runs; all of its tensors are like the first one.
Results sequenceRule(L &l, const Lowered &list, bool isStacked)
{
    const auto made = l.result();
    const auto *tensors = l.call()["tensors"].as<ops::SequenceFact>();
    const auto *item = tensors && !tensors->each().empty() ? ops::asTensor(tensors->each().front()) : nullptr;
    if (!item || !item->shape || item->shape->size() + isStacked != made.rank())
        return l.refuse("the rank of its tensors is not known");
    const Term all{&l, list.operand, list.dtype};
    return {cast(l.make("ConcatFromSequence", {all},
                        {{"axis", l.axis("dim", made.rank())}, {"new_axis", std::int64_t{isStacked}}}, list.dtype),
                 l.resultDType())};
}

/// Joins tensors. Empty vectors among tensors of more dimensions are left out, as torch has always done.
Results catRule(L &l)
{
    if (const Lowered list = l.unchanged(); list.isSequence)
        return sequenceRule(l, list, false);
    const auto made = l.result();
    const auto tensors = l.call().tensors("tensors");
    std::vector<Term> items = castItems(l, "tensors"), kept;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto *known = tensors && i < tensors->size() ? (*tensors)[i] : nullptr;
        if (!known || !known->shape || known->shape->size() == made.rank())
            kept.push_back(items[i]);
    }
    if (kept.empty())
        return l.refuse("its tensors are not known");
    return {kept.size() == 1 ? kept.front() : concat(kept, l.axis("dim", made.rank()))};
}

Results stackRule(L &l)
{
    if (const Lowered list = l.unchanged(); list.isSequence)
        return sequenceRule(l, list, true);
    const std::int64_t axis = l.axis("dim", l.result().rank());
    std::vector<Term> items = castItems(l, "tensors");
    for (Term &item : items)
        item = unsqueeze(item, {axis});
    if (items.empty())
        return l.refuse("its tensors are not known");
    return {concat(items, axis)};
}

/// Returns the sizes of the parts along an axis; nothing if one of them is not a number.
std::optional<std::vector<std::int64_t>> partSizes(const std::vector<L::Tensor> &parts, std::size_t axis)
{
    std::vector<std::int64_t> sizes;
    for (const L::Tensor &part : parts) {
        const auto size = axis < part.rank() ? ops::number(part.shape[axis]) : std::nullopt;
        if (!size)
            return std::nullopt;
        sizes.push_back(*size);
    }
    return sizes;
}

Results splitRule(L &l)
{
    const auto x = l.tensor(0);
    const std::int64_t axis = l.axis("dim", x.rank());
    const auto sizes = partSizes(l.resultParts(), static_cast<std::size_t>(axis));
    if (!sizes || sizes->empty())
        return l.refuse("the sizes of the parts are not known");
    const Term from = l[0];
    if (sizes->size() == 1)
        return l.listed({from});
    return l.listed(
        l.makeAll("Split", {from, l.ints(*sizes)}, {{"axis", axis}}, std::vector(sizes->size(), from.dtype)));
}

Results unbindRule(L &l)
{
    const auto x = l.tensor(0);
    const std::int64_t axis = l.axis("dim", x.rank());
    const auto count = ops::number(x.rank() ? x.shape[static_cast<std::size_t>(axis)] : ir::Dim(ir::UnknownDim{}));
    if (!count)
        return l.refuse("the number of parts is not known");
    std::vector<Term> parts;
    for (std::int64_t i = 0; i < *count; ++i)
        parts.push_back(l.make("Gather", {l[0], l.scalar(i)}, {{"axis", axis}}));
    return l.listed(parts);
}

Results selectRule(L &l)
{
    const auto x = l.tensor(0);
    return {l.make("Gather", {l[0], l.as("index", DType::Int64)}, {{"axis", l.axis("dim", x.rank())}})};
}

Results sliceRule(L &l)
{
    const auto x = l.tensor(0);
    const Term start = l.has("start") ? l.as("start", DType::Int64) : l.scalar(std::int64_t{0});
    const Term end = l.has("end") ? l.as("end", DType::Int64) : l.scalar(std::numeric_limits<std::int64_t>::max());
    return {slice(l[0], l.axis("dim", x.rank()), start, end, l.integer("step"))};
}

Results narrowRule(L &l)
{
    const auto x = l.tensor(0);
    const auto axis = l.axis("dim", x.rank());
    const auto from = l.call().integer("start");
    if (!from || *from < 0)
        return l.refuse("where it starts is not known");
    const Term start = l.scalar(*from);
    return {slice(l[0], axis, start, start + l.as("length", DType::Int64))};
}

/// Pads. The padding of torch begins with the last dimension, and has for each dimension the numbers of elements before
/// and after it.
Results padRule(L &l)
{
    static constexpr std::array<std::string_view, 4> words{"constant", "edge", "reflect", "wrap"}; // by PadMode
    const auto x = l.tensor(0);
    const auto mode = l.known(ops::padMode(l.call()), "its mode is");
    const std::string_view parameter = l.call().position({"pad"}) ? "pad" : "padding";
    if (mode == ops::PadMode::Wrap && l.opset() < 19)
        return l.refuse("circular padding needs opset 19");
    std::vector<Term> given;
    if (const auto known = l.call().sizes(parameter); known && ops::numbers(*known))
        for (const std::int64_t number : l.numbersOf(*known, parameter))
            given.push_back(l.ints({number}));
    else
        for (const Term &item : l.items(parameter))
            given.push_back(vectorOf(cast(item, DType::Int64)));
    if (given.size() % 2 != 0 || given.size() > 2 * x.rank() || x.rank() == 0)
        return l.refuse("the padding is not known");
    std::vector<Term> pads(2 * x.rank(), l.ints({0}));
    for (std::size_t i = 0; i < given.size() / 2; ++i) {
        pads[x.rank() - 1 - i] = given[2 * i];
        pads[2 * x.rank() - 1 - i] = given[2 * i + 1];
    }
    const Term from = l[0];
    const Term value = mode == ops::PadMode::Constant && l.has("value") ? l.as("value", from.dtype) : l.none();
    const ir::String word{l.graph().context().name(words[static_cast<std::size_t>(mode)])};
    return {l.make("Pad", {from, concat(pads, 0), value}, {{"mode", word}})};
}

enum class Spread { ToAll, AlongItsOwn };

/// Returns each tensor expanded to the shape that they have in common, or to a grid in which each tensor has its own
/// dimension.
Results spreadRule(L &l, Spread spread)
{
    const std::vector<L::Tensor> parts = l.resultParts();
    std::vector<Term> items = l.items("tensors");
    if (parts.size() != items.size() || l.isRefused())
        return l.refuse("its tensors are not known");
    const bool isGrid = spread == Spread::AlongItsOwn;
    const bool isExchanged = isGrid && items.size() > 1 && l.has("indexing") && l.text("indexing") == "xy";
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (isGrid) {
            std::vector<std::int64_t> sizes(parts[i].rank(), 1);
            sizes[isExchanged && i < 2 ? 1 - i : i] = -1;
            items[i] = reshape(items[i], sizes);
        }
        items[i] = expand(items[i], l.ints(l.numbersOf(parts[i].shape, "the result")));
    }
    return l.listed(items);
}

constexpr LoweringRule joiningRules[] = {
    {"aten::cat aten::concat aten::concatenate", catRule},
    {"aten::stack", stackRule},
    {"aten::split aten::split_with_sizes aten::chunk aten::unsafe_chunk aten::unsafe_split "
     "aten::unsafe_split_with_sizes aten::tensor_split",
     splitRule},
    {"aten::unbind", unbindRule},
    {"aten::broadcast_tensors", with<spreadRule, Spread::ToAll>},
    {"aten::meshgrid", with<spreadRule, Spread::AlongItsOwn>},
    {"aten::select", selectRule},
    {"aten::slice", sliceRule},
    {"aten::narrow", narrowRule},
    {"aten::pad aten::constant_pad_nd aten::reflection_pad1d aten::reflection_pad2d aten::reflection_pad3d "
     "aten::replication_pad1d aten::replication_pad2d aten::replication_pad3d",
     padRule},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family joining()
{
    return {.decompositions = to_aten::joiningDecompositions,
            .fromOnnx = to_aten::joiningLowerings,
            .toOnnx = to_onnx::joiningRules};
}

} // namespace cutaway::rules
