// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/near_names.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace cutaway {

namespace {

/// Returns the edit distance of two texts (Levenshtein 1966).
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t exchanged = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({exchanged, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string nearNames(std::string_view wanted, std::span<const std::string_view> names, std::size_t most)
{
    constexpr std::size_t mostSimilar = 5;
    std::vector<std::pair<std::size_t, std::string_view>> near;
    for (const std::string_view name : names) {
        const std::size_t far = name.contains(wanted) || wanted.contains(name) ? 1 : distance(wanted, name);
        if (far <= std::max<std::size_t>(2, name.size() / 3))
            near.emplace_back(far, name);
    }
    std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string_view>::first);
    if (near.size() > mostSimilar)
        near.resize(mostSimilar);
    const bool isCut = near.empty() && names.size() > most;
    if (near.empty())
        for (const std::string_view name : names.first(std::min(most, names.size())))
            near.emplace_back(0, name);
    std::string text;
    for (const auto &[far, name] : near)
        text.append(text.empty() ? "" : ", ").append(name);
    return isCut ? text + ", …" : text;
}

} // namespace cutaway
