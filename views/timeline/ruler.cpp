// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/ruler.h"

#include "core/drawing/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace cutaway::views {
namespace {

std::pair<double, const char *> unitFor(double seconds)
{
    constexpr std::array<std::pair<double, const char *>, 4> units{
        {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
    const auto fits = std::ranges::find_if(units, [&](const auto &unit) { return seconds >= unit.first; });
    return fits == units.end() ? units.back() : *fits;
}

} // namespace

std::vector<RulerTick> rulerTicks(double from, double to, double most)
{
    std::vector<RulerTick> ticks;
    if (to <= from || most < 1)
        return ticks;
    const double step = drawing::roundStep((to - from) / most);
    const auto [size, name] = unitFor(to);
    const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step / size) - 1e-9)));
    const double first = std::ceil(from / step);
    for (int i = 0; (first + i) * step <= to; ++i) {
        const double at = (first + i) * step;
        ticks.push_back({at, QString::number(at / size, 'f', digits) + ' ' + QString::fromUtf8(name)});
    }
    return ticks;
}

} // namespace cutaway::views
