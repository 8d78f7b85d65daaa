// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/picture.h"
#include "views/graph/viewport.h"

#include <QVariantAnimation>

class QWidget;

namespace cutaway::views {

/// Which part of a picture a widget shows, and its moves to other parts. A part of the picture always stays in sight.
class Sight : public QObject {
    Q_OBJECT

public:
    explicit Sight(const QWidget &widget);

    const Viewport &viewport() const { return m_viewport; }
    /// The part of the picture that is in sight; empty before the first one.
    QRectF part() const;
    /// The point in the middle.
    QPointF middle() const;
    /// Whether it is on its way to another place.
    bool isMoving() const { return m_animation.state() == QAbstractAnimation::Running; }
    /// Whether the user has moved the picture. If not, it is fitted again when the widget is resized.
    bool isTouched() const { return m_isTouched; }

    /// `picture` is in the place of another one, or nullptr; the viewport stays.
    void setPicture(const Picture *picture) { m_picture = picture; }
    /// Shows the picture as a user sees it first. Precondition: there is one.
    void open();
    /// Forgets that the user has moved the picture, since another one comes.
    void forget();
    void touch() { m_isTouched = true; }
    void set(const Viewport &viewport);
    /// Sets the viewport as the user has moved it.
    void take(const Viewport &viewport);
    /// Moves there in a moment.
    void moveTo(const Viewport &target);
    void stop() { m_animation.stop(); }
    /// Moves a point of the diagram to the middle.
    void lookAt(QPointF point);
    void lookAt(QPointF point, double zoom);
    /// Moves to a box, if the picture has it.
    void centre(const layout::Subject &subject);
    /// Moves to show as much of a box that was opened as there is room for, if it does not end in sight. The zoom
    /// stays. Precondition: there is a picture.
    void showOpened(const layout::Subject &subject);
    /// Leaves a box where it was in the picture before. Precondition: both pictures have it.
    void keepInPlace(const layout::Subject &subject, const Picture &before);
    /// The widget has another size: the picture is fitted again, or the point in the middle, or on its way there, stays
    /// there. Precondition: there is a picture.
    void resize();
    /// Has the viewport of another widget, without a signal.
    void copy(const Sight &other) { m_viewport = other.m_viewport; }

signals:
    void changed();
    /// The user wants to see another place, which is not in sight yet.
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
