// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/matching/value_print.h"

#include "core/ir/dtype.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace cutaway::sequence {

namespace {

/// The rounding by which decompositions may differ, relative to the norm; decompositions of dtypes with few digits may
/// differ more.
constexpr double tolerance = 1e-4;
constexpr double leastNorm = 1e-12;

/// Returns a number from -1 to 1 for each element, the same each time.
double weightOf(std::uint64_t index, std::uint64_t salt)
{
    std::uint64_t x = index * 0x9e3779b97f4a7c15 + salt * 0xbf58476d1ce4e5b9 + 0x94d049bb133111eb;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

} // namespace

std::optional<ValuePrint> printOf(const std::optional<compute::Value> &value)
{
    const auto *array = value ? value->as<compute::Array>() : nullptr;
    if (!array)
        return std::nullopt;
    ValuePrint print{.shape = array->shape};
    const std::vector<double> elements = compute::floatsOf(*array);
    print.isPlain = !ir::isFloat(array->dtype);
    double squares = 0;
    bool isUniform = true;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const double x = elements[i];
        if (!std::isfinite(x))
            return std::nullopt;
        print.sums[0] += weightOf(i, 1) * x;
        print.sums[1] += weightOf(i, 2) * x;
        squares += x * x;
        isUniform = isUniform && elements[i] == elements[0];
    }
    print.norm = std::sqrt(squares);
    print.isPlain = print.isPlain || isUniform;
    return print;
}

PrintIndex::PrintIndex(const std::vector<std::optional<ValuePrint>> &prints) : m_prints(prints)
{
    for (std::size_t i = 0; i < prints.size(); ++i)
        if (prints[i] && std::isfinite(prints[i]->norm)) // a print whose norm is not finite equals none
            m_entries.push_back({prints[i]->shape, prints[i]->norm, i});
    std::ranges::sort(m_entries, {}, [](const Entry &entry) { return std::tie(entry.shape, entry.norm); });
}

std::vector<std::size_t> PrintIndex::sameAs(const ValuePrint &print) const
{
    const double margin = 2 * tolerance * std::max(print.norm, leastNorm);
    const double least = print.norm - margin;
    std::vector<std::size_t> found;
    for (auto at = std::ranges::lower_bound(m_entries, std::tie(print.shape, least), {},
                                            [](const Entry &entry) { return std::tie(entry.shape, entry.norm); });
         at != m_entries.end() && at->norm <= print.norm + margin && at->shape == print.shape; ++at)
        if (m_prints[at->position]->isSame(print))
            found.push_back(at->position);
    return found;
}

bool ValuePrint::isSame(const ValuePrint &other) const
{
    const double allowed = tolerance * std::max({norm, other.norm, leastNorm});
    return shape == other.shape && std::abs(norm - other.norm) <= allowed
        && std::abs(sums[0] - other.sums[0]) <= allowed && std::abs(sums[1] - other.sums[1]) <= allowed;
}

} // namespace cutaway::sequence
