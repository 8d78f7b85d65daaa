// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/roofline/scatter.h"

#include "core/ir/context.h"
#include "core/ops/category.h"
#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"

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

constexpr double smallest = 3, largest = 14; ///< radius of a dot

/// The dtype of a node's first tensor result.
std::optional<ir::DType> dtypeOf(const Figures &figures, ir::NodeId node)
{
    for (const ir::ValueId output : figures.function().graph.at(node).outputs)
        if (const auto *tensor = ops::asTensor(figures.analysis().shapes.of(output)))
            return tensor->dtype;
    return std::nullopt;
}

/// The roof of the dtype that most of the products are computed in; float32's if there are none, or else the highest.
std::pair<ir::DType, double> computeRoof(const Figures &figures)
{
    const auto &peaks = figures.device().peaks;
    const auto highest = std::ranges::max_element(peaks, {}, [](const auto &peak) { return peak.second; });
    std::map<ir::DType, double> flops{{ir::DType::Float32, 0.5}};
    for (const ir::NodeId node : figures.function().graph.at(ir::Graph::body).nodes)
        if (const auto dtype = dtypeOf(figures, node))
            flops[*dtype] += figures.of(node, Measure::Flops).number().value_or(0);
    std::erase_if(flops, [&](const auto &entry) { return !peaks.contains(entry.first); });
    const auto most = std::ranges::max_element(flops, {}, [](const auto &entry) { return entry.second; });
    return most == flops.end() ? std::pair<ir::DType, double>(*highest) : std::pair(most->first, peaks.at(most->first));
}

} // namespace

Scatter::Scatter(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    setMouseTracking(true);
    setMinimumSize(240, 140);
    setAccessibleName(tr("Roofline"));
    connect(&session, &Session::selectionChanged, this, qOverload<>(&QWidget::update));
}

void Scatter::fill()
{
    m_dots.clear();
    update();
    const Figures *figures = m_session.figures().get();
    if (!figures)
        return;
    const auto &nodes = figures->roofline().nodes;
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        if (nodes[i] && nodes[i]->seconds > 0 && nodes[i]->intensity > 0) {
            const ops::Cost cost = figures->analysis().costOf({i});
            const double operations = Quantity(Quantity::Unit::Flop, cost.flops).number().value_or(0)
                + Quantity(Quantity::Unit::Flop, cost.otherFlops).number().value_or(0);
            m_dots.push_back({{i}, nodes[i]->intensity, operations / nodes[i]->seconds, nodes[i]->seconds});
        }
    std::ranges::stable_sort(m_dots, std::greater(), &Dot::seconds);
    m_slowest = m_dots.empty() ? 0 : m_dots.front().seconds;
    m_roof = computeRoof(*figures);
    const double bandwidth = figures->device().bandwidth, ridge = m_roof.second / bandwidth;
    double left = std::min(0.1, ridge), right = ridge * 10, low = left * bandwidth, high = m_roof.second * 2;
    for (const Dot &dot : m_dots) {
        left = std::min(left, dot.intensity);
        right = std::max(right, dot.intensity);
        low = std::min(low, dot.speed);
        high = std::max(high, dot.speed);
    }
    m_x = Axis::logarithmic(Quantity::Unit::Count, std::max(left, 1e-4), right).named(tr("operations per byte moved"));
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

std::optional<QPointF> Scatter::placeOf(ir::NodeId node) const
{
    placeAxes();
    const auto dot = std::ranges::find(m_dots, node, &Dot::node);
    return dot == m_dots.end() ? std::nullopt : std::optional(placeOf(*dot));
}

double Scatter::radiusOf(const Dot &dot) const
{
    return smallest + (largest - smallest) * std::sqrt(m_slowest > 0 ? dot.seconds / m_slowest : 0);
}

const Scatter::Dot *Scatter::dotAt(QPointF position) const
{
    const Dot *nearest = nullptr;
    double distance = 0;
    for (const Dot &dot : m_dots) {
        const QPointF away = placeOf(dot) - position;
        const double outside = std::hypot(away.x(), away.y()) - radiusOf(dot);
        if (outside <= 3 && (!nearest || std::hypot(away.x(), away.y()) <= distance)) {
            nearest = &dot;
            distance = std::hypot(away.x(), away.y());
        }
    }
    return nearest;
}

void Scatter::drawRoofs(QPainter &painter, const QRectF &area) const
{
    const analysis::Device &device = m_session.figures()->device();
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

void Scatter::drawDots(QPainter &painter) const
{
    const auto selected = m_session.selectedNode();
    const report::Palette &colors = diagramPalette(palette());
    const ir::Graph &graph = m_session.function().graph;
    for (const Dot &dot : m_dots) {
        QColor color = toColor(colors.category(ops::categoryOf(graph.context(), graph.at(dot.node).op)));
        painter.setPen(QPen(color.darker(130), 1));
        color.setAlpha(150);
        painter.setBrush(color);
        painter.drawEllipse(placeOf(dot), radiusOf(dot), radiusOf(dot));
    }
    const auto chosen = selected ? std::ranges::find(m_dots, *selected, &Dot::node) : m_dots.end();
    if (chosen == m_dots.end())
        return;
    painter.setPen(QPen(palette().color(QPalette::Text), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(placeOf(*chosen), radiusOf(*chosen) + 3, radiusOf(*chosen) + 3);
}

void Scatter::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    const Figures *figures = m_session.figures().get();
    if (!figures)
        return drawNotice(painter, rect(), tr("Analysing…"), palette());
    if (m_dots.empty())
        return drawNotice(painter, rect(),
                          figures->roofline().reason.empty()
                              ? tr("Nothing is computed here.")
                              : tr("No time can be predicted: %1.").arg(shown(figures->roofline().reason)),
                          palette());
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plotArea(size());
    drawAxes(painter, area, m_x, m_y, palette());
    drawRoofs(painter, area);
    drawDots(painter);
}

QString Scatter::textOf(const Dot &dot) const
{
    const ir::Graph &graph = m_session.function().graph;
    const ir::Node &node = graph.at(dot.node);
    const QString name = shown(graph.context().text(node.name)), op = shown(graph.context().print(node.op));
    return tr("%1\n%2\n%3 at least, %4/s, %5 operations per byte")
        .arg(name, op, numberText(Quantity::Unit::Second, dot.seconds), numberText(Quantity::Unit::Flop, dot.speed))
        .arg(dot.intensity, 0, 'g', 3);
}

bool Scatter::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const Dot *dot = dotAt(help->pos());
    QToolTip::showText(help->globalPos(), dot ? toolTipText(textOf(*dot)) : QString(), this);
    return true;
}

void Scatter::mousePressEvent(QMouseEvent *event)
{
    const Dot *dot = event->button() == Qt::LeftButton ? dotAt(event->position()) : nullptr;
    if (dot)
        m_session.reveal(dot->node);
}

} // namespace cutaway::views
