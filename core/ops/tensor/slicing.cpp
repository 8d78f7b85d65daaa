// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor/slicing.h"

#include "core/base/result.h"
#include "core/ops/arguments/slice_arguments.h"
#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"
#include "core/ops/creation.h"
#include "core/ops/demands/demands.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/sequences.h"
#include "core/ops/facts/size_algebra.h"
#include "core/ops/facts/texts.h"

#include <algorithm>
#include <limits>

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

constexpr std::int64_t toTheEnd = std::numeric_limits<std::int64_t>::max();

/// Cuts parts out of several dimensions of a tensor, one dimension after another.
class Cut {
public:
    explicit Cut(const TensorFact &tensor) : m_tensor(tensor), m_shape(*tensor.shape)
    {
        const auto sizes = numbers(m_shape);
        m_tracked = tensor.elements && sizes;
        m_strides = m_tracked ? denseStrides(*sizes) : Numbers(m_shape.size(), 0);
    }

    void keep(std::size_t at, const Part &part, std::int64_t step = 1)
    {
        const auto start = number(part.start);
        const bool steps = step <= maxMoveLength && step >= -maxMoveLength;
        m_tracked = m_tracked && start && *start >= 0 && *start <= maxMoveLength && (steps || isOne(part.length));
        m_offset += m_tracked ? *start * m_strides[at] : 0;
        m_strides[at] *= steps ? step : 0;
        m_shape[at] = part.length;
    }
    void drop(std::size_t at)
    {
        m_shape.erase(m_shape.begin() + static_cast<std::ptrdiff_t>(at));
        m_strides.erase(m_strides.begin() + static_cast<std::ptrdiff_t>(at));
    }
    TensorFact result() const
    {
        return m_tracked ? strided(m_tensor, m_shape, m_strides, m_offset) : tensorFact(m_tensor.dtype, m_shape);
    }

private:
    static constexpr std::int64_t maxMoveLength = maxTrackedElements; // elements that are farther apart are not tracked
    const TensorFact &m_tensor;
    Shape m_shape;
    Numbers m_strides;
    std::int64_t m_offset = 0;
    bool m_tracked = false;
};

TensorFact kept(const TensorFact &tensor, std::size_t at, const Part &part, std::int64_t step = 1)
{
    Cut cut(tensor);
    cut.keep(at, part, step);
    return cut.result();
}

Facts withUnknownSize(const TensorFact &tensor, std::size_t at)
{
    return {kept(tensor, at, {ir::UnknownDim{}, ir::UnknownDim{}})};
}

/// Returns the value of a border: `defaultValue` if it is not given, an unknown size if it is not known.
Dim borderOr(const Fact &argument, std::int64_t defaultValue)
{
    return argument.as<NoneFact>() ? Dim(defaultValue) : asInt(argument).value_or(ir::UnknownDim{});
}

// Operators that slice.

Answer sliceTensor(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const auto at = axis(call.any({"dim", "axis"}), tensor->shape->size());
    if (!at)
        return onlyDType(call, at.error());
    if (tensor->shape->empty())
        return wrong("a slice of a tensor without dimensions");
    const Dim start = borderOr(call.any({"start", "start_index"}), 0);
    const Dim end = borderOr(call.any({"end", "limit_index"}), toTheEnd);
    const auto step = call.integer(call.has("stride") ? "stride" : "step");
    if (!step)
        return withUnknownSize(*tensor, *at);
    if (*step <= 0)
        return wrong("a step of " + std::to_string(*step));
    return {kept(*tensor, *at, slice((*tensor->shape)[*at], start, end, *step), *step)};
}

Answer sliceAten(const Call &call)
{
    const Fact &whole = call[0u];
    if (whole.as<SequenceFact>()) {
        const auto step = call.integer("step");
        const bool isBackwards = step && *step < 0;
        return {sliced(whole, borderOr(call["start"], isBackwards ? toTheEnd : 0),
                       borderOr(call["end"], isBackwards ? -toTheEnd : toTheEnd), step)};
    }
    const auto *text = whole.as<TextFact>();
    if (!text)
        return sliceTensor(call);
    const auto border = [&](std::string_view name) { return call.has(name) ? call.integer(name) : std::nullopt; };
    const bool isKnown = (!call.has("start") || border("start")) && (!call.has("end") || border("end"));
    const auto slice = isKnown ? sliceText(text->text, border("start"), border("end"), call.integer("step").value_or(0))
                               : std::nullopt;
    return {slice ? Fact(TextFact{*slice}) : Fact()};
}

/// Slices several axes: prims::slice has borders for all dimensions, ONNX for some axes; ends may be out of range.
Answer sliceAxes(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const std::size_t rank = tensor->shape->size();
    const auto slices = slicedAxes(call, rank);
    if (!slices && slices.error().kind == Doubt::Kind::Unknown)
        return {tensorFact(tensor->dtype, Shape(rank, ir::UnknownDim{}))};
    if (!slices)
        return onlyDType(call, slices.error());
    Cut cut(*tensor);
    for (const auto &[axis, start, end, step] : *slices) {
        const bool isKnown = ops::isKnown(start) && ops::isKnown(end) && step;
        cut.keep(axis,
                 isKnown ? slice((*tensor->shape)[axis], start, end, *step) : Part{ir::UnknownDim{}, ir::UnknownDim{}},
                 step.value_or(1));
    }
    return {cut.result()};
}

Answer narrow(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const auto at = axis(call["dim"], tensor->shape->size());
    if (!at)
        return onlyDType(call, at.error());
    if (tensor->shape->empty())
        return onlyDType(call);
    const Dim &size = (*tensor->shape)[*at];
    const Dim start = position(borderOr(call["start"], 0), size), length = borderOr(call["length"], 0);
    const auto last = number(minus(size, length));
    if ((number(length) && *number(length) < 0) || (number(start) && last && *number(start) > *last))
        return wrong("a part of " + ir::print(length) + " in a dimension of " + ir::print(size));
    return {kept(*tensor, *at, {start, length})};
}

Answer select(const Call &call)
{
    if (call[0u].as<SequenceFact>())
        return {itemOf(call[0u], call.size(1u))};
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return onlyDType(call);
    const auto at = axis(call["dim"], tensor->shape->size());
    if (!at)
        return onlyDType(call, at.error());
    if (tensor->shape->empty())
        return wrong("a selection from a tensor without dimensions");
    const Dim &size = (*tensor->shape)[*at];
    const Dim index = position(borderOr(call["index"], 0), size);
    if (number(index) && number(size) && (*number(index) < 0 || *number(index) >= *number(size)))
        return wrong("index " + ir::print(index) + " in a dimension of " + ir::print(size));
    Cut cut(*tensor);
    cut.keep(*at, {index, std::int64_t{1}});
    cut.drop(*at);
    return {cut.result()};
}

// Operators that split a dimension into parts.

std::vector<Fact> piecesOf(const TensorFact &tensor, std::size_t at, std::span<const Dim> lengths)
{
    std::vector<Fact> parts;
    Dim start = std::int64_t{0};
    for (const Dim &length : lengths) {
        parts.emplace_back(kept(tensor, at, {start, length}));
        start = plus(start, length);
    }
    return parts;
}

/// Returns parts of unknown size along the dimension: one per result of the node, or a list of unknown length.
Answer unknownParts(const Call &call, const TensorFact &tensor, std::size_t at)
{
    const TensorFact part = kept(tensor, at, {ir::UnknownDim{}, ir::UnknownDim{}});
    if (call.resultCount() > 1)
        return results(call.resultCount(), part);
    return {manyOf(part)};
}

// The largest number of parts that are followed: a file can ask for any number.
constexpr std::int64_t maxPieces = 4096;

/// Returns the lengths of parts of `step` elements, and of a last one with the rest. If the size is a formula, the
/// number of parts is usually the number that the file recorded.
std::optional<std::vector<Dim>> equalLengths(const Dim &size, const Dim &step, std::optional<std::int64_t> count)
{
    const auto all = number(size), each = number(step);
    if (all && each)
        count = *each > 0 ? number(ceilDivide(size, step)) : 1;
    else if (!count)
        count = number(ceilDivide(size, step)); // known to be one part, if the range of the size is below the step
    if (!count || *count > maxPieces)
        return std::nullopt;
    const std::int64_t n = std::max(*count, std::int64_t{1});
    std::vector<Dim> lengths(static_cast<std::size_t>(n), step);
    lengths.back() = all == 0 ? Dim(std::int64_t{0}) : minus(size, times(step, n - 1));
    return lengths;
}

std::optional<std::int64_t> manyResults(const Call &call)
{
    return call.resultCount() > 1 ? std::optional(static_cast<std::int64_t>(call.resultCount())) : std::nullopt;
}

/// The tensor and dimension that an operator splits.
struct Whole {
    const TensorFact *tensor;
    std::size_t at;
    const Dim &size() const { return (*tensor->shape)[at]; }
};

OrDoubt<Whole> whole(const Call &call, const Fact &dim)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return unknown("input rank unknown");
    CUTAWAY_TRY(const std::size_t at, axis(dim, tensor->shape->size()));
    if (tensor->shape->empty())
        return wrong("a tensor without dimensions is split");
    return Whole{tensor, at};
}

/// Returns tensors, as a list or as the node's results, of which only the first argument's dtype is known.
Answer unknownList(const Call &call, Doubt why)
{
    const TensorFact part = tensorFact(call.dtypeOf(0u));
    if (call.resultCount() > 1)
        return {results(call.resultCount(), part), std::move(why)};
    return {Facts{manyOf(part)}, std::move(why)};
}

Answer splitInto(const Call &call, const Whole &from, const std::optional<std::vector<Dim>> &lengths)
{
    return lengths ? listed(call, piecesOf(*from.tensor, from.at, *lengths))
                   : unknownParts(call, *from.tensor, from.at);
}

Answer splitBySizes(const Call &call, const Whole &from, const Fact &given)
{
    const auto sizes = asInts(given);
    const auto *list = given.as<SequenceFact>();
    if (!sizes && list && list->items() && static_cast<std::int64_t>(list->each().size()) <= maxPieces)
        return splitInto(call, from, std::vector<Dim>(list->each().size(), ir::UnknownDim{}));
    if (!sizes)
        return unknownParts(call, *from.tensor, from.at);
    const Dim sum = [&] {
        Dim all = std::int64_t{0};
        for (const Dim &size : *sizes)
            all = plus(all, size);
        return all;
    }();
    if (number(sum) && number(from.size()) && sum != from.size())
        return wrong("the parts have " + ir::print(sum) + " together and the dimension " + ir::print(from.size()));
    return splitInto(call, from, sizes);
}

Answer split(const Call &call)
{
    const auto *text = call[0u].as<TextFact>(), *separator = call["separator"].as<TextFact>();
    const auto most = call.integer("max");
    if (text && most && (separator || !call.has("separator")))
        return {splitText(text->text, separator ? std::optional(separator->text) : std::nullopt, *most)};
    if (text || call.overload() == "str")
        return {manyOf(Fact())};
    const auto from = whole(call, call["dim"]);
    const Fact &given = call.any({"split_size", "split_sizes"});
    const auto *sizes = given.as<SequenceFact>();
    if (!from && sizes && sizes->items() && call.resultCount() == 1)
        return {Facts{listFact(std::vector<Fact>(sizes->each().size(), tensorFact(call.dtypeOf(0u))))}, from.error()};
    if (!from)
        return unknownList(call, from.error());
    if (sizes)
        return splitBySizes(call, *from, given);
    const Dim step = borderOr(given, 1);
    if (number(step) && *number(step) < 0)
        return wrong("split into parts of " + ir::print(step));
    return splitInto(call, *from, isKnown(step) ? equalLengths(from->size(), step, manyResults(call)) : std::nullopt);
}

/// Returns the number of chunks of a size that is a formula. For two chunks it is two; of more, the last ones may be
/// missing: four chunks of six elements become three.
std::optional<std::int64_t> chunkCount(const Call &call, const Dim &size, const Dim &step, std::int64_t asked)
{
    if (const auto unpacked = manyResults(call))
        return unpacked;
    return asked <= 2 || isSame(times(step, asked), size) ? std::optional(asked) : std::nullopt;
}

Answer chunk(const Call &call)
{
    const auto from = whole(call, call["dim"]);
    const auto chunks = call.integer("chunks");
    if (!from)
        return unknownList(call, from.error());
    if (!chunks)
        return unknownParts(call, *from->tensor, from->at);
    if (*chunks <= 0)
        return wrong("split into " + std::to_string(*chunks) + " chunks");
    if (number(from->size()) == 0) // the requested number of empty pieces
        return splitInto(call, *from,
                         *chunks <= maxPieces
                             ? std::optional(std::vector<Dim>(static_cast<std::size_t>(*chunks), std::int64_t{0}))
                             : std::nullopt);
    const Dim step = quotientRoundedUp(from->size(), *chunks);
    return splitInto(call, *from, equalLengths(from->size(), step, chunkCount(call, from->size(), step, *chunks)));
}

/// Splits into `sections` parts whose lengths differ by one at most, the longer ones first.
Answer splitEvenly(const Call &call, const Whole &from, std::int64_t sections)
{
    if (sections <= 0 || sections > maxPieces)
        return wrong("split into " + std::to_string(sections) + " sections");
    std::vector<Dim> lengths;
    for (std::int64_t i = 0; i < sections; ++i)
        lengths.push_back(floorDivide(plus(from.size(), sections - 1 - i), sections));
    return splitInto(call, from, lengths);
}

Answer splitAt(const Call &call, const Whole &from, const std::vector<Dim> &borders)
{
    std::vector<Fact> parts;
    Dim start = std::int64_t{0};
    for (std::size_t i = 0; i <= borders.size(); ++i) {
        const Dim end = i < borders.size() ? borders[i] : Dim(toTheEnd);
        parts.emplace_back(kept(*from.tensor, from.at, slice(from.size(), start, end, 1)));
        start = end;
    }
    return listed(call, std::move(parts));
}

Answer splitSections(const Call &call, const Fact &dim)
{
    const auto from = whole(call, dim);
    if (!from)
        return unknownList(call, from.error());
    const Fact &given = call.any({"sections", "indices", "tensor_indices_or_sections"});
    const TensorFact *tensor = asTensor(given);
    const auto *sections = given.as<NumberFact>();
    if (const auto n = asInt(given);
        n && number(*n) && (sections || (tensor && tensor->shape && tensor->shape->empty())))
        return splitEvenly(call, *from, *number(*n));
    const auto borders = sections ? std::nullopt : asInts(given);
    return borders ? splitAt(call, *from, *borders) : unknownParts(call, *from->tensor, from->at);
}

Answer tensorSplit(const Call &call) { return splitSections(call, call["dim"]); }

Answer splitAlong(const Call &call, std::size_t dim)
{
    const TensorFact *tensor = ranked(call);
    const bool isVector = tensor && tensor->shape->size() == 1;
    return splitSections(call, intFact(static_cast<std::int64_t>(dim == 1 && isVector ? 0 : dim)));
}

Answer hsplit(const Call &call) { return splitAlong(call, 1); }
Answer vsplit(const Call &call) { return splitAlong(call, 0); }
Answer dsplit(const Call &call) { return splitAlong(call, 2); }

Answer unbind(const Call &call)
{
    const auto from = whole(call, call["dim"]);
    if (!from)
        return unknownList(call, from.error());
    const auto count = number(from->size()) ? number(from->size()) : manyResults(call);
    Cut one(*from->tensor);
    one.keep(from->at, {ir::UnknownDim{}, std::int64_t{1}});
    one.drop(from->at);
    if (!count || *count > maxPieces)
        return {manyOf(one.result(), from->size())};
    std::vector<Fact> parts;
    for (std::int64_t i = 0; i < *count; ++i) {
        Cut cut(*from->tensor);
        cut.keep(from->at, {i, std::int64_t{1}});
        cut.drop(from->at);
        parts.emplace_back(cut.result());
    }
    return listed(call, std::move(parts));
}

/// ONNX: sizes are an attribute or, since opset 13, an input; without them there is one equal part per result.
Answer splitOnnx(const Call &call)
{
    const auto from = whole(call, call.has("axis") ? call["axis"] : Fact(intFact(std::int64_t{0})));
    if (!from)
        return {results(call.resultCount(), tensorFact(call.dtypeOf(0u))), from.error()};
    const Fact &given = call.has("split") ? call["split"] : call[1u];
    const auto count = static_cast<std::int64_t>(call.resultCount());
    std::optional<std::vector<Dim>> lengths = asInts(given);
    if (given.as<NoneFact>())
        lengths = equalLengths(from->size(), quotientRoundedUp(from->size(), count), count);
    if (!lengths || std::ssize(*lengths) != count)
        return results(call.resultCount(), kept(*from->tensor, from->at, {ir::UnknownDim{}, ir::UnknownDim{}}));
    return results(piecesOf(*from->tensor, from->at, *lengths));
}

/// ONNX: splits into a sequence. Without sizes each part is one slice, which keeps the dimension unless the attribute
/// keepdims is 0.
Answer splitToSequence(const Call &call)
{
    const auto from = whole(call, call.has("axis") ? call["axis"] : Fact(intFact(std::int64_t{0})));
    if (!from)
        return unknownList(call, from.error());
    const TensorFact *sizes = call.tensor(1u);
    if (call.has(1u)) {
        const bool isScalar = sizes && sizes->shape && sizes->shape->empty();
        if (!isScalar)
            return splitBySizes(call, *from, call[1u]);
        const auto step = call.size(1u);
        return splitInto(call, *from, step ? equalLengths(from->size(), *step, std::nullopt) : std::nullopt);
    }
    const auto count = number(from->size());
    const bool keeps = call.integer("keepdims").value_or(1) != 0;
    const auto partAt = [&](const Dim &start) {
        Cut cut(*from->tensor);
        cut.keep(from->at, {start, std::int64_t{1}});
        if (!keeps)
            cut.drop(from->at);
        return cut.result();
    };
    if (!count || *count > maxPieces)
        return {manyOf(partAt(ir::UnknownDim{}), from->size())};
    std::vector<Fact> parts;
    for (std::int64_t i = 0; i < *count; ++i)
        parts.emplace_back(partAt(i));
    return {listFact(std::move(parts))};
}

// Operators that write into a part and return the whole tensor.

Answer whole(const Call &call)
{
    const TensorFact *tensor = call.tensor(0u);
    return {tensor ? tensorFact(tensor->dtype, tensor->shape) : tensorFact({})};
}

/// Returns the gradient of a tensor from that of a part: zeros outside of the part.
Answer gradientOfPart(const Call &call) { return created(call.sizes("input_sizes"), call.dtypeOf(0u)); }

constexpr Operator slicingRows[] = {
    Operator("aten::slice", Category::Indexing, Pattern::Picking, sliceAten, nullptr,
             {.compute = compute::slice, .place = placeOfPart, .onQuantized = OnQuantized::KeepsSteps}),
    Operator("prims::slice_in_dim", Category::Indexing, Pattern::Picking, sliceTensor),
    Operator("prims::slice onnx::Slice", Category::Indexing, Pattern::Picking, sliceAxes, nullptr,
             {.compute = compute::slice, .demand = demand::sliceAxes}),
    Operator("aten::narrow", Category::Indexing, Pattern::Picking, narrow, nullptr,
             {.compute = compute::narrow, .place = placeOfPart, .onQuantized = OnQuantized::KeepsSteps}),
    Operator("aten::select", Category::Indexing, Pattern::Picking, select, nullptr,
             {.compute = compute::select, .place = placeOfItem, .onQuantized = OnQuantized::KeepsSteps}),
    Operator("aten::split aten::split_with_sizes", Category::ShapeView, Pattern::Moving, split, nullptr,
             {.compute = compute::split, .place = placeOfPart, .onQuantized = OnQuantized::KeepsSteps}),
    Operator("aten::unsafe_split aten::unsafe_split_with_sizes", Category::ShapeView, Pattern::Moving, split, nullptr,
             {.place = placeOfPart}),
    Operator("aten::chunk", Category::ShapeView, Pattern::Moving, chunk, nullptr,
             {.compute = compute::chunk, .place = placeOfPart, .onQuantized = OnQuantized::KeepsSteps}),
    Operator("aten::unsafe_chunk prim::ConstantChunk", Category::ShapeView, Pattern::Moving, chunk, nullptr,
             {.place = placeOfPart}),
    Operator("aten::tensor_split", Category::ShapeView, Pattern::Moving, tensorSplit, nullptr,
             {.compute = compute::evenParts, .place = placeOfPart}),
    Operator("aten::hsplit", Category::ShapeView, Pattern::Moving, hsplit, nullptr, {.place = placeOfPart}),
    Operator("aten::vsplit", Category::ShapeView, Pattern::Moving, vsplit, nullptr, {.place = placeOfPart}),
    Operator("aten::dsplit", Category::ShapeView, Pattern::Moving, dsplit, nullptr, {.place = placeOfPart}),
    Operator("aten::unbind", Category::ShapeView, Pattern::Moving, unbind, nullptr,
             {.compute = compute::unbind, .place = placeOfItem, .onQuantized = OnQuantized::KeepsSteps}),
    Operator("onnx::Split", Category::ShapeView, Pattern::Moving, splitOnnx, nullptr,
             {.compute = compute::split, .demand = demand::parts}),
    Operator("onnx::SplitToSequence", Category::ShapeView, Pattern::Moving, splitToSequence, nullptr,
             {.compute = compute::splitToSequence}),
    Operator("aten::select_scatter aten::slice_scatter aten::diagonal_scatter aten::as_strided_scatter "
             "prims::as_strided_scatter",
             Category::Indexing, Pattern::Picking, whole),
    Operator("aten::slice_backward aten::select_backward aten::diagonal_backward", Category::Indexing, Pattern::Picking,
             gradientOfPart),
};

} // namespace

std::span<const Operator> slicingOperators() { return slicingRows; }

} // namespace cutaway::ops
