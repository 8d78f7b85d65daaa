// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/roofline/scatter.h"

#include "core/ops/category.h"
#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/session.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace cutaway::views {
namespace {

constexpr double smallest = 3, largest = 14; ///< radius of a dot in pixels

/// Returns the number of operations, FLOPs and others; nothing if it is unknown or a formula.
std::optional<double> operationsOf(const ops::Cost &cost)
{
    const auto flops = Quantity(Quantity::Unit::Flop, cost.flops).number();
    const auto others = Quantity(Quantity::Unit::Flop, cost.otherFlops).number();
    return flops && others ? std::optional(*flops + *others) : std::nullopt;
}

/// Returns the dtype of a node's first tensor result; nothing if it has none.
std::optional<ir::DType> dtypeOf(const Figures &figures, ir::NodeId node)
{
    for (const ir::ValueId output : figures.function().graph.at(node).outputs)
        if (const auto *tensor = ops::asTensor(figures.analysis().shapes.of(output)))
            return tensor->dtype;
    return std::nullopt;
}

/// Returns the peak rate of the dtype in which most operations of the function are computed. It is float32 if there are
/// none, and the dtype with the highest peak if the device has no peak for any of these dtypes.
std::pair<ir::DType, double> computeRoof(const Figures &figures)
{
    const auto &peaks = figures.device().peaks;
    const auto highest = std::ranges::max_element(peaks, {}, [](const auto &peak) { return peak.second; });
    std::map<ir::DType, double> flops{{ir::DType::Float32, 0.5}};
    for (const ir::NodeId node : figures.function().graph.at(ir::Graph::body).nodes)
        if (const auto dtype = dtypeOf(figures, node))
            flops[*dtype] += figures.of(node, Measure::Flops).numberOrExample().value_or(0);
    std::erase_if(flops, [&](const auto &entry) { return !peaks.contains(entry.first); });
    const auto most = std::ranges::max_element(flops, {}, [](const auto &entry) { return entry.second; });
    return most == flops.end() ? std::pair<ir::DType, double>(*highest) : std::pair(most->first, peaks.at(most->first));
}

} // namespace

Scatter::Scatter(Session &session, QWidget *parent)
    : QWidget(parent),
      m_analysing(session.analysing()),
      m_document(session.document()),
      m_navigation(session.navigation())
{
    setMouseTracking(true);
    setMinimumSize(240, 140);
    setAccessibleName(tr("Roofline"));
    connect(&session.navigation(), &Navigation::selectionChanged, this, qOverload<>(&QWidget::update));
}

Scatter::Dots Scatter::predicted(const Figures &figures)
{
    Dots dots;
    const auto &nodes = figures.rooflineAtExample().nodes;
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        if (nodes[i] && nodes[i]->seconds > 0 && nodes[i]->intensity > 0)
            dots.push_back({{i}, nodes[i]->intensity, nodes[i]->operations / nodes[i]->seconds, nodes[i]->seconds});
    std::ranges::stable_sort(dots, std::greater(), &Dot::seconds);
    return dots;
}

/// Returns the dots of measured nodes. Nodes that run as one kernel are one dot with the operations and bytes of all.
Scatter::Dots Scatter::measured(const Figures &figures)
{
    Dots dots;
    for (std::uint32_t i = 0; i < figures.function().graph.nodeCount(); ++i) {
        const double seconds = figures.times().of({i}).value_or(0);
        std::optional<double> operations = 0, bytes = 0;
        for (const ir::NodeId node : figures.times().togetherWith({i})) {
            const auto more = operationsOf(figures.analysis().costOf(node));
            const auto moved = figures.of(node, Measure::Bytes).number();
            operations = operations && more ? std::optional(*operations + *more) : std::nullopt;
            bytes = bytes && moved ? std::optional(*bytes + *moved) : std::nullopt;
        }
        if (seconds > 0 && operations.value_or(0) > 0 && bytes.value_or(0) > 0)
            dots.push_back({{i}, *operations / *bytes, *operations / seconds, seconds});
    }
    std::ranges::stable_sort(dots, std::greater(), &Dot::seconds);
    return dots;
}

void Scatter::fill()
{
    m_dots.clear();
    m_rings.clear();
    m_hovered.reset();
    update();
    const Figures *figures = m_analysing.figures().get();
    if (!figures)
        return;
    m_dots = predicted(*figures);
    m_rings = measured(*figures);
    m_roof = computeRoof(*figures);
    const double bandwidth = figures->device().bandwidth, ridge = m_roof.second / bandwidth;
    double left = std::min(0.1, ridge), right = ridge * 10, low = left * bandwidth, high = m_roof.second * 2;
    for (const Dots *dots : {&m_dots, &m_rings})
        for (const Dot &dot : *dots) {
            left = std::min(left, dot.intensity);
            right = std::max(right, dot.intensity);
            low = std::min(low, dot.speed);
            high = std::max(high, dot.speed);
        }
    m_x = Axis::logarithmic(Quantity::Unit::Count, std::max(left, 1e-4), right)
              .named(tr("arithmetic intensity, operations per byte"));
    m_y = Axis::logarithmic(Quantity::Unit::Flop, std::max(low, 1.0), high).per("/s");
    placeAxes();
}

void Scatter::placeAxes() const
{
    const QRectF area = plotArea(size());
    m_x.place(area.left(), area.right());
    m_y.place(area.bottom(), area.top());
}

QPointF Scatter::placeOf(const Dot &dot) const { return {m_x.toPixel(dot.intensity), m_y.toPixel(dot.speed)}; }

std::optional<QPointF> Scatter::placeOf(const Dots &dots, ir::NodeId node) const
{
    placeAxes();
    const auto dot = std::ranges::find(dots, node, &Dot::node);
    return dot == dots.end() ? std::nullopt : std::optional(placeOf(*dot));
}

std::optional<QPointF> Scatter::placeOf(ir::NodeId node) const { return placeOf(m_dots, node); }

std::optional<QPointF> Scatter::measuredPlaceOf(ir::NodeId node) const { return placeOf(m_rings, node); }

double Scatter::radiusOf(const Dots &dots, const Dot &dot)
{
    return smallest + (largest - smallest) * std::sqrt(dot.seconds / dots.front().seconds);
}

const Scatter::Dot *Scatter::nearest(const Dots &dots, QPointF position) const
{
    const Dot *nearest = nullptr;
    double distance = 0;
    for (const Dot &dot : dots) {
        const QPointF away = placeOf(dot) - position;
        const double outside = std::hypot(away.x(), away.y()) - radiusOf(dots, dot);
        if (outside <= 3 && (!nearest || std::hypot(away.x(), away.y()) <= distance)) {
            nearest = &dot;
            distance = std::hypot(away.x(), away.y());
        }
    }
    return nearest;
}

std::optional<ir::NodeId> Scatter::nodeAt(QPointF position) const
{
    for (const Dots *dots : {&m_rings, &m_dots})
        if (const Dot *dot = nearest(*dots, position))
            return dot->node;
    return std::nullopt;
}

void Scatter::drawRoofs(QPainter &painter, const QRectF &area) const
{
    const analysis::Device &device = m_analysing.figures()->device();
    const auto [dtype, peak] = m_roof;
    const double ridge = peak / device.bandwidth;
    const QPointF left(area.left(), m_y.toPixel(m_x.lowest() * device.bandwidth));
    const QPointF top(m_x.toPixel(ridge), m_y.toPixel(peak)), right(area.right(), m_y.toPixel(peak));
    painter.save();
    painter.setClipRect(area.adjusted(0, -1, 0, 1));
    painter.setPen(QPen(mutedText(palette()), 1.5));
    painter.drawPolyline(QPolygonF{{left, top, right}});
    painter.restore();
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(area.left(), right.y() - 20, area.width() - 6, 18), Qt::AlignRight | Qt::AlignBottom,
                     tr("%1 %2/s").arg(shown(ir::name(dtype)), numberText(Quantity::Unit::Flop, peak)));
    painter.save();
    const QPointF middle(area.left() + (top.x() - area.left()) / 2, left.y() + (top.y() - left.y()) / 2);
    painter.translate(middle);
    painter.rotate(std::atan2(top.y() - left.y(), top.x() - left.x()) * 180 / std::numbers::pi);
    painter.drawText(QRectF(-120, -20, 240, 18), Qt::AlignHCenter | Qt::AlignBottom,
                     tr("memory %1B/s").arg(numberText(Quantity::Unit::Count, device.bandwidth)));
    painter.restore();
}

void Scatter::drawDots(QPainter &painter, const Dots &dots, bool asRings) const
{
    const drawing::Palette &colors = diagramPalette(palette());
    for (const Dot &dot : dots) {
        QColor color = toColor(colors.category(ops::categoryOf({m_document.function().graph, dot.node})));
        painter.setPen(asRings ? QPen(color, 2) : QPen(color.darker(130), 1));
        color.setAlpha(150);
        painter.setBrush(asRings ? QBrush(Qt::NoBrush) : QBrush(color));
        painter.drawEllipse(placeOf(dot), radiusOf(dots, dot), radiusOf(dots, dot));
    }
}

/// Draws a line around the marks of a node, and one from its predicted to its measured time.
void Scatter::drawEmphasis(QPainter &painter, ir::NodeId node, double width) const
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Text), width));
    for (const Dots *dots : {&m_dots, &m_rings})
        if (const auto dot = std::ranges::find(*dots, node, &Dot::node); dot != dots->end())
            painter.drawEllipse(placeOf(*dot), radiusOf(*dots, *dot) + 3, radiusOf(*dots, *dot) + 3);
    const auto from = placeOf(node), to = measuredPlaceOf(node);
    painter.setPen(QPen(palette().color(QPalette::Text), 1));
    if (from && to)
        painter.drawLine(*from, *to);
}

void Scatter::drawLegend(QPainter &painter, const QRectF &area) const
{
    if (m_rings.empty())
        return;
    const QColor color = mutedText(palette());
    double x = area.left() + 14;
    const double y = area.top() + 12;
    for (const auto &[isRing, text] :
         {std::pair(false, tr("predicted (lower bound)")), std::pair(true, tr("measured"))}) {
        painter.setPen(QPen(color, isRing ? 2 : 1));
        painter.setBrush(isRing ? QBrush(Qt::NoBrush) : QBrush(color));
        painter.drawEllipse(QPointF(x, y), 4.5, 4.5);
        painter.drawText(QPointF(x + 11, y + 4.5), text);
        x += 28 + painter.fontMetrics().horizontalAdvance(text);
    }
}

void Scatter::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    const Figures *figures = m_analysing.figures().get();
    if (!figures)
        return drawNotice(painter, rect(), tr("Analysing…"), palette());
    if (m_dots.empty())
        return drawNotice(painter, rect(),
                          figures->rooflineAtExample().reason.empty()
                              ? tr("Nothing to compute in this function.")
                              : tr("Times cannot be predicted: %1.").arg(shown(figures->rooflineAtExample().reason)),
                          palette());
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plotArea(size());
    drawAxes(painter, area, m_x, m_y, palette());
    drawRoofs(painter, area);
    drawDots(painter, m_dots, false);
    drawDots(painter, m_rings, true);
    const auto selected = m_navigation.selectedNode();
    if (m_hovered && m_hovered != selected)
        drawEmphasis(painter, *m_hovered, 1);
    if (selected)
        drawEmphasis(painter, *selected, 2);
    drawLegend(painter, area);
}

QString Scatter::textOf(ir::NodeId id) const
{
    const ir::NodeRef node(m_document.function().graph, id);
    QStringList lines{shown(node.name()), shown(node.fullName())};
    for (const auto &[dots, pattern] : {std::pair(&m_dots, tr("predicted: at least %1, %2/s, %3 operations per byte")),
                                        std::pair(&m_rings, tr("measured: %1, %2/s, %3 operations per byte"))})
        if (const auto dot = std::ranges::find(*dots, id, &Dot::node); dot != dots->end())
            lines << pattern
                         .arg(numberText(Quantity::Unit::Second, dot->seconds),
                              numberText(Quantity::Unit::Flop, dot->speed))
                         .arg(dot->intensity, 0, 'g', 3);
    return lines.join('\n');
}

bool Scatter::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const auto node = nodeAt(help->pos());
    QToolTip::showText(help->globalPos(), node ? toolTipText(textOf(*node)) : QString(), this);
    return true;
}

void Scatter::mousePressEvent(QMouseEvent *event)
{
    const auto node = event->button() == Qt::LeftButton ? nodeAt(event->position()) : std::nullopt;
    if (node)
        m_navigation.reveal(*node);
}

void Scatter::mouseMoveEvent(QMouseEvent *event)
{
    const auto node = nodeAt(event->position());
    if (std::exchange(m_hovered, node) != node)
        update();
}

void Scatter::leaveEvent(QEvent *)
{
    m_hovered.reset();
    update();
}

} // namespace cutaway::views
