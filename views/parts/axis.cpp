// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/axis.h"

#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace cutaway::views {
namespace {

/// Removes zeros at the end of decimal places: "1.50 GFLOP" → "1.5 GFLOP".
QString withoutZeros(QString text)
{
    qsizetype end = 0;
    while (end < text.size() && (text[end].isDigit() || text[end] == '.'))
        ++end;
    qsizetype last = end;
    if (text.first(end).contains('.')) {
        while (text[last - 1] == '0')
            --last;
        if (text[last - 1] == '.')
            --last;
    }
    return text.remove(last, end - last);
}

} // namespace

Axis Axis::linear(Quantity::Unit unit, double highest)
{
    using Scale = drawing::Axis::Scale;
    return {{.title = {},
             .scale = unit == Quantity::Unit::Byte ? Scale::Binary : Scale::Linear,
             .first = 0,
             .last = highest > 0 ? highest : 1},
            unit};
}

Axis Axis::logarithmic(Quantity::Unit unit, double lowest, double highest)
{
    return {drawing::decades({}, lowest, std::max(highest, lowest), {}), unit};
}

Axis &Axis::per(const QString &suffix)
{
    m_suffix = suffix;
    return *this;
}

Axis &Axis::named(const QString &title)
{
    m_title = title;
    return *this;
}

void Axis::place(double fromPixel, double toPixel)
{
    m_from = fromPixel;
    m_to = toPixel;
}

double Axis::toPixel(double value) const
{
    const bool isLogarithmic = m_axis.scale == drawing::Axis::Scale::Logarithmic;
    return m_from + m_axis.place(isLogarithmic ? std::max(value, m_axis.first) : value) * (m_to - m_from);
}

std::vector<Axis::Tick> Axis::ticks(double apart) const
{
    std::vector<Tick> ticks;
    const double room = std::abs(m_to - m_from);
    if (room < 1)
        return ticks;
    for (const double value : m_axis.ticks(std::max(1, static_cast<int>(room / apart))))
        ticks.push_back({value, withoutZeros(numberText(m_unit, value)) + m_suffix});
    // A single tick shows no scale, so the end of the axis gets the second, though its number is not round.
    if (ticks.size() == 1)
        ticks.push_back({m_axis.last, numberText(m_unit, m_axis.last) + m_suffix});
    return ticks;
}

QRectF plotArea(QSizeF widget)
{
    constexpr double leftRoom = 84, rightRoom = 24, topRoom = 20, bottomRoom = 44;
    return {leftRoom, topRoom, std::max(widget.width() - leftRoom - rightRoom, 1.0),
            std::max(widget.height() - topRoom - bottomRoom, 1.0)};
}

void drawAxes(QPainter &painter, const QRectF &area, Axis &x, Axis &y, const QPalette &palette)
{
    x.place(area.left(), area.right());
    y.place(area.bottom(), area.top());
    painter.setFont(diagramFont(layout::Line::Style::Detail));
    const double half = painter.fontMetrics().height() / 2.0;
    const auto line = [&](QPointF from, QPointF to) {
        painter.setPen(QPen(separator(palette), 1));
        painter.drawLine(from, to);
        painter.setPen(mutedText(palette));
    };
    for (const Axis::Tick &tick : y.ticks(36)) {
        const double at = std::round(y.toPixel(tick.value)) + 0.5;
        line({area.left(), at}, {area.right(), at});
        painter.drawText(QRectF(0, at - half, area.left() - 8, 2 * half), Qt::AlignRight | Qt::AlignVCenter, tick.text);
    }
    for (const Axis::Tick &tick : x.ticks(96)) {
        const double at = std::round(x.toPixel(tick.value)) + 0.5;
        line({at, area.bottom()}, {at, area.bottom() + 4});
        painter.drawText(QRectF(at - 60, area.bottom() + 6, 120, 2 * half), Qt::AlignHCenter | Qt::AlignTop, tick.text);
    }
    painter.drawText(QRectF(area.left(), area.bottom() + 6 + 2 * half, area.width(), 2 * half + 2),
                     Qt::AlignRight | Qt::AlignTop, x.title());
    painter.drawText(QRectF(8, 2, area.width(), 2 * half), Qt::AlignLeft | Qt::AlignTop, y.title());
}

void drawNotice(QPainter &painter, const QRectF &area, const QString &text, const QPalette &palette)
{
    painter.setPen(mutedText(palette));
    painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, text);
}

} // namespace cutaway::views
