// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/difference/difference.h"

#include <algorithm>
#include <array>

namespace cutaway::diff {

std::string_view name(Change::Kind kind)
{
    constexpr std::array<std::string_view, 5> names{"operator", "argument", "source", "weight", "type"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view sentence(Reason reason)
{
    constexpr std::array<std::string_view, 3> sentences{"same surroundings", "same kind and order", "same place"};
    return sentences[static_cast<std::size_t>(reason)];
}

Counts Difference::counts() const
{
    const auto isChanged = [](const Pair &pair) { return !pair.changes.empty(); };
    Counts counts{.matched = pairs.size(),
                  .changed = static_cast<std::size_t>(std::ranges::count_if(pairs, isChanged)),
                  .onlyA = onlyA.size(),
                  .onlyB = onlyB.size(),
                  .regions = regions.size(),
                  .groups = groups.size(),
                  .signature = signature.size(),
                  .notCompared = notCompared.size(),
                  .notProven = notProven.size()};
    for (const Region &region : regions) {
        counts.replacedA += region.a.nodes.size();
        counts.replacedB += region.b.nodes.size();
    }
    return counts;
}

bool Difference::isEqual() const
{
    const Counts of = counts();
    return of.changed + of.onlyA + of.onlyB + of.regions + of.signature == 0 && (of.groups == 0 || !isExact);
}

bool Difference::isSameGraph() const
{
    const auto areOfElements = [](const std::vector<Change> &changes) {
        return std::ranges::all_of(changes, [](const Change &change) { return change.extent == Extent::Elements; });
    };
    return !isEqual() && onlyA.empty() && onlyB.empty() && regions.empty() && (groups.empty() || !isExact)
        && areOfElements(signature)
        && std::ranges::all_of(pairs, [&](const Pair &pair) { return areOfElements(pair.changes); });
}

bool Difference::isOtherPrecision() const
{
    const auto isOfNumbers = [](const Change &change) { return change.extent != Extent::Whole; };
    const auto areOfNumbers = [&](const std::vector<Change> &changes) {
        return std::ranges::all_of(changes, isOfNumbers);
    };
    return !roundings.empty() && onlyA.size() + onlyB.size() == conversions && regions.empty()
        && (groups.empty() || !isExact) && areOfNumbers(signature)
        && std::ranges::all_of(pairs, [&](const Pair &pair) { return areOfNumbers(pair.changes); });
}

} // namespace cutaway::diff
