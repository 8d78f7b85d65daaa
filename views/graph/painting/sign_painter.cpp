// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/painting/sign_painter.h"

#include "core/layout/metrics.h"
#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"

namespace cutaway::views {
namespace {

namespace metrics = layout::metrics;
using Style = layout::Line::Style;

/// Returns a colour that boxes, marks, heat and the selection do not use.
QColor hitColor(const drawing::Palette &palette)
{
    return palette.dark ? QColor(0xFF, 0x8A, 0xD8) : QColor(0xB0, 0x12, 0x7B);
}

} // namespace

void SignPainter::paintAll()
{
    outlines();
    if (m_context.compared && m_context.zoom >= titleZoom)
        m_context.forEachShownBox([this](std::uint32_t i, const Box &box) { badge(i, box); });
    else if (m_context.tinting && m_context.zoom >= smallTextZoom)
        m_context.forEachShownBox([this](std::uint32_t i, const Box &box) { heatValue(i, box); });
    if (!m_context.emphasis.hits.empty() && m_context.zoom >= titleZoom)
        m_context.forEachShownBox([this](std::uint32_t i, const Box &box) { hitCount(i, box); });
    for (const std::uint32_t i : m_context.emphasis.bookmarks)
        ribbon(m_context.picture.box(i));
    const auto &signs = m_context.emphasis.notFinite;
    for (std::size_t i = 0; i < signs.size(); ++i) {
        const bool isSecond = i > 0 && signs[i - 1].first == signs[i].first;
        notFinite(m_context.picture.box(signs[i].first), signs[i].second, isSecond);
    }
}

void SignPainter::outlines()
{
    m_context.painter.setOpacity(1);
    m_context.painter.setBrush(Qt::NoBrush);
    for (std::uint32_t i = 0; i < m_context.emphasis.hits.size(); ++i)
        if (isHitBox(i) && i != m_context.emphasis.selectedBox
            && m_context.shown.intersects(toQt(m_context.picture.box(i).rect)))
            outline(m_context.picture.box(i), hitColor(m_context.palette), 3, 3);
    if (m_context.emphasis.hoveredBox && m_context.emphasis.hoveredBox != m_context.emphasis.selectedBox)
        outline(m_context.picture.box(*m_context.emphasis.hoveredBox), toColor(m_context.palette.mutedText), 1, 0);
    if (m_context.emphasis.selectedBox)
        outline(m_context.picture.box(*m_context.emphasis.selectedBox), toColor(m_context.palette.selection), 2, 1);
}

void SignPainter::outline(const Box &box, QColor color, double width, double distance)
{
    const bool port = box.kind == Box::Kind::Input || box.kind == Box::Kind::Output;
    const bool node = box.kind == Box::Kind::Node && !box.open;
    const double radius = port ? box.rect.height / 2 : node ? metrics::cardRadius : metrics::moduleRadius;
    m_context.painter.setPen(QPen(color, width / std::min(m_context.zoom, 1.0)));
    m_context.painter.drawRoundedRect(toQt(box.rect).adjusted(-distance, -distance, distance, distance),
                                      radius + distance, radius + distance);
}

/// Whether a box shows that it has matches. An open box does not, since the boxes inside show them.
bool SignPainter::isHitBox(std::uint32_t i) const
{
    return m_context.emphasis.hits[i] > 0 && !m_context.picture.box(i).open && !m_context.isHidden(i);
}

/// Draws the number of matches in a closed box at its lower corner; the upper corner is taken by marks and figures.
void SignPainter::hitCount(std::uint32_t i, const Box &box)
{
    if (!isHitBox(i) || !box.canOpen)
        return;
    const QString text = counted(m_context.emphasis.hits[i], "match", "matches");
    QFont font = diagramFont(Style::Muted);
    font.setWeight(QFont::DemiBold);
    const QRectF rect =
        toQt(layout::badgeRect(box, QFontMetricsF(font).horizontalAdvance(text))).translated(0, box.rect.height);
    m_context.painter.setOpacity(1);
    m_context.painter.setPen(Qt::NoPen);
    m_context.painter.setBrush(hitColor(m_context.palette));
    m_context.painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
    m_context.painter.setFont(font);
    m_context.painter.setPen(toColor(m_context.palette.dark ? m_context.palette.canvas : m_context.palette.card));
    m_context.painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
}

/// Draws the signs of the differences in a box.
void SignPainter::badge(std::uint32_t i, const Box &box)
{
    const QString text = QString::fromStdString(layout::badgeText(box, m_context.compared->marks.boxes[i]));
    if (text.isEmpty())
        return;
    QFont font = diagramFont(Style::Muted);
    font.setWeight(QFont::DemiBold);
    const QRectF rect = toQt(layout::badgeRect(box, QFontMetricsF(font).horizontalAdvance(text)));
    m_context.painter.setPen(Qt::NoPen);
    m_context.painter.setBrush(toColor(m_context.palette.mark(m_context.markOf(i))));
    m_context.painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
    m_context.painter.setFont(font);
    m_context.painter.setPen(toColor(m_context.palette.markText()));
    m_context.painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
}

/// Draws the value that a box is coloured by at its corner, since a colour can be compared but gives no number.
void SignPainter::heatValue(std::uint32_t i, const Box &box)
{
    const QString text = valueOf(*m_context.tinting, i);
    if (box.open || box.kind == Box::Kind::Input || box.kind == Box::Kind::Output || text.isEmpty())
        return;
    const QFont font = diagramFont(Style::Muted);
    const QRectF rect = toQt(layout::badgeRect(box, QFontMetricsF(font).horizontalAdvance(text)));
    if (rect.width() > box.rect.width)
        return;
    m_context.painter.setPen(m_context.line(toColor(m_context.palette.cardBorder), 1));
    m_context.painter.setBrush(toColor(m_context.palette.card));
    m_context.painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
    m_context.painter.setFont(font);
    m_context.painter.setPen(toColor(m_context.palette.text));
    m_context.painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
}

/// Draws a bookmark over the left end of the upper border, from far as large as at 100 %.
void SignPainter::ribbon(const Box &box)
{
    if (!m_context.shown.intersects(toQt(box.rect)))
        return;
    constexpr double inset = 5, above = 5, width = 8, height = 13, notch = 4;
    const double scale = 1 / std::min(m_context.zoom, 1.0);
    const QPointF corner = toQt(box.rect).topLeft() + QPointF(inset, -above) * scale;
    const auto at = [&](double x, double y) { return corner + QPointF(x, y) * scale; };
    m_context.painter.setOpacity(1);
    m_context.painter.setPen(QPen(toColor(m_context.palette.canvas), scale));
    m_context.painter.setBrush(toColor(m_context.palette.selection));
    m_context.painter.drawPolygon(
        QPolygonF{{at(0, 0), at(width, 0), at(width, height), at(width / 2, height - notch), at(0, height)}});
}

/// Draws a sign over the lower border, beside a second one if there are two, from far as large as at 100 %.
void SignPainter::notFinite(const Box &box, run::NotFinite::Kind kind, bool isSecond)
{
    if (!m_context.shown.intersects(toQt(box.rect)))
        return;
    const double scale = 1 / std::min(m_context.zoom, 1.0);
    QFont font = diagramFont(Style::Muted);
    font.setWeight(QFont::Bold);
    const QString text = kind == run::NotFinite::Kind::NaN ? QStringLiteral("NaN") : QStringLiteral("Inf");
    constexpr double width = 36, height = 16, gap = 4;
    m_context.painter.save();
    m_context.painter.setOpacity(1);
    m_context.painter.translate(toQt(box.rect).bottomLeft());
    m_context.painter.scale(scale, scale);
    const QRectF rect(isSecond ? 6 + width + gap : 6, -height / 2, width, height);
    m_context.painter.setPen(QPen(toColor(m_context.palette.canvas), 1));
    m_context.painter.setBrush(QColor(0xB3, 0x1B, 0x1B));
    m_context.painter.drawRoundedRect(rect, height / 2, height / 2);
    m_context.painter.setFont(font);
    m_context.painter.setPen(Qt::white);
    m_context.painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
    m_context.painter.restore();
}

} // namespace cutaway::views
