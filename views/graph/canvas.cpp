// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/canvas.h"

#include "views/appearance/theme.h"
#include "views/parts/axis.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace cutaway::views {
namespace {

constexpr double selectionMargin = 64; ///< the least distance of the selected box from the canvas's border
constexpr int legendRoom = 60;         ///< the height of two lines of a legend

/// Returns the box that stays where it is on the screen: the one that was opened or closed, else the selected one, else
/// the one nearest to the middle. Nothing if the pictures have none in common.
std::optional<layout::Subject> keptBox(const Session &session, const Picture &before, const Picture &after,
                                       QPointF middle)
{
    const auto isInBoth = [&](const std::optional<layout::Subject> &subject) {
        return subject && before.find(*subject) && after.find(*subject);
    };
    if (const auto anchor = session.drawing().anchor(); isInBoth(anchor))
        return anchor;
    if (const auto selected = subjectOf(session.drawing().function(), session.navigation().selection());
        isInBoth(selected))
        return selected;
    std::optional<layout::Subject> best;
    double nearest = std::numeric_limits<double>::infinity();
    for (const layout::Box &box : before.diagram().boxes) {
        const QPointF d = toQt(box.rect.center()) - middle;
        if (std::hypot(d.x(), d.y()) < nearest && after.find(box.subject)) {
            nearest = std::hypot(d.x(), d.y());
            best = box.subject;
        }
    }
    return best;
}

/// Whether a box with this mark shows nodes that the shown state has.
bool isOfState(const layout::Box &box, layout::Mark mark)
{
    const bool hasNodes = box.kind == layout::Box::Kind::Node || (box.kind == layout::Box::Kind::Module && !box.open);
    return hasNodes && mark != layout::Mark::Absent;
}

/// Returns the side that a canvas draws: that of its pane, if it has one, or else the one that the user has chosen.
Side sideOf(const Stepping &stepping, std::optional<Side> pane)
{
    using View = StepDisplay::View;
    const View view = stepping.display().view();
    const Side chosen = view == View::Before ? Side::Before : view == View::After ? Side::After : Side::Both;
    return pane.value_or(stepping.position() == 0 ? Side::Both : chosen);
}

} // namespace

Canvas::Canvas(Session &session, QWidget *parent)
    : QWidget(parent),
      m_session(session),
      m_highlighting(session),
      m_sight(*this)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 160);
    setAccessibleName(tr("Graph"));
    const auto update = qOverload<>(&QWidget::update);
    connect(&m_highlighting, &Highlighting::changed, this, update);
    connect(&m_sight, &Sight::changed, this, [this] {
        if (m_picture && !m_leader)
            m_session.navigation().setPlace({m_sight.middle(), viewport().zoom});
        this->update();
    });
    connect(&session.drawing(), &Drawing::diagramChanged, this, &Canvas::showDiagram);
    connect(&session.requests(), &Requests::zoomRequested, this, &Canvas::zoom);
    connect(&session.navigation(), &Navigation::centreRequested, &m_sight, &Sight::centre);
    connect(&session.navigation(), &Navigation::placeRequested, this,
            [this](const Navigation::Place &place) { lookAt(place.middle, place.zoom); });
    connect(&session.requests(), &Requests::focusRequested, this, qOverload<>(&QWidget::setFocus));
    connect(&session.drawing(), &Drawing::marksChanged, this, update);
    connect(&session.drawing(), &Drawing::drawn, this, &Canvas::seekState);
    connect(&session.stepping(), &Stepping::viewChanged, this, &Canvas::showDiagram);
    connect(&session.document(), &Document::functionChanged, this, [this] {
        m_sight.forget();
        m_highlighting.clear();
        m_picture.reset();
        emit pictureChanged();
        this->update();
    });
}

void Canvas::showDiagram()
{
    const Drawing &drawing = m_session.drawing();
    const bool isBefore = sideOf(m_session.stepping(), m_side) == Side::Before;
    const auto &diagram = isBefore ? drawing.diagramBefore() : drawing.diagram();
    if (!diagram || (m_picture && m_picture->sharedDiagram() == diagram))
        return update();
    // Another state of the same diagram has the same boxes with other texts, so the viewport stays.
    const bool hasSameBoxes = m_picture && drawing.isShown(m_picture->diagram());
    const std::unique_ptr<Picture> before = std::exchange(m_picture, std::make_unique<Picture>(diagram));
    m_sight.setPicture(m_picture.get());
    m_highlighting.setPicture(*m_picture);
    emit pictureChanged();
    if (hasSameBoxes)
        return update();
    if (m_leader)
        m_sight.copy(m_leader->m_sight);
    else if (const auto look = std::exchange(m_firstLook, std::nullopt))
        lookAt(look->first, look->second);
    else if (!m_sight.isTouched() || !before)
        m_sight.open();
    else
        keepInPlace(*before);
    update();
}

void Canvas::keepInPlace(const Picture &before)
{
    const auto kept = keptBox(m_session, before, *m_picture, m_sight.middle());
    if (!kept)
        return;
    m_sight.keepInPlace(*kept, before);
    if (kept == m_session.drawing().anchor())
        m_sight.showOpened(*kept);
}

void Canvas::zoom(Requests::Zoom zoom)
{
    const QPointF middle = QRectF(rect()).center();
    Viewport target = viewport();
    switch (zoom) {
    case Requests::Zoom::In:
        target.zoomAt(middle, Viewport::zoomStep);
        break;
    case Requests::Zoom::Out:
        target.zoomAt(middle, 1 / Viewport::zoomStep);
        break;
    case Requests::Zoom::Actual:
        target.zoomAt(middle, 1 / viewport().zoom);
        break;
    case Requests::Zoom::Fit:
        if (m_picture)
            target = fitted(m_picture->bounds(), size());
        // A legend appears at this zoom, so there has to be room for it.
        if (m_picture && target.zoom < titleZoom && !m_highlighting.tinting())
            target = fitted(m_picture->bounds(), size() - QSize(0, legendRoom));
        break;
    case Requests::Zoom::Selection:
        if (const auto selected = selectedBox())
            target = fitted(toQt(m_picture->box(*selected).rect), size(), selectionMargin);
        break;
    }
    m_sight.moveTo(target);
}

/// Moves to the shown state if nothing of it is visible: recorded graphs with little in common lie far apart.
void Canvas::seekState()
{
    const layout::Marks &marks = m_session.drawing().marks();
    if (m_leader || !m_picture || !m_session.stepping().isRecorded()
        || marks.boxes.size() != m_picture->diagram().boxes.size())
        return;
    QRectF all, first;
    for (std::size_t i = 0; i < marks.boxes.size(); ++i) {
        const layout::Box &box = m_picture->diagram().boxes[i];
        if (!isOfState(box, marks.boxes[i].mark))
            continue;
        const QRectF rect = toQt(box.rect);
        if (rect.intersects(m_sight.part()))
            return;
        all |= rect;
        first = first.isNull() ? rect : first;
    }
    if (!first.isNull())
        m_sight.moveTo(opening(all, size(), first.center()));
}

void Canvas::setSide(std::optional<Side> side)
{
    m_side = side;
    showDiagram();
}

void Canvas::follow(Canvas &leader)
{
    m_leader = &leader;
    m_sight.copy(leader.m_sight);
    // The leader handles the session's requests, since this canvas may be hidden and has another size.
    disconnect(&m_session.requests(), nullptr, this, nullptr);
    disconnect(&m_session.navigation(), &Navigation::centreRequested, &m_sight, &Sight::centre);
    disconnect(&m_session.navigation(), &Navigation::placeRequested, this, nullptr);
    connect(&leader.m_sight, &Sight::changed, this, [this] {
        m_sight.copy(m_leader->m_sight);
        update();
    });
    connect(&m_sight, &Sight::changed, &leader, [this] {
        emit m_leader->m_sight.moveBegins();
        m_leader->m_sight.take(viewport());
    });
}

/// Returns the comparison to draw; nothing while the session compares nothing, or while its marks belong to another
/// diagram than the picture.
std::optional<Compared> Canvas::compared() const
{
    const layout::Marks &marks = m_session.drawing().marks();
    if (!m_picture || marks.boxes.size() != m_picture->diagram().boxes.size())
        return {};
    const Stepping &stepping = m_session.stepping();
    const bool fades =
        (stepping.display().focusesChanges() && stepping.position() > 0) || m_session.drawing().fadesUnmarked();
    return Compared{marks, sideOf(stepping, m_side), fades};
}

void Canvas::lookAt(QPointF point, double zoom)
{
    if (!m_picture || m_session.drawing().isBusy()) {
        m_firstLook = {point, zoom};
        return;
    }
    m_sight.lookAt(point, zoom);
}

ShownDiagram Canvas::shownDiagram(const drawing::Palette &palette) const
{
    const auto comparison = compared();
    ShownDiagram shown{m_picture->sharedDiagram(),
                       lookOf(*m_picture, m_highlighting.tints(), comparison ? &*comparison : nullptr, palette)};
    const QRectF part = m_sight.part();
    shown.look.part = layout::Rect{part.x(), part.y(), part.width(), part.height()};
    return shown;
}

void Canvas::paintPart(QPainter &painter, const QRectF &part, QSizeF room, const drawing::Palette &palette) const
{
    const Viewport view = filling(part, room);
    const QRectF target(view.toScreen(part.topLeft()), part.size() * view.zoom);
    const auto comparison = compared();
    painter.save();
    painter.setClipRect(target);
    painter.fillRect(target, toColor(palette.canvas));
    if (m_picture)
        paint(painter, *m_picture, m_highlighting.emphasis(), view, room, palette, m_highlighting.tints(),
              comparison ? &*comparison : nullptr);
    painter.restore();
}

void Canvas::paintEvent(QPaintEvent *)
{
    const drawing::Palette &colors = diagramPalette(palette());
    QPainter painter(this);
    painter.fillRect(rect(), toColor(colors.canvas));
    const auto comparison = compared();
    if (m_picture)
        paint(painter, *m_picture, m_highlighting.emphasis(), viewport(), size(), colors, m_highlighting.tints(),
              comparison ? &*comparison : nullptr);
    if (m_picture && m_picture->diagram().boxes.empty())
        drawNotice(painter, rect(), tr("This function has no nodes."), palette());
    if (hasFocus() && m_showsFocus) {
        painter.setPen(QPen(toColor(colors.selection), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void Canvas::resizeEvent(QResizeEvent *)
{
    if (m_picture && !m_leader)
        m_sight.resize();
}

} // namespace cutaway::views
