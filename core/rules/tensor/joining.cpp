// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rules.h"

#include <algorithm>
#include <limits>

// Operators that make one tensor of several, several of one, and copies side by side.

namespace cutaway::rules::to_aten { // core ATen

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
        item = l.cast(item, l.resultDType());
    return items;
}

/// Joins a sequence, whose length is known only when the model runs; all its tensors are like the first.
Results sequenceRule(L &l, const Lowered &list, bool isStacked)
{
    const auto made = l.result();
    const auto *tensors = l.call()["tensors"].as<ops::SequenceFact>();
    const auto *item = tensors && !tensors->each().empty() ? ops::asTensor(tensors->each().front()) : nullptr;
    if (!item || !item->shape || item->shape->size() + isStacked != made.rank())
        return l.refuse("the rank of its tensors is not known");
    const Term all{&l, list.operand, list.dtype};
    return {l.cast(l.make("ConcatFromSequence", {all},
                          {{"axis", l.axis("dim", made.rank())}, {"new_axis", std::int64_t{isStacked}}}, list.dtype),
                   l.resultDType())};
}

/// Leaves out empty vectors among tensors of more dimensions, as torch has always done.
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
    return {kept.size() == 1 ? kept.front() : l.concat(kept, l.axis("dim", made.rank()))};
}

Results stackRule(L &l)
{
    if (const Lowered list = l.unchanged(); list.isSequence)
        return sequenceRule(l, list, true);
    const std::int64_t axis = l.axis("dim", l.result().rank());
    std::vector<Term> items = castItems(l, "tensors");
    for (Term &item : items)
        item = l.unsqueeze(item, {axis});
    if (items.empty())
        return l.refuse("its tensors are not known");
    return {l.concat(items, axis)};
}

/// The sizes of the parts along an axis, which have to be numbers.
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
    return {l.slice(l[0], l.axis("dim", x.rank()), start, end, l.integer("step"))};
}

Results narrowRule(L &l)
{
    const auto x = l.tensor(0);
    const auto axis = l.axis("dim", x.rank());
    const auto from = l.call().integer("start");
    if (!from || *from < 0)
        return l.refuse("where it starts is not known");
    const Term start = l.scalar(*from);
    return {l.slice(l[0], axis, start, start + l.as("length", DType::Int64))};
}

/// The end of each dimension before its beginning.
Results rollRule(L &l)
{
    const auto x = l.tensor(0);
    const auto shifts = l.integers("shifts"), dims = l.integers("dims");
    if (l.isRefused() || dims.size() != shifts.size() || x.rank() == 0)
        return l.refuse("of all elements as a vector");
    Term made = l[0];
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const auto axis = ops::dimension(dims[i], x.rank());
        const auto size = axis ? ops::number(x.shape[*axis]) : std::nullopt;
        if (!size)
            return l.refuse("the size of a dimension is not known");
        const std::int64_t shift = *size ? (shifts[i] % *size + *size) % *size : 0;
        if (shift == 0)
            continue;
        const auto at = static_cast<std::int64_t>(*axis);
        made = l.concat({l.slice(made, at, l.scalar(*size - shift), l.scalar(*size)),
                         l.slice(made, at, l.scalar(std::int64_t{0}), l.scalar(*size - shift))},
                        at);
    }
    return {made};
}

/// ONNX's word for torch's mode of padding.
std::string_view modeOfPad(std::string_view mode)
{
    return mode == "replicate" ? "edge" : mode == "circular" ? "wrap" : mode.empty() ? "constant" : mode;
}

/// Torch pads the last dimension first, and gives for each how much is padded before and after it.
Results padded(L &l, std::string_view mode)
{
    const auto x = l.tensor(0);
    const std::string_view parameter = l.call().position({"pad"}) ? "pad" : "padding";
    if (mode == "wrap" && l.opset() < 19)
        return l.refuse("circular padding needs opset 19");
    std::vector<Term> given;
    if (const auto known = l.call().sizes(parameter); known && L::areNumbers(*known))
        for (const std::int64_t number : l.numbersOf(*known, parameter))
            given.push_back(l.ints({number}));
    else
        for (const Term &item : l.items(parameter))
            given.push_back(l.vectorOf(l.cast(item, DType::Int64)));
    if (given.size() % 2 != 0 || given.size() > 2 * x.rank())
        return l.refuse("the padding is not known");
    std::vector<Term> pads(2 * x.rank(), l.ints({0}));
    for (std::size_t i = 0; i < given.size() / 2; ++i) {
        pads[x.rank() - 1 - i] = given[2 * i];
        pads[2 * x.rank() - 1 - i] = given[2 * i + 1];
    }
    const Term from = l[0];
    const Term value = mode == "constant" && l.has("value") ? l.as("value", from.dtype) : l.none();
    return {l.make("Pad", {from, l.concat(pads, 0), value}, {{"mode", ir::String{l.graph().context().name(mode)}}})};
}

Results padRule(L &l) { return padded(l, modeOfPad(l.has("mode") ? l.text("mode") : std::string_view())); }

enum class Spread { ToAll, AlongItsOwn };

/// Each tensor in the shape of all of them, or along its own dimension of it.
Results spreadRule(L &l, Spread spread)
{
    const std::vector<L::Tensor> parts = l.resultParts();
    std::vector<Term> items = l.items("tensors");
    if (parts.size() != items.size() || l.isRefused())
        return l.refuse("its tensors are not known");
    const bool isGrid = spread == Spread::AlongItsOwn;
    const bool isExchanged = isGrid && l.has("indexing") && l.text("indexing") == "xy";
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (isGrid) {
            std::vector<std::int64_t> sizes(parts[i].rank(), 1);
            sizes[isExchanged && i < 2 ? 1 - i : i] = -1;
            items[i] = l.reshape(items[i], sizes);
        }
        items[i] = l.expand(items[i], l.ints(l.numbersOf(parts[i].shape, "the result")));
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
    {"aten::roll", rollRule},
    {"aten::pad aten::constant_pad_nd", padRule},
    {"aten::reflection_pad1d aten::reflection_pad2d aten::reflection_pad3d", [](L &l) { return padded(l, "reflect"); }},
    {"aten::replication_pad1d aten::replication_pad2d aten::replication_pad3d", [](L &l) { return padded(l, "edge"); }},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family joining() { return {.decompositions = to_aten::joiningDecompositions, .toOnnx = to_onnx::joiningRules}; }

} // namespace cutaway::rules
