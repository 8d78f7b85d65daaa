// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/picture.h"
#include "views/graph/viewport.h"

#include <QVariantAnimation>

class QWidget;

namespace cutaway::views {

/// The part of a picture that a widget shows, and its moves to other parts. A part of the picture always stays visible.
class Sight : public QObject {
    Q_OBJECT

public:
    explicit Sight(const QWidget &widget);

    const Viewport &viewport() const { return m_viewport; }
    /// Returns the visible part of the picture; empty before the first one.
    QRectF part() const;
    QPointF middle() const;
    /// Whether the viewport is moving.
    bool isMoving() const { return m_animation.state() == QAbstractAnimation::Running; }
    /// Whether the user has moved the picture. If not, it is fitted again when the widget is resized.
    bool isTouched() const { return m_isTouched; }

    /// Sets a picture in place of another one, or nullptr; the viewport stays.
    void setPicture(const Picture *picture) { m_picture = picture; }
    /// Shows the picture as users see it at first. Precondition: there is a picture.
    void open();
    /// Forgets that the user has moved the picture, because an unrelated picture follows.
    void forget();
    void touch() { m_isTouched = true; }
    void set(const Viewport &viewport);
    /// Sets the viewport that the user has moved to, and remembers that the user did.
    void take(const Viewport &viewport);
    /// Moves to a viewport in a short animation.
    void moveTo(const Viewport &target);
    void stop() { m_animation.stop(); }
    /// Moves a point of the diagram to the middle.
    void lookAt(QPointF point);
    void lookAt(QPointF point, double zoom);
    /// Moves to the box of a subject, if the picture has it.
    void centre(const layout::Subject &subject);
    /// Moves so that as much as possible of a box that was just opened is visible, unless it is already. The zoom
    /// stays. Precondition: there is a picture.
    void showOpened(const layout::Subject &subject);
    /// Moves so that a box stays where it was on the screen with `before`. Precondition: both pictures have it.
    void keepInPlace(const layout::Subject &subject, const Picture &before);
    /// Takes over another size of the widget: the picture is fitted again, or, if the user has moved it, the point in
    /// the middle stays there. An animation keeps the point that it ends at. Precondition: there is a picture.
    void resize();
    /// Takes over the viewport of another widget, without a signal.
    void copy(const Sight &other) { m_viewport = other.m_viewport; }

signals:
    void changed();
    /// Emitted when the user begins to move to another part, before it is visible.
    void moveBegins();

private:
    const QWidget &m_widget;
    const Picture *m_picture = nullptr;
    Viewport m_viewport;
    QSize m_size; ///< the size of the widget that m_viewport was made for
    bool m_isTouched = false;
    QVariantAnimation m_animation;
    Viewport m_target; ///< the viewport that the animation ends at
};

} // namespace cutaway::views
