// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/skeleton.h"

#include <utility>

namespace cutaway::diff {

namespace {

/// Limit of producers that are reached through bypassed items, such as long sums and concatenations.
constexpr std::size_t maxReached = 64;

/// Collects positions, each once.
class Places {
public:
    explicit Places(std::size_t count) : m_lastOf(count) { }

    void add(const std::vector<std::uint32_t> &places)
    {
        for (const std::uint32_t place : places)
            if (m_places.size() < maxReached && std::exchange(m_lastOf[place], m_round) != m_round)
                m_places.push_back(place);
    }

    std::vector<std::uint32_t> take()
    {
        ++m_round;
        return std::exchange(m_places, {});
    }

private:
    std::vector<std::uint32_t> m_lastOf; ///< by position: the number of the last collection that it was added to
    std::uint32_t m_round = 1;
    std::vector<std::uint32_t> m_places;
};

} // namespace

Skeleton contracted(const Outline &outline, const std::vector<bool> &isKept)
{
    Skeleton skeleton;
    Places places(outline.items.size());
    std::vector<std::vector<std::uint32_t>> reached(
        outline.items.size()); // by item: the positions that a reader of the item is connected to
    for (std::uint32_t i = 0; i < outline.items.size(); ++i) {
        const Item &item = outline.items[i];
        const bool kept = isKept[i] || item.role == Role::Input || item.role == Role::Output;
        if (!kept && item.role == Role::Aside)
            continue;
        for (const std::uint32_t producer : item.producers)
            places.add(reached[producer]);
        std::vector<std::uint32_t> producers = places.take();
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
