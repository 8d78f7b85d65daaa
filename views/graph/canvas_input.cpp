// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How the graph reacts to the mouse and the keyboard.
#include "views/graph/canvas.h"

#include "core/layout/metrics.h"
#include "views/graph/box_menu.h"
#include "views/graph/hover_text.h"
#include "views/graph/walking.h"
#include "views/session/navigation.h"

#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QStyleHints>
#include <QToolTip>
#include <cmath>

namespace cutaway::views {
namespace {

constexpr double edgeReach = 6; ///< the largest distance in pixels between the pointer and an edge that it still hits

layout::Point toPoint(QPointF p) { return {p.x(), p.y()}; }

} // namespace

/// Returns the innermost box at a position of the widget that the comparison does not hide; nothing if there is none.
std::optional<std::uint32_t> Canvas::boxUnder(QPointF position) const
{
    auto box = m_picture ? m_picture->boxAt(toPoint(viewport().toDiagram(position))) : std::nullopt;
    const auto comparison = compared();
    while (box && comparison && comparison->hides(comparison->box(*box)))
        box = m_picture->box(*box).parent;
    return box;
}

std::optional<std::uint32_t> Canvas::edgeUnder(QPointF position) const
{
    const auto box = boxUnder(position);
    if (!m_picture || (box && !m_picture->box(*box).open))
        return {};
    return m_picture->edgeAt(toPoint(viewport().toDiagram(position)), edgeReach / viewport().zoom);
}

void Canvas::hover(QPointF position)
{
    const auto box = boxUnder(position);
    const auto hovered = box && !m_picture->box(*box).open ? box : std::nullopt;
    const bool onTriangle = box && m_picture->disclosure(*box).contains(viewport().toDiagram(position));
    setCursor(onTriangle ? Qt::PointingHandCursor : Qt::ArrowCursor);
    m_highlighting.hover(hovered);
}

void Canvas::click(QPointF position)
{
    if (!m_picture)
        return;
    const auto box = boxUnder(position);
    if (box && m_picture->disclosure(*box).contains(viewport().toDiagram(position))) {
        m_sight.touch();
        m_session.navigation().toggle(m_picture->box(*box).subject);
        return;
    }
    const auto edge = edgeUnder(position);
    if (edge && m_picture->edge(*edge).values.size() == 1)
        m_session.navigation().select(m_picture->edge(*edge).values.front());
    else if (box)
        m_session.navigation().select(toSelection(m_picture->box(*box).subject));
    else
        m_session.navigation().select({});
}

bool Canvas::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto edge = edgeUnder(help->pos()), box = boxUnder(help->pos());
        QToolTip::showText(help->globalPos(),
                           edge      ? hoverText(m_session, m_picture->edge(*edge))
                               : box ? hoverText(m_session, m_picture->box(*box))
                                     : QString(),
                           this);
        return true;
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto *gesture = static_cast<QNativeGestureEvent *>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            Viewport zoomed = viewport();
            zoomed.zoomAt(gesture->position(), 1 + gesture->value());
            m_sight.touch();
            m_sight.set(zoomed);
            return true;
        }
    }
    return QWidget::event(event);
}

void Canvas::wheelEvent(QWheelEvent *event)
{
    Viewport moved = viewport();
    if (event->modifiers() & Qt::ControlModifier) {
        moved.zoomAt(event->position(), std::pow(Viewport::zoomStep, event->angleDelta().y() / 120.0));
    } else {
        QPointF delta = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 2 : QPointF(event->pixelDelta());
        if (event->modifiers() & Qt::ShiftModifier)
            delta = delta.transposed();
        moved.pan(delta);
    }
    m_sight.take(moved);
    event->accept();
}

void Canvas::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton) {
        m_showsFocus = false;
        update();
        m_press = m_lastDrag = event->position();
        m_dragging = false;
        m_sight.stop();
    } else if (event->button() == Qt::BackButton || event->button() == Qt::ForwardButton) {
        m_session.navigation().go(event->button() == Qt::BackButton ? -1 : 1);
    }
}

void Canvas::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_press) {
        hover(event->position());
        return;
    }
    const int threshold = QGuiApplication::styleHints()->startDragDistance();
    if (!m_dragging && (event->position() - *m_press).manhattanLength() < threshold)
        return;
    m_dragging = true;
    setCursor(Qt::ClosedHandCursor);
    Viewport moved = viewport();
    moved.pan(event->position() - m_lastDrag);
    m_lastDrag = event->position();
    m_sight.touch();
    m_sight.set(moved);
}

void Canvas::mouseReleaseEvent(QMouseEvent *event)
{
    if (m_press && !m_dragging && event->button() == Qt::LeftButton)
        click(event->position());
    m_press.reset();
    m_dragging = false;
    hover(event->position());
}

void Canvas::mouseDoubleClickEvent(QMouseEvent *event)
{
    const auto box = boxUnder(event->position());
    if (!box || !m_picture->box(*box).canOpen)
        return;
    const QPointF point = viewport().toDiagram(event->position());
    // On the triangle, the first click has opened or closed the box already. A double click inside an open box has no
    // effect.
    const bool header = point.y() <= m_picture->box(*box).rect.y + layout::metrics::headerHeight;
    if (!m_picture->disclosure(*box).contains(point) && (header || !m_picture->box(*box).open)) {
        m_sight.touch();
        m_session.navigation().toggle(m_picture->box(*box).subject);
    }
}

void Canvas::focusInEvent(QFocusEvent *event)
{
    m_showsFocus = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::OtherFocusReason;
    update();
}

/// Selects and shows the box that `step` returns for the selected one, or without a selection the first visible box.
void Canvas::walk(Step step, int direction)
{
    if (!m_picture)
        return;
    Navigation &navigation = m_session.navigation();
    const auto selected = selectedBox();
    if (const auto to = selected ? step(*m_picture, *selected, direction) : std::nullopt)
        navigation.reveal(toSelection(m_picture->box(*to).subject));
    else if (const auto first = firstBoxIn(*m_picture, viewport().shownRect(size())); first && !selected)
        navigation.select(toSelection(m_picture->box(*first).subject));
}

void Canvas::keyPressEvent(QKeyEvent *event)
{
    m_showsFocus = true;
    update();
    const Step vertical = event->modifiers() & Qt::ShiftModifier ? nextLevelOf : neighbourOf;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(Requests::Zoom::In);
    case Qt::Key_Minus:
        return zoom(Requests::Zoom::Out);
    case Qt::Key_0:
        return zoom(Requests::Zoom::Actual);
    case Qt::Key_Escape:
        return m_session.navigation().select({});
    case Qt::Key_Up:
        return walk(vertical, -1);
    case Qt::Key_Down:
        return walk(vertical, +1);
    case Qt::Key_Left:
        return walk(siblingOf, -1);
    case Qt::Key_Right:
        return walk(siblingOf, +1);
    case Qt::Key_Return:
    case Qt::Key_Space:
        return toggleSelected();
    default:
        QWidget::keyPressEvent(event);
    }
}

void Canvas::toggleSelected()
{
    const auto selected = selectedBox();
    if (selected && m_picture->box(*selected).canOpen)
        m_session.navigation().toggle(m_picture->box(*selected).subject);
}

void Canvas::contextMenuEvent(QContextMenuEvent *event)
{
    click(event->pos());
    QMenu menu(tr("Graph"), this);
    if (const auto selected = selectedBox()) {
        const layout::Box &box = m_picture->box(*selected);
        addBoxActions(menu, m_session, box, [this, subject = box.subject] { m_sight.centre(subject); });
    }
    menu.addAction(tr("Fit entire graph"), this, [this] { m_session.requests().zoom(Requests::Zoom::Fit); });
    menu.exec(event->globalPos());
}

void Canvas::leaveEvent(QEvent *) { hover({-1e6, -1e6}); }

} // namespace cutaway::views
