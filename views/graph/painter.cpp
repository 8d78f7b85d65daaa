// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/painter.h"

#include "views/graph/far_layer.h"
#include "views/graph/painting/box_painter.h"
#include "views/graph/painting/edge_painter.h"
#include "views/graph/painting/sign_painter.h"

#include <QPaintEngine>
#include <QPainter>
#include <cmath>

namespace cutaway::views {
namespace {

/// Paints the part of a picture that the viewport shows. `layer` is the far layer that `painter` paints on, whose
/// pixels may be filled directly; null if there is none.
void paintDiagram(QPainter &painter, FarLayer *layer, const Picture &picture, const Emphasis &emphasis,
                  const Viewport &viewport, QSizeF size, const drawing::Palette &palette, const Tinting *tinting,
                  const Compared *compared)
{
    painter.scale(viewport.zoom, viewport.zoom);
    painter.translate(-viewport.origin);
    painter.setRenderHint(QPainter::Antialiasing, viewport.zoom >= shapeZoom);
    painter.setRenderHint(QPainter::TextAntialiasing);
    const PaintContext context{painter, layer,    picture,       emphasis,        palette,
                               tinting, compared, viewport.zoom, viewport.origin, viewport.shownRect(size)};
    BoxPainter boxes(context);
    EdgePainter edges(context);
    context.forEachShownBox(
        [&](std::uint32_t i, const layout::Box &box) { box.open ? boxes.openBox(i, box) : void(); });
    edges.paintAll();
    context.forEachShownBox([&](std::uint32_t i, const layout::Box &box) { box.open ? void() : boxes.card(i, box); });
    if (viewport.zoom >= labelZoom)
        edges.paintLabels();
    SignPainter(context).paintAll();
}

} // namespace

void paint(QPainter &painter, const Picture &picture, const Emphasis &emphasis, const Viewport &viewport, QSizeF size,
           const drawing::Palette &palette, const Tinting *tinting, const Compared *compared)
{
    constexpr std::size_t many = 5000;
    const bool hasPixels = painter.paintEngine()->type() == QPaintEngine::Raster
        && painter.worldTransform().type() <= QTransform::TxTranslate;
    if (viewport.zoom < shapeZoom && hasPixels && picture.diagram().boxes.size() > many && !size.isEmpty()) {
        const double ratio = painter.device()->devicePixelRatio();
        FarLayer layer(QSize(int(std::ceil(size.width() * ratio)), int(std::ceil(size.height() * ratio))));
        layer.image().setDevicePixelRatio(ratio);
        QPainter onLayer(&layer.image());
        paintDiagram(onLayer, &layer, picture, emphasis, viewport, size, palette, tinting, compared);
        onLayer.end();
        return painter.drawImage(QPointF(), layer.image());
    }
    painter.save();
    paintDiagram(painter, nullptr, picture, emphasis, viewport, size, palette, tinting, compared);
    painter.restore();
}

} // namespace cutaway::views
