// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/parts/quantity.h"

#include <QPalette>
#include <QRectF>
#include <vector>

class QPainter;

namespace cutaway::views {

/// One axis of a plot: numbers to pixels of the widget, and ticks at round numbers.
class Axis {
public:
    enum class Scale { Linear, Logarithmic };
    struct Tick {
        double value;
        QString text; ///< "2 MiB"
    };

    /// Logarithmic: from `lowest` > 0, widened to powers of ten. Linear: from 0.
    static Axis linear(Quantity::Unit unit, double highest);
    static Axis logarithmic(Quantity::Unit unit, double lowest, double highest);
    /// What stands behind the unit of a tick: "/s".
    Axis &per(const QString &suffix);
    Axis &named(const QString &title);

    void place(double fromPixel, double toPixel);
    double toPixel(double value) const;
    double toValue(double pixel) const;
    double lowest() const { return m_lowest; }
    double highest() const { return m_highest; }
    /// At least `apart` pixels from each other.
    std::vector<Tick> ticks(double apart) const;
    const QString &title() const { return m_title; }

private:
    Axis(Scale scale, Quantity::Unit unit, double lowest, double highest);
    QString textAt(double value) const;

    Scale m_scale;
    Quantity::Unit m_unit;
    double m_lowest, m_highest;
    double m_from = 0, m_to = 1; ///< pixels
    QString m_suffix, m_title;
};

/// 1, 2 or 5 times a power of ten, not smaller than this.
double roundStep(double least);

/// The area of a plot inside a widget of this size, with room for ticks and titles left and below.
QRectF plotArea(QSizeF widget);
/// Places both axes at the area and draws lines, ticks and titles.
void drawAxes(QPainter &painter, const QRectF &area, Axis &x, Axis &y, const QPalette &palette);
/// A word in the middle, where there is nothing to draw.
void drawNotice(QPainter &painter, const QRectF &area, const QString &text, const QPalette &palette);

} // namespace cutaway::views
