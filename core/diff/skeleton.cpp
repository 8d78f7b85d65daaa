// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/skeleton.h"

#include <algorithm>

namespace cutaway::diff {

namespace {

/// What is reached through long sums and concatenations is cut off here.
constexpr std::size_t mostReached = 64;

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
            producers.insert(producers.end(), reached[producer].begin(), reached[producer].end());
        std::ranges::sort(producers);
        producers.erase(std::ranges::unique(producers).begin(), producers.end());
        producers.resize(std::min(producers.size(), mostReached));
        if (!kept) {
            reached[i] = std::move(producers);
            continue;
        }
        const auto place = static_cast<std::uint32_t>(skeleton.items.size());
        reached[i] = {place};
        skeleton.items.push_back(i);
        skeleton.consumers.emplace_back();
        for (const std::uint32_t producer : producers)
            skeleton.consumers[producer].push_back(place);
        skeleton.producers.push_back(std::move(producers));
    }
    return skeleton;
}

} // namespace cutaway::diff
