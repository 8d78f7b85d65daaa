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
    /// The step with the most bytes; nothing if the bytes of some steps are not known.
    std::optional<std::size_t> highest() const;
    void setStep(std::optional<std::size_t> step);
    std::optional<std::size_t> step() const { return m_step; }
    /// The middle of a step, in pixels of the widget.
    double pixelOf(std::size_t step) const;
    /// Bytes that were measured at a step, if any were: the most of all devices.
    std::optional<double> measuredAt(std::size_t step) const;
    /// The memory that was measured at a step, as text: "4 MB measured on cuda:0, 1 MB measured on cpu".
    QString measuredText(std::size_t step) const;

    /// An entry of the legend, which is above the plot: a line with its text behind it.
    struct Entry {
        QString text;
        QRectF place; ///< where the text is
        QPen pen;     ///< the pen of its line, here and in the plot; twenty differ
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
        QString device;                      ///< "": that of a profile
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
    std::shared_ptr<const Figures> m_figures; ///< that are drawn
    std::vector<double> m_alive;      ///< bytes by step, formulas at the example sizes; empty if some are unknown
    std::vector<Measured> m_measured; ///< those with bytes, most first
    std::optional<std::size_t> m_step, m_hovered;
};

/// Says what happens at a step: "conv2d (layer1.0)", "inputs".
QString stepText(const Figures &figures, std::size_t step);

} // namespace cutaway::views
