// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/canvas.h"

#include "core/layout/metrics.h"
#include "views/appearance/theme.h"
#include "views/graph/hover_text.h"
#include "views/session/analysing.h"
#include "views/session/bookmarks.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/searching.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QStyleHints>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace cutaway::views {
namespace {

constexpr double zoomStep = 1.25;
constexpr double edgeReach = 6; ///< pixels of the screen between the pointer and an edge it means
constexpr int animationMs = 140;
constexpr double selectionMargin = 64; ///< what is beside the selected box stays in sight
constexpr int legendRoom = 60;         ///< of two lines
constexpr double rowWeight = 4;        ///< how much nearer a box beside is than one in another row

Viewport between(const Viewport &from, const Viewport &to, double share)
{
    return {from.origin + (to.origin - from.origin) * share, from.zoom * std::pow(to.zoom / from.zoom, share)};
}

} // namespace

Canvas::Canvas(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 160);
    setAccessibleName(tr("Graph"));
    m_animation.setDuration(animationMs);
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&session.drawing(), &Drawing::diagramChanged, this, &Canvas::showDiagram);
    connect(&session.navigation(), &Navigation::selectionChanged, this, &Canvas::updateEmphasis);
    connect(&session.analysing(), &Analysing::figuresChanged, this, &Canvas::updateHeat);
    connect(&session.analysing(), &Analysing::colouringChanged, this, &Canvas::updateHeat);
    connect(&session.navigation(), &Navigation::zoomRequested, this, &Canvas::zoom);
    connect(&session.navigation(), &Navigation::centreRequested, this, &Canvas::centre);
    connect(&session.navigation(), &Navigation::placeRequested, this,
            [this](const Navigation::Place &place) { lookAt(place.middle, place.zoom); });
    connect(&session.navigation(), &Navigation::focusRequested, this, qOverload<>(&QWidget::setFocus));
    connect(&session.drawing(), &Drawing::marksChanged, this, qOverload<>(&QWidget::update));
    connect(&session.stepping(), &Stepping::viewChanged, this, qOverload<>(&QWidget::update));
    for (const auto change : {&Searching::hitsChanged, &Searching::fadingChanged})
        connect(&session.searching(), change, this, &Canvas::updateHits);
    connect(&session.bookmarks(), &Bookmarks::changed, this, &Canvas::updateBookmarks);
    connect(&session.document(), &Document::functionChanged, this, [this] {
        m_untouched = true;
        m_picture.reset();
        m_heat.reset();
        m_emphasis = {};
        emit pictureChanged();
        update();
    });
}

std::optional<std::uint32_t> Canvas::selectedBox() const
{
    const auto subject = subjectOf(m_session.drawing().function(), m_session.navigation().selection());
    return subject ? visibleBox(*subject) : std::nullopt;
}

std::optional<std::uint32_t> Canvas::visibleBox(const layout::Subject &subject) const
{
    if (!m_picture)
        return {};
    if (auto box = m_picture->find(subject))
        return box;
    std::optional<std::uint32_t> innermost;
    for (const layout::Subject &around : m_session.drawing().enclosing(subject))
        if (auto box = m_picture->find(around))
            innermost = std::max(innermost.value_or(0), *box); // what is inside comes later
    return innermost;
}

void Canvas::showDiagram()
{
    const std::unique_ptr<Picture> before =
        std::exchange(m_picture, std::make_unique<Picture>(m_session.drawing().diagram()));
    updateHeat();
    updateEmphasis();
    updateHits();
    updateBookmarks();
    emit pictureChanged();
    if (m_leader)
        m_viewport = m_leader->viewport();
    else if (const auto look = std::exchange(m_firstLook, std::nullopt))
        lookAt(look->first, look->second);
    else if (m_untouched || !before)
        setViewport(opening(m_picture->bounds(), size(), m_picture->start()));
    else
        keepInPlace(*before);
    update();
}

/// The box that was opened or closed stays where it is on the screen; else the selected one; else what is in the
/// middle.
void Canvas::keepInPlace(const Picture &before)
{
    std::optional<layout::Subject> fixed = m_session.drawing().anchor();
    if (!fixed || !before.find(*fixed) || !m_picture->find(*fixed))
        fixed = subjectOf(m_session.drawing().function(), m_session.navigation().selection());
    if (!fixed || !before.find(*fixed) || !m_picture->find(*fixed)) {
        fixed.reset();
        const QPointF middle = m_viewport.shownRect(size()).center();
        double nearest = std::numeric_limits<double>::infinity();
        for (const layout::Box &box : before.diagram().boxes) {
            const QPointF d = toQt(box.rect.center()) - middle;
            if (std::hypot(d.x(), d.y()) < nearest && m_picture->find(box.subject)) {
                nearest = std::hypot(d.x(), d.y());
                fixed = box.subject;
            }
        }
    }
    if (!fixed)
        return;
    const layout::Rect &was = before.box(*before.find(*fixed)).rect;
    const layout::Rect &is = m_picture->box(*m_picture->find(*fixed)).rect;
    Viewport moved = m_viewport;
    moved.origin += QPointF(is.x - was.x, is.y - was.y);
    setViewport(moved);
    if (fixed == m_session.drawing().anchor())
        showOpened(*fixed);
}

/// A part of the picture always stays in sight.
void Canvas::setViewport(const Viewport &viewport)
{
    m_viewport = m_picture ? held(viewport, m_picture->bounds(), size()) : viewport;
    m_viewportSize = size();
    if (m_picture && !m_leader)
        m_session.navigation().setPlace({middle(), m_viewport.zoom});
    emit viewportChanged();
    update();
}

void Canvas::moveTo(const Viewport &target)
{
    emit moveBegins();
    m_untouched = false;
    m_animation.stop();
    m_animation.disconnect(this);
    m_target = target;
    const Viewport from = m_viewport;
    connect(&m_animation, &QVariantAnimation::valueChanged, this,
            [this, from, target](const QVariant &share) { setViewport(between(from, target, share.toDouble())); });
    m_animation.start();
}

void Canvas::zoom(Navigation::Zoom zoom)
{
    const QPointF middle = QRectF(rect()).center();
    Viewport target = m_viewport;
    switch (zoom) {
    case Navigation::Zoom::In:
        target.zoomAt(middle, zoomStep);
        break;
    case Navigation::Zoom::Out:
        target.zoomAt(middle, 1 / zoomStep);
        break;
    case Navigation::Zoom::Actual:
        target.zoomAt(middle, 1 / m_viewport.zoom);
        break;
    case Navigation::Zoom::Fit:
        if (m_picture)
            target = wholePicture();
        break;
    case Navigation::Zoom::Selection:
        if (const auto selected = selectedBox())
            target = fitted(toQt(m_picture->box(*selected).rect), size(), selectionMargin);
        break;
    }
    moveTo(target);
}

void Canvas::centre(const layout::Subject &subject)
{
    if (!m_picture)
        return;
    const auto box = m_picture->find(subject);
    if (!box)
        return;
    moveTo(revealing(toQt(m_picture->box(*box).rect), size(), m_viewport.zoom));
}

/// Of a box that was opened and does not end in sight, as much as there is room for, without another zoom.
void Canvas::showOpened(const layout::Subject &subject)
{
    const auto box = m_picture->find(subject);
    if (!box || !m_picture->box(*box).open)
        return;
    const Viewport target = showing(m_viewport, toQt(m_picture->box(*box).rect), size());
    if (target.origin != m_viewport.origin)
        moveTo(target);
}

/// An edge that leads away from `from`, and where it ends at the border of an open box, those that go on from there
/// with the same values.
void Canvas::emphasizeEdge(std::uint32_t index, std::uint32_t from)
{
    if (m_emphasis.edges[index])
        return;
    m_emphasis.edges[index] = true;
    const layout::Edge &edge = m_picture->edge(index);
    const bool downwards = edge.from == from;
    const std::uint32_t end = downwards ? edge.to : edge.from;
    emphasizeBox(end, true);
    if (!m_picture->box(end).open)
        return;
    for (std::uint32_t next : m_picture->edgesOf(end)) {
        const layout::Edge &other = m_picture->edge(next);
        if ((downwards ? other.from : other.to) == end
            && std::ranges::find_first_of(other.values, edge.values) != other.values.end())
            emphasizeEdge(next, end);
    }
}

void Canvas::emphasizeBox(std::uint32_t box, bool withEnclosing)
{
    m_emphasis.boxes[box] = true;
    if (withEnclosing)
        for (auto parent = m_picture->box(box).parent; parent; parent = m_picture->box(*parent).parent)
            m_emphasis.boxes[*parent] = true;
}

void Canvas::updateHeat()
{
    m_heat.reset();
    if (m_picture && m_session.analysing().figures() && m_session.analysing().colouring())
        m_heat = heatOf(m_picture->diagram(), *m_session.analysing().figures(), *m_session.analysing().colouring());
    emit heatChanged();
    update();
}

/// A closed box has the hits of all that is in it.
void Canvas::updateHits()
{
    const Searching &searching = m_session.searching();
    m_emphasis.hits.clear();
    m_emphasis.fadesOthers = searching.fadesOthers();
    update();
    const bool isOfDiagram = m_picture && &m_picture->diagram() == m_session.drawing().diagram().get();
    if (!isOfDiagram || !searching.nodeMarks())
        return;
    const layout::Marks marks =
        layout::marksOf(m_picture->diagram(), m_session.drawing().function(), *searching.nodeMarks());
    for (const layout::Marks::OfBox &box : marks.boxes)
        m_emphasis.hits.push_back(box.changed);
    const auto count = [this](const layout::Subject &subject) {
        if (const auto box = m_picture->find(subject))
            ++m_emphasis.hits[*box];
    };
    for (const Selection &hit : searching.hits()) // nodes are counted, and weights have no box
        if (const auto *module = std::get_if<layout::ScopeSubject>(&hit))
            count(*module);
        else if (const auto *input = std::get_if<layout::InputSubject>(&hit))
            count(*input);
}

void Canvas::updateBookmarks()
{
    m_emphasis.bookmarks.clear();
    for (const Bookmark &bookmark : m_session.bookmarks().all())
        if (bookmark.function == m_session.document().functionId()
            && isThere(m_session.drawing().function(), toSelection(bookmark.subject)))
            if (const auto box = visibleBox(bookmark.subject))
                m_emphasis.bookmarks.push_back(*box);
    update();
}

void Canvas::updateEmphasis()
{
    m_emphasis = {.selectedBox = {},
                  .hoveredBox = {},
                  .boxes = {},
                  .edges = {},
                  .hits = std::move(m_emphasis.hits),
                  .fadesOthers = m_emphasis.fadesOthers,
                  .bookmarks = std::move(m_emphasis.bookmarks)};
    update();
    const auto selected = selectedBox();
    if (!selected)
        return;
    const layout::Diagram &diagram = m_picture->diagram();
    m_emphasis.boxes.resize(diagram.boxes.size());
    m_emphasis.edges.resize(diagram.edges.size());
    m_emphasis.selectedBox = selected;
    emphasizeBox(*selected, true);
    for (std::uint32_t i = *selected + 1; i < diagram.boxes.size(); ++i)
        if (diagram.boxes[i].parent && *diagram.boxes[i].parent >= *selected
            && m_emphasis.boxes[*diagram.boxes[i].parent])
            emphasizeBox(i, false);
    const auto *value = std::get_if<ir::ValueId>(&m_session.navigation().selection());
    const bool open = diagram.boxes[*selected].open;
    for (std::uint32_t i : m_picture->edgesOf(*selected)) {
        const layout::Edge &edge = diagram.edges[i];
        const std::uint32_t other = edge.from == *selected ? edge.to : edge.from;
        if (open && diagram.boxes[other].parent == *selected)
            continue; // the inside of the selection
        if (!value || std::ranges::contains(edge.values, *value))
            emphasizeEdge(i, *selected);
    }
}

void Canvas::setSide(std::optional<Side> side)
{
    m_side = side;
    update();
}

void Canvas::follow(Canvas &leader)
{
    m_leader = &leader;
    m_viewport = leader.m_viewport;
    // The leader answers what the session asks for: this one may be hidden, and has its own size.
    disconnect(&m_session.navigation(), &Navigation::zoomRequested, this, &Canvas::zoom);
    disconnect(&m_session.navigation(), &Navigation::centreRequested, this, &Canvas::centre);
    disconnect(&m_session.navigation(), &Navigation::placeRequested, this, nullptr);
    disconnect(&m_session.navigation(), &Navigation::focusRequested, this, nullptr);
    connect(&leader, &Canvas::viewportChanged, this, [this] {
        m_viewport = m_leader->m_viewport;
        update();
    });
    connect(this, &Canvas::viewportChanged, &leader, [this] {
        emit m_leader->moveBegins();
        m_leader->m_untouched = false;
        m_leader->m_animation.stop();
        m_leader->setViewport(m_viewport);
    });
}

/// Nothing while the session compares nothing, or its marks are of another diagram than the picture.
std::optional<Compared> Canvas::compared() const
{
    const layout::Marks &marks = m_session.drawing().marks();
    if (!m_picture || marks.boxes.size() != m_picture->diagram().boxes.size())
        return {};
    const Stepping &stepping = m_session.stepping();
    const Side wanted = stepping.position() == 0    ? Side::Both
        : stepping.view() == Stepping::View::Before ? Side::Before
        : stepping.view() == Stepping::View::After  ? Side::After
                                                    : Side::Both;
    return Compared{marks, m_side.value_or(wanted), stepping.focusesChanges() && stepping.position() > 0};
}

/// All of it, above the legend where there will be one.
Viewport Canvas::wholePicture() const
{
    const Viewport whole = fitted(m_picture->bounds(), size());
    return whole.zoom < titleZoom && !m_heat ? fitted(m_picture->bounds(), size() - QSize(0, legendRoom)) : whole;
}

QRectF Canvas::sight() const
{
    if (!m_picture)
        return {};
    const QRectF part = m_viewport.shownRect(size()).intersected(m_picture->bounds());
    return part.isEmpty() ? m_picture->bounds() : part;
}

void Canvas::lookAt(QPointF point)
{
    m_untouched = false;
    m_animation.stop();
    Viewport moved = m_viewport;
    moved.centreOn(point, size());
    setViewport(moved);
}

void Canvas::lookAt(QPointF point, double zoom)
{
    if (!m_picture || m_session.drawing().isBusy()) {
        m_firstLook = {point, zoom};
        return;
    }
    m_viewport.zoom = std::clamp(zoom, Viewport::minZoom, Viewport::maxZoom);
    lookAt(point);
}

ShownDiagram Canvas::shownDiagram(const drawing::Palette &palette) const
{
    const auto comparison = compared();
    ShownDiagram shown{m_picture->sharedDiagram(),
                       lookOf(*m_picture, m_heat ? &*m_heat : nullptr, comparison ? &*comparison : nullptr, palette)};
    const QRectF part = sight();
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
        paint(painter, *m_picture, m_emphasis, view, room, palette, m_heat ? &*m_heat : nullptr,
              comparison ? &*comparison : nullptr);
    painter.restore();
}

/// The innermost box that is drawn at a place.
std::optional<std::uint32_t> Canvas::boxUnder(QPointF position) const
{
    auto box = m_picture ? m_picture->boxAt(at(position)) : std::nullopt;
    const auto comparison = compared();
    while (box && comparison && comparison->hides(comparison->box(*box)))
        box = m_picture->box(*box).parent;
    return box;
}

layout::Point Canvas::at(QPointF position) const
{
    const QPointF p = m_viewport.toDiagram(position);
    return {p.x(), p.y()};
}

std::optional<std::uint32_t> Canvas::edgeUnder(QPointF position) const
{
    const auto box = boxUnder(position);
    if (box && !m_picture->box(*box).open)
        return {};
    return m_picture->edgeAt(at(position), edgeReach / m_viewport.zoom);
}

QString Canvas::toolTipAt(QPointF position) const
{
    if (!m_picture)
        return {};
    if (const auto edge = edgeUnder(position))
        return hoverText(m_session, m_picture->edge(*edge));
    if (const auto box = boxUnder(position))
        return hoverText(m_session, m_picture->box(*box));
    return {};
}

void Canvas::hover(QPointF position)
{
    const auto box = boxUnder(position);
    const auto hovered = box && !m_picture->box(*box).open ? box : std::nullopt;
    const bool onTriangle = box && m_picture->disclosure(*box).contains(m_viewport.toDiagram(position));
    setCursor(onTriangle ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (hovered != m_emphasis.hoveredBox) {
        m_emphasis.hoveredBox = hovered;
        update();
    }
}

void Canvas::click(QPointF position)
{
    if (!m_picture)
        return;
    const auto box = boxUnder(position);
    if (box && m_picture->disclosure(*box).contains(m_viewport.toDiagram(position))) {
        m_untouched = false;
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

/// Where the keys begin while nothing is selected: at the first box in sight.
void Canvas::selectFirst()
{
    if (!m_picture)
        return;
    const QRectF sight = m_viewport.shownRect(size());
    const auto &boxes = m_picture->diagram().boxes;
    const auto first = std::ranges::find_if(boxes, [&](const layout::Box &box) {
        return sight.contains(toQt(box.rect).center()) && !(box.open && box.parent);
    });
    if (first != boxes.end())
        m_session.navigation().select(toSelection(first->subject));
}

/// The next box to the right (+1) or left (-1) in the same surroundings, the nearest row first.
void Canvas::selectSibling(int direction)
{
    const auto selected = selectedBox();
    if (!selected)
        return selectFirst();
    const layout::Box &from = m_picture->box(*selected);
    const QPointF centre = toQt(from.rect).center();
    std::optional<std::uint32_t> best;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < m_picture->diagram().boxes.size(); ++i) {
        const QPointF d = toQt(m_picture->box(i).rect).center() - centre;
        const double cost = std::abs(d.x()) + rowWeight * std::abs(d.y());
        if (i != *selected && m_picture->box(i).parent == from.parent && d.x() * direction > 1 && cost < nearest) {
            nearest = cost;
            best = i;
        }
    }
    if (best)
        m_session.navigation().reveal(toSelection(m_picture->box(*best).subject));
}

/// +1: to the first box inside of the selected one, if that is open; -1: to the box around it.
void Canvas::selectLevel(int direction)
{
    const auto selected = selectedBox();
    if (!selected)
        return selectFirst();
    const auto &boxes = m_picture->diagram().boxes;
    std::optional<std::uint32_t> to = boxes[*selected].parent;
    if (direction > 0)
        to = *selected + 1 < boxes.size() && boxes[*selected + 1].parent == *selected ? std::optional(*selected + 1)
                                                                                      : std::nullopt;
    if (to)
        m_session.navigation().reveal(toSelection(boxes[*to].subject));
}

/// Follows an edge from the selected box: -1 to a box that it reads, +1 to one that reads it.
void Canvas::selectNeighbour(int direction)
{
    const auto box = selectedBox();
    if (!box)
        return selectFirst();
    for (std::uint32_t i : m_picture->edgesOf(*box)) {
        const layout::Edge &edge = m_picture->edge(i);
        const std::uint32_t next = direction > 0 ? edge.to : edge.from;
        if (next != *box) {
            m_session.navigation().reveal(toSelection(m_picture->box(next).subject));
            return;
        }
    }
}

bool Canvas::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);
        return true;
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto *gesture = static_cast<QNativeGestureEvent *>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            Viewport zoomed = m_viewport;
            zoomed.zoomAt(gesture->position(), 1 + gesture->value());
            m_untouched = false;
            setViewport(zoomed);
            return true;
        }
    }
    return QWidget::event(event);
}

void Canvas::paintEvent(QPaintEvent *)
{
    const drawing::Palette &colors = diagramPalette(palette());
    QPainter painter(this);
    painter.fillRect(rect(), toColor(colors.canvas));
    const auto comparison = compared();
    if (m_picture)
        paint(painter, *m_picture, m_emphasis, m_viewport, size(), colors, m_heat ? &*m_heat : nullptr,
              comparison ? &*comparison : nullptr);
    if (hasFocus() && m_showsFocus) {
        painter.setPen(QPen(toColor(colors.selection), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

/// What is in the middle, or on its way there, stays there.
void Canvas::resizeEvent(QResizeEvent *)
{
    if (!m_picture || m_leader)
        return;
    if (m_untouched)
        return setViewport(opening(m_picture->bounds(), size(), m_picture->start()));
    Viewport moved = m_animation.state() == QAbstractAnimation::Running ? m_target : m_viewport;
    m_animation.stop();
    moved.centreOn(moved.shownRect(m_viewportSize).center(), size());
    setViewport(moved);
}

void Canvas::wheelEvent(QWheelEvent *event)
{
    Viewport moved = m_viewport;
    if (event->modifiers() & Qt::ControlModifier) {
        moved.zoomAt(event->position(), std::pow(zoomStep, event->angleDelta().y() / 120.0));
    } else {
        QPointF delta = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 2 : QPointF(event->pixelDelta());
        if (event->modifiers() & Qt::ShiftModifier)
            delta = delta.transposed();
        moved.pan(delta);
    }
    m_untouched = false;
    m_animation.stop();
    setViewport(moved);
    event->accept();
}

void Canvas::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton) {
        showFocus(false);
        m_press = m_lastDrag = event->position();
        m_dragging = false;
        m_animation.stop();
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
    m_untouched = false;
    setCursor(Qt::ClosedHandCursor);
    Viewport moved = m_viewport;
    moved.pan(event->position() - m_lastDrag);
    m_lastDrag = event->position();
    setViewport(moved);
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
    const QPointF point = m_viewport.toDiagram(event->position());
    // On the triangle the two clicks have already opened and closed it; inside an open box nothing is meant.
    const bool header = point.y() <= m_picture->box(*box).rect.y + layout::metrics::headerHeight;
    if (!m_picture->disclosure(*box).contains(point) && (header || !m_picture->box(*box).open)) {
        m_untouched = false;
        m_session.navigation().toggle(m_picture->box(*box).subject);
    }
}

void Canvas::focusInEvent(QFocusEvent *event)
{
    showFocus(event->reason() != Qt::MouseFocusReason && event->reason() != Qt::OtherFocusReason);
}

/// The frame is for who uses the keyboard.
void Canvas::showFocus(bool isShown)
{
    m_showsFocus = isShown;
    update();
}

void Canvas::keyPressEvent(QKeyEvent *event)
{
    showFocus(true);
    const auto selected = selectedBox();
    const bool isLevel = event->modifiers() & Qt::ShiftModifier;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(Navigation::Zoom::In);
    case Qt::Key_Minus:
        return zoom(Navigation::Zoom::Out);
    case Qt::Key_0:
        return zoom(Navigation::Zoom::Actual);
    case Qt::Key_Escape:
        return m_session.navigation().select({});
    case Qt::Key_Up:
        return isLevel ? selectLevel(-1) : selectNeighbour(-1);
    case Qt::Key_Down:
        return isLevel ? selectLevel(+1) : selectNeighbour(+1);
    case Qt::Key_Left:
        return selectSibling(-1);
    case Qt::Key_Right:
        return selectSibling(+1);
    case Qt::Key_Return:
    case Qt::Key_Space:
        if (selected && m_picture->box(*selected).canOpen)
            m_session.navigation().toggle(m_picture->box(*selected).subject);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void Canvas::leaveEvent(QEvent *) { hover({-1e6, -1e6}); }

} // namespace cutaway::views
