// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/spread.h"

#include <algorithm>
#include <cmath>

namespace cutaway::protocol {

namespace {

double quantile(const std::vector<double> &sorted, double part)
{
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

} // namespace

Spread &Spread::operator+=(const Spread &other)
{
    median += other.median;
    p5 += other.p5;
    p95 += other.p95;
    count = count == 0 ? other.count : std::min(count, other.count);
    return *this;
}

Spread spreadOf(std::vector<double> seconds)
{
    if (seconds.empty())
        return {};
    std::ranges::sort(seconds);
    return {quantile(seconds, 0.5), quantile(seconds, 0.05), quantile(seconds, 0.95), seconds.size()};
}

} // namespace cutaway::protocol
