// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cutaway::diff {

/// A hash of 64 bits. Different things have the same hash only by accident.
using Hash = std::uint64_t;

constexpr Hash mixed(Hash seed, Hash value)
{
    Hash h = (seed ^ (value + 0x9E3779B97F4A7C15ull + (seed << 6) + (seed >> 2))) * 0xBF58476D1CE4E5B9ull;
    h ^= h >> 29;
    return h * 0x94D049BB133111EBull ^ h >> 32;
}

constexpr Hash hashOf(std::string_view text)
{
    Hash h = text.size();
    for (const char c : text)
        h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
    return mixed(h, text.size());
}

/// Combines the values independently of their order.
inline Hash mixedInAnyOrder(Hash seed, std::vector<Hash> values)
{
    std::ranges::sort(values);
    for (const Hash value : values)
        seed = mixed(seed, value);
    return seed;
}

} // namespace cutaway::diff
