// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/painting/box_painter.h"

#include "core/layout/metrics.h"
#include "views/appearance/fonts.h"
#include "views/appearance/heat.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"

#include <algorithm>

namespace cutaway::views {
namespace {

namespace metrics = layout::metrics;
using layout::Mark;

constexpr int farText = 10;     ///< the height in pixels of a name at a small zoom
constexpr int smallestText = 7; ///< the least height of a name in pixels
constexpr double speck = 3;     ///< pixels: a closed box that is narrower or lower has neither border nor name

bool isMuted(layout::Line::Style style)
{
    return style != layout::Line::Style::Title && style != layout::Line::Style::Detail;
}

} // namespace

void BoxPainter::openBox(std::uint32_t i, const Box &box)
{
    if (m_context.zoom < shapeZoom) {
        farFrame(toQt(box.rect), toColor(m_context.palette.moduleBorder(box.depth)),
                 toColor(m_context.palette.moduleFill(box.depth)));
        return titles(i, box);
    }
    m_context.painter.setBrush(toColor(m_context.palette.moduleFill(box.depth)));
    m_context.painter.setPen(m_context.line(toColor(m_context.palette.moduleBorder(box.depth)), 1));
    shape(box, metrics::moduleRadius);
    titles(i, box);
}

/// Draws a rectangle with a frame of one pixel, as a pen would, but many times as fast.
void BoxPainter::farFrame(const QRectF &rect, QColor border, QColor fill)
{
    const double pixel = 1 / m_context.zoom;
    const QRectF inner = rect.adjusted(pixel, pixel, -pixel, -pixel);
    if (!inner.isValid())
        return m_context.fillRect(m_context.atLeast(1, rect), border);
    m_context.fillRect(inner, fill);
    // The frame does not overlap the inside, which would show through a faded frame.
    m_context.fillRect(QRectF(rect.topLeft(), QPointF(rect.right(), inner.top())), border);
    m_context.fillRect(QRectF(QPointF(rect.left(), inner.bottom()), rect.bottomRight()), border);
    m_context.fillRect(QRectF(QPointF(rect.left(), inner.top()), inner.bottomLeft()), border);
    m_context.fillRect(QRectF(inner.topRight(), QPointF(rect.right(), inner.bottom())), border);
}

void BoxPainter::shape(const Box &box, double radius)
{
    const QRectF rect = toQt(box.rect);
    if (m_context.zoom < shapeZoom)
        m_context.painter.drawRect(rect);
    else
        m_context.painter.drawRoundedRect(rect, radius, radius);
}

BoxPainter::Look BoxPainter::lookOf(const Box &box) const
{
    const auto &palette = m_context.palette;
    if (box.kind == Box::Kind::Module || box.kind == Box::Kind::Region)
        return {toColor(palette.moduleFill(box.depth)), toColor(palette.moduleBorder(box.depth)),
                metrics::moduleRadius};
    if (box.kind == Box::Kind::Input || box.kind == Box::Kind::Output)
        return {toColor(palette.input), toColor(palette.cardBorder), box.rect.height / 2};
    return {toColor(palette.card), toColor(palette.cardBorder), metrics::cardRadius};
}

void BoxPainter::card(std::uint32_t i, const Box &box)
{
    if (isSpeck(box))
        return drawSpeck(i, box);
    auto [fill, border, radius] = lookOf(box);
    const QColor bar = toColor(m_context.palette.category(box.category));
    const Mark mark = m_context.markOf(i);
    const auto colour = colourAt(i, box);
    if (box.kind == Box::Kind::Node && m_context.zoom < titleZoom && !colour)
        fill = tinted(fill, bar, 0.45);
    if (mark != Mark::None)
        fill = tinted(fill, toColor(m_context.palette.mark(mark)), m_context.palette.dark ? 0.28 : 0.14);
    m_context.painter.setBrush(colour ? brushOf(*colour, fill) : QBrush(fill));
    m_context.painter.setPen(mark == Mark::None ? m_context.line(border, 1) : marked(mark));
    shape(box, radius);
    if (box.kind == Box::Kind::Node)
        categoryBar(box, bar, colour.has_value());
    titles(i, box);
}

bool BoxPainter::isSpeck(const Box &box) const
{
    return std::min(box.rect.width, box.rect.height) * m_context.zoom < speck;
}

/// Draws a very small box as a rectangle of one colour, at least a pixel in size: there may be a hundred thousand.
void BoxPainter::drawSpeck(std::uint32_t i, const Box &box)
{
    const Mark mark = m_context.markOf(i);
    const bool port = box.kind == Box::Kind::Input || box.kind == Box::Kind::Output;
    const auto colour = colourAt(i, box);
    const QColor color = colour && colour->fill  ? *colour->fill
        : mark != Mark::None                     ? toColor(m_context.palette.mark(mark))
        : box.kind == Box::Kind::Node && !colour ? toColor(m_context.palette.category(box.category))
        : port                                   ? toColor(m_context.palette.input)
                                                 : toColor(m_context.palette.moduleBorder(box.depth));
    m_context.fillRect(m_context.atLeast(1, toQt(box.rect)), color);
}

/// Returns the colour that a measure or column gives a box; nothing if the box keeps its own colour.
std::optional<BoxColour> BoxPainter::colourAt(std::uint32_t i, const Box &box) const
{
    return m_context.tinting ? colourOf(*m_context.tinting, box, i, m_context.palette.dark) : std::nullopt;
}

QPen BoxPainter::marked(Mark mark) const
{
    QPen pen = m_context.line(toColor(m_context.palette.mark(mark)), 1.5);
    if (mark == Mark::Removed)
        pen.setDashPattern({3, 2});
    return pen;
}

/// Returns the brush of a box. An unknown quantity is hatched, so that it is not taken for a small one.
QBrush BoxPainter::brushOf(const BoxColour &colour, QColor fill) const
{
    if (colour.fill)
        return *colour.fill;
    QBrush hatched(tinted(fill, toColor(m_context.palette.mutedText), 0.35), Qt::BDiagPattern);
    hatched.setTransform(QTransform::fromScale(1 / m_context.zoom, 1 / m_context.zoom));
    return hatched;
}

void BoxPainter::categoryBar(const Box &box, QColor color, bool isTinted)
{
    const QRectF rect = toQt(box.rect);
    if (m_context.zoom < shapeZoom) {
        if (!isTinted)
            m_context.fillRect(rect, color);
        return;
    }
    // The strip is cut out of the card, so that its corners are those of the card.
    QPainterPath strip, whole;
    strip.addRect(QRectF(rect.topLeft(), QSizeF(metrics::barWidth, rect.height())));
    whole.addRoundedRect(rect, metrics::cardRadius, metrics::cardRadius);
    m_context.painter.fillPath(strip.intersected(whole), color);
}

void BoxPainter::titles(std::uint32_t i, const Box &box)
{
    if (m_context.zoom >= smallTextZoom || (box.open && m_context.zoom >= titleZoom)) {
        text(i, box);
        disclosure(i, box);
    } else if (box.open) {
        farHeader(i, box);
    } else {
        farTitle(i, box);
    }
}

QColor BoxPainter::textColor(std::uint32_t i, const Box &box, Style style) const
{
    if (const auto colour = colourAt(i, box); colour && colour->fill)
        return textOn(*colour->fill);
    return toColor(isMuted(style) ? m_context.palette.mutedText : m_context.palette.text);
}

void BoxPainter::text(std::uint32_t i, const Box &box)
{
    for (const layout::PlacedLine &line : m_context.picture.lines(i)) {
        const Style style = box.lines[line.line].style;
        if (style != Style::Title && m_context.zoom < smallTextZoom)
            continue;
        m_context.painter.setOpacity(m_context.isFadedBox(i) && !isMuted(style) ? PaintContext::fadedBox : 1);
        m_context.painter.setFont(diagramFont(style));
        m_context.painter.setPen(textColor(i, box, style));
        const QString text = isolated(QString::fromStdString(box.lines[line.line].text));
        if (style == Style::Title && m_context.painter.font().pixelSize() * m_context.zoom < farText
            && !hasNoteBeside(i, line))
            smallTitle(box, toQt(line.origin), text);
        else
            m_context.painter.drawText(toQt(line.origin), text);
    }
}

/// Whether another text of the box is drawn beside this one, in the same row.
bool BoxPainter::hasNoteBeside(std::uint32_t i, const layout::PlacedLine &line) const
{
    return m_context.zoom >= smallTextZoom && std::ranges::any_of(m_context.picture.lines(i), [&](const auto &other) {
               return other.line != line.line && other.origin.y == line.origin.y;
           });
}

/// Draws a title that the zoom would make smaller than farText: with that height if the box has room, else smaller, but
/// never truncated.
void BoxPainter::smallTitle(const Box &box, QPointF origin, const QString &text)
{
    QFont font = m_context.painter.font();
    constexpr double rightMargin = 6;
    const double fits = (box.rect.x + box.rect.width - rightMargin - origin.x()) * m_context.zoom
        / QFontMetricsF(font).horizontalAdvance(text) * font.pixelSize();
    font.setPixelSize(std::max(int(font.pixelSize() * m_context.zoom), std::min(farText, int(fits))));
    m_context.painter.save();
    m_context.painter.scale(1 / m_context.zoom, 1 / m_context.zoom);
    m_context.painter.setFont(font);
    m_context.painter.drawText(origin * m_context.zoom, text);
    m_context.painter.restore();
}

QRectF BoxPainter::onScreen(const Box &box) const
{
    return {toQt(box.rect).topLeft() * m_context.zoom, toQt(box.rect).size() * m_context.zoom};
}

/// Draws the name of a closed box if there is room: at most farText high, and truncated if smallestText is too wide.
void BoxPainter::farTitle(std::uint32_t i, const Box &box)
{
    const QRectF screen = onScreen(box).adjusted(2, 0, -2, 0);
    if (screen.width() < 12 || screen.height() < smallestText + 1 || box.lines.empty())
        return;
    QFont font = diagramFont(Style::Muted);
    font.setPixelSize(farText);
    const double wide = QFontMetricsF(font).horizontalAdvance(isolated(QString::fromStdString(box.lines.front().text)));
    const double share = std::min(screen.width() / std::max(wide, 1.0), screen.height() / (farText + 2.0));
    const int size = std::clamp(int(farText * share), smallestText, farText);
    constexpr double leastOfName = 24; // the least width of a truncated name that can be recognized
    if (wide * size / farText <= screen.width() || screen.width() >= leastOfName)
        drawFarText(i, box, screen, Qt::AlignCenter, size);
}

/// Draws the name of an open box in its header, no higher than that, so that it does not cover the boxes inside.
void BoxPainter::farHeader(std::uint32_t i, const Box &box)
{
    QRectF header = onScreen(box).adjusted(4, 0, -4, 0);
    header.setHeight(metrics::headerHeight * m_context.zoom);
    const int size = std::min(diagramFont(Style::Muted).pixelSize(), int(header.height() * 0.8));
    if (size >= smallestText && header.width() >= 24 && !box.lines.empty())
        drawFarText(i, box, header, Qt::AlignVCenter | Qt::AlignLeft, size);
}

void BoxPainter::drawFarText(std::uint32_t i, const Box &box, const QRectF &room, Qt::Alignment place, int pixels)
{
    QFont font = diagramFont(Style::Muted);
    font.setPixelSize(pixels);
    const QString name = isolated(QString::fromStdString(box.lines.front().text));
    m_context.painter.save();
    m_context.painter.scale(1 / m_context.zoom, 1 / m_context.zoom);
    m_context.painter.setFont(font);
    m_context.painter.setPen(textColor(i, box, Style::Title));
    const QString elided = QFontMetricsF(font).elidedText(name, Qt::ElideRight, room.width());
    m_context.painter.drawText(room, int(place), elided);
    m_context.painter.restore();
}

void BoxPainter::disclosure(std::uint32_t i, const Box &box)
{
    if (!box.canOpen)
        return;
    const QPointF c = m_context.picture.disclosure(i).center() + QPointF(box.kind == Box::Kind::Node ? 0.5 : -2, 0);
    QPolygonF triangle = box.open ? QPolygonF{{c + QPointF(-3, -1.5), c + QPointF(3, -1.5), c + QPointF(0, 2.5)}}
                                  : QPolygonF{{c + QPointF(-1.5, -3), c + QPointF(2.5, 0), c + QPointF(-1.5, 3)}};
    m_context.painter.setPen(Qt::NoPen);
    m_context.painter.setBrush(textColor(i, box, Style::Muted));
    m_context.painter.drawPolygon(triangle);
}

} // namespace cutaway::views
