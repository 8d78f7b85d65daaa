// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/heat.h"

#include <algorithm>

namespace cutaway::views {
namespace {

bool isColoured(const layout::Box &box)
{
    using Kind = layout::Box::Kind;
    return !box.open && box.kind != Kind::Input && box.kind != Kind::Output;
}

} // namespace

std::optional<double> Heat::share(std::uint32_t box) const
{
    const auto number = boxes[box].number();
    if (!number)
        return std::nullopt;
    return most > 0 ? *number / most : 0;
}

Heat heatOf(const layout::Diagram &diagram, const Figures &figures, Measure measure)
{
    Heat heat{.measure = measure, .boxes = {}};
    for (const layout::Box &box : diagram.boxes) {
        heat.boxes.push_back(figures.of(box.subject, measure));
        if (!isColoured(box) || !figures.has(box.subject))
            continue;
        const auto number = heat.boxes.back().number();
        heat.most = std::max(heat.most, number.value_or(0));
        heat.someUnknown |= !number;
        // A time is not a formula, but may be missing for the same reason.
        heat.someFormula |= !number && figures.of(box.subject, Measure::Bytes).isFormula();
    }
    return heat;
}

} // namespace cutaway::views
