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

/// Of bytes a power of two.
double tickStep(double least, Quantity::Unit unit)
{
    return unit == Quantity::Unit::Byte ? std::exp2(std::ceil(std::log2(least))) : roundStep(least);
}

/// "1.50 GFLOP" → "1.5 GFLOP"
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

Axis::Axis(Scale scale, Quantity::Unit unit, double lowest, double highest)
    : m_scale(scale),
      m_unit(unit),
      m_lowest(lowest),
      m_highest(highest)
{
}

Axis Axis::linear(Quantity::Unit unit, double highest) { return {Scale::Linear, unit, 0, highest > 0 ? highest : 1}; }

Axis Axis::logarithmic(Quantity::Unit unit, double lowest, double highest)
{
    const double from = std::pow(10, std::floor(std::log10(lowest)));
    const double to = std::pow(10, std::ceil(std::log10(std::max(highest, lowest))));
    return {Scale::Logarithmic, unit, from, to > from ? to : from * 10};
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
    const double share = m_scale == Scale::Linear
        ? (value - m_lowest) / (m_highest - m_lowest)
        : std::log(std::max(value, m_lowest) / m_lowest) / std::log(m_highest / m_lowest);
    return m_from + share * (m_to - m_from);
}

double Axis::toValue(double pixel) const
{
    const double share = (pixel - m_from) / (m_to - m_from);
    return m_scale == Scale::Linear ? m_lowest + share * (m_highest - m_lowest)
                                    : m_lowest * std::pow(m_highest / m_lowest, share);
}

QString Axis::textAt(double value) const { return withoutZeros(numberText(m_unit, value)) + m_suffix; }

std::vector<Axis::Tick> Axis::ticks(double apart) const
{
    std::vector<Tick> ticks;
    const double room = std::abs(m_to - m_from);
    if (room < 1)
        return ticks;
    if (m_scale == Scale::Linear) {
        const double step = tickStep((m_highest - m_lowest) * apart / room, m_unit);
        for (int i = 0; m_lowest + i * step <= m_highest * 1.0001; ++i)
            ticks.push_back({m_lowest + i * step, textAt(m_lowest + i * step)});
        return ticks;
    }
    const double decades = std::log10(m_highest / m_lowest);
    const int every = std::max(1, static_cast<int>(std::ceil(apart * decades / room)));
    for (int i = 0; i <= std::lround(decades); i += every)
        ticks.push_back({m_lowest * std::pow(10, i), textAt(m_lowest * std::pow(10, i))});
    return ticks;
}

double roundStep(double least)
{
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= least)
            return power * factor;
    return power * 10;
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
