// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/places.h"

#include "core/diff/groups.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace cutaway::diff {

namespace {

constexpr double scoreOfPlace = 0.4;

/// The item at each placement, by the placement's hash; nothing if several items have the same one.
using PlaceOfHash = std::unordered_map<Hash, std::optional<std::uint32_t>>;

PlaceOfHash places(const Matching &matching, const Subject &side)
{
    std::vector<bool> all(side.outline.items.size(), true);
    const Skeleton direct = contracted(side.outline, all);
    const auto inA = [&](std::uint32_t item) -> std::optional<std::uint32_t> {
        if (!matching.isMatched(side, item))
            return {};
        return &side == &matching.a() ? item : matching.partnerOfB(item)->item;
    };
    const auto add = [&](Hash &place, const auto &neighbours, const auto &itemOf) {
        std::vector<Hash> hashes;
        for (const auto &neighbour : neighbours) {
            const auto item = inA(itemOf(neighbour));
            if (!item)
                return false;
            hashes.push_back(*item);
        }
        place = mixedInAnyOrder(mixed(place, 1), std::move(hashes));
        return true;
    };
    PlaceOfHash found;
    for (std::uint32_t i = 0; i < direct.items.size();
         ++i) { // every item is kept, so a position in the skeleton is the index of the item
        if (matching.isMatched(side, i) || (direct.producers[i].empty() && direct.consumers[i].empty()))
            continue;
        Hash place = 0;
        if (!add(place, direct.producers[i], std::identity())
            || !add(place, direct.consumers[i], [](const Skeleton::Consumer &consumer) { return consumer.place; }))
            continue;
        const auto [entry, isNew] = found.try_emplace(place, i);
        if (!isNew)
            entry->second.reset();
    }
    return found;
}

/// Whether one node may have replaced the other: both read as many values and as many weights.
bool readAlike(const Item &a, const Item &b)
{
    return a.producers.size() == b.producers.size() && a.weights.size() == b.weights.size();
}

/// Matches groups of a few consecutive nodes that were replaced one by one, in order.
void matchEqualGroups(Matching &matching)
{
    constexpr std::size_t fewEnough = 4;
    const auto &itemsA = matching.a().outline.items, &itemsB = matching.b().outline.items;
    for (const ItemGroup &group : groupsBetweenPairs(matching)) {
        const auto alike = [&](std::uint32_t a, std::uint32_t b) { return readAlike(itemsA[a], itemsB[b]); };
        if (group.a.size() > fewEnough || !std::ranges::equal(group.a, group.b, alike))
            continue;
        for (std::size_t i = 0; i < group.a.size(); ++i)
            matching.pair(group.a[i], group.b[i], Reason::Place, scoreOfPlace);
    }
}

} // namespace

void matchPlaces(Matching &matching)
{
    const PlaceOfHash ofB = places(matching, matching.b());
    for (const auto &[place, itemA] : places(matching, matching.a()))
        if (const auto found = ofB.find(place); itemA && found != ofB.end() && found->second
            && readAlike(matching.a().outline.items[*itemA], matching.b().outline.items[*found->second]))
            matching.pair(*itemA, *found->second, Reason::Place, scoreOfPlace);
    matchEqualGroups(matching);
}

} // namespace cutaway::diff
