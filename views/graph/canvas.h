// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/highlighting.h"
#include "views/graph/picture.h"
#include "views/graph/shown_diagram.h"
#include "views/graph/sight.h"
#include "views/session/requests.h"

#include <QWidget>

namespace cutaway::views {

class Session;

/// Shows the session's diagram: pan by drag and wheel, zoom at the pointer, select by click, open by double click.
/// The current picture stays until the session has a newer one.
class Canvas : public QWidget {
    Q_OBJECT

public:
    explicit Canvas(Session &session, QWidget *parent = nullptr);

    Session &session() { return m_session; }
    const Session &session() const { return m_session; }
    Sight &sight() { return m_sight; }
    const Sight &sight() const { return m_sight; }
    const Viewport &viewport() const { return m_sight.viewport(); }
    const Highlighting &highlighting() const { return m_highlighting; }
    /// Returns the current picture; null before the first diagram.
    const Picture *picture() const { return m_picture.get(); }
    std::optional<std::uint32_t> selectedBox() const { return m_highlighting.selectedBox(); }

    QSize sizeHint() const override { return {900, 700}; }
    /// Draws the given side of a comparison; nothing: the side that StepDisplay::view() selects.
    void setSide(std::optional<Side> side);
    /// Keeps this viewport and that of another canvas equal. The session's requests go to the other canvas.
    void follow(Canvas &leader);
    bool isFollowing() const { return m_leader != nullptr; }

    /// Shows a point of the diagram in the middle, at this zoom: at once, or from the next picture on.
    void lookAt(QPointF point, double zoom);
    /// Returns the diagram as the canvas shows it, in the colours of `palette`. Precondition: there is a picture.
    ShownDiagram shownDiagram(const drawing::Palette &palette) const;
    /// Paints a part of the picture into a room at the painter's origin, as large as fits.
    void paintPart(QPainter &painter, const QRectF &part, QSizeF room, const drawing::Palette &palette) const;

signals:
    void pictureChanged();

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
    void seekState();
    void keepInPlace(const Picture &before);
    void zoom(Requests::Zoom zoom);
    void hover(QPointF position);
    void click(QPointF position);
    using Step = std::optional<std::uint32_t> (*)(const Picture &picture, std::uint32_t box, int direction);
    void walk(Step step, int direction);
    void toggleSelected();
    std::optional<Compared> compared() const;
    std::optional<std::uint32_t> boxUnder(QPointF position) const;
    std::optional<std::uint32_t> edgeUnder(QPointF position) const;

    Session &m_session;
    std::unique_ptr<Picture> m_picture;
    Highlighting m_highlighting;
    Sight m_sight;
    std::optional<Side> m_side; ///< the side of a pane; nothing: the side that StepDisplay::view() selects
    Canvas *m_leader = nullptr; ///< the canvas whose viewport this one follows
    bool m_showsFocus = false;  ///< whether a frame shows that the canvas has the keyboard focus
    std::optional<QPointF> m_press;
    QPointF m_lastDrag;
    bool m_dragging = false;
    std::optional<std::pair<QPointF, double>> m_firstLook; ///< middle and zoom to show once the next picture is there
};

} // namespace cutaway::views
