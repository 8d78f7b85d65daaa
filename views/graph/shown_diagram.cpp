// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/shown_diagram.h"

#include "views/appearance/heat.h"

namespace cutaway::views {
namespace {

drawing::Rgb toRgb(const QColor &color)
{
    const auto part = [](int x) { return static_cast<std::uint8_t>(x); };
    return {part(color.red()), part(color.green()), part(color.blue())};
}

std::optional<drawing::Tint> tintOf(const layout::Box &box, const Heat &heat, std::uint32_t index,
                                    const drawing::Palette &palette)
{
    using Kind = layout::Box::Kind;
    if (box.open || box.kind == Kind::Input || box.kind == Kind::Output)
        return {};
    const auto share = heat.share(index);
    if (!share)
        return drawing::Tint{{}, palette.text, {}};
    const QColor fill = heatColor(*share, palette.dark);
    return drawing::Tint{toRgb(fill), toRgb(textOn(fill)), heat.text(index).toStdString()};
}

/// What this side does not show is in neither state.
layout::Marks marksInSight(const Compared &compared)
{
    layout::Marks marks = compared.marks;
    for (layout::Marks::OfBox &box : marks.boxes)
        if (compared.hides(box.mark))
            box.mark = layout::Mark::Absent;
    for (layout::Mark &edge : marks.edges)
        if (compared.hides(edge))
            edge = layout::Mark::Absent;
    return marks;
}

} // namespace

drawing::Look lookOf(const Picture &picture, const Heat *heat, const Compared *compared,
                     const drawing::Palette &palette)
{
    drawing::Look look{.palette = &palette};
    if (compared)
        look.marks = marksInSight(*compared);
    const auto &boxes = picture.diagram().boxes;
    for (std::uint32_t i = 0; heat && i < boxes.size(); ++i)
        look.tints.push_back(tintOf(boxes[i], *heat, i, palette));
    return look;
}

Viewport filling(const QRectF &part, QSizeF room)
{
    Viewport view;
    view.zoom = std::min(room.width() / std::max(part.width(), 1.0), room.height() / std::max(part.height(), 1.0));
    view.centreOn(part.center(), room);
    return view;
}

} // namespace cutaway::views
