// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/sequences.h"

#include "core/ops/facts/size_algebra.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Dim;

// A list that a file makes longer than this is not followed item by item: each operator on it copies it.
constexpr std::size_t maxListItems = 2048;
constexpr int maxSequenceParts = 16384;
constexpr int deepest = 32;

const SequenceFact *sequenceOf(const Fact &fact)
{
    const auto *maybe = fact.as<MaybeFact>();
    return (maybe ? maybe->value.front() : fact).as<SequenceFact>();
}

/// Takes from `left` what the fact holds; false if that is too much.
bool holdsFew(const Fact &fact, int &left, int depth);

bool holdFew(const std::vector<Fact> &facts, int &left, int depth)
{
    return std::ranges::all_of(facts, [&](const Fact &fact) { return holdsFew(fact, left, depth + 1); });
}

bool holdsFew(const Fact &fact, int &left, int depth)
{
    if (--left < 0 || depth > deepest)
        return false;
    if (const auto *list = fact.as<SequenceFact>())
        return holdFew(list->items, left, depth);
    if (const auto *maybe = fact.as<MaybeFact>())
        return holdFew(maybe->value, left, depth);
    if (const auto *dict = fact.as<DictFact>())
        return dict->entries() ? holdFew(*dict->entries(), left, depth) : holdsFew(anyValue(*dict), left, depth + 1);
    return true;
}

} // namespace

Fact followable(Fact fact)
{
    int left = maxSequenceParts;
    return holdsFew(fact, left, 0) ? std::move(fact) : Fact();
}

Dim lengthOf(const Fact &sequence)
{
    const SequenceFact *list = sequenceOf(sequence);
    if (!list)
        return ir::UnknownDim{};
    return list->length ? *list->length : Dim(static_cast<std::int64_t>(list->items.size()));
}

Fact anyItem(const Fact &sequence)
{
    const SequenceFact *list = sequenceOf(sequence);
    if (!list || list->items.empty())
        return {};
    Fact item = list->items.front();
    for (const Fact &other : list->items)
        item = join(item, other);
    return item;
}

Fact itemOf(const Fact &sequence, const std::optional<Dim> &index)
{
    const SequenceFact *list = sequenceOf(sequence);
    const auto at = index ? number(*index) : std::nullopt;
    if (!list || list->length || !at)
        return anyItem(sequence);
    const auto found = dimension(*at, list->items.size());
    return found ? list->items[*found] : Fact();
}

Fact sliced(const Fact &sequence, const Dim &start, const Dim &end, std::optional<std::int64_t> step)
{
    const SequenceFact *list = sequenceOf(sequence);
    if (!list || !step || *step == 0)
        return manyOf(anyItem(sequence));
    const Part part = slice(lengthOf(sequence), start, end, *step);
    const auto first = number(part.start), count = number(part.length);
    if (list->length || !first || !count)
        return manyOf(anyItem(sequence), part.length);
    SequenceFact result{list->kind, {}, {}};
    for (std::int64_t i = 0; i < *count; ++i)
        result.items.push_back(list->items[static_cast<std::size_t>(*first + i * *step)]);
    return result;
}

Fact concatenated(const Fact &a, const Fact &b)
{
    const SequenceFact *first = sequenceOf(a), *second = sequenceOf(b);
    if (!first || !second)
        return {};
    if (first->length || second->length || first->items.size() + second->items.size() > maxListItems) {
        const Fact item = first->items.empty() ? anyItem(b)
            : second->items.empty()            ? anyItem(a)
                                               : join(anyItem(a), anyItem(b));
        return manyOf(item, plus(lengthOf(a), lengthOf(b)));
    }
    SequenceFact result = *first;
    result.items.insert(result.items.end(), second->items.begin(), second->items.end());
    return followable(std::move(result));
}

Fact repeated(const Fact &sequence, const std::optional<Dim> &count)
{
    const SequenceFact *list = sequenceOf(sequence);
    if (!list)
        return {};
    const auto n = count ? number(*count) : std::nullopt;
    const Dim length = times(lengthOf(sequence), count ? maximum(*count, std::int64_t{0}) : Dim(ir::UnknownDim{}));
    if (list->length || !n || !number(length) || *number(length) > static_cast<std::int64_t>(maxListItems))
        return manyOf(anyItem(sequence), length);
    SequenceFact result{list->kind, {}, {}};
    for (std::int64_t i = 0; i < *n && !list->items.empty(); ++i)
        result.items.insert(result.items.end(), list->items.begin(), list->items.end());
    return followable(std::move(result));
}

Fact manyOf(Fact item, Dim length) { return SequenceFact{ir::List::Kind::List, {std::move(item)}, std::move(length)}; }

} // namespace cutaway::ops
