// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/program/container.h"

#include "core/ops/compute/rules.h"
#include "core/ops/facts/moved_elements.h"
#include "core/ops/facts/sequences.h"
#include "core/ops/facts/size_algebra.h"
#include "core/ops/facts/texts.h"
#include "core/ops/tensor/subscript.h"

#include <algorithm>

// If an operator changes a list or dictionary that is not among its results, the changed one follows the results.

namespace cutaway::ops {

namespace {

using ir::Dim;
using ir::Shape;

/// Returns the fact without a possible None, for operators that use the value.
const Fact &present(const Fact &fact)
{
    const auto *maybe = fact.as<MaybeFact>();
    return maybe ? maybe->value.front() : fact;
}

/// The items of a list or tuple; nullptr if they are not known one by one.
const SequenceFact::Items *itemsOf(const Fact &fact)
{
    const auto *list = present(fact).as<SequenceFact>();
    return list ? list->items() : nullptr;
}

/// Returns a sequence with other items, which is a list or a tuple like `fact`.
Fact likeSequence(const Fact &fact, SequenceFact::Items items)
{
    return SequenceFact{present(fact).as<SequenceFact>()->kind, std::move(items)};
}

std::vector<Fact> arguments(const Call &call)
{
    std::vector<Fact> facts;
    for (std::size_t i = 0; i < call.inputCount(); ++i)
        facts.push_back(call[i]);
    return facts;
}

Answer listConstruct(const Call &call) { return {followable(listFact(arguments(call)))}; }
Answer tupleConstruct(const Call &call) { return {followable(tupleFact(arguments(call)))}; }

Answer unpack(const Call &call)
{
    const SequenceFact::Items *items = itemsOf(call[0u]);
    if (!items)
        return results(call.resultCount(), anyItem(call[0u]));
    if (items->size() != call.resultCount())
        return wrong(std::to_string(items->size()) + " items are unpacked into " + std::to_string(call.resultCount()));
    return results(*items);
}

Answer copyOfContainer(const Call &call)
{
    if (call[0u].as<TextFact>())
        return {manyOf(Fact())};
    return {present(call[0u])};
}

// Operators on dictionaries.

/// Whether a key can be compared: only if its value is known.
bool isKnownKey(const Fact &key)
{
    const auto *number = key.as<NumberFact>();
    return key.as<TextFact>() || (number && !std::holds_alternative<std::monostate>(number->value));
}

const DictFact *dictOf(const Fact &fact) { return present(fact).as<DictFact>(); }

/// Returns the entries of the dictionary if all their keys and `key` can be compared; else nullptr.
const std::vector<Fact> *comparable(const Fact &dict, const Fact &key)
{
    const DictFact *known = dictOf(dict);
    const DictFact::Entries *entries = known ? known->entries() : nullptr;
    if (!entries || !isKnownKey(key))
        return nullptr;
    for (std::size_t i = 0; i < entries->size(); i += 2)
        if (!isKnownKey((*entries)[i]))
            return nullptr;
    return entries;
}

std::optional<std::size_t> findKey(const std::vector<Fact> &entries, const Fact &key)
{
    for (std::size_t i = 0; i + 1 < entries.size(); i += 2)
        if (entries[i] == key)
            return i;
    return std::nullopt;
}

Fact valueAt(const Fact &dict, const Fact &key)
{
    if (const auto *entries = comparable(dict, key))
        if (const auto at = findKey(*entries, key))
            return (*entries)[*at + 1];
    return dictOf(dict) ? anyValue(*dictOf(dict)) : Fact();
}

Fact withEntry(const Fact &dict, const Fact &key, const Fact &value)
{
    if (const auto *entries = comparable(dict, key)) {
        std::vector<Fact> changed = *entries;
        if (const auto at = findKey(changed, key))
            changed[*at + 1] = value;
        else
            changed.insert(changed.end(), {key, value});
        return followable(dictFact(std::move(changed)));
    }
    return dictOf(dict) ? Fact(dictOfAny(join(anyValue(*dictOf(dict)), value))) : Fact();
}

Fact withoutEntry(const Fact &dict, const Fact &key)
{
    if (const auto *entries = comparable(dict, key)) {
        std::vector<Fact> changed = *entries;
        if (const auto at = findKey(changed, key))
            changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(*at),
                          changed.begin() + static_cast<std::ptrdiff_t>(*at) + 2);
        return dictFact(std::move(changed));
    }
    return dictOf(dict) ? Fact(dictOfAny(anyValue(*dictOf(dict)))) : Fact();
}

Answer dictConstruct(const Call &call) { return {followable(dictFact(arguments(call)))}; }

/// dict(): makes a dictionary of nothing, of another dictionary, or of pairs.
Answer dictOfPairs(const Call &call)
{
    if (dictOf(call[0u]) || !call.has(0u))
        return {dictOf(call[0u]) ? call[0u] : Fact(dictFact({}))};
    const SequenceFact::Items *pairs = itemsOf(call[0u]);
    if (!pairs)
        return {dictOfAny(itemOf(anyItem(call[0u]), std::int64_t{1}))};
    Fact dict = dictFact({});
    for (const Fact &pair : *pairs)
        dict = withEntry(dict, itemOf(pair, std::int64_t{0}), itemOf(pair, std::int64_t{1}));
    return {std::move(dict)};
}

/// Returns the keys (`first` 0) or the values (1) of a dictionary as a list; a list of items described by
/// `defaultValue` if the entries are not known.
Fact entriesOf(const Fact &dict, std::size_t first, Fact defaultValue)
{
    const DictFact *known = dictOf(dict);
    const DictFact::Entries *entries = known ? known->entries() : nullptr;
    if (!entries)
        return manyOf(std::move(defaultValue));
    std::vector<Fact> items;
    for (std::size_t i = first; i < entries->size(); i += 2)
        items.push_back((*entries)[i]);
    return listFact(std::move(items));
}

Answer keys(const Call &call) { return {entriesOf(call[0u], 0, Fact())}; }
Answer values(const Call &call) { return {entriesOf(call[0u], 1, valueAt(call[0u], Fact()))}; }

Answer items(const Call &call)
{
    const DictFact *dict = dictOf(call[0u]);
    const DictFact::Entries *entries = dict ? dict->entries() : nullptr;
    if (!entries)
        return {manyOf(tupleFact({Fact(), valueAt(call[0u], Fact())}))};
    std::vector<Fact> pairs;
    for (std::size_t i = 0; i + 1 < entries->size(); i += 2)
        pairs.emplace_back(tupleFact({(*entries)[i], (*entries)[i + 1]}));
    return {listFact(std::move(pairs))};
}

bool isMissing(const Fact &dict, const Fact &key)
{
    const auto *entries = comparable(dict, key);
    return entries && !findKey(*entries, key);
}

bool isPresent(const Fact &dict, const Fact &key)
{
    const auto *entries = comparable(dict, key);
    return entries && findKey(*entries, key);
}

/// dict.get(key[, default])
Answer valueOr(const Call &call)
{
    const Fact &defaultValue = call.has(2u) ? call[2u] : Fact(NoneFact{});
    if (isMissing(call[0u], call[1u]))
        return {defaultValue};
    const Fact value = valueAt(call[0u], call[1u]);
    return {isPresent(call[0u], call[1u]) ? value : join(value, defaultValue)};
}

Answer valueOrInsert(const Call &call)
{
    if (isPresent(call[0u], call[1u]))
        return {valueAt(call[0u], call[1u]), call[0u]};
    const bool isNew = isMissing(call[0u], call[1u]);
    return {isNew ? call[2u] : join(valueAt(call[0u], call[1u]), call[2u]), withEntry(call[0u], call[1u], call[2u])};
}

Answer update(const Call &call)
{
    const DictFact *other = dictOf(call[1u]);
    const DictFact::Entries *more = other ? other->entries() : nullptr;
    Fact dict = call[0u];
    if (more)
        for (std::size_t i = 0; i + 1 < more->size(); i += 2)
            dict = withEntry(dict, (*more)[i], (*more)[i + 1]);
    else
        dict = withEntry(dict, Fact(), valueAt(call[1u], Fact()));
    return {dict};
}

// The operators of both lists and dictionaries.

Answer getItem(const Call &call)
{
    const Fact &container = present(call[0u]);
    if (container.as<TensorFact>())
        return subscript(call);
    const Fact &key = call.has("index") ? call["index"] : call[1u];
    if (container.as<DictFact>())
        return {valueAt(container, key)};
    const SequenceFact::Items *items = itemsOf(container);
    const auto index = asInt(key);
    const auto at = index ? number(*index) : std::nullopt;
    if (const auto *text = container.as<TextFact>()) {
        const auto letter =
            at ? sliceText(text->text, at, at == -1 ? std::nullopt : std::optional(*at + 1), 1) : std::nullopt;
        return {letter ? Fact(TextFact{*letter}) : Fact()};
    }
    if (items && at && !dimension(*at, items->size()))
        return wrong("item " + std::to_string(*at) + " of a list of " + std::to_string(items->size()));
    return {itemOf(container, index)};
}

Answer setItem(const Call &call)
{
    if (dictOf(call[0u]))
        return {withEntry(call[0u], call[1u], call[2u])};
    const SequenceFact::Items *items = itemsOf(call[0u]);
    const auto index = call.integer(1u);
    const auto at = items && index ? dimension(*index, items->size()) : std::nullopt;
    if (!at)
        return {manyOf(join(anyItem(call[0u]), call[2u]), lengthOf(call[0u]))};
    SequenceFact::Items changed = *items;
    changed[*at] = call[2u];
    return {followable(likeSequence(call[0u], std::move(changed)))};
}

Answer containsKey(const Call &call)
{
    if (dictOf(call[0u]))
        return {isMissing(call[0u], call[1u])       ? boolFact(false)
                    : isPresent(call[0u], call[1u]) ? boolFact(true)
                                                    : boolFact()};
    const SequenceFact::Items *items = itemsOf(call[0u]);
    if (!items || !isKnownKey(call[1u]))
        return {boolFact()};
    if (std::ranges::contains(*items, call[1u]))
        return {boolFact(true)};
    return {std::ranges::all_of(*items, isKnownKey) ? boolFact(false) : boolFact()};
}

Answer removeItem(const Call &call)
{
    if (dictOf(call[0u]))
        return {withoutEntry(call[0u], call[1u])};
    const SequenceFact::Items *items = itemsOf(call[0u]);
    const auto index = call.integer(1u);
    const auto at = items && index ? dimension(*index, items->size()) : std::nullopt;
    if (!at)
        return {manyOf(anyItem(call[0u]), minus(lengthOf(call[0u]), std::int64_t{1}))};
    SequenceFact::Items changed = *items;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(*at));
    return {likeSequence(call[0u], std::move(changed))};
}

/// Returns the item that is removed, and the rest.
Answer pop(const Call &call)
{
    Fact rest = removeItem(call).facts.front();
    if (dictOf(call[0u])) {
        Fact value = valueOr(call).facts.front();
        return {call.has(2u) ? std::move(value) : valueAt(call[0u], call[1u]), std::move(rest)};
    }
    return {itemOf(call[0u], call.size(1u)), std::move(rest)};
}

Answer clear(const Call &call) { return {dictOf(call[0u]) ? Fact(dictFact({})) : Fact(listFact({}))}; }

// The operators by which lists grow.

Answer appendItem(const Call &call) { return {concatenated(call[0u], listFact({call[1u]}))}; }
Answer extend(const Call &call) { return {concatenated(call[0u], call[1u])}; }

Answer insert(const Call &call)
{
    const SequenceFact::Items *items = itemsOf(call[0u]);
    const auto index = call.integer(1u);
    if (!items || !index)
        return {manyOf(join(anyItem(call[0u]), call[2u]), plus(lengthOf(call[0u]), std::int64_t{1}))};
    const std::int64_t size = std::ssize(*items);
    const std::int64_t at = std::clamp(*index < 0 ? *index + size : *index, std::int64_t{0}, size);
    SequenceFact::Items changed = *items;
    changed.insert(changed.begin() + at, call[2u]);
    return {followable(likeSequence(call[0u], std::move(changed)))};
}

/// Sorts the items if all are known integers; else their order is unknown.
Answer reordered(const Call &call)
{
    const auto *list = call[0u].as<SequenceFact>();
    const auto values = list && list->items() ? asInts(call[0u]) : std::nullopt;
    const bool areKnown = values && call.inputCount() < 2
        && std::ranges::all_of(*values, [](const ir::Dim &dim) { return number(dim).has_value(); });
    if (!areKnown)
        return {manyOf(anyItem(call[0u]), lengthOf(call[0u]))};
    SequenceFact::Items items = *list->items();
    std::ranges::stable_sort(items, {}, [](const Fact &item) { return number(*asInt(item)); });
    return {listFact(std::move(items))};
}

Answer reverse(const Call &call)
{
    SequenceFact changed = call[0u].as<SequenceFact>() ? *call[0u].as<SequenceFact>() : manyOf(Fact());
    std::ranges::reverse(changed.each());
    return {std::move(changed)};
}

Answer remove(const Call &call) { return {manyOf(anyItem(call[0u]), minus(lengthOf(call[0u]), std::int64_t{1}))}; }

// Operators that make ranges.

Answer rangeList(const Call &call)
{
    const auto count = call.integer(0u);
    if (!count || *count < 0 || *count > static_cast<std::int64_t>(maxTrackedElements))
        return {manyOf(intFact())};
    std::vector<Fact> numbersUpTo;
    for (std::int64_t i = 0; i < *count; ++i)
        numbersUpTo.emplace_back(intFact(i));
    return {listFact(std::move(numbersUpTo))};
}

/// Returns a vector of known integers as a list of ints. For other tensors the result is a list of unknown items or,
/// without dimensions, an unknown value.
Answer toList(const Call &call)
{
    const TensorFact *tensor = ranked(call);
    if (!tensor)
        return unknown("input rank unknown");
    const auto elements = asInts(call[0u]);
    if (tensor->shape->size() != 1 || !elements)
        return {tensor->shape->empty() ? Fact() : manyOf(Fact(), tensor->shape->front())};
    std::vector<Fact> ints;
    for (const Dim &element : *elements)
        ints.emplace_back(intFact(element));
    return {listFact(std::move(ints))};
}

Answer unwrapped(const Call &call) { return {present(call[0u])}; }

// ONNX's sequences and optionals.

Answer sequenceEmpty(const Call &) { return {listFact({})}; }

Answer sequenceInsert(const Call &call)
{
    const SequenceFact::Items *items = itemsOf(call[0u]);
    if (!items)
        return {manyOf(join(anyItem(call[0u]), call[1u]), plus(lengthOf(call[0u]), std::int64_t{1}))};
    const std::int64_t size = std::ssize(*items);
    const auto index = call.has(2u) ? call.integer(2u) : std::optional(size);
    if (!index)
        return {manyOf(items->empty() ? call[1u] : join(anyItem(call[0u]), call[1u]), size + 1)};
    const std::int64_t at = *index < 0 ? *index + size : *index;
    if (at < 0 || at > size)
        return wrong("position " + std::to_string(*index) + " in a sequence of " + std::to_string(size));
    SequenceFact::Items changed = *items;
    changed.insert(changed.begin() + at, call[1u]);
    return {followable(likeSequence(call[0u], std::move(changed)))};
}

Answer sequenceErase(const Call &call)
{
    const SequenceFact::Items *items = itemsOf(call[0u]);
    const auto index = call.has(1u) ? call.integer(1u) : std::optional<std::int64_t>(-1);
    const auto at = items && index ? dimension(*index, items->size()) : std::nullopt;
    if (!at)
        return {manyOf(anyItem(call[0u]), minus(lengthOf(call[0u]), std::int64_t{1}))};
    SequenceFact::Items changed = *items;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(*at));
    return {likeSequence(call[0u], std::move(changed))};
}

Answer sequenceLength(const Call &call)
{
    const Dim length = lengthOf(call[0u]);
    return {isKnown(length) ? scalarTensor(ir::DType::Int64, length) : tensorFact(ir::DType::Int64, Shape())};
}

Answer optional(const Call &call) { return {call.has(0u) ? call[0u] : Fact(NoneFact{})}; }

Answer hasElement(const Call &call)
{
    if (call[0u].as<MaybeFact>() || call[0u].as<AnyFact>())
        return {tensorFact(ir::DType::Bool, Shape())};
    return {scalarTensor(ir::DType::Bool, std::int64_t{call.has(0u)})};
}

constexpr Operator containerRows[] = {
    Operator("prim::ListConstruct", Category::ShapeView, Pattern::Moving, listConstruct, nullptr,
             {.compute = compute::construct, .onQuantized = OnQuantized::KeepsSteps}),
    Operator("onnx::SequenceConstruct", Category::ShapeView, Pattern::Moving, listConstruct, nullptr,
             {.compute = compute::construct}),
    Operator("prim::TupleConstruct", Category::ShapeView, Pattern::Moving, tupleConstruct, nullptr,
             {.compute = compute::construct, .onQuantized = OnQuantized::KeepsSteps}),
    Operator("prim::DictConstruct", Category::ShapeView, Pattern::Moving, dictConstruct, nullptr,
             {.kind = kind::dictionary}),
    Operator("prim::ListUnpack prim::TupleUnpack", Category::ShapeView, Pattern::Moving, unpack, nullptr,
             {.compute = compute::unpack, .onQuantized = OnQuantized::KeepsSteps}),
    Operator("aten::list", Category::ShapeView, Pattern::Moving, copyOfContainer, nullptr,
             {.compute = compute::copiedList}),
    Operator("aten::__getitem__ _operator::getitem", Category::Indexing, Pattern::Picking, getItem, nullptr,
             {.kind = kind::getItem, .compute = compute::listItem}),
    Operator("prim::TupleIndex onnx::SequenceAt", Category::Indexing, Pattern::Picking, getItem, nullptr,
             {.compute = compute::listItem}),
    Operator("aten::_set_item", Category::Indexing, Pattern::Picking, setItem, nullptr,
             {.kind = kind::setItem, .compute = compute::setItem}),
    Operator("aten::__contains__", Category::Elementwise, Pattern::Pointwise, containsKey),
    Operator("aten::append", Category::ShapeView, Pattern::Moving, appendItem, nullptr, {.compute = compute::append}),
    Operator("aten::extend", Category::ShapeView, Pattern::Moving, extend, nullptr, {.compute = compute::extend}),
    Operator("aten::insert", Category::ShapeView, Pattern::Moving, insert, nullptr, {.compute = compute::insertItem}),
    Operator("aten::reverse", Category::ShapeView, Pattern::Moving, reverse, nullptr, {.compute = compute::reversed}),
    Operator("aten::remove", Category::ShapeView, Pattern::Moving, remove),
    Operator("aten::pop aten::popitem", Category::ShapeView, Pattern::Moving, pop, nullptr,
             {.compute = compute::popItem}),
    Operator("aten::Delete", Category::ShapeView, Pattern::Moving, removeItem, nullptr,
             {.compute = compute::removeItem}),
    Operator("aten::clear", Category::ShapeView, Pattern::Moving, clear, nullptr, {.compute = compute::cleared}),
    Operator("aten::keys", Category::ShapeView, Pattern::Moving, keys),
    Operator("aten::values", Category::ShapeView, Pattern::Moving, values),
    Operator("aten::items", Category::ShapeView, Pattern::Moving, items),
    Operator("aten::get", Category::ShapeView, Pattern::Moving, valueOr),
    Operator("aten::setdefault", Category::ShapeView, Pattern::Moving, valueOrInsert),
    Operator("aten::update", Category::ShapeView, Pattern::Moving, update),
    Operator("prim::rangelist", Category::Creation, Pattern::Creating, rangeList),
    Operator("aten::dict", Category::ShapeView, Pattern::Moving, dictOfPairs, nullptr, {.kind = kind::dictionary}),
    Operator("aten::sorted", Category::Reduction, Pattern::Combining, reordered),
    Operator("prim::tolist aten::_tensor_to_list", Category::ShapeView, Pattern::Moving, toList),
    Operator("prim::unchecked_cast prim::unchecked_unwrap_optional aten::_unwrap_optional", Category::ControlFlow,
             Pattern::Control, unwrapped, nullptr, {.compute = compute::asItIs}),
    Operator("onnx::SequenceEmpty", Category::ShapeView, Pattern::Moving, sequenceEmpty, nullptr,
             {.compute = compute::cleared}),
    Operator("onnx::SequenceInsert", Category::ShapeView, Pattern::Moving, sequenceInsert, nullptr,
             {.compute = compute::insertItem}),
    Operator("onnx::SequenceErase", Category::ShapeView, Pattern::Moving, sequenceErase, nullptr,
             {.compute = compute::removeItem}),
    Operator("onnx::SequenceLength", Category::ShapeView, Pattern::Moving, sequenceLength, nullptr,
             {.compute = compute::listLength}),
    Operator("onnx::Optional", Category::ShapeView, Pattern::Moving, optional, nullptr,
             {.compute = compute::optionalValue}),
    Operator("onnx::OptionalGetElement", Category::ShapeView, Pattern::Moving, unwrapped, nullptr,
             {.compute = compute::asItIs}),
    Operator("onnx::OptionalHasElement", Category::ShapeView, Pattern::Moving, hasElement),
};

} // namespace

std::span<const Operator> containerOperators() { return containerRows; }

} // namespace cutaway::ops
