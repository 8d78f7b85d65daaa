// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/sweep.h"
#include "views/parts/axis.h"
#include "views/session/measure.h"

#include <QWidget>
#include <memory>
#include <optional>

namespace cutaway::views {

/// The curve of a figure against a size. The axes are logarithmic if the sizes span more than a decade. A tool tip
/// shows the value under the pointer.
class SweepChart : public QWidget {
    Q_OBJECT

public:
    explicit SweepChart(QWidget *parent);

    /// Shows the curve of a sweep; without one, the text `notice` in its place.
    void show(std::shared_ptr<const analysis::Sweep> sweep, const QString &notice);
    void setMeasure(Measure measure);
    QSize sizeHint() const override { return {480, 200}; }

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    struct Axes {
        Axis x, y;
    };
    /// Returns the points whose figure is a number; empty if there are none.
    std::vector<std::pair<double, double>> points() const;
    Axes axesOf(const std::vector<std::pair<double, double>> &points) const;

    std::shared_ptr<const analysis::Sweep> m_sweep;
    QString m_notice;
    Measure m_measure = Measure::Flops;
};

} // namespace cutaway::views
