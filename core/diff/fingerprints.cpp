// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/fingerprints.h"

#include <ranges>

namespace cutaway::diff {

namespace {

Hash neighbours(Hash own, const std::vector<std::uint32_t> &places, const auto &hashOfPlace)
{
    std::vector<Hash> hashes;
    for (const std::uint32_t place : places)
        hashes.push_back(hashOfPlace(place));
    return mixedInAnyOrder(own, std::move(hashes));
}

} // namespace

std::vector<Fingerprint> fingerprints(const Skeleton &skeleton, const std::vector<Hash> &labels,
                                      const std::vector<bool> &isFixed)
{
    const auto count = static_cast<std::uint32_t>(skeleton.items.size());
    std::vector<Fingerprint> prints(count);
    const auto label = [&](std::uint32_t place) { return labels[place]; };
    const auto above = [&](std::uint32_t place) { return prints[place].above; };
    const auto below = [&](std::uint32_t place) { return prints[place].below; };
    for (std::uint32_t i = 0; i < count; ++i) {
        prints[i].above = isFixed[i] ? labels[i] : neighbours(labels[i], skeleton.producers[i], above);
        prints[i].producers = neighbours(1, skeleton.producers[i], label);
        prints[i].consumers = neighbours(2, skeleton.consumers[i], label);
    }
    for (const std::uint32_t i : std::views::iota(0u, count) | std::views::reverse)
        prints[i].below = isFixed[i] ? labels[i] : neighbours(labels[i], skeleton.consumers[i], below);
    return prints;
}

} // namespace cutaway::diff
