// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/facts/cache_use.h"

#include <algorithm>
#include <array>

namespace cutaway::sequence {

std::vector<CacheUse> cachesOf(const Sequence &sequence)
{
    constexpr std::array<std::string_view, 3> outcomes{"hit", "miss", "bypass"};
    constexpr std::string_view mark = "_cache_";
    std::vector<CacheUse> uses;
    for (const Record &record : sequence.records) {
        const std::size_t at = record.name.rfind(mark);
        if (at == std::string::npos)
            continue;
        CacheUse use{record.name.substr(0, at), record.name.substr(at + mark.size())};
        if (std::ranges::contains(outcomes, use.outcome))
            uses.push_back(std::move(use));
    }
    return uses;
}

} // namespace cutaway::sequence
