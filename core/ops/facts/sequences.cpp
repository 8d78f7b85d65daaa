// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/facts/sequences.h"

#include "core/ops/facts/size_algebra.h"

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Dim;

// The largest number of items of a list that is followed item by item: each operator on a list copies it.
constexpr std::size_t maxListItems = 2048;
constexpr int maxSequenceParts = 16384;
constexpr int deepest = 32;

const SequenceFact *sequenceOf(const Fact &fact)
{
    const auto *maybe = fact.as<MaybeFact>();
    return (maybe ? maybe->value.front() : fact).as<SequenceFact>();
}

/// Subtracts the number of a fact's parts from `left`; returns false if there are more.
bool holdsFew(const Fact &fact, int &left, int depth);

bool holdFew(std::span<const Fact> facts, int &left, int depth)
{
    return std::ranges::all_of(facts, [&](const Fact &fact) { return holdsFew(fact, left, depth + 1); });
}

bool holdsFew(const Fact &fact, int &left, int depth)
{
    if (--left < 0 || depth > deepest)
        return false;
    if (const auto *list = fact.as<SequenceFact>())
        return holdFew(list->each(), left, depth);
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
    return list->length();
}

Fact anyItem(const Fact &sequence)
{
    const SequenceFact *list = sequenceOf(sequence);
    if (!list || list->each().empty())
        return {};
    Fact item = list->each().front();
    for (const Fact &other : list->each())
        item = join(item, other);
    return item;
}

Fact itemOf(const Fact &sequence, const std::optional<Dim> &index)
{
    const SequenceFact *list = sequenceOf(sequence);
    const auto at = index ? number(*index) : std::nullopt;
    const SequenceFact::Items *items = list ? list->items() : nullptr;
    if (!items || !at)
        return anyItem(sequence);
    const auto found = dimension(*at, items->size());
    return found ? (*items)[*found] : Fact();
}

Fact sliced(const Fact &sequence, const Dim &start, const Dim &end, std::optional<std::int64_t> step)
{
    const SequenceFact *list = sequenceOf(sequence);
    if (!list || !step || *step == 0)
        return manyOf(anyItem(sequence));
    const Part part = slice(lengthOf(sequence), start, end, *step);
    const auto first = number(part.start), count = number(part.length);
    const SequenceFact::Items *items = list->items();
    if (!items || !first || !count)
        return manyOf(anyItem(sequence), part.length);
    SequenceFact::Items kept;
    for (std::int64_t i = 0; i < *count; ++i)
        kept.push_back((*items)[static_cast<std::size_t>(*first + i * *step)]);
    return SequenceFact{list->kind, std::move(kept)};
}

Fact concatenated(const Fact &a, const Fact &b)
{
    const SequenceFact *first = sequenceOf(a), *second = sequenceOf(b);
    if (!first || !second)
        return {};
    const std::span<const Fact> front = first->each(), back = second->each();
    if (!first->items() || !second->items() || front.size() + back.size() > maxListItems) {
        const Fact item = front.empty() ? anyItem(b) : back.empty() ? anyItem(a) : join(anyItem(a), anyItem(b));
        return manyOf(item, plus(lengthOf(a), lengthOf(b)));
    }
    SequenceFact::Items items(front.begin(), front.end());
    items.insert(items.end(), back.begin(), back.end());
    return followable(SequenceFact{first->kind, std::move(items)});
}

Fact repeated(const Fact &sequence, const std::optional<Dim> &count)
{
    const SequenceFact *list = sequenceOf(sequence);
    if (!list)
        return {};
    const auto n = count ? number(*count) : std::nullopt;
    const Dim length = times(lengthOf(sequence), count ? maximum(*count, std::int64_t{0}) : Dim(ir::UnknownDim{}));
    const SequenceFact::Items *items = list->items();
    if (!items || !n || !number(length) || *number(length) > static_cast<std::int64_t>(maxListItems))
        return manyOf(anyItem(sequence), length);
    SequenceFact::Items all;
    for (std::int64_t i = 0; i < *n && !items->empty(); ++i)
        all.insert(all.end(), items->begin(), items->end());
    return followable(SequenceFact{list->kind, std::move(all)});
}

} // namespace cutaway::ops
