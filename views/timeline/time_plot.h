// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMouseEvent>
#include <QWidget>
#include <optional>
#include <utility>

namespace cutaway::views {

/// A range of time below a ruler, in seconds from 0 to an end. The wheel and the keys + and - zoom, dragging moves, 0
/// shows all. What is drawn in it, and what a click does, is for those who inherit it.
class TimePlot : public QWidget {
    Q_OBJECT

public:
    /// `nameRoom`: pixels for names at the left.
    TimePlot(double nameRoom, QWidget *parent);

    /// Shows everything.
    void fit();
    /// The range that is shown.
    std::pair<double, double> range() const { return {m_from, m_to}; }

    QSize sizeHint() const override { return {640, 200}; }

signals:
    void rangeChanged();

protected:
    static constexpr double rulerHeight = 26;

    double end() const { return m_end; }
    void setEnd(double end) { m_end = end; }
    /// The part below the ruler and right of the names.
    QRectF plot() const;
    double toPixel(double second) const;
    double toSecond(double pixel) const;
    bool isSeen(double start, double end) const { return end >= m_from && start <= m_to; }
    void showRange(double from, double to);
    /// Brings something into sight: in the middle, or all of it if it is longer than the range.
    void bring(double start, double end);
    void drawRuler(QPainter &painter) const;
    void drawFocus(QPainter &painter) const;

    virtual QString textAt(QPointF position) const = 0; ///< text of a tool tip; "": there is none
    virtual void hover(std::optional<QPointF> position) = 0;
    virtual void click(QPointF position) = 0;
    virtual void doubleClick(QPointF position) = 0;
    virtual void selectNext(int direction) = 0; ///< -1: with the key to the left, 1: to the right
    virtual void moveUp(double) { }             ///< by pixels, where not all fits into the height

    bool event(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override { doubleClick(event->position()); }
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *) override { hover(std::nullopt); }

private:
    void zoomAt(double pixel, double factor);

    double m_nameRoom;
    double m_end = 0;
    double m_from = 0, m_to = 1; ///< the part of the time that is shown
    std::optional<QPointF> m_press;
    QPointF m_lastDrag;
    bool m_dragging = false;
};

/// Writes into the part of a box that is in sight, if there is room: the first text that fits, or the beginning of the
/// last one.
void drawLabel(QPainter &painter, const QRectF &seen, const QStringList &texts);

} // namespace cutaway::views
