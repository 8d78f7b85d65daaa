// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/canvas.h"

#include "views/appearance/theme.h"
#include "views/parts/axis.h"
#include "views/session/analysing.h"
#include "views/session/annotations/annotating.h"
#include "views/session/bookmarks.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/searching.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <set>

namespace cutaway::views {
namespace {

constexpr int animationMs = 140;
constexpr double selectionMargin = 64; ///< what is beside the selected box stays in sight
constexpr int legendRoom = 60;         ///< of two lines

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
    connect(&session.analysing(), &Analysing::figuresChanged, this, &Canvas::updateTinting);
    connect(&session.analysing(), &Analysing::colouringChanged, this, &Canvas::updateTinting);
    connect(&session.annotating(), &Annotating::changed, this, &Canvas::updateTinting);
    connect(&session.annotating(), &Annotating::changed, this, &Canvas::updateNotFinite);
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
        m_tinting.reset();
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
    updateTinting();
    updateEmphasis();
    updateHits();
    updateBookmarks();
    updateNotFinite();
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
        target.zoomAt(middle, Viewport::zoomStep);
        break;
    case Navigation::Zoom::Out:
        target.zoomAt(middle, 1 / Viewport::zoomStep);
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

/// Moves the view to show as much of a box that was opened as there is room for, if it does not end in sight. The zoom
/// stays.
void Canvas::showOpened(const layout::Subject &subject)
{
    const auto box = m_picture->find(subject);
    if (!box || !m_picture->box(*box).open)
        return;
    const Viewport target = showing(m_viewport, toQt(m_picture->box(*box).rect), size());
    if (target.origin != m_viewport.origin)
        moveTo(target);
}

void Canvas::updateTinting()
{
    m_tinting.reset();
    const Colouring &colouring = m_session.analysing().colouring();
    const Figures *figures = m_session.analysing().figures().get();
    if (const auto *measure = std::get_if<Measure>(&colouring); measure && m_picture && figures)
        m_tinting = heatOf(m_picture->diagram(), *figures, *measure);
    const auto *name = std::get_if<ByColumn>(&colouring);
    const node_data::Column *column = name ? m_session.annotating().column(name->name) : nullptr;
    const auto &outline = m_session.drawing().drawnOutline();
    const bool isOfDiagram = m_picture && &m_picture->diagram() == m_session.drawing().diagram().get();
    if (column && outline && isOfDiagram)
        m_tinting = columnTints(m_picture->diagram(), *outline, *column);
    emit tintingChanged();
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
    const layout::Marks marks = m_session.drawing().marksOf(*searching.nodeMarks());
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

/// The first NaN and the first infinity of the last run, where they are made.
void Canvas::updateNotFinite()
{
    m_emphasis.notFinite.clear();
    std::set<run::NotFinite::Kind> seen;
    for (const run::NotFinite &each : m_session.annotating().notFinite())
        if (isThere(m_session.drawing().function(), each.node) && seen.insert(each.kind).second)
            if (const auto box = visibleBox(each.node))
                m_emphasis.notFinite.emplace_back(*box, each.kind);
    update();
}

void Canvas::updateEmphasis()
{
    const auto *value = std::get_if<ir::ValueId>(&m_session.navigation().selection());
    emphasize(m_emphasis, m_picture.get(), selectedBox(), value ? std::optional(*value) : std::nullopt);
    update();
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

/// Returns the comparison to draw; nothing while the session compares nothing, or its marks are of another diagram than
/// the picture.
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
    const bool fades = (stepping.focusesChanges() && stepping.position() > 0) || m_session.drawing().fadesUnmarked();
    return Compared{marks, m_side.value_or(wanted), fades};
}

/// Returns the viewport that shows the whole picture, above the legend if there will be one.
Viewport Canvas::wholePicture() const
{
    const Viewport whole = fitted(m_picture->bounds(), size());
    return whole.zoom < titleZoom && !m_tinting ? fitted(m_picture->bounds(), size() - QSize(0, legendRoom)) : whole;
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
    ShownDiagram shown{
        m_picture->sharedDiagram(),
        lookOf(*m_picture, m_tinting ? &*m_tinting : nullptr, comparison ? &*comparison : nullptr, palette)};
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
        paint(painter, *m_picture, m_emphasis, view, room, palette, m_tinting ? &*m_tinting : nullptr,
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
        paint(painter, *m_picture, m_emphasis, m_viewport, size(), colors, m_tinting ? &*m_tinting : nullptr,
              comparison ? &*comparison : nullptr);
    if (m_picture && m_picture->diagram().boxes.empty())
        drawNotice(painter, rect(), tr("This function has no nodes."), palette());
    if (hasFocus() && m_showsFocus) {
        painter.setPen(QPen(toColor(colors.selection), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

/// Fits the picture again if the user has not moved it. Else the point in the middle, or on its way there, stays there.
void Canvas::resizeEvent(QResizeEvent *)
{
    if (!m_picture || m_leader)
        return;
    if (m_untouched)
        return setViewport(opening(m_picture->bounds(), size(), m_picture->start()));
    Viewport moved = isMoving() ? m_target : m_viewport;
    m_animation.stop();
    moved.centreOn(moved.shownRect(m_viewportSize).center(), size());
    setViewport(moved);
}

} // namespace cutaway::views
