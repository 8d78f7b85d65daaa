// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/training.h"
#include "views/parts/axis.h"

#include <QWidget>

namespace cutaway::views {

/// Memory over the steps of a forward and then its backward, as an area; inside it what is saved for the backward.
class TrainingCurve : public QWidget {
    Q_OBJECT

public:
    explicit TrainingCurve(QWidget *parent);

    /// Hides itself where nothing is given, or bytes are no numbers.
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

    std::shared_ptr<const sequence::TrainingMemory> m_memory; ///< with a peak
    std::vector<double> m_alive, m_saved;                     ///< bytes by step
};

} // namespace cutaway::views
