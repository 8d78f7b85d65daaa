// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/overlays/map.h"

#include "views/appearance/theme.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace cutaway::views {
namespace {

constexpr QSizeF largestMap{180, 140};
constexpr double largestShare = 0.25; ///< the map takes at most this share of the canvas's width and height
constexpr double smallestFrame = 9;   ///< the least size of the frame around the visible area
constexpr double narrowestMap = 28;   ///< pixels; wide enough to point at even for a long chain

} // namespace

Map::Map(Canvas &canvas) : QWidget(&canvas), m_canvas(canvas)
{
    setAccessibleName(tr("Map of the graph"));
    setToolTip(tr("The entire graph; click or drag to move"));
    setCursor(Qt::PointingHandCursor);
    connect(&canvas, &Canvas::pictureChanged, this, [this] { m_boxes = {}; });
    connect(&canvas.highlighting(), &Highlighting::tintingChanged, this, [this] { m_boxes = {}; });
}

bool Map::isUseful() const
{
    if (!m_canvas.picture())
        return false;
    const QRectF all = m_canvas.picture()->bounds();
    const QRectF seen = m_canvas.sight().part();
    constexpr double most = 0.7; // if a larger share is visible, a map would only cover the graph
    const QSizeF shown = seen.intersected(all).size();
    return shown.width() * shown.height() < most * all.width() * all.height();
}

QSize Map::sizeHint() const
{
    if (!m_canvas.picture())
        return {};
    const QSizeF room = largestMap.boundedTo(QSizeF(m_canvas.size()) * largestShare);
    const QSizeF size = m_canvas.picture()->bounds().size().scaled(room, Qt::KeepAspectRatio);
    return size.expandedTo({narrowestMap, narrowestMap}).toSize();
}

void Map::drawBoxes()
{
    const drawing::Palette &colors = diagramPalette(palette());
    m_boxes = QPixmap(size() * devicePixelRatio());
    m_boxes.setDevicePixelRatio(devicePixelRatio());
    m_boxes.fill(toColor(colors.canvas));
    QPainter painter(&m_boxes);
    const Viewport view = scale();
    const Picture &picture = *m_canvas.picture();
    const Tinting *tints = m_canvas.highlighting().tints();
    for (std::uint32_t i = 0; i < picture.diagram().boxes.size(); ++i) {
        const layout::Box &box = picture.box(i);
        QColor color = toColor(box.open || box.canOpen                   ? colors.moduleBorder(box.depth)
                                   : box.kind == layout::Box::Kind::Node ? colors.category(box.category)
                                                                         : colors.cardBorder);
        if (box.open)
            color = toColor(colors.moduleFill(box.depth));
        else if (const auto colour = tints ? colourOf(*tints, box, i, colors.dark) : std::nullopt;
                 colour && colour->fill)
            color = *colour->fill;
        const QRectF rect(view.toScreen(toQt(box.rect).topLeft()), toQt(box.rect).size() * view.zoom);
        painter.fillRect(QRectF(rect.topLeft(), rect.size().expandedTo({1, 1})), color);
    }
}

void Map::paintEvent(QPaintEvent *)
{
    if (!m_canvas.picture())
        return;
    if (m_boxes.isNull() || m_boxes.deviceIndependentSize().toSize() != size())
        drawBoxes();
    const drawing::Palette &colors = diagramPalette(palette());
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_boxes);
    painter.setPen(QPen(toColor(colors.cardBorder), 1));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    const Viewport view = scale();
    const QRectF sight = m_canvas.sight().part();
    QRectF frame(QPointF(), (sight.size() * view.zoom).expandedTo({smallestFrame, smallestFrame}));
    frame.moveCenter(view.toScreen(sight.center()));
    frame = frame.intersected(QRectF(rect())).adjusted(1, 1, -1, -1);
    QColor inside = toColor(colors.selection);
    inside.setAlpha(36);
    painter.setPen(QPen(toColor(colors.selection), 1.5));
    painter.setBrush(inside);
    painter.drawRect(frame);
}

void Map::lookAt(QPointF position)
{
    if (m_canvas.picture())
        m_canvas.sight().lookAt(scale().toDiagram(position));
}

void Map::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        lookAt(event->position());
}

void Map::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton)
        lookAt(event->position());
}

void Map::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        m_boxes = {};
    QWidget::changeEvent(event);
}

} // namespace cutaway::views
