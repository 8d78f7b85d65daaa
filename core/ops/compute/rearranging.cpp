// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/memory.h"
#include "core/ops/compute/places.h"
#include "core/ops/compute/tensor_rules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace cutaway::compute {

namespace {

/// A tensor of this shape whose element at an index is the one at place(index).
template <class Place>
Array placed(const Array &x, const Sizes &shape, const Place &place)
{
    Places places;
    Sizes index(shape.size(), 0);
    for (std::int64_t left = countOf(shape); left > 0; --left) {
        places.push_back(place(index));
        for (std::size_t d = shape.size(); d-- > 0;) {
            if (++index[d] < shape[d])
                break;
            index[d] = 0;
        }
    }
    return pickedAt(x, shape, places);
}

std::int64_t placeAt(const Sizes &index, const Sizes &strides)
{
    return std::inner_product(index.begin(), index.end(), strides.begin(), std::int64_t{0});
}

std::int64_t modulo(std::int64_t a, std::int64_t b) { return ((a % b) + b) % b; }

} // namespace

Answer roll(const Call &call)
{
    const Array *x = call.array(0);
    const auto shifts = call.integers("shifts");
    auto axes = x ? call.axes("dims", x->shape.size()) : std::nullopt;
    if (!axes || !shifts || x->count() == 0)
        return std::nullopt;
    const bool isFlat = axes->empty();
    const Array own = isFlat ? reshaped(*x, {static_cast<std::int64_t>(x->count())}) : *x;
    if (isFlat)
        axes->push_back(0);
    if (axes->size() != shifts->size())
        return std::nullopt;
    const Sizes strides = stridesOf(own.shape);
    Array result = placed(own, own.shape, [&](Sizes index) {
        for (std::size_t i = 0; i < axes->size(); ++i)
            index[(*axes)[i]] = modulo(index[(*axes)[i]] - (*shifts)[i], own.shape[(*axes)[i]]);
        return placeAt(index, strides);
    });
    return answer(reshaped(std::move(result), x->shape));
}

Answer triangleOf(const Call &call)
{
    const Array *x = call.array(0);
    const auto isUpper = call.integer("", "upper", 1);
    const Array *k = call.array(1);
    if (!x || x->shape.size() < 2 || !isUpper || (call.facts().has(1) && (!k || k->count() != 1 || !k->isWhole())))
        return std::nullopt;
    const std::int64_t diagonal = k ? k->as<Whole>().front() : 0;
    const std::int64_t columns = x->shape.back(), rows = x->shape[x->shape.size() - 2];
    Array result = *x;
    std::visit(
        [&](auto &list) {
            for (std::int64_t i = 0; i < std::ssize(list); ++i) {
                const std::int64_t above = i % columns - i / columns % rows - diagonal;
                if (*isUpper != 0 ? above < 0 : above > 0)
                    list[static_cast<std::size_t>(i)] = 0;
            }
        },
        result.elements);
    return answer(std::move(result));
}

/// A diagonal of two dimensions, as the last dimension.
Answer diagonal(const Call &call)
{
    const Array *x = call.array(0);
    const auto a = x ? call.axis("dim1", "", 0, x->shape.size()) : std::nullopt;
    const auto b = x ? call.axis("dim2", "", 1, x->shape.size()) : std::nullopt;
    const auto offset = call.integer("offset", "", 0);
    const auto shape = call.shape();
    if (!a || !b || *a == *b || !offset || !shape)
        return std::nullopt;
    const Sizes all = stridesOf(x->shape);
    Sizes steps;
    for (std::size_t d = 0; d < x->shape.size(); ++d)
        if (d != *a && d != *b)
            steps.push_back(all[d]);
    steps.push_back(all[*a] + all[*b]);
    const std::int64_t start = *offset >= 0 ? *offset * all[*b] : -*offset * all[*a];
    return steps.size() == shape->size() ? answer(strided(*x, *shape, steps, start)) : std::nullopt;
}

namespace {

bool liesAlone(const Array &x) { return x.lies && !x.lies->places && !x.lies->strides; }

} // namespace

/// Computed for a tensor that is known to lie row by row in memory of its own.
Answer asStrided(const Call &call)
{
    const Array *x = call.array(0);
    const auto size = call.integers("size"), stride = call.integers("stride");
    const auto offset = call.integer("storage_offset", "", 0);
    if (!x || !liesAlone(*x) || !size || !stride || size->size() != stride->size() || !offset)
        return std::nullopt;
    std::int64_t last = *offset;
    for (std::size_t d = 0; d < size->size(); ++d) {
        if ((*size)[d] < 1 || (*stride)[d] < 0 || (*stride)[d] > static_cast<std::int64_t>(x->count()))
            return std::nullopt;
        last += ((*size)[d] - 1) * (*stride)[d];
    }
    return *offset >= 0 && last < static_cast<std::int64_t>(x->count()) ? answer(strided(*x, *size, *stride, *offset))
                                                                        : std::nullopt;
}

/// Overlapping windows along a dimension, whose elements are the last dimension.
Answer unfold(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto axis = x && !x->shape.empty() ? call.axis("dimension", "", 0, x->shape.size()) : std::nullopt;
    const auto step = call.facts().integer("step");
    if (call.isOnnx() || !axis || !shape || !step || *step < 1 || shape->size() != x->shape.size() + 1)
        return std::nullopt;
    Sizes steps = stridesOf(x->shape);
    steps.push_back(steps[*axis]);
    steps[*axis] *= *step;
    return answer(strided(*x, *shape, steps));
}

// ---- images and their windows as columns

namespace {

/// The windows of an image, whose elements become columns.
struct Columns {
    Sizes image, kernel, dilation, before, stride, windows;

    std::size_t rank() const { return image.size(); }
};

Sizes filledUp(const std::optional<Sizes> &given, std::size_t rank, std::int64_t value)
{
    const bool isOne = given && given->size() == 1;
    return given && given->size() > 1 ? *given : Sizes(rank, isOne ? given->front() : value);
}

/// The windows of an image of these sizes.
std::optional<Columns> columnsOf(const Call &call, Sizes image, const std::optional<Sizes> &kernel)
{
    const std::size_t rank = image.size();
    if (!kernel || rank == 0)
        return std::nullopt;
    const bool isOnnx = call.isOnnx();
    Columns c{std::move(image),
              filledUp(kernel, rank, 1),
              filledUp(call.integers(isOnnx ? "dilations" : "dilation"), rank, 1),
              {},
              filledUp(call.integers(isOnnx ? "strides" : "stride"), rank, 1),
              {}};
    for (const Sizes &sizes : {c.kernel, c.dilation, c.stride})
        if (sizes.size() != rank || std::ranges::any_of(sizes, [](std::int64_t size) { return size < 1; }))
            return std::nullopt;
    const auto pads = call.integers(isOnnx ? "pads" : "padding");
    Sizes both = filledUp(pads, isOnnx ? 2 * rank : rank, 0);
    if (!isOnnx)
        both.insert(both.end(), both.begin(), both.end());
    if (both.size() != 2 * rank)
        return std::nullopt;
    c.before.assign(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(rank));
    for (std::size_t d = 0; d < rank; ++d) {
        const std::int64_t free = c.image[d] + both[d] + both[rank + d] - c.dilation[d] * (c.kernel[d] - 1) - 1;
        if (free < 0)
            return std::nullopt;
        c.windows.push_back(free / c.stride[d] + 1);
    }
    return c;
}

/// Calls visit(place in the columns of a channel, place in the image of a channel) for each element inside.
template <class Visit>
void forEachOfColumns(const Columns &c, const Visit &visit)
{
    Sizes all = c.kernel;
    all.insert(all.end(), c.windows.begin(), c.windows.end());
    const Sizes strides = stridesOf(c.image), unit = stridesOf(all);
    for (std::int64_t i = 0; i < countOf(all); ++i) {
        std::int64_t place = 0;
        bool isInside = true;
        for (std::size_t d = 0; d < c.rank(); ++d) {
            const std::int64_t k = i / unit[d] % all[d], w = i / unit[c.rank() + d] % c.windows[d];
            const std::int64_t at = w * c.stride[d] - c.before[d] + k * c.dilation[d];
            isInside = isInside && at >= 0 && at < c.image[d];
            place += at * strides[d];
        }
        if (isInside)
            visit(static_cast<std::size_t>(i), static_cast<std::size_t>(place));
    }
}

} // namespace

Answer columnsOfImage(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    if (!x || !shape || x->shape.size() < 3)
        return std::nullopt;
    const auto columns = columnsOf(call, {x->shape.end() - 2, x->shape.end()}, call.integers("kernel_size"));
    if (!columns)
        return std::nullopt;
    const std::vector<double> floats = floatsOf(*x);
    const auto image = static_cast<std::size_t>(countOf(columns->image));
    const auto column = static_cast<std::size_t>(countOf(columns->kernel) * countOf(columns->windows));
    std::vector<double> result(floats.size() / image * column);
    forEachOfColumns(*columns, [&](std::size_t to, std::size_t from) {
        for (std::size_t channel = 0; channel < floats.size() / image; ++channel)
            result[channel * column + to] = floats[channel * image + from];
    });
    return std::ssize(result) == countOf(*shape) ? answer(Array{ir::DType::Float64, *shape, std::move(result)})
                                                 : std::nullopt;
}

/// The sum of what the columns say of each element.
Answer imageOfColumns(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto kernel = call.isOnnx() ? call.integers(2U) : call.integers("kernel_size");
    const auto sizes = call.isOnnx() ? call.integers(1U) : call.integers("output_size");
    const auto columns = x && shape && sizes ? columnsOf(call, *sizes, kernel) : std::nullopt;
    if (!columns)
        return std::nullopt;
    const std::vector<double> floats = floatsOf(*x);
    const auto image = static_cast<std::size_t>(countOf(columns->image));
    const auto column = static_cast<std::size_t>(countOf(columns->kernel) * countOf(columns->windows));
    std::vector<double> result(floats.size() / column * image);
    if (std::ssize(result) != countOf(*shape) || floats.size() % column != 0)
        return std::nullopt;
    forEachOfColumns(*columns, [&](std::size_t from, std::size_t to) {
        for (std::size_t channel = 0; channel < floats.size() / column; ++channel)
            result[channel * image + to] += floats[channel * column + from];
    });
    return answer(Array{ir::DType::Float64, *shape, std::move(result)});
}

// ---- blocks of pixels

namespace {

/// The dimensions split into these sizes, in another order, and joined to the derived shape.
Answer reordered(const Call &call, const Array &x, Sizes split, std::vector<std::size_t> order)
{
    const auto shape = call.shape();
    if (!shape || countOf(split) != static_cast<std::int64_t>(x.count()) || countOf(*shape) != countOf(split))
        return std::nullopt;
    return answer(reshaped(permuted(reshaped(x, std::move(split)), order), *shape));
}

/// The size of blocks, if the image has as many channels or pixels.
std::optional<std::int64_t> blockOf(const Call &call, std::string_view name, const Array *x)
{
    const auto block = call.facts().integer(name);
    return block && *block > 0 && x && x->shape.size() >= 3 ? block : std::nullopt;
}

/// An image or images, whatever stands before the channels.
struct Pixels {
    std::int64_t outer, channels, height, width;
};

Pixels pixelsOf(const Array &x)
{
    const Sizes outer(x.shape.begin(), x.shape.end() - 3);
    return {countOf(outer), x.shape.end()[-3], x.shape.end()[-2], x.shape.end()[-1]};
}

/// Each channel's elements of a block come from channels that follow each other.
Answer channelsIntoBlocks(const Call &call, const Array &x, std::int64_t b)
{
    const Pixels p = pixelsOf(x);
    return reordered(call, x, {p.outer, p.channels / (b * b), b, b, p.height, p.width}, {0, 1, 4, 2, 5, 3});
}

} // namespace

Answer pixelShuffle(const Call &call)
{
    const Array *x = call.array(0);
    const auto b = blockOf(call, "upscale_factor", x);
    return b ? channelsIntoBlocks(call, *x, *b) : std::nullopt;
}

Answer pixelUnshuffle(const Call &call)
{
    const Array *x = call.array(0);
    const auto b = blockOf(call, "downscale_factor", x);
    if (!b)
        return std::nullopt;
    const Pixels p = pixelsOf(*x);
    return reordered(call, *x, {p.outer, p.channels, p.height / *b, *b, p.width / *b, *b}, {0, 1, 3, 5, 2, 4});
}

Answer depthToSpace(const Call &call)
{
    const Array *x = call.array(0);
    const auto b = blockOf(call, "blocksize", x);
    const std::string_view mode = call.facts().text("mode");
    if (!b || x->shape.size() != 4)
        return std::nullopt;
    if (mode == "CRD")
        return channelsIntoBlocks(call, *x, *b);
    const Pixels p = pixelsOf(*x);
    return reordered(call, *x, {p.outer, *b, *b, p.channels / (*b * *b), p.height, p.width}, {0, 3, 4, 1, 5, 2});
}

Answer spaceToDepth(const Call &call)
{
    const Array *x = call.array(0);
    const auto b = blockOf(call, "blocksize", x);
    if (!b || x->shape.size() != 4)
        return std::nullopt;
    const Pixels p = pixelsOf(*x);
    return reordered(call, *x, {p.outer, p.channels, p.height / *b, *b, p.width / *b, *b}, {0, 3, 5, 1, 2, 4});
}

// ---- others

/// onnx::ReverseSequence: the first elements of each sequence in reverse.
Answer reverseSequence(const Call &call)
{
    const Array *x = call.array(0), *lengths = call.array(1);
    const auto batch = x ? call.axis("", "batch_axis", 1, x->shape.size()) : std::nullopt;
    const auto time = x ? call.axis("", "time_axis", 0, x->shape.size()) : std::nullopt;
    if (!batch || !time || *batch == *time || !lengths || !lengths->isWhole()
        || static_cast<std::int64_t>(lengths->count()) != x->shape[*batch])
        return std::nullopt;
    for (const Whole length : lengths->as<Whole>())
        if (length < 0 || length > x->shape[*time])
            return std::nullopt;
    const Sizes strides = stridesOf(x->shape);
    return answer(placed(*x, x->shape, [&](Sizes index) {
        const Whole length = lengths->as<Whole>()[static_cast<std::size_t>(index[*batch])];
        if (index[*time] < length)
            index[*time] = length - 1 - index[*time];
        return placeAt(index, strides);
    }));
}

/// aten::movedim
Answer movedAxes(const Call &call)
{
    const Array *x = call.array(0);
    const std::size_t rank = x ? x->shape.size() : 0;
    const auto from = x ? call.axes("source", rank) : std::nullopt,
               to = x ? call.axes("destination", rank) : std::nullopt;
    if (!from || !to || from->size() != to->size())
        return std::nullopt;
    std::vector<std::optional<std::size_t>> order(rank);
    for (std::size_t i = 0; i < from->size(); ++i)
        order[(*to)[i]] = (*from)[i];
    std::vector<std::size_t> rest;
    for (std::size_t d = 0; d < rank; ++d)
        if (!std::ranges::contains(*from, d))
            rest.push_back(d);
    std::vector<std::size_t> complete;
    std::size_t next = 0;
    for (const auto &axis : order)
        complete.push_back(axis ? *axis : rest[next++]);
    return answer(permuted(*x, complete));
}

/// onnx::CenterCropPad
Answer centerCropPad(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    if (!x || !shape || shape->size() != x->shape.size())
        return std::nullopt;
    const Sizes strides = stridesOf(x->shape);
    Array source = *x; // with a zero after the last element, for what is padded
    std::visit([](auto &list) { list.push_back(0); }, source.elements);
    const auto zero = static_cast<std::int64_t>(x->count());
    return answer(placed(source, *shape, [&](const Sizes &index) {
        std::int64_t place = 0;
        for (std::size_t d = 0; d < shape->size(); ++d) {
            const std::int64_t own = x->shape[d], wanted = (*shape)[d];
            const std::int64_t at = wanted <= own ? index[d] + (own - wanted) / 2 : index[d] - (wanted - own) / 2;
            if (at < 0 || at >= own)
                return zero;
            place += at * strides[d];
        }
        return place;
    }));
}

/// aten::rot90
Answer rotated(const Call &call)
{
    const Array *x = call.array(0);
    const auto k = call.integer("k", "", 1);
    const auto axes = x ? call.axes("dims", x->shape.size()) : std::nullopt;
    if (!axes || axes->size() != 2 || (*axes)[0] == (*axes)[1] || !k)
        return std::nullopt;
    const std::size_t a = (*axes)[0], b = (*axes)[1];
    const std::int64_t quarters = modulo(*k, 4);
    Sizes shape = x->shape;
    if (quarters % 2 == 1)
        std::swap(shape[a], shape[b]);
    const Sizes strides = stridesOf(x->shape);
    return answer(placed(*x, shape, [&](Sizes index) {
        const std::int64_t i = index[a], j = index[b];
        if (quarters == 1) {
            index[a] = j;
            index[b] = shape[a] - 1 - i;
        } else if (quarters == 2) {
            index[a] = shape[a] - 1 - i;
            index[b] = shape[b] - 1 - j;
        } else if (quarters == 3) {
            index[a] = shape[b] - 1 - j;
            index[b] = i;
        }
        return placeAt(index, strides);
    }));
}

/// onnx::EyeLike, aten::eye
Answer identityMatrix(const Call &call)
{
    const auto shape = call.shape();
    const auto k = call.integer("", "k", 0);
    if (!shape || shape->size() != 2 || !k)
        return std::nullopt;
    const std::int64_t diagonal = call.isOnnx() ? *k : 0;
    std::vector<Whole> elements(static_cast<std::size_t>(countOf(*shape)), 0);
    for (std::int64_t row = 0; row < (*shape)[0]; ++row)
        if (const std::int64_t column = row + diagonal; column >= 0 && column < (*shape)[1])
            elements[static_cast<std::size_t>(row * (*shape)[1] + column)] = 1;
    return answer(Array{ir::DType::Int64, *shape, std::move(elements)});
}

Answer meshgrid(const Call &call)
{
    const auto tensors = call.arrays(0);
    const bool isXy = call.facts().text("indexing") == "xy";
    if (!tensors || tensors->empty() || call.isOnnx())
        return std::nullopt;
    Sizes shape;
    for (const Array *tensor : *tensors) {
        if (tensor->shape.size() > 1)
            return std::nullopt;
        shape.push_back(static_cast<std::int64_t>(tensor->count()));
    }
    if (isXy && shape.size() > 1)
        std::swap(shape[0], shape[1]);
    Values grids;
    for (std::size_t i = 0; i < tensors->size(); ++i) {
        Sizes steps(shape.size(), 0);
        steps[isXy && i < 2 && shape.size() > 1 ? 1 - i : i] = 1;
        grids.emplace_back(strided(*(*tensors)[i], shape, steps));
    }
    return call.resultCount() > 1 ? Answer(std::move(grids)) : Answer(Values{Value(std::move(grids))});
}

// ---- sequences of tensors

namespace {

/// The lengths of the parts that onnx::SplitToSequence makes of a dimension: those of a list, or equal ones of which
/// the last may be shorter. Nothing if they are not together the dimension.
std::optional<Sizes> partLengths(const Array *split, std::int64_t whole)
{
    Sizes lengths;
    if (split && !split->shape.empty()) {
        lengths.assign(split->as<Whole>().begin(), split->as<Whole>().end());
    } else {
        const std::int64_t step = split ? split->as<Whole>().front() : 1;
        for (std::int64_t done = 0; step > 0 && done < whole; done += std::min(step, whole - done))
            lengths.push_back(std::min(step, whole - done));
    }
    std::int64_t left = whole;
    for (const std::int64_t length : lengths) {
        if (length < 0 || length > left)
            return std::nullopt;
        left -= length;
    }
    return left == 0 ? std::optional(std::move(lengths)) : std::nullopt;
}

} // namespace

/// onnx::SplitToSequence: without sizes each slice, with one size parts of it.
Answer splitToSequence(const Call &call)
{
    const Array *x = call.array(0), *split = call.array(1);
    const auto axis = x ? call.axis("", "axis", 0, x->shape.size()) : std::nullopt;
    const auto keeps = call.flag("", "keepdims", true);
    if (!areKnown(axis, keeps) || call.isUnknown(1) || (split && !split->isWhole()))
        return std::nullopt;
    const auto lengths = partLengths(split, x->shape[*axis]);
    if (!lengths)
        return std::nullopt;
    Values parts;
    std::int64_t start = 0;
    const Sizes strides = stridesOf(x->shape);
    for (const std::int64_t length : *lengths) {
        Sizes shape = x->shape;
        shape[*axis] = length;
        Array part = strided(*x, shape, strides, length == 0 ? 0 : start * strides[*axis]);
        if (!split && !*keeps)
            part.shape.erase(part.shape.begin() + static_cast<std::ptrdiff_t>(*axis));
        parts.emplace_back(std::move(part));
        start += length;
    }
    return Values{Value(std::move(parts))};
}

/// onnx::ConcatFromSequence
Answer concatFromSequence(const Call &call)
{
    const Value *list = call.value(0);
    const auto *items = list ? list->as<Values>() : nullptr;
    const auto isNew = call.integer("", "new_axis", 0);
    std::vector<Array> parts;
    for (const Value &item : items ? *items : Values())
        if (const auto *array = item.as<Array>())
            parts.push_back(*array);
    if (!items || parts.empty() || parts.size() != items->size() || !isNew)
        return std::nullopt;
    const auto axis = call.axis("", "axis", 0, parts.front().shape.size() + static_cast<std::size_t>(*isNew != 0));
    if (!axis)
        return std::nullopt;
    std::vector<const Array *> pointers;
    for (Array &part : parts) {
        if (*isNew != 0)
            part.shape.insert(part.shape.begin() + static_cast<std::ptrdiff_t>(std::min(*axis, part.shape.size())), 1);
        pointers.push_back(&part);
    }
    return answer(joinedAlong(pointers, *axis, parts.front().dtype));
}

// ---- einsum

namespace {

/// One operand's subscripts: its dimensions as labels; those of an ellipsis are negative, the last one -1.
using Labels = std::vector<int>;

std::optional<Labels> labelsOf(std::string_view text, std::size_t rank)
{
    const auto letters = static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c != '.'; }));
    const bool hasEllipsis = text.contains("...");
    if (letters > rank || (!hasEllipsis && letters != rank))
        return std::nullopt;
    Labels labels;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '.') {
            for (std::size_t k = rank - letters; k > 0; --k)
                labels.push_back(-static_cast<int>(k));
            i += 2;
        } else {
            labels.push_back(text[i]);
        }
    return labels.size() == rank ? std::optional(labels) : std::nullopt;
}

struct Contraction {
    std::vector<Labels> operands;
    Labels result, summed;
    std::map<int, std::int64_t> sizes;
};

/// The result's labels where the equation does not say them: those of an ellipsis, then letters that occur once.
Labels impliedResult(const Contraction &c, std::string_view inputs)
{
    Labels result;
    for (const auto &[label, size] : c.sizes)
        if (label < 0 || std::ranges::count(inputs, static_cast<char>(label)) == 1)
            result.push_back(label); // ellipsis dimensions come first, then letters in their order
    return result;
}

/// The result's labels as the equation says them behind its arrow.
Labels listedResult(const Contraction &c, std::string_view text)
{
    Labels result;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '.') {
            for (const auto &[label, size] : c.sizes)
                if (label < 0)
                    result.push_back(label);
            i += 2;
        } else {
            result.push_back(text[i]);
        }
    return result;
}

/// Notes an operand and the sizes of its labels. False: a label has two sizes, neither of them 1.
bool addOperand(Contraction &c, const Labels &labels, const Sizes &shape)
{
    for (std::size_t d = 0; d < labels.size(); ++d) {
        std::int64_t &size = c.sizes.try_emplace(labels[d], 1).first->second;
        if (size != 1 && shape[d] != 1 && size != shape[d])
            return false;
        size = size == 1 ? shape[d] : size;
    }
    c.operands.push_back(labels);
    return true;
}

std::optional<Contraction> contractionOf(std::string equation, const std::vector<const Array *> &operands)
{
    std::erase(equation, ' ');
    const std::size_t arrow = equation.find("->");
    const std::string inputs = equation.substr(0, arrow);
    Contraction c;
    std::size_t at = 0;
    for (const Array *operand : operands) {
        const std::size_t end = std::min(inputs.find(',', at), inputs.size());
        const auto labels =
            labelsOf(std::string_view(inputs).substr(std::min(at, inputs.size()), end - at), operand->shape.size());
        if (!labels || !addOperand(c, *labels, operand->shape))
            return std::nullopt;
        at = end + 1;
    }
    c.result = arrow == equation.npos ? impliedResult(c, inputs)
                                      : listedResult(c, std::string_view(equation).substr(arrow + 2));
    for (const int label : c.result)
        if (!c.sizes.contains(label))
            return std::nullopt;
    for (const auto &[label, size] : c.sizes)
        if (!std::ranges::contains(c.result, label))
            c.summed.push_back(label);
    return c;
}

Sizes sizesFor(const Contraction &c, const Labels &labels)
{
    Sizes sizes;
    for (const int label : labels)
        sizes.push_back(c.sizes.at(label));
    return sizes;
}

/// How far an operand's elements are apart along these labels.
Sizes stepsFor(const Labels &labels, const Array &operand, const Labels &along)
{
    const Sizes strides = stridesOf(operand.shape);
    Sizes steps;
    for (const int label : along) {
        std::int64_t step = 0;
        for (std::size_t d = 0; d < labels.size(); ++d)
            step += labels[d] == label && operand.shape[d] != 1 ? strides[d] : 0;
        steps.push_back(step);
    }
    return steps;
}

Places placesFor(const Sizes &sizes, const Sizes &steps)
{
    Places places;
    forEachPlace(sizes, steps, 0, [&](std::int64_t place) { places.push_back(place); });
    return places;
}

} // namespace

Answer einsum(const Call &call)
{
    const auto operands = call.arrays(call.isOnnx() ? 0 : 1);
    const std::string_view equation = call.facts().text("equation");
    const auto c = operands && !operands->empty() && !equation.empty() && !call.facts().has("path")
        ? contractionOf(std::string(equation), *operands)
        : std::nullopt;
    if (!c)
        return std::nullopt;
    const Sizes shape = sizesFor(*c, c->result), summed = sizesFor(*c, c->summed);
    if (static_cast<double>(countOf(shape)) * static_cast<double>(countOf(summed)) > 3e8)
        return std::nullopt;
    std::vector<std::vector<double>> floats;
    std::vector<Places> outer, inner;
    for (std::size_t i = 0; i < operands->size(); ++i) {
        floats.push_back(floatsOf(*(*operands)[i]));
        outer.push_back(placesFor(shape, stepsFor(c->operands[i], *(*operands)[i], c->result)));
        inner.push_back(placesFor(summed, stepsFor(c->operands[i], *(*operands)[i], c->summed)));
    }
    std::vector<double> result;
    for (std::size_t r = 0; r < static_cast<std::size_t>(countOf(shape)); ++r) {
        double sum = 0;
        for (std::size_t s = 0; s < static_cast<std::size_t>(countOf(summed)); ++s) {
            double product = 1;
            for (std::size_t i = 0; i < floats.size(); ++i)
                product *= floats[i][static_cast<std::size_t>(outer[i][r] + inner[i][s])];
            sum += product;
        }
        result.push_back(sum);
    }
    const bool isSmall = std::ranges::all_of(result, [](double x) { return std::abs(x) < 0x1p53; });
    const auto dtype = call.dtype();
    return (dtype && ir::isFloat(*dtype)) || isSmall ? answer(Array{ir::DType::Float64, shape, std::move(result)})
                                                     : std::nullopt;
}

} // namespace cutaway::compute
