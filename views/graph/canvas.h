// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/painter.h"
#include "views/graph/picture.h"
#include "views/graph/shown_diagram.h"
#include "views/graph/viewport.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <QVariantAnimation>
#include <QWidget>

class QMenu;

namespace cutaway::views {

/// Shows the session's diagram: pan by drag and wheel, zoom at the pointer, select by click, open by double click.
/// The current picture stays until the session has a newer one.
class Canvas : public QWidget {
    Q_OBJECT

public:
    explicit Canvas(Session &session, QWidget *parent = nullptr);

    Session &session() { return m_session; }
    const Session &session() const { return m_session; }
    const Viewport &viewport() const { return m_viewport; }
    /// Null before the first diagram.
    const Picture *picture() const { return m_picture.get(); }
    /// The box of the selection: its own, or the closed box that contains it.
    std::optional<std::uint32_t> selectedBox() const;
    /// The box of a subject, or the closed box that contains it.
    std::optional<std::uint32_t> visibleBox(const layout::Subject &subject) const;

    QSize sizeHint() const override { return {900, 700}; }
    /// Draws this side of a comparison; nothing: the side that Stepping::view() selects.
    void setSide(std::optional<Side> side);
    /// Keeps this viewport and that of another canvas equal. The session's requests go to the other canvas.
    void follow(Canvas &leader);
    /// Returns how many hits of a search are in a box, the box itself included.
    std::uint32_t hitsIn(std::uint32_t box) const { return m_emphasis.hits.empty() ? 0 : m_emphasis.hits[box]; }
    bool isFollowing() const { return m_leader != nullptr; }
    /// The colours of boxes; nothing while boxes are coloured by their category.
    const std::optional<Tinting> &tinting() const { return m_tinting; }
    /// The colours of boxes if they show a measure, or null.
    const Heat *heat() const { return m_tinting ? std::get_if<Heat>(&*m_tinting) : nullptr; }

    /// The part of the picture that is in sight; empty before the first one.
    QRectF sight() const;
    /// Moves a point of the diagram to the middle.
    void lookAt(QPointF point);
    /// Shows a point of the diagram in the middle, at this zoom: at once, or from the next picture on.
    void lookAt(QPointF point, double zoom);
    /// The point in the middle.
    QPointF middle() const { return m_viewport.shownRect(size()).center(); }
    /// Precondition: there is a picture.
    ShownDiagram shownDiagram(const drawing::Palette &palette) const;
    /// Paints a part of the picture into a room at the painter's origin, as large as fits.
    void paintPart(QPainter &painter, const QRectF &part, QSizeF room, const drawing::Palette &palette) const;

    const Emphasis &emphasis() const { return m_emphasis; }
    /// Whether the view is on its way to another place.
    bool isMoving() const { return m_animation.state() == QAbstractAnimation::Running; }

signals:
    void pictureChanged();
    void tintingChanged();
    void viewportChanged();
    /// The user wants to see another place, and the view is not there yet.
    void moveBegins();

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    void showDiagram();
    void keepInPlace(const Picture &before);
    void zoom(Navigation::Zoom zoom);
    Viewport wholePicture() const;
    void centre(const layout::Subject &subject);
    void showOpened(const layout::Subject &subject);
    void moveTo(const Viewport &target);
    void setViewport(const Viewport &viewport);
    void updateEmphasis();
    void updateTinting();
    void updateNotFinite();
    void updateHits();
    void updateBookmarks();
    void addPaths(QMenu &menu, ir::NodeId node);
    void hover(QPointF position);
    void click(QPointF position);
    void showFocus(bool isShown);
    using Step = std::optional<std::uint32_t> (*)(const Picture &picture, std::uint32_t box, int direction);
    void walk(Step step, int direction);
    layout::Point at(QPointF position) const;
    std::optional<Compared> compared() const;
    std::optional<std::uint32_t> boxUnder(QPointF position) const;
    std::optional<std::uint32_t> edgeUnder(QPointF position) const;
    QString toolTipAt(QPointF position) const;

    Session &m_session;
    std::unique_ptr<Picture> m_picture;
    Emphasis m_emphasis;
    std::optional<Tinting> m_tinting;
    std::optional<Side> m_side; ///< if it is not that of the session
    Canvas *m_leader = nullptr; ///< whose viewport this one follows
    Viewport m_viewport;
    QSize m_viewportSize; ///< of the widget, which m_viewport was made for
    bool m_showsFocus = false;
    bool m_untouched = true; ///< the user has not moved the picture: it is fitted again when the widget is resized
    std::optional<QPointF> m_press;
    QPointF m_lastDrag;
    bool m_dragging = false;
    QVariantAnimation m_animation;
    Viewport m_target;                                     ///< of the animation
    std::optional<std::pair<QPointF, double>> m_firstLook; ///< of the next picture: its middle and zoom
};

} // namespace cutaway::views
