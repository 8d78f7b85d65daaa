// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/training.h"
#include "views/parts/axis.h"

#include <QWidget>

namespace cutaway::views {

/// A plot of memory over the steps of a forward and then its backward, as an area. A second area inside it is the
/// memory that is saved for the backward.
class TrainingCurve : public QWidget {
    Q_OBJECT

public:
    explicit TrainingCurve(QWidget *parent);

    /// Shows the memory. Hides the widget if there is none, or if some amounts are formulas rather than numbers.
    void show(std::shared_ptr<const sequence::TrainingMemory> memory);

    QSize sizeHint() const override { return {480, 200}; }

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    double pixelOf(std::size_t step, const QRectF &area) const;
    void drawSteps(QPainter &painter, const QRectF &area, const Axis &y, const std::vector<double> &bytes,
                   int strength) const;
    void drawParts(QPainter &painter, const QRectF &area) const;
    void drawPeak(QPainter &painter, const QRectF &area, const Axis &y) const;
    QString stepText(std::size_t step) const;

    std::shared_ptr<const sequence::TrainingMemory> m_memory; ///< null, or memory whose peak is known
    std::vector<double> m_alive, m_saved;                     ///< bytes by step
};

} // namespace cutaway::views
