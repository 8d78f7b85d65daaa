// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/plot.h"
#include "views/parts/quantity.h"

#include <QPalette>
#include <QRectF>

class QPainter;

namespace cutaway::views {

/// One axis of a plot on the pixels of a widget, with amounts of one unit.
class Axis {
public:
    struct Tick {
        double value;
        QString text; ///< "2 MiB"
    };

    /// Makes an axis from 0 to `highest`.
    static Axis linear(Quantity::Unit unit, double highest);
    /// Makes an axis from `lowest` > 0, widened to powers of ten.
    static Axis logarithmic(Quantity::Unit unit, double lowest, double highest);
    /// Sets a suffix for the unit of the ticks: "/s".
    Axis &per(const QString &suffix);
    Axis &named(const QString &title);

    void place(double fromPixel, double toPixel);
    double toPixel(double value) const;
    double lowest() const { return m_axis.first; }
    /// Returns ticks at round numbers, at least `apart` pixels from each other.
    std::vector<Tick> ticks(double apart) const;
    const QString &title() const { return m_title; }

private:
    Axis(drawing::Axis axis, Quantity::Unit unit) : m_axis(std::move(axis)), m_unit(unit) { }

    drawing::Axis m_axis;
    Quantity::Unit m_unit;
    double m_from = 0, m_to = 1; ///< pixels
    QString m_suffix, m_title;
};

/// Returns the area of a plot in a widget of this size, with room for ticks and titles at the left and below.
QRectF plotArea(QSizeF widget);
/// Places both axes at the area and draws lines, ticks and titles.
void drawAxes(QPainter &painter, const QRectF &area, Axis &x, Axis &y, const QPalette &palette);
/// Draws a centred text in place of a plot.
void drawNotice(QPainter &painter, const QRectF &area, const QString &text, const QPalette &palette);

} // namespace cutaway::views
