// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/painter.h"

#include "core/layout/metrics.h"
#include "views/appearance/fonts.h"
#include "views/appearance/heat.h"
#include "views/appearance/theme.h"
#include "views/graph/far_layer.h"
#include "views/parts/text.h"

#include <QLineF>
#include <QPaintEngine>
#include <cmath>

namespace cutaway::views {
namespace {

namespace metrics = layout::metrics;
using layout::Box;
using layout::Mark;
using Style = layout::Line::Style;

constexpr double fadedBox = 0.75; ///< its text stays readable: what is muted anyway is not faded
constexpr double fadedLine = 0.4;
constexpr double smallTextZoom = 0.55; ///< below, text of 11 px is no longer read
constexpr int farText = 10;            ///< pixels of a name that is drawn from far
constexpr int smallestText = 7;        ///< pixels
constexpr double labelZoom = 0.6;
constexpr double shapeZoom = 0.2; ///< below, corners and arrow heads are not seen
constexpr double speck = 3;       ///< pixels: a closed box that is narrower or lower has neither border nor name

QColor tinted(QColor a, QColor b, double share)
{
    const auto mix = [share](int x, int y) { return int(std::lround(x + (y - x) * share)); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

class DiagramPainter {
public:
    /// `layer`: what the painter paints on, to be filled without it; or null.
    DiagramPainter(QPainter &painter, FarLayer *layer, const Picture &picture, const Emphasis &emphasis,
                   const Viewport &viewport, QSizeF size, const drawing::Palette &palette, const Tinting *tinting,
                   const Compared *compared)
        : m_painter(painter),
          m_layer(layer),
          m_picture(picture),
          m_emphasis(emphasis),
          m_palette(palette),
          m_tinting(tinting),
          m_compared(compared),
          m_zoom(viewport.zoom),
          m_origin(viewport.origin),
          m_shown(viewport.shownRect(size))
    {
        painter.scale(m_zoom, m_zoom);
        painter.translate(-viewport.origin);
    }

    void paint()
    {
        m_painter.setRenderHint(QPainter::Antialiasing, m_zoom >= shapeZoom);
        m_painter.setRenderHint(QPainter::TextAntialiasing);
        forEachShownBox([this](std::uint32_t i, const Box &box) { box.open ? openBox(i, box) : void(); });
        // The edges of the selection are drawn last, over the faded ones.
        forEachShownEdge(false, [this](std::uint32_t i) { edge(i); });
        forEachShownEdge(true, [this](std::uint32_t i) { edge(i); });
        drawFarLines();
        forEachShownBox([this](std::uint32_t i, const Box &box) { box.open ? void() : card(i, box); });
        if (m_zoom >= labelZoom)
            m_picture.forEachEdgeNear(m_shown, [this](std::uint32_t i) { label(i); });
        outlines();
        if (m_compared && m_zoom >= titleZoom)
            forEachShownBox([this](std::uint32_t i, const Box &box) { badge(i, box); });
        else if (m_tinting && m_zoom >= smallTextZoom)
            forEachShownBox([this](std::uint32_t i, const Box &box) { heatValue(i, box); });
        if (!m_emphasis.hits.empty() && m_zoom >= titleZoom)
            forEachShownBox([this](std::uint32_t i, const Box &box) { hitCount(i, box); });
        for (const std::uint32_t i : m_emphasis.bookmarks)
            ribbon(m_picture.box(i));
        for (std::size_t i = 0; i < m_emphasis.notFinite.size(); ++i) {
            const auto &[box, kind] = m_emphasis.notFinite[i];
            const bool isSecond = i > 0 && m_emphasis.notFinite[i - 1].first == box;
            notFinite(m_picture.box(box), kind, isSecond);
        }
    }

private:
    void forEachShownBox(auto &&draw)
    {
        const auto &boxes = m_picture.diagram().boxes;
        m_picture.forEachBoxNear(m_shown, [&](std::uint32_t i) {
            if (!m_shown.intersects(toQt(boxes[i].rect)) || isHidden(i))
                return;
            m_painter.setOpacity(isFadedBox(i) ? fadedBox : 1);
            draw(i, boxes[i]);
        });
    }

    Mark markOf(std::uint32_t box) const { return m_compared ? m_compared->box(box) : Mark::None; }
    Mark markOfEdge(std::uint32_t edge) const { return m_compared ? m_compared->marks.edges[edge] : Mark::None; }

    bool isHidden(std::uint32_t box) const { return m_compared && m_compared->hides(markOf(box)); }
    bool isHiddenEdge(std::uint32_t edge) const { return m_compared && m_compared->hides(markOfEdge(edge)); }

    bool isFadedBox(std::uint32_t box) const
    {
        const bool isDull = m_compared && m_compared->fadesUnchanged && markOf(box) == Mark::None;
        return m_emphasis.isFadedBox(box) || (isDull && !m_picture.box(box).open);
    }
    bool isFaded(std::uint32_t edge) const
    {
        const bool isDull = m_compared && m_compared->fadesUnchanged && markOfEdge(edge) == Mark::None;
        return isDull || m_emphasis.isFaded(edge, m_picture.edge(edge));
    }

    void forEachShownEdge(bool strong, auto &&draw)
    {
        m_picture.forEachEdgeNear(m_shown, [&](std::uint32_t i) {
            const QRectF bounds = m_picture.edgeBounds(i);
            const bool isSeen = strong || std::max(bounds.width(), bounds.height()) * m_zoom >= 1; // a pixel
            if (m_emphasis.isStrong(i) != strong || !isSeen || !m_shown.intersects(bounds) || isHiddenEdge(i))
                return;
            m_painter.setOpacity(isFaded(i) || (m_picture.edge(i).isQuiet && !strong) ? fadedLine : 1);
            draw(i);
        });
    }

    /// Returns a pen that is at least one pixel of the screen wide.
    QPen line(QColor color, double width) const { return {color, std::max(width, 1 / m_zoom)}; }

    void shape(const Box &box, double radius)
    {
        const QRectF rect = toQt(box.rect);
        if (m_zoom < shapeZoom)
            m_painter.drawRect(rect);
        else
            m_painter.drawRoundedRect(rect, radius, radius);
    }

    void openBox(std::uint32_t i, const Box &box)
    {
        if (m_zoom < shapeZoom) {
            farFrame(toQt(box.rect), toColor(m_palette.moduleBorder(box.depth)),
                     toColor(m_palette.moduleFill(box.depth)));
            return titles(i, box);
        }
        m_painter.setBrush(toColor(m_palette.moduleFill(box.depth)));
        m_painter.setPen(line(toColor(m_palette.moduleBorder(box.depth)), 1));
        shape(box, metrics::moduleRadius);
        titles(i, box);
    }

    void fillRect(const QRectF &rect, const QColor &color)
    {
        if (!m_layer)
            return m_painter.fillRect(rect, color);
        const double scale = m_zoom * m_layer->image().devicePixelRatio();
        m_layer->fill({(rect.topLeft() - m_origin) * scale, rect.size() * scale}, color, m_painter.opacity());
    }

    QRectF atLeast(double pixels, const QRectF &rect) const
    {
        return {rect.topLeft(), rect.size().expandedTo(QSizeF(pixels, pixels) / m_zoom)};
    }

    /// Draws a frame like a rectangle with a pen of one pixel, but many times as fast.
    void farFrame(const QRectF &rect, QColor border, QColor fill)
    {
        const double pixel = 1 / m_zoom;
        const QRectF inner = rect.adjusted(pixel, pixel, -pixel, -pixel);
        if (!inner.isValid())
            return fillRect(atLeast(1, rect), border);
        fillRect(inner, fill);
        // Side by side with it: one that is faded would show through.
        fillRect(QRectF(rect.topLeft(), QPointF(rect.right(), inner.top())), border);
        fillRect(QRectF(QPointF(rect.left(), inner.bottom()), rect.bottomRight()), border);
        fillRect(QRectF(QPointF(rect.left(), inner.top()), inner.bottomLeft()), border);
        fillRect(QRectF(inner.topRight(), QPointF(rect.right(), inner.bottom())), border);
    }

    /// Returns the colour of a box; nothing if the box has its own.
    std::optional<BoxColour> colourAt(std::uint32_t i, const Box &box) const
    {
        return m_tinting ? colourOf(*m_tinting, box, i, m_palette.dark) : std::nullopt;
    }

    bool isSpeck(const Box &box) const { return std::min(box.rect.width, box.rect.height) * m_zoom < speck; }

    /// A hundred thousand of these are in sight at a time: one colour, at least a pixel in size.
    void drawSpeck(std::uint32_t i, const Box &box)
    {
        const Mark mark = markOf(i);
        const bool port = box.kind == Box::Kind::Input || box.kind == Box::Kind::Output;
        const auto colour = colourAt(i, box);
        const QColor color = colour && colour->fill  ? *colour->fill
            : mark != Mark::None                     ? toColor(m_palette.mark(mark))
            : box.kind == Box::Kind::Node && !colour ? toColor(m_palette.category(box.category))
            : port                                   ? toColor(m_palette.input)
                                                     : toColor(m_palette.moduleBorder(box.depth));
        fillRect(atLeast(1, toQt(box.rect)), color);
    }

    void card(std::uint32_t i, const Box &box)
    {
        if (isSpeck(box))
            return drawSpeck(i, box);
        const bool module = box.kind == Box::Kind::Module || box.kind == Box::Kind::Region;
        const bool port = box.kind == Box::Kind::Input || box.kind == Box::Kind::Output;
        const QColor bar = toColor(m_palette.category(box.category));
        QColor fill = toColor(module ? m_palette.moduleFill(box.depth) : port ? m_palette.input : m_palette.card);
        const QColor border = toColor(module ? m_palette.moduleBorder(box.depth) : m_palette.cardBorder);
        const Mark mark = markOf(i);
        const auto colour = colourAt(i, box);
        if (box.kind == Box::Kind::Node && m_zoom < titleZoom && !colour)
            fill = tinted(fill, bar, 0.45);
        if (mark != Mark::None)
            fill = tinted(fill, toColor(m_palette.mark(mark)), m_palette.dark ? 0.28 : 0.14);
        m_painter.setBrush(colour ? brushOf(*colour, fill) : QBrush(fill));
        m_painter.setPen(mark == Mark::None ? line(border, 1) : marked(mark));
        shape(box, port ? box.rect.height / 2 : module ? metrics::moduleRadius : metrics::cardRadius);
        if (box.kind == Box::Kind::Node)
            categoryBar(box, bar, colour.has_value());
        titles(i, box);
    }

    QPen marked(Mark mark) const
    {
        QPen pen = line(toColor(m_palette.mark(mark)), 1.5);
        if (mark == Mark::Removed)
            pen.setDashPattern({3, 2});
        return pen;
    }

    /// Draws the signs of the differences in a box.
    void badge(std::uint32_t i, const Box &box)
    {
        const QString text = QString::fromStdString(layout::badgeText(box, m_compared->marks.boxes[i]));
        if (text.isEmpty())
            return;
        QFont font = diagramFont(Style::Muted);
        font.setWeight(QFont::DemiBold);
        const QRectF rect = toQt(layout::badgeRect(box, QFontMetricsF(font).horizontalAdvance(text)));
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(toColor(m_palette.mark(markOf(i))));
        m_painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
        m_painter.setFont(font);
        m_painter.setPen(toColor(m_palette.markText()));
        m_painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
    }

    /// Returns the brush of a box. An unknown quantity is hatched, so that it is not taken for a small one.
    QBrush brushOf(const BoxColour &colour, QColor fill) const
    {
        if (colour.fill)
            return *colour.fill;
        QBrush hatched(tinted(fill, toColor(m_palette.mutedText), 0.35), Qt::BDiagPattern);
        hatched.setTransform(QTransform::fromScale(1 / m_zoom, 1 / m_zoom));
        return hatched;
    }

    void categoryBar(const Box &box, QColor color, bool isTinted)
    {
        const QRectF rect = toQt(box.rect);
        if (m_zoom < shapeZoom) {
            if (!isTinted)
                fillRect(rect, color);
            return;
        }
        // A strip of the card itself, so that its corners are the card's.
        QPainterPath strip, whole;
        strip.addRect(QRectF(rect.topLeft(), QSizeF(metrics::barWidth, rect.height())));
        whole.addRoundedRect(rect, metrics::cardRadius, metrics::cardRadius);
        m_painter.fillPath(strip.intersected(whole), color);
    }

    void titles(std::uint32_t i, const Box &box)
    {
        if (m_zoom >= smallTextZoom || (box.open && m_zoom >= titleZoom)) {
            text(i, box);
            disclosure(i, box);
        } else if (box.open) {
            farHeader(i, box);
        } else {
            farTitle(i, box);
        }
    }

    static bool isMuted(Style style) { return style != Style::Title && style != Style::Detail; }

    QColor textColor(std::uint32_t i, const Box &box, Style style) const
    {
        if (const auto colour = colourAt(i, box); colour && colour->fill)
            return textOn(*colour->fill);
        return toColor(isMuted(style) ? m_palette.mutedText : m_palette.text);
    }

    void text(std::uint32_t i, const Box &box)
    {
        for (const layout::PlacedLine &line : m_picture.lines(i)) {
            const Style style = box.lines[line.line].style;
            if (style != Style::Title && m_zoom < smallTextZoom)
                continue;
            m_painter.setOpacity(isFadedBox(i) && !isMuted(style) ? fadedBox : 1);
            m_painter.setFont(diagramFont(style));
            m_painter.setPen(textColor(i, box, style));
            const QString text = isolated(QString::fromStdString(box.lines[line.line].text));
            if (style == Style::Title && m_painter.font().pixelSize() * m_zoom < farText && !hasNoteBeside(i, line))
                smallTitle(box, toQt(line.origin), text);
            else
                m_painter.drawText(toQt(line.origin), text);
        }
    }

    /// Whether another text of the box is drawn beside this one, in the same row.
    bool hasNoteBeside(std::uint32_t i, const layout::PlacedLine &line) const
    {
        return m_zoom >= smallTextZoom && std::ranges::any_of(m_picture.lines(i), [&](const auto &other) {
                   return other.line != line.line && other.origin.y == line.origin.y;
               });
    }

    /// A title that would become smaller than those that are drawn from far: as large as they are where the box has
    /// room, and never cut.
    void smallTitle(const Box &box, QPointF origin, const QString &text)
    {
        QFont font = m_painter.font();
        constexpr double rightMargin = 6;
        const double fits = (box.rect.x + box.rect.width - rightMargin - origin.x()) * m_zoom
            / QFontMetricsF(font).horizontalAdvance(text) * font.pixelSize();
        font.setPixelSize(std::max(int(font.pixelSize() * m_zoom), std::min(farText, int(fits))));
        m_painter.save();
        m_painter.scale(1 / m_zoom, 1 / m_zoom);
        m_painter.setFont(font);
        m_painter.drawText(origin * m_zoom, text);
        m_painter.restore();
    }

    QRectF onScreen(const Box &box) const
    {
        return {toQt(box.rect).topLeft() * m_zoom, toQt(box.rect).size() * m_zoom};
    }

    /// A closed box's name at a size that is read, where the box has room for it; a short one may be smaller.
    void farTitle(std::uint32_t i, const Box &box)
    {
        const QRectF screen = onScreen(box).adjusted(2, 0, -2, 0);
        if (screen.width() < 12 || screen.height() < smallestText + 1 || box.lines.empty())
            return;
        QFont font = diagramFont(Style::Muted);
        font.setPixelSize(farText);
        const double wide =
            QFontMetricsF(font).horizontalAdvance(isolated(QString::fromStdString(box.lines.front().text)));
        const double share = std::min(screen.width() / std::max(wide, 1.0), screen.height() / (farText + 2.0));
        const int size = std::clamp(int(farText * share), smallestText, farText);
        constexpr double leastOfName = 24; // less of a name that is cut says nothing
        if (wide * size / farText <= screen.width() || screen.width() >= leastOfName)
            drawFarText(i, box, screen, Qt::AlignCenter, size);
    }

    /// An open box's name in its header, as small as that is: what is inside is not painted over.
    void farHeader(std::uint32_t i, const Box &box)
    {
        QRectF header = onScreen(box).adjusted(4, 0, -4, 0);
        header.setHeight(metrics::headerHeight * m_zoom);
        const int size = std::min(diagramFont(Style::Muted).pixelSize(), int(header.height() * 0.8));
        if (size >= smallestText && header.width() >= 24 && !box.lines.empty())
            drawFarText(i, box, header, Qt::AlignVCenter | Qt::AlignLeft, size);
    }

    void drawFarText(std::uint32_t i, const Box &box, const QRectF &room, Qt::Alignment place, int pixels)
    {
        QFont font = diagramFont(Style::Muted);
        font.setPixelSize(pixels);
        const QString name = isolated(QString::fromStdString(box.lines.front().text));
        m_painter.save();
        m_painter.scale(1 / m_zoom, 1 / m_zoom);
        m_painter.setFont(font);
        m_painter.setPen(textColor(i, box, Style::Title));
        const QString elided = QFontMetricsF(font).elidedText(name, Qt::ElideRight, room.width());
        m_painter.drawText(room, int(place), elided);
        m_painter.restore();
    }

    /// The value that a box is coloured by, at its corner: colours alone are compared, not read.
    void heatValue(std::uint32_t i, const Box &box)
    {
        const QString text = valueOf(*m_tinting, i);
        if (box.open || box.kind == Box::Kind::Input || box.kind == Box::Kind::Output || text.isEmpty())
            return;
        const QFont font = diagramFont(Style::Muted);
        const QRectF rect = toQt(layout::badgeRect(box, QFontMetricsF(font).horizontalAdvance(text)));
        if (rect.width() > box.rect.width)
            return;
        m_painter.setPen(line(toColor(m_palette.cardBorder), 1));
        m_painter.setBrush(toColor(m_palette.card));
        m_painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
        m_painter.setFont(font);
        m_painter.setPen(toColor(m_palette.text));
        m_painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
    }

    void disclosure(std::uint32_t i, const Box &box)
    {
        if (!box.canOpen)
            return;
        const QPointF c = m_picture.disclosure(i).center() + QPointF(box.kind == Box::Kind::Node ? 0.5 : -2, 0);
        QPolygonF triangle = box.open ? QPolygonF{{c + QPointF(-3, -1.5), c + QPointF(3, -1.5), c + QPointF(0, 2.5)}}
                                      : QPolygonF{{c + QPointF(-1.5, -3), c + QPointF(2.5, 0), c + QPointF(-1.5, 3)}};
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(textColor(i, box, Style::Muted));
        m_painter.drawPolygon(triangle);
    }

    void edge(std::uint32_t i)
    {
        const bool strong = m_emphasis.isStrong(i);
        const Mark mark = markOfEdge(i);
        if (m_zoom < shapeZoom)
            return farEdge(i, {strong, mark, m_painter.opacity()});
        const QColor color = toColor(strong ? m_palette.selection : m_palette.mark(mark));
        QPen pen = line(color, strong ? 2 : 1.2);
        if (mark == Mark::Removed)
            pen.setDashPattern({4, 3});
        else if (m_picture.edge(i).form == layout::Edge::Form::Stub)
            pen.setDashPattern({2.5, 2.5});
        else if (m_picture.edge(i).isBridge)
            pen.setDashPattern({1.2, 2.5});
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(pen);
        m_painter.drawPath(m_picture.path(i));
        arrowHead(m_picture.edge(i), color);
    }

    struct FarPen {
        bool strong = false;
        Mark mark = Mark::None;
        double opacity = 1;
        double width() const { return strong ? 2 : 1; } ///< pixels
        bool operator==(const FarPen &) const = default;
    };

    /// Straight from knot to knot, whole and a pixel wide: from far that is the same line. Tens of thousands are in
    /// sight at a time, so what is upright or level is filled, and the rest is drawn together.
    void farEdge(std::uint32_t i, const FarPen &pen)
    {
        if (m_farPen != pen) {
            drawFarLines();
            m_farPen = pen;
            m_painter.setOpacity(pen.opacity);
        }
        const double pixel = 1 / m_zoom;
        const QColor color = farColor(pen);
        const std::span<const Picture::Knot> knots = m_picture.knots(i);
        for (std::size_t from = 0, to = 1; to < knots.size(); ++to) {
            const double width = std::abs(knots[to].x - knots[from].x), height = std::abs(knots[to].y - knots[from].y);
            if (std::max(width, height) < pixel && to + 1 < knots.size())
                continue;
            const QPointF a(knots[from].x, knots[from].y), b(knots[to].x, knots[to].y);
            if (std::min(width, height) < pixel)
                fillRect(atLeast(pen.width(), QRectF(a, b).normalized()), color);
            else
                m_farLines << QLineF(a, b);
            from = to;
        }
    }

    /// The farther away, the more a line of a pixel is too wide: it pales, so that boxes remain what is seen.
    QColor farColor(const FarPen &pen) const
    {
        if (pen.strong || pen.mark != Mark::None)
            return toColor(pen.strong ? m_palette.selection : m_palette.mark(pen.mark));
        constexpr double palest = 0.6;
        return tinted(toColor(m_palette.edge), toColor(m_palette.canvas), palest * (1 - m_zoom / shapeZoom));
    }

    void drawFarLines()
    {
        if (m_farLines.isEmpty())
            return;
        QPen pen(farColor(m_farPen), m_farPen.width());
        pen.setCosmetic(true);
        m_painter.setPen(pen);
        m_painter.setOpacity(m_farPen.opacity);
        m_painter.drawLines(m_farLines);
        m_farLines.clear();
    }

    void arrowHead(const layout::Edge &edge, QColor color)
    {
        if (edge.points.size() < 4 || edge.goesOn)
            return;
        const QPointF tip = toQt(edge.points.back());
        QLineF back(tip, toQt(edge.points[edge.points.size() - 2]));
        if (back.length() < 0.01)
            back.setP2(toQt(edge.points[edge.points.size() - 4]));
        back.setLength(metrics::arrowLength);
        QLineF across = back.normalVector();
        across.setLength(metrics::arrowWidth / 2);
        const QPointF side = across.p2() - across.p1();
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color);
        m_painter.drawPolygon(QPolygonF{{tip, back.p2() + side, back.p2() - side}});
    }

    void label(std::uint32_t i)
    {
        const layout::Edge &edge = m_picture.edge(i);
        if (!edge.labelRect || !m_shown.intersects(toQt(*edge.labelRect)) || isHiddenEdge(i))
            return;
        m_painter.setOpacity(1);
        m_painter.setFont(edgeLabelFont());
        m_painter.setPen(toColor(m_emphasis.isStrong(i) ? m_palette.text : m_palette.edgeLabel));
        m_painter.drawText(toQt(*edge.labelRect).adjusted(metrics::labelPadding, 0, 0, 0),
                           Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                           isolated(QString::fromStdString(edge.label)));
    }

    void outlines()
    {
        m_painter.setOpacity(1);
        m_painter.setBrush(Qt::NoBrush);
        for (std::uint32_t i = 0; i < m_emphasis.hits.size(); ++i)
            if (isHitBox(i) && i != m_emphasis.selectedBox && m_shown.intersects(toQt(m_picture.box(i).rect)))
                outline(m_picture.box(i), hitColor(), 3, 3);
        if (m_emphasis.hoveredBox && m_emphasis.hoveredBox != m_emphasis.selectedBox)
            outline(m_picture.box(*m_emphasis.hoveredBox), toColor(m_palette.mutedText), 1, 0);
        if (m_emphasis.selectedBox)
            outline(m_picture.box(*m_emphasis.selectedBox), toColor(m_palette.selection), 2, 1);
    }

    /// Whether a box shows that it has hits. In an open box the boxes inside show it.
    bool isHitBox(std::uint32_t i) const { return m_emphasis.hits[i] > 0 && !m_picture.box(i).open && !isHidden(i); }

    /// None of the colours that boxes, marks, heat and the selection have.
    QColor hitColor() const { return m_palette.dark ? QColor(0xFF, 0x8A, 0xD8) : QColor(0xB0, 0x12, 0x7B); }

    /// How many hits are in a closed box, at its lower corner: the upper one is for what differs and for figures.
    void hitCount(std::uint32_t i, const Box &box)
    {
        if (!isHitBox(i) || !box.canOpen)
            return;
        const QString text = counted(m_emphasis.hits[i], "match", "matches");
        QFont font = diagramFont(Style::Muted);
        font.setWeight(QFont::DemiBold);
        const QRectF rect =
            toQt(layout::badgeRect(box, QFontMetricsF(font).horizontalAdvance(text))).translated(0, box.rect.height);
        m_painter.setOpacity(1);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(hitColor());
        m_painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
        m_painter.setFont(font);
        m_painter.setPen(toColor(m_palette.dark ? m_palette.canvas : m_palette.card));
        m_painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
    }

    /// A bookmark over the left end of the upper border, as large from far as from near.
    void ribbon(const Box &box)
    {
        if (!m_shown.intersects(toQt(box.rect)))
            return;
        constexpr double inset = 5, above = 5, width = 8, height = 13, notch = 4;
        const double scale = 1 / std::min(m_zoom, 1.0);
        const QPointF corner = toQt(box.rect).topLeft() + QPointF(inset, -above) * scale;
        const auto at = [&](double x, double y) { return corner + QPointF(x, y) * scale; };
        m_painter.setOpacity(1);
        m_painter.setPen(QPen(toColor(m_palette.canvas), scale));
        m_painter.setBrush(toColor(m_palette.selection));
        m_painter.drawPolygon(
            QPolygonF{{at(0, 0), at(width, 0), at(width, height), at(width / 2, height - notch), at(0, height)}});
    }

    /// A sign over the lower border, of two one beside the other, as large from far as from near.
    void notFinite(const Box &box, run::NotFinite::Kind kind, bool isSecond)
    {
        if (!m_shown.intersects(toQt(box.rect)))
            return;
        const double scale = 1 / std::min(m_zoom, 1.0);
        QFont font = diagramFont(Style::Muted);
        font.setWeight(QFont::Bold);
        const QString text = kind == run::NotFinite::Kind::NaN ? QStringLiteral("NaN") : QStringLiteral("Inf");
        constexpr double width = 36, height = 16, gap = 4;
        m_painter.save();
        m_painter.setOpacity(1);
        m_painter.translate(toQt(box.rect).bottomLeft());
        m_painter.scale(scale, scale);
        const QRectF rect(isSecond ? 6 + width + gap : 6, -height / 2, width, height);
        m_painter.setPen(QPen(toColor(m_palette.canvas), 1));
        m_painter.setBrush(QColor(0xB3, 0x1B, 0x1B));
        m_painter.drawRoundedRect(rect, height / 2, height / 2);
        m_painter.setFont(font);
        m_painter.setPen(Qt::white);
        m_painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
        m_painter.restore();
    }

    void outline(const Box &box, QColor color, double width, double distance)
    {
        const bool port = box.kind == Box::Kind::Input || box.kind == Box::Kind::Output;
        const bool node = box.kind == Box::Kind::Node && !box.open;
        const double radius = port ? box.rect.height / 2 : node ? metrics::cardRadius : metrics::moduleRadius;
        m_painter.setPen(QPen(color, width / std::min(m_zoom, 1.0)));
        m_painter.drawRoundedRect(toQt(box.rect).adjusted(-distance, -distance, distance, distance), radius + distance,
                                  radius + distance);
    }

    QPainter &m_painter;
    FarLayer *m_layer;
    const Picture &m_picture;
    const Emphasis &m_emphasis;
    const drawing::Palette &m_palette;
    const Tinting *m_tinting;
    const Compared *m_compared;
    double m_zoom;
    QPointF m_origin;
    QRectF m_shown;
    FarPen m_farPen;
    QList<QLineF> m_farLines; ///< not yet drawn, all with m_farPen
};

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
        DiagramPainter(onLayer, &layer, picture, emphasis, viewport, size, palette, tinting, compared).paint();
        onLayer.end();
        return painter.drawImage(QPointF(), layer.image());
    }
    painter.save();
    DiagramPainter(painter, nullptr, picture, emphasis, viewport, size, palette, tinting, compared).paint();
    painter.restore();
}

} // namespace cutaway::views
