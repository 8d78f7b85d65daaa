// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/canvas.h"

#include <QPixmap>
#include <QWidget>

namespace cutaway::views {

/// The boxes of the whole picture in small, with a frame around the visible part. A press or a drag moves the frame.
class Map : public QWidget {
public:
    explicit Map(Canvas &canvas);

    /// Whether a map helps, since a large part of the picture is out of sight.
    bool isUseful() const;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void drawBoxes();
    /// Returns the viewport that shows the whole picture in the widget.
    Viewport scale() const { return filling(m_canvas.picture()->bounds(), size()); }
    void lookAt(QPointF position);

    Canvas &m_canvas;
    QPixmap m_boxes; ///< the boxes as drawn last; null if they have to be drawn again
};

} // namespace cutaway::views
