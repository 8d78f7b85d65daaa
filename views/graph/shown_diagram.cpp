// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/shown_diagram.h"

#include "views/appearance/heat.h"

#include <QPainter>

namespace cutaway::views {
namespace {

drawing::Rgb toRgb(const QColor &color)
{
    const auto part = [](int x) { return static_cast<std::uint8_t>(x); };
    return {part(color.red()), part(color.green()), part(color.blue())};
}

std::optional<drawing::Tint> tintOf(const layout::Box &box, const Tinting &tinting, std::uint32_t index,
                                    const drawing::Palette &palette)
{
    const auto colour = colourOf(tinting, box, index, palette.dark);
    if (!colour)
        return {};
    const std::string value = valueOf(tinting, index).toStdString();
    if (!colour->fill)
        return drawing::Tint{{}, palette.text, value};
    return drawing::Tint{toRgb(*colour->fill), toRgb(textOn(*colour->fill)), value};
}

/// Returns the marks of a comparison, with the mark Absent on all that the shown side hides.
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

drawing::Look lookOf(const Picture &picture, const Tinting *tinting, const Compared *compared,
                     const drawing::Palette &palette)
{
    drawing::Look look{.palette = &palette};
    if (compared)
        look.marks = marksInSight(*compared);
    const auto &boxes = picture.diagram().boxes;
    for (std::uint32_t i = 0; tinting && i < boxes.size(); ++i)
        look.tints.push_back(tintOf(boxes[i], *tinting, i, palette));
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
