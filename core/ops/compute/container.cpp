// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ops/compute/places.h"
#include "core/ops/compute/rules.h"
#include "core/ops/compute/tensor_rules.h"

#include <algorithm>
#include <array>

// Compute rules of lists. If an operator changes a list that is not among its results, the changed list follows them.

namespace cutaway::compute {

namespace {

/// The items of a list or tuple.
std::optional<Values> itemsOf(const Value *list)
{
    if (!list)
        return std::nullopt;
    if (const auto *items = list->as<Values>())
        return *items;
    const auto *fact = list->as<ops::Fact>();
    const auto *sequence = fact ? fact->as<ops::SequenceFact>() : nullptr;
    if (!sequence || !sequence->items())
        return std::nullopt;
    Values items;
    for (const ops::Fact &item : sequence->each()) {
        auto value = valueOf(item);
        if (!value)
            return std::nullopt;
        items.push_back(std::move(*value));
    }
    return items;
}

std::optional<Values> itemsOf(const Call &call, std::size_t position = 0) { return itemsOf(call.value(position)); }

Answer asList(Values items) { return Values{Value(std::move(items))}; }

/// Returns the position that an integer argument refers to; a negative one counts from the end.
std::optional<std::size_t> positionIn(const Call &call, std::size_t argument, std::size_t size)
{
    const auto index = call.facts().integer(argument);
    return index ? ops::dimension(*index, size) : std::nullopt;
}

/// Returns the position of an insertion: ATen limits it to the list, ONNX appends without a position and refuses
/// invalid ones.
std::optional<std::ptrdiff_t> insertionPoint(const Call &call, std::size_t argument, std::ptrdiff_t size)
{
    if (call.isOnnx() && !call.facts().has(argument))
        return size;
    const auto index = call.facts().integer(argument);
    if (!index)
        return std::nullopt;
    const std::int64_t at = *index < 0 ? *index + size : *index;
    if (call.isOnnx() && (at < 0 || at > size))
        return std::nullopt;
    return std::clamp<std::int64_t>(at, 0, size);
}

} // namespace

bool passesOn(ops::ComputeRule rule, const ops::Call &call)
{
    const bool isOfList = rule == slice || rule == addScaled;
    if (isOfList && call.overload() == "t")
        return true;
    static constexpr std::array all{construct, asItIs, optionalValue, unpack,  copiedList, listItem,   setItem,
                                    append,    extend, insertItem,    popItem, reversed,   removeItem, cleared};
    return std::ranges::contains(all, rule);
}

Answer construct(const Call &call)
{
    Values items;
    for (std::size_t i = 0; i < call.facts().inputCount(); ++i) {
        const Value *item = call.value(i);
        if (!item)
            return std::nullopt;
        items.push_back(*item);
    }
    return asList(std::move(items));
}

Answer copiedList(const Call &call)
{
    auto items = itemsOf(call);
    return items ? asList(std::move(*items)) : std::nullopt;
}

Answer asItIs(const Call &call)
{
    const Value *value = call.value(0);
    const auto *fact = value ? value->as<ops::Fact>() : nullptr;
    return value && !(fact && fact->as<ops::NoneFact>()) ? Answer(Values{*value}) : std::nullopt;
}

/// Returns an optional that holds the argument; without an argument an empty optional.
Answer optionalValue(const Call &call)
{
    if (call.facts().inputCount() == 0)
        return Values{Value(ops::Fact(ops::NoneFact{}))};
    const Value *value = call.value(0);
    return value ? Answer(Values{*value}) : std::nullopt;
}

Answer unpack(const Call &call)
{
    auto items = itemsOf(call);
    return items && items->size() == call.resultCount() ? std::move(items) : std::nullopt;
}

Answer listItem(const Call &call)
{
    const auto items = itemsOf(call);
    const auto index = call.facts().has("index") ? call.facts().integer("index") : call.facts().integer(1);
    const auto place = items && index ? ops::dimension(*index, items->size()) : std::nullopt;
    return place ? Answer(Values{(*items)[*place]}) : std::nullopt;
}

/// Returns the items from a start to an end, which count from the list's end if they are negative, and are limited to
/// the list's items.
Answer slicedList(const Call &call)
{
    const auto items = itemsOf(call);
    const auto start = call.integer("start", "", 0), step = call.integer("step", "", 1);
    const auto end = call.integer("end", "", items ? std::ssize(*items) : 0);
    if (!items || !start || !end || !step || *step < 1)
        return std::nullopt;
    const auto inside = [&](std::int64_t at) {
        return std::clamp<std::int64_t>(at < 0 ? at + std::ssize(*items) : at, 0, std::ssize(*items));
    };
    Values part;
    for (std::int64_t i = inside(*start); i < inside(*end); i += *step)
        part.push_back((*items)[static_cast<std::size_t>(i)]);
    return asList(std::move(part));
}

Answer listLength(const Call &call)
{
    const auto items = itemsOf(call);
    return items ? answer(filled(ir::DType::Int64, {}, static_cast<Whole>(items->size()))) : std::nullopt;
}

// ---- devices

Answer deviceOf(const Call &call) { return Values{Value(ops::Fact(ir::Device{call.context().name("cpu"), {}}))}; }

bool isAboutDevice(ops::ComputeRule rule)
{
    return rule == deviceOf || rule == liesOnCpu<false> || rule == liesOnCpu<true>;
}

Answer typeOfDevice(const Call &call)
{
    const Value *value = call.value(0);
    const auto *fact = value ? value->as<ops::Fact>() : nullptr;
    const auto *device = fact ? fact->as<ir::Device>() : nullptr;
    return device ? Answer(Values{Value(ops::Fact(ops::TextFact{std::string(call.context().text(device->kind))}))})
                  : std::nullopt;
}

// ---- lists that change

Answer setItem(const Call &call)
{
    auto items = itemsOf(call);
    const auto place = items ? positionIn(call, 1, items->size()) : std::nullopt;
    const Value *item = call.value(2);
    if (!place || !item)
        return std::nullopt;
    (*items)[*place] = *item;
    return asList(std::move(*items));
}

Answer append(const Call &call)
{
    auto items = itemsOf(call);
    const Value *item = call.value(1);
    if (!items || !item)
        return std::nullopt;
    items->push_back(*item);
    return asList(std::move(*items));
}

Answer extend(const Call &call)
{
    auto items = itemsOf(call);
    const auto more = itemsOf(call, 1);
    if (!items || !more)
        return std::nullopt;
    items->insert(items->end(), more->begin(), more->end());
    return asList(std::move(*items));
}

/// aten::insert(list, position, item), onnx::SequenceInsert(list, item, position)
Answer insertItem(const Call &call)
{
    auto items = itemsOf(call);
    const Value *item = call.value(call.isOnnx() ? 1 : 2);
    const auto at = items ? insertionPoint(call, call.isOnnx() ? 2 : 1, std::ssize(*items)) : std::nullopt;
    if (!at || !item)
        return std::nullopt;
    items->insert(items->begin() + *at, *item);
    return asList(std::move(*items));
}

Answer reversed(const Call &call)
{
    auto items = itemsOf(call);
    if (!items)
        return std::nullopt;
    std::ranges::reverse(*items);
    return asList(std::move(*items));
}

/// Returns the item that is removed, and the list without it.
Answer popItem(const Call &call)
{
    auto items = itemsOf(call);
    const auto place = items ? positionIn(call, 1, items->size()) : std::nullopt;
    if (!place)
        return std::nullopt;
    Value item = (*items)[*place];
    items->erase(items->begin() + static_cast<std::ptrdiff_t>(*place));
    return Values{std::move(item), Value(std::move(*items))};
}

/// Removes an item, in ONNX the last one if no position is given.
Answer removeItem(const Call &call)
{
    auto items = itemsOf(call);
    const bool isLast = call.isOnnx() && !call.facts().has(1);
    if (!items || items->empty())
        return std::nullopt;
    const auto place = isLast ? std::optional(items->size() - 1) : positionIn(call, 1, items->size());
    if (!place)
        return std::nullopt;
    items->erase(items->begin() + static_cast<std::ptrdiff_t>(*place));
    return asList(std::move(*items));
}

Answer cleared(const Call &call)
{
    const bool isDict = call.facts()[0].as<ops::DictFact>();
    return isDict ? std::nullopt : asList({});
}

// ---- tensors of one element as numbers

namespace {

/// Returns the first argument if it is a tensor of one element, else nullptr.
const Array *single(const Call &call)
{
    const Array *array = call.array(0);
    return array && array->count() == 1 ? array : nullptr;
}

Answer answer(ops::NumberFact number) { return Values{Value(ops::Fact(std::move(number)))}; }

} // namespace

Answer toBool(const Call &call)
{
    const Array *array = single(call);
    return array ? answer(ops::boolFact(floatsOf(*array).front() != 0)) : std::nullopt;
}

Answer toFloat(const Call &call)
{
    const Array *array = single(call);
    return array ? answer(ops::floatFact(floatsOf(*array).front())) : std::nullopt;
}

Answer toInt(const Call &call)
{
    const Array *array = single(call);
    if (array && array->dtype == ir::DType::Bool)
        return toBool(call);
    const auto whole = array ? converted(*array, ir::DType::Int64) : std::nullopt;
    return whole ? answer(ops::intFact(whole->as<std::int64_t>()[0])) : std::nullopt;
}

Answer item(const Call &call)
{
    const Array *array = single(call);
    return array && !array->isWhole() ? toFloat(call) : toInt(call);
}

// ---- sequences of tensors

namespace {

/// Returns the lengths of the parts that onnx::SplitToSequence makes of a dimension: those that `split` lists, or
/// equal ones of which the last may be shorter. Nothing if they do not add up to the dimension.
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

/// onnx::SplitToSequence: without `split` each part is a slice, with a single number each part has that length.
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

} // namespace cutaway::compute
