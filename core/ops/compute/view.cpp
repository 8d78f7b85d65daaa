// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/slice_arguments.h"
#include "core/ops/compute/rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cutaway::compute {

namespace {

using Order = std::vector<std::size_t>;

std::int64_t size(const Array &array, std::size_t axis) { return array.shape[axis]; }

} // namespace

Answer sameElements(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    if (!x || !shape || countOf(*shape) != countOf(x->shape))
        return std::nullopt;
    return answer(reshaped(*x, *shape));
}

/// Returns the argument itself, whether it is a tensor or not.
Answer same(const Call &call)
{
    const Value *value = call.value(0);
    if (value && !value->as<Array>())
        return Values{*value};
    return sameElements(call);
}

namespace {

/// Returns the largest number of a float8 dtype; nothing for other dtypes.
std::optional<double> largestFloat8(ir::DType dtype)
{
    using enum ir::DType;
    if (dtype == Float8E4M3FN)
        return 448;
    if (dtype == Float8E4M3FNUZ)
        return 240;
    return dtype == Float8E5M2 || dtype == Float8E5M2FNUZ ? std::optional(57344.0) : std::nullopt;
}

} // namespace

/// A number that is too large for a float8 dtype becomes the largest of that dtype, unless `saturate` is 0.
Answer onnxCast(const Call &call)
{
    const Array *x = call.array(0);
    const auto dtype = call.dtype();
    const auto saturates = call.integer("", "saturate", 1);
    const auto largest = dtype ? largestFloat8(*dtype) : std::nullopt;
    if (!x || !dtype || !saturates || call.facts().has("round_mode"))
        return std::nullopt;
    if (!largest || *saturates == 0)
        return sameElements(call);
    std::vector<double> floats = floatsOf(*x);
    for (double &a : floats)
        a = std::isnan(a) ? a : std::clamp(a, -*largest, *largest);
    return answer(Array{ir::DType::Float64, x->shape, std::move(floats)});
}

/// aten::view.dtype reinterprets bits, which is not supported.
Answer reshape(const Call &call) { return call.facts().overload() == "dtype" ? std::nullopt : sameElements(call); }

/// Returns the input, since nothing is dropped; a second result is a mask of ones.
Answer dropout(const Call &call)
{
    const Array *x = call.array(0);
    const bool isOldTraining = call.isOnnx() && call.facts().opset() < 7 && call.integer("", "is_test", 0) == 0;
    const auto trains = isOldTraining ? std::optional(true)
        : call.isOnnx()               ? call.facts().flag(2)
                                      : call.facts().flag("train");
    const Array *ratio = call.isOnnx() ? call.array(1) : call.array("p");
    const bool dropsNothing = ratio && ratio->count() == 1 && floatsOf(*ratio).front() == 0;
    const bool isKnown = !call.isOnnx() || !call.facts().has(2) || trains;
    if (!x || !isKnown || (trains.value_or(!call.isOnnx()) && !dropsNothing))
        return std::nullopt;
    Values results{*x};
    if (call.resultCount() > 1)
        results.emplace_back(filled(ir::DType::Bool, x->shape, std::int64_t{1}));
    return results;
}

// ---- dimensions in another order

namespace {

std::optional<Order> listedOrder(const Call &call, std::size_t rank)
{
    Order order(rank);
    std::iota(order.rbegin(), order.rend(), 0);
    const ops::Fact &given = call.facts().any({"dims", "perm", "permutation"});
    if (given.as<ops::NoneFact>())
        return call.isOnnx() ? std::optional(order) : std::nullopt;
    const auto listed = ops::asInts(given);
    return listed && listed->size() == rank ? ops::dimensions(*listed, rank) : std::nullopt;
}

Answer exchanged(const Array &x, std::size_t a, std::size_t b)
{
    Order order(x.shape.size());
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[a], order[b]);
    return answer(permuted(x, order));
}

} // namespace

Answer permute(const Call &call)
{
    const Array *x = call.array(0);
    const auto order = x ? listedOrder(call, x->shape.size()) : std::nullopt;
    return order ? answer(permuted(*x, *order)) : std::nullopt;
}

Answer transpose(const Call &call)
{
    const Array *x = call.array(0);
    const auto first = call.facts().integer(1), second = call.facts().integer(2);
    if (!x || !first || !second)
        return std::nullopt;
    if (x->shape.empty())
        return answer(*x);
    const auto a = ops::dimension(*first, x->shape.size()), b = ops::dimension(*second, x->shape.size());
    return a && b ? exchanged(*x, *a, *b) : std::nullopt;
}

Answer transposeLast(const Call &call)
{
    const Array *x = call.array(0);
    if (!x || x->shape.size() < 2)
        return x ? answer(*x) : std::nullopt;
    return exchanged(*x, x->shape.size() - 2, x->shape.size() - 1);
}

Answer reversedDimensions(const Call &call)
{
    const Array *x = call.array(0);
    if (!x)
        return std::nullopt;
    Order order(x->shape.size());
    std::iota(order.rbegin(), order.rend(), 0);
    return answer(permuted(*x, order));
}

Answer flip(const Call &call)
{
    const Array *x = call.array(0);
    const auto dims = call.facts().sizes("dims");
    const auto axes = x && dims ? ops::dimensions(*dims, x->shape.size()) : std::nullopt;
    if (!axes)
        return std::nullopt;
    Sizes steps = stridesOf(x->shape);
    std::int64_t offset = 0;
    for (const std::size_t axis : *axes) {
        offset += steps[axis] * std::max(size(*x, axis) - 1, std::int64_t{0});
        steps[axis] = -steps[axis];
    }
    return answer(strided(*x, x->shape, steps, offset));
}

// ---- repeated

Answer expand(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    return x && shape ? answer(broadcast(*x, *shape)) : std::nullopt;
}

/// Repeats the tensor along its dimensions, to which new ones are added in front.
Answer repeat(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    if (!x || !shape || shape->size() < x->shape.size())
        return std::nullopt;
    Sizes split, steps;
    const Sizes strides = stridesOf(x->shape);
    const std::size_t added = shape->size() - x->shape.size();
    for (std::size_t d = 0; d < shape->size(); ++d) {
        const std::int64_t own = d < added ? 1 : x->shape[d - added];
        if (own == 0 || (*shape)[d] % own != 0)
            return std::nullopt;
        split.insert(split.end(), {(*shape)[d] / own, own});
        steps.insert(steps.end(), {0, d < added ? 0 : strides[d - added]});
    }
    return answer(reshaped(strided(*x, split, steps), *shape));
}

// ---- parts

namespace {

/// Returns the slices at `count` positions along an axis, from `start` on, `step` apart.
std::optional<Array> part(const Array &x, std::size_t axis, std::int64_t start, std::int64_t count,
                          std::int64_t step = 1)
{
    const std::int64_t last = start + step * (count - 1);
    if (count < 0 || (count > 0 && (start < 0 || start >= x.shape[axis] || last < 0 || last >= x.shape[axis])))
        return std::nullopt;
    Sizes shape = x.shape, steps = stridesOf(x.shape);
    const std::int64_t offset = count > 0 ? start * steps[axis] : 0;
    shape[axis] = count;
    steps[axis] *= step;
    return strided(x, std::move(shape), steps, offset);
}

/// Returns the start of a slice, which counts from the end if it is negative, limited to the dimension.
std::int64_t beginning(std::int64_t start, std::int64_t size, std::int64_t step)
{
    const std::int64_t position = start < 0 ? start + size : start;
    return std::clamp(position, std::int64_t{0}, std::max(step > 0 ? size : size - 1, std::int64_t{0}));
}

Answer atenSlice(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    const auto axis = x ? call.axis("dim", "", 0, x->shape.size()) : std::nullopt;
    const auto start = call.integer("start", "", 0), step = call.integer("step", "", 1);
    if (!axis || !shape || !start || !step || *step < 1 || *start < -(std::int64_t{1} << 62))
        return std::nullopt;
    return answer(part(*x, *axis, beginning(*start, size(*x, *axis), *step), (*shape)[*axis], *step));
}

Answer onnxSlice(const Call &call)
{
    const Array *x = call.array(0);
    const auto shape = call.shape();
    if (!areKnown(x, shape))
        return std::nullopt;
    const auto slices = ops::slicedAxes(call.facts(), x->shape.size());
    std::optional<Array> result = slices ? std::optional(*x) : std::nullopt;
    for (std::size_t i = 0; result && i < slices->size(); ++i) {
        const auto &[axis, from, to, step] = (*slices)[i];
        const auto start = ops::number(from);
        if (!areKnown(start, step) || *step == std::numeric_limits<std::int64_t>::min()
            || *start < -(std::int64_t{1} << 62))
            return std::nullopt;
        result = part(*result, axis, beginning(*start, size(*x, axis), *step), (*shape)[axis], *step);
    }
    return answer(result);
}

std::optional<Array> selected(const Array &x, std::size_t axis, std::int64_t index)
{
    auto one = part(x, axis, index, 1);
    if (one)
        one->shape.erase(one->shape.begin() + static_cast<std::ptrdiff_t>(axis));
    return one;
}

} // namespace

Answer slice(const Call &call)
{
    return call.isOnnx() ? onnxSlice(call) : call.facts().overload() == "t" ? slicedList(call) : atenSlice(call);
}

Answer select(const Call &call)
{
    const Array *x = call.array(0);
    const auto axis = x ? call.axis("dim", "", 0, x->shape.size()) : std::nullopt;
    const auto index = call.facts().integer("index");
    if (!axis || !index)
        return std::nullopt;
    return answer(selected(*x, *axis, *index < 0 ? *index + size(*x, *axis) : *index));
}

Answer narrow(const Call &call)
{
    const Array *x = call.array(0);
    const auto axis = x ? call.axis("dim", "", 0, x->shape.size()) : std::nullopt;
    const auto start = call.facts().integer("start"), length = call.facts().integer("length");
    if (!axis || !start || !length)
        return std::nullopt;
    return answer(part(*x, *axis, *start < 0 ? *start + size(*x, *axis) : *start, *length));
}

namespace {

/// Returns the parts as the results of the node, or as one list.
Answer several(const Call &call, Values parts)
{
    if (parts.size() == call.resultCount() && (call.isOnnx() || call.resultCount() > 1))
        return parts;
    return call.resultCount() == 1 && !call.isOnnx() ? Answer(Values{Value(std::move(parts))}) : std::nullopt;
}

Answer cutAlong(const Call &call, const Array &x, std::size_t axis, const Sizes &sizes)
{
    Values parts;
    std::int64_t start = 0;
    for (const std::int64_t length : sizes) {
        auto next = part(x, axis, start, length);
        if (!next)
            return std::nullopt;
        parts.emplace_back(std::move(*next));
        start += length;
    }
    return several(call, std::move(parts));
}

/// Returns the lengths of parts that are equally long, except that the last one may be shorter.
std::optional<Sizes> evenSizes(std::int64_t whole, std::int64_t length)
{
    if (length <= 0)
        return std::nullopt;
    Sizes sizes;
    for (std::int64_t done = 0; done < whole; done += length)
        sizes.push_back(std::min(length, whole - done));
    return sizes.empty() ? std::nullopt : std::optional(sizes);
}

std::optional<Sizes> listedSizes(const std::optional<std::vector<ir::Dim>> &dims)
{
    Sizes sizes;
    for (const ir::Dim &dim : dims ? *dims : std::vector<ir::Dim>{ir::UnknownDim{}}) {
        const auto number = ops::number(dim);
        if (!number || *number < 0)
            return std::nullopt;
        sizes.push_back(*number);
    }
    return sizes;
}

std::int64_t roundedUp(std::int64_t whole, std::int64_t parts) { return (whole + parts - 1) / parts; }

std::optional<Sizes> chunkSizes(const Call &call, std::int64_t whole)
{
    const auto chunks = call.facts().integer("chunks");
    return chunks && *chunks > 0 ? evenSizes(whole, roundedUp(whole, *chunks)) : std::nullopt;
}

/// Returns the sizes of the parts along an axis of this size.
std::optional<Sizes> partSizes(const Call &call, std::int64_t whole)
{
    if (call.isOnnx()) {
        const auto parts = call.integer("", "num_outputs", static_cast<std::int64_t>(call.resultCount()));
        if (call.facts().has("split"))
            return listedSizes(call.facts().sizes("split"));
        if (call.facts().has(1))
            return listedSizes(call.facts().sizes(1));
        return parts && *parts > 0 ? evenSizes(whole, roundedUp(whole, *parts)) : std::nullopt;
    }
    if (call.facts()[1].as<ops::SequenceFact>())
        return listedSizes(call.facts().sizes(1));
    const auto length = call.facts().integer(1);
    return length ? evenSizes(whole, *length) : std::nullopt;
}

template <class SizesOf>
Answer cut(const Call &call, const SizesOf &sizesOf)
{
    const Array *x = call.array(0);
    const auto axis = x ? call.axis("dim", "axis", 0, x->shape.size()) : std::nullopt;
    const auto sizes = axis ? sizesOf(call, size(*x, *axis)) : std::nullopt;
    return sizes ? cutAlong(call, *x, *axis, *sizes) : std::nullopt;
}

} // namespace

Answer split(const Call &call) { return cut(call, partSizes); }

Answer chunk(const Call &call) { return cut(call, chunkSizes); }

Answer unbind(const Call &call)
{
    const Array *x = call.array(0);
    const auto axis = x ? call.axis("dim", "", 0, x->shape.size()) : std::nullopt;
    if (!axis)
        return std::nullopt;
    Values parts;
    for (std::int64_t i = 0; i < size(*x, *axis); ++i)
        parts.emplace_back(*selected(*x, *axis, i));
    return several(call, std::move(parts));
}

} // namespace cutaway::compute
