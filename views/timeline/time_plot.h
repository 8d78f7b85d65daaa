// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMouseEvent>
#include <QWidget>
#include <optional>
#include <utility>

namespace cutaway::views {

/// The base of plots over time, in seconds from 0 to an end, below a ruler. The wheel and the keys + and - zoom,
/// dragging moves, and 0 shows everything. Derived classes draw the contents and define what a click does.
class TimePlot : public QWidget {
    Q_OBJECT

public:
    /// `nameRoom` is the width in pixels for names at the left.
    TimePlot(double nameRoom, QWidget *parent);

    /// Shows everything.
    void fit();
    /// Returns the visible range in seconds.
    std::pair<double, double> range() const { return {m_from, m_to}; }

    QSize sizeHint() const override { return {640, 200}; }

signals:
    void rangeChanged();

protected:
    static constexpr double rulerHeight = 26;

    double end() const { return m_end; }
    void setEnd(double end) { m_end = end; }
    /// Returns the area below the ruler and right of the names.
    QRectF plot() const;
    double toPixel(double second) const;
    double toSecond(double pixel) const;
    bool isSeen(double start, double end) const { return end >= m_from && start <= m_to; }
    void showRange(double from, double to);
    /// Moves the range so that a time span is visible: in the middle, or the whole span if it is longer than the range.
    void bring(double start, double end);
    void drawRuler(QPainter &painter) const;
    void drawFocus(QPainter &painter) const;

    virtual QString textAt(QPointF position) const = 0; ///< the tool tip at a position; "" for none
    virtual void hover(std::optional<QPointF> position) = 0;
    virtual void click(QPointF position) = 0;
    virtual void doubleClick(QPointF position) = 0;
    virtual void selectNext(int direction) = 0; ///< called with -1 for the key to the left, 1 for the key to the right
    virtual void moveUp(double) { }             ///< scrolls by pixels if the content is higher than the widget

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
    double m_from = 0, m_to = 1; ///< the visible range in seconds
    std::optional<QPointF> m_press;
    QPointF m_lastDrag;
    bool m_dragging = false;
};

/// Writes into the visible part of a box, if there is room: the first text that fits, or the beginning of the last.
void drawLabel(QPainter &painter, const QRectF &seen, const QStringList &texts);

} // namespace cutaway::views
