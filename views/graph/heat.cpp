// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/heat.h"

#include "views/appearance/fonts.h"
#include "views/appearance/heat.h"
#include "views/appearance/theme.h"

#include <QObject>
#include <QPainter>
#include <algorithm>

namespace cutaway::views {
namespace {

constexpr double rampWidth = 200, rampHeight = 10, padding = 12, distance = 16;

bool isColoured(const layout::Box &box)
{
    using Kind = layout::Box::Kind;
    return !box.open && box.kind != Kind::Input && box.kind != Kind::Output;
}

QString noteOf(const Heat &heat)
{
    if (heat.someFormula)
        return QObject::tr("hatched: depends on sizes that are not given");
    return heat.someUnknown ? QObject::tr("hatched: not known") : QString();
}

void drawRamp(QPainter &painter, const QRectF &rect, const QPalette &palette)
{
    QLinearGradient ramp(rect.topLeft(), rect.topRight());
    constexpr int stops = 16;
    for (int i = 0; i <= stops; ++i)
        ramp.setColorAt(i / double(stops), heatColor(i / double(stops), isDark(palette)));
    painter.setPen(QPen(separator(palette), 1));
    painter.setBrush(ramp);
    painter.drawRect(rect);
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
        if (!isColoured(box))
            continue;
        const auto number = heat.boxes.back().number();
        heat.most = std::max(heat.most, number.value_or(0));
        heat.someUnknown |= !number;
        heat.someFormula |= heat.boxes.back().isFormula();
    }
    return heat;
}

void drawLegend(QPainter &painter, const Heat &heat, QSizeF widget, const QPalette &palette)
{
    painter.setFont(diagramFont(layout::Line::Style::Detail));
    const double row = painter.fontMetrics().height() + 4;
    const QString note = noteOf(heat);
    const double width = std::max(rampWidth, painter.fontMetrics().horizontalAdvance(note) * 1.0) + 2 * padding;
    const double height = 2 * padding + 2 * row + rampHeight + (note.isEmpty() ? 0 : row);
    const QRectF panel(distance, widget.height() - height - distance, width, height);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(separator(palette), 1));
    painter.setBrush(palette.color(QPalette::Base));
    painter.drawRoundedRect(panel.translated(0.5, 0.5), 6, 6);
    const QRectF title(panel.left() + padding, panel.top() + padding, panel.width() - 2 * padding, row);
    painter.setPen(palette.color(QPalette::Text));
    painter.drawText(title, Qt::AlignLeft | Qt::AlignTop, cutaway::views::title(heat.measure));
    const QRectF ramp(title.left(), title.bottom(), rampWidth, rampHeight);
    drawRamp(painter, ramp, palette);
    const QRectF ends(ramp.left(), ramp.bottom() + 4, ramp.width(), row);
    painter.setPen(mutedText(palette));
    painter.drawText(ends, Qt::AlignLeft | Qt::AlignTop, "0");
    painter.drawText(ends, Qt::AlignRight | Qt::AlignTop, numberText(unitOf(heat.measure), heat.most));
    painter.drawText(QRectF(ends.left(), ends.bottom(), title.width(), row), Qt::AlignLeft | Qt::AlignTop, note);
}

} // namespace cutaway::views
