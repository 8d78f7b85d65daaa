// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/painting/paint_context.h"

#include <cmath>

namespace cutaway::views {

QColor tinted(QColor a, QColor b, double share)
{
    const auto mix = [share](int x, int y) { return int(std::lround(x + (y - x) * share)); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

bool PaintContext::isFadedBox(std::uint32_t box) const
{
    const bool isDull = compared && compared->fadesUnchanged && markOf(box) == layout::Mark::None;
    return emphasis.isFadedBox(box) || (isDull && !picture.box(box).open);
}

bool PaintContext::isFadedEdge(std::uint32_t edge) const
{
    const bool isDull = compared && compared->fadesUnchanged && markOfEdge(edge) == layout::Mark::None;
    return isDull || emphasis.isFaded(edge, picture.edge(edge));
}

void PaintContext::fillRect(const QRectF &rect, const QColor &color) const
{
    if (!layer)
        return painter.fillRect(rect, color);
    const double scale = zoom * layer->image().devicePixelRatio();
    layer->fill({(rect.topLeft() - origin) * scale, rect.size() * scale}, color, painter.opacity());
}

} // namespace cutaway::views
