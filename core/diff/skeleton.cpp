// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/skeleton.h"

#include <algorithm>

namespace cutaway::diff {

namespace {

/// What is reached through long sums and concatenations is cut off here.
constexpr std::size_t mostReached = 64;

void addOnce(std::vector<std::uint32_t> &places, const std::vector<std::uint32_t> &others)
{
    for (const std::uint32_t place : others)
        if (places.size() < mostReached && std::ranges::find(places, place) == places.end())
            places.push_back(place);
}

} // namespace

Skeleton contracted(const Outline &outline, const std::vector<bool> &isKept)
{
    Skeleton skeleton;
    std::vector<std::vector<std::uint32_t>> reached(outline.items.size()); // by item: what reading it reads
    for (std::uint32_t i = 0; i < outline.items.size(); ++i) {
        const Item &item = outline.items[i];
        const bool kept = isKept[i] || item.role == Role::Input || item.role == Role::Output;
        if (!kept && item.role == Role::Aside)
            continue;
        std::vector<std::uint32_t> producers;
        for (const std::uint32_t producer : item.producers)
            addOnce(producers, reached[producer]);
        if (!kept) {
            reached[i] = std::move(producers);
            continue;
        }
        const auto place = static_cast<std::uint32_t>(skeleton.items.size());
        reached[i] = {place};
        skeleton.items.push_back(i);
        skeleton.consumers.emplace_back();
        for (std::uint32_t position = 0; position < producers.size(); ++position)
            skeleton.consumers[producers[position]].push_back({place, position});
        skeleton.producers.push_back(std::move(producers));
    }
    return skeleton;
}

} // namespace cutaway::diff
