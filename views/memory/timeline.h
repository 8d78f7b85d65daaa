// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/parts/axis.h"

#include <QPen>
#include <QWidget>
#include <map>
#include <memory>

namespace cutaway::views {

class Analysing;
class Figures;
class Running;
class Session;

/// Live memory at each step as an area, and the memory that a profile or a trace has measured as a line for each
/// device; a click chooses a step.
class Timeline : public QWidget {
    Q_OBJECT

public:
    explicit Timeline(Session &session, QWidget *parent = nullptr);

    /// Reads the figures of the session again.
    void fill();
    /// Returns the step with the most bytes; nothing if the bytes of some steps are unknown.
    std::optional<std::size_t> highest() const;
    void setStep(std::optional<std::size_t> step);
    std::optional<std::size_t> step() const { return m_step; }
    /// Returns the middle of a step, in pixels of the widget.
    double pixelOf(std::size_t step) const;
    /// Returns the bytes that were measured at a step, the most of all devices; nothing if none were.
    std::optional<double> measuredAt(std::size_t step) const;
    /// Returns the memory that was measured at a step, as text: "4 MB measured on cuda:0, 1 MB measured on cpu".
    QString measuredText(std::size_t step) const;

    /// An entry of the legend, which is above the plot: a line with its text behind it.
    struct Entry {
        QString text;
        QRectF place; ///< the position of the text
        QPen pen;     ///< the pen of the line here and in the plot, one of twenty
    };
    std::vector<Entry> legend() const;

    QSize sizeHint() const override { return {640, 220}; }

signals:
    void stepChosen(std::size_t step);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    struct Measured {
        QString device;                      ///< the measured device; "" for the measurement of a profile
        std::map<std::size_t, double> bytes; ///< by step
    };
    std::vector<Measured> measured() const;
    QRectF area() const;
    std::size_t stepAt(double pixel) const;
    std::vector<std::pair<double, double>> columns(const QRectF &area) const;
    void drawArea(QPainter &painter, const QRectF &area, const Axis &y) const;
    void drawMeasured(QPainter &painter, const QRectF &area, const Axis &y) const;
    void drawLegend(QPainter &painter) const;
    void drawMark(QPainter &painter, const QRectF &area, std::size_t step, const QColor &color) const;
    void drawPeak(QPainter &painter, const QRectF &area, const Axis &y) const;
    QString notice() const;
    QString bytesAt(std::size_t step) const;

    const Running &m_running;
    Analysing &m_analysing;
    std::shared_ptr<const Figures> m_figures; ///< the figures that are drawn
    std::vector<double> m_alive;      ///< bytes by step, formulas at the example sizes; empty if some are unknown
    std::vector<Measured> m_measured; ///< the measurements that have bytes, those with the largest amount first
    std::optional<std::size_t> m_step, m_hovered;
};

/// Describes what happens at a step: "conv2d (layer1.0)", "inputs".
QString stepText(const Figures &figures, std::size_t step);

} // namespace cutaway::views
