// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/time_plot.h"

#include "views/appearance/theme.h"
#include "views/parts/text.h"
#include "views/timeline/ruler.h"

#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QStyleHints>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <qdrawutil.h>

namespace cutaway::views {
namespace {

constexpr double rightRoom = 16;
constexpr double timeZoomStep = 1.25;
constexpr double shortest = 50e-9; ///< the shortest range in seconds, since profilers count nanoseconds
constexpr double leastText = 28;   ///< the least width in pixels of a box with a text

} // namespace

TimePlot::TimePlot(double nameRoom, QWidget *parent) : QWidget(parent), m_nameRoom(nameRoom)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 100);
    setAccessibleName(tr("Timeline"));
}

QRectF TimePlot::plot() const
{
    return {m_nameRoom, rulerHeight, std::max(width() - m_nameRoom - rightRoom, 1.0),
            std::max<double>(height() - rulerHeight, 1.0)};
}

double TimePlot::toPixel(double second) const
{
    const QRectF area = plot();
    return area.left() + (second - m_from) / (m_to - m_from) * area.width();
}

double TimePlot::toSecond(double pixel) const
{
    const QRectF area = plot();
    return m_from + (pixel - area.left()) / area.width() * (m_to - m_from);
}

/// Shows a range, moved and cut so that it lies within the whole time.
void TimePlot::showRange(double from, double to)
{
    const double span = std::clamp(to - from, std::min(shortest, m_end), m_end);
    m_from = std::clamp(from, 0.0, m_end - span);
    m_to = m_from + span;
    emit rangeChanged();
    update();
}

void TimePlot::fit()
{
    if (m_end > 0)
        showRange(0, m_end);
}

void TimePlot::zoomAt(double pixel, double factor)
{
    const double at = toSecond(pixel);
    showRange(at - (at - m_from) / factor, at + (m_to - at) / factor);
}

void TimePlot::bring(double start, double end)
{
    const double span = m_to - m_from, length = end - start;
    if (length > span)
        showRange(start - length / 8, end + length / 8);
    else
        showRange((start + end - span) / 2, (start + end + span) / 2);
}

void TimePlot::drawRuler(QPainter &painter) const
{
    const QRectF area = plot();
    for (const auto &[second, text] : rulerTicks(m_from, m_to, area.width() / 96)) {
        const double x = std::round(toPixel(second)) + 0.5;
        painter.setPen(QPen(separator(palette()), 1));
        painter.drawLine(QPointF(x, area.top() - 4), QPointF(x, area.bottom()));
        painter.setPen(mutedText(palette()));
        if (x + 4 + painter.fontMetrics().horizontalAdvance(text) < width())
            painter.drawText(QRectF(x + 4, 2, 92, rulerHeight - 6), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
}

void TimePlot::drawFocus(QPainter &painter) const
{
    if (hasFocus())
        qDrawPlainRect(&painter, rect(), palette().color(QPalette::Highlight));
}

bool TimePlot::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), toolTipText(textAt(help->pos())), this);
        return true;
    }
    const auto *gesture = event->type() == QEvent::NativeGesture ? static_cast<QNativeGestureEvent *>(event) : nullptr;
    if (gesture && gesture->gestureType() == Qt::ZoomNativeGesture) {
        zoomAt(gesture->position().x(), 1 + gesture->value());
        return true;
    }
    return QWidget::event(event);
}

void TimePlot::wheelEvent(QWheelEvent *event)
{
    const QPoint delta = event->angleDelta();
    const bool sideways = std::abs(delta.x()) > std::abs(delta.y()) || event->modifiers() & Qt::ShiftModifier;
    if (sideways) {
        const double pixels = (delta.x() + delta.y()) / 2.0, by = toSecond(0) - toSecond(pixels);
        showRange(m_from + by, m_to + by);
    } else {
        zoomAt(event->position().x(), std::pow(timeZoomStep, delta.y() / 120.0));
    }
    event->accept();
}

void TimePlot::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    m_press = m_lastDrag = event->position();
    m_dragging = false;
}

void TimePlot::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_press)
        return hover(event->position());
    const int threshold = QGuiApplication::styleHints()->startDragDistance();
    m_dragging = m_dragging || (event->position() - *m_press).manhattanLength() >= threshold;
    if (!m_dragging)
        return;
    const double by = toSecond(m_lastDrag.x()) - toSecond(event->position().x());
    moveUp(m_lastDrag.y() - event->position().y());
    m_lastDrag = event->position();
    showRange(m_from + by, m_to + by);
}

void TimePlot::mouseReleaseEvent(QMouseEvent *event)
{
    if (m_press && !m_dragging && event->button() == Qt::LeftButton)
        click(event->position());
    m_press.reset();
}

void TimePlot::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomAt(plot().center().x(), timeZoomStep);
    case Qt::Key_Minus:
        return zoomAt(plot().center().x(), 1 / timeZoomStep);
    case Qt::Key_0:
        return fit();
    case Qt::Key_Left:
        return selectNext(-1);
    case Qt::Key_Right:
        return selectNext(+1);
    default:
        QWidget::keyPressEvent(event);
    }
}

void drawLabel(QPainter &painter, const QRectF &seen, const QStringList &texts)
{
    if (seen.width() < leastText)
        return;
    const int room = int(seen.width()) - 8;
    const auto fits = [&](const QString &text) { return painter.fontMetrics().horizontalAdvance(text) <= room; };
    const auto first = std::ranges::find_if(texts, fits);
    painter.drawText(seen.adjusted(5, 0, -3, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     first != texts.end() ? *first
                                          : painter.fontMetrics().elidedText(texts.back(), Qt::ElideRight, room));
}

} // namespace cutaway::views
