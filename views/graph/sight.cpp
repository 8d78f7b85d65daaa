// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/sight.h"

#include <QWidget>
#include <cmath>

namespace cutaway::views {
namespace {

constexpr int animationMs = 140;

Viewport between(const Viewport &from, const Viewport &to, double share)
{
    return {from.origin + (to.origin - from.origin) * share, from.zoom * std::pow(to.zoom / from.zoom, share)};
}

} // namespace

Sight::Sight(const QWidget &widget) : m_widget(widget)
{
    m_animation.setDuration(animationMs);
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
}

QRectF Sight::part() const
{
    if (!m_picture)
        return {};
    const QRectF part = m_viewport.shownRect(m_widget.size()).intersected(m_picture->bounds());
    return part.isEmpty() ? m_picture->bounds() : part;
}

QPointF Sight::middle() const { return m_viewport.shownRect(m_widget.size()).center(); }

void Sight::open() { set(opening(m_picture->bounds(), m_widget.size(), m_picture->start())); }

void Sight::forget()
{
    m_isTouched = false;
    m_picture = nullptr;
}

void Sight::set(const Viewport &viewport)
{
    m_viewport = m_picture ? held(viewport, m_picture->bounds(), m_widget.size()) : viewport;
    m_size = m_widget.size();
    emit changed();
}

void Sight::take(const Viewport &viewport)
{
    touch();
    stop();
    set(viewport);
}

void Sight::moveTo(const Viewport &target)
{
    emit moveBegins();
    touch();
    stop();
    m_animation.disconnect(this);
    m_target = target;
    connect(&m_animation, &QVariantAnimation::valueChanged, this,
            [this, from = m_viewport, target](const QVariant &share) { set(between(from, target, share.toDouble())); });
    m_animation.start();
}

void Sight::lookAt(QPointF point) { lookAt(point, m_viewport.zoom); }

void Sight::lookAt(QPointF point, double zoom)
{
    Viewport moved = m_viewport;
    moved.zoom = std::clamp(zoom, Viewport::minZoom, Viewport::maxZoom);
    moved.centreOn(point, m_widget.size());
    take(moved);
}

void Sight::centre(const layout::Subject &subject)
{
    if (const auto box = m_picture ? m_picture->find(subject) : std::nullopt)
        moveTo(revealing(toQt(m_picture->box(*box).rect), m_widget.size(), m_viewport.zoom));
}

void Sight::showOpened(const layout::Subject &subject)
{
    const auto box = m_picture->find(subject);
    if (!box || !m_picture->box(*box).open)
        return;
    const Viewport target = showing(m_viewport, toQt(m_picture->box(*box).rect), m_widget.size());
    if (target.origin != m_viewport.origin)
        moveTo(target);
}

void Sight::keepInPlace(const layout::Subject &subject, const Picture &before)
{
    const layout::Rect &was = before.box(*before.find(subject)).rect;
    const layout::Rect &is = m_picture->box(*m_picture->find(subject)).rect;
    Viewport moved = m_viewport;
    moved.origin += QPointF(is.x - was.x, is.y - was.y);
    set(moved);
}

void Sight::resize()
{
    if (!m_isTouched)
        return open();
    Viewport moved = isMoving() ? m_target : m_viewport;
    stop();
    moved.centreOn(moved.shownRect(m_size).center(), m_widget.size());
    set(moved);
}

} // namespace cutaway::views
