// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/heat.h"

#include "views/parts/text.h"

#include <algorithm>

namespace cutaway::views {
namespace {

bool isColoured(const layout::Box &box)
{
    using Kind = layout::Box::Kind;
    return !box.open && box.kind != Kind::Input && box.kind != Kind::Output;
}

} // namespace

std::optional<double> Heat::ofOne(std::uint32_t box) const
{
    const auto number = boxes[box].numberOrExample();
    return number ? std::optional(*number / members[box]) : std::nullopt;
}

std::optional<double> Heat::share(std::uint32_t box) const
{
    const auto number = ofOne(box);
    if (!number)
        return std::nullopt;
    return most > 0 ? *number / most : 0;
}

QString Heat::text(std::uint32_t box) const
{
    const double number = ofOne(box).value_or(0);
    if (number <= 0)
        return {};
    if (members[box] == 1)
        return boxes[box].text();
    const Quantity &all = boxes[box];
    return QStringLiteral("%1 × %2")
        .arg(members[box])
        .arg(all.number() ? numberText(all.unit, number) : exampleText(all.unit, number));
}

Heat heatOf(const layout::Diagram &diagram, const Figures &figures, Measure measure)
{
    Heat heat{.measure = measure, .boxes = {}, .members = {}};
    for (std::uint32_t i = 0; i < diagram.boxes.size(); ++i) {
        const layout::Box &box = diagram.boxes[i];
        heat.boxes.push_back(figures.of(box.subject, measure));
        // Peak memory is not a sum over the members of a group, so it is not divided by their number.
        heat.members.push_back(measure == Measure::Memory ? 1 : figures.membersOf(box.subject));
        if (!isColoured(box) || !figures.has(box.subject))
            continue;
        const auto number = heat.ofOne(i);
        heat.most = std::max(heat.most, number.value_or(0));
        heat.someUnknown |= !number;
        if (number && !heat.boxes[i].number())
            heat.example = shown(figures.examples().note);
    }
    return heat;
}

} // namespace cutaway::views
