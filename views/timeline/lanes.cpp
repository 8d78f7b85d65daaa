// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/lanes.h"

#include "core/ir/context.h"
#include "core/ir/scope_tree.h"
#include "core/ops/category.h"
#include "core/run/timing.h"
#include "views/appearance/fonts.h"
#include "views/appearance/heat.h"
#include "views/appearance/theme.h"
#include "views/parts/axis.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/navigation.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/session/times_text.h"
#include "views/timeline/ruler.h"

#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QStyleHints>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <map>
#include <qdrawutil.h>

namespace cutaway::views {
namespace {

constexpr double nameRoom = 84, rightRoom = 16, rulerHeight = 26, laneGap = 10;
constexpr double bandHeight = 20, smallestRow = 16, largestRow = 34;
constexpr int maxBandDepth = 3;
constexpr double timeZoomStep = 1.25;
constexpr double shortestShare = 1e-6; ///< of the run, that fills the width
constexpr double leastText = 28;       ///< pixels of a box that is written on

/// "CPU" of "CPUExecutionProvider".
QString laneName(const std::string &provider)
{
    QString name = shown(provider);
    name.remove(QStringLiteral("ExecutionProvider"));
    return name.isEmpty() ? QObject::tr("run") : name;
}

} // namespace

Lanes::Lanes(Session &session, QWidget *parent)
    : QWidget(parent),
      m_analysing(session.analysing()),
      m_navigation(session.navigation())
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 100);
    setAccessibleName(tr("Timeline"));
    connect(&session.navigation(), &Navigation::selectionChanged, this, &Lanes::follow);
}

void Lanes::fill()
{
    const Figures *figures = m_analysing.figures().get();
    const auto before = std::exchange(m_timing, figures ? figures->times().timing() : nullptr);
    m_boxes.clear();
    m_lanes.clear();
    m_hovered.reset();
    if (m_timing)
        makeLanes(*m_timing);
    if (m_timing != before)
        fit();
    update();
}

void Lanes::makeLanes(const run::Timing &timing)
{
    m_end = 0;
    for (std::size_t part = 0; part < timing.nodes.size(); ++part) {
        const protocol::Profile::NodeTime &measured = timing.nodes[part].measured;
        const double end = measured.start + measured.time.median;
        m_boxes.push_back({measured.start, end, part, m_analysing.figures()->times().leadOf(part)});
        m_end = std::max(m_end, end);
    }
    std::ranges::stable_sort(m_boxes, {}, &Box::start);
    std::map<std::string, std::vector<std::uint32_t>> byProvider;
    for (std::uint32_t i = 0; i < m_boxes.size(); ++i)
        byProvider[timing.nodes[m_boxes[i].part].measured.provider].push_back(i);
    for (const auto &[provider, boxes] : byProvider) {
        Lane lane{laneName(provider), {}, {}};
        separate(boxes);
        makeBands(lane, boxes);
        stack(lane, boxes);
        m_lanes.push_back(std::move(lane));
    }
}

/// Medians of starts and of lengths are of different runs, and so overlap. Where all fits into a run one after the
/// other, it ran so, and a box starts where the one before ends.
void Lanes::separate(const std::vector<std::uint32_t> &boxes)
{
    double sum = 0, end = 0;
    for (const std::uint32_t i : boxes)
        sum += m_boxes[i].end - m_boxes[i].start;
    if (sum > std::max(m_end, m_timing->instrumented.median))
        return;
    for (const std::uint32_t i : boxes) {
        Box &box = m_boxes[i];
        const double later = std::max(end - box.start, 0.0);
        box.start += later;
        box.end += later;
        end = box.end;
    }
    m_end = std::max(m_end, end);
}

/// Puts boxes that ran at the same time below each other, unless at most half of the later one overlaps.
void Lanes::stack(Lane &lane, const std::vector<std::uint32_t> &boxes) const
{
    std::vector<double> ends;
    for (const std::uint32_t i : boxes) {
        const Box &box = m_boxes[i];
        const double reach = box.start + (box.end - box.start) / 2;
        auto row = static_cast<std::size_t>(std::ranges::find_if(ends, [&](double end) { return end <= reach; })
                                            - ends.begin());
        if (row == ends.size()) {
            ends.push_back(0);
            lane.rows.emplace_back();
        }
        ends[row] = box.end;
        lane.rows[row].boxes.push_back(i);
    }
}

/// Boxes of one module after each other are below one band of it; a depth at which all are of one module says nothing.
void Lanes::makeBands(Lane &lane, const std::vector<std::uint32_t> &boxes) const
{
    const ir::Graph &graph = m_analysing.figures()->function().graph;
    std::vector<std::vector<Band>> depths(maxBandDepth);
    std::vector<ir::ScopeId> before;
    for (const std::uint32_t i : boxes) {
        const Box &box = m_boxes[i];
        if (!box.lead)
            continue; // it stands within whatever is around it
        const auto chain = chainTo(graph.context(), graph.at(*box.lead).scope);
        for (std::size_t depth = 0; depth < std::min<std::size_t>(chain.size(), maxBandDepth); ++depth)
            if (depth < before.size() && before[depth] == chain[depth])
                depths[depth].back().end = std::max(depths[depth].back().end, box.end);
            else
                depths[depth].push_back({box.start, box.end, chain[depth]});
        before = chain;
    }
    std::ranges::copy_if(depths, std::back_inserter(lane.modules), [](const auto &bands) { return bands.size() > 1; });
}

QRectF Lanes::plot() const
{
    return {nameRoom, rulerHeight, std::max(width() - nameRoom - rightRoom, 1.0),
            std::max<double>(height() - rulerHeight, 1.0)};
}

double Lanes::toPixel(double second) const
{
    const QRectF area = plot();
    return area.left() + (second - m_from) / (m_to - m_from) * area.width();
}

double Lanes::toSecond(double pixel) const
{
    const QRectF area = plot();
    return m_from + (pixel - area.left()) / area.width() * (m_to - m_from);
}

/// Within the run.
void Lanes::showRange(double from, double to)
{
    const double span = std::clamp(to - from, m_end * shortestShare, m_end);
    m_from = std::clamp(from, 0.0, m_end - span);
    m_to = m_from + span;
    emit rangeChanged();
    update();
}

void Lanes::fit()
{
    if (m_end > 0)
        showRange(0, m_end);
}

void Lanes::zoomAt(double pixel, double factor)
{
    const double at = toSecond(pixel);
    showRange(at - (at - m_from) / factor, at + (m_to - at) / factor);
}

void Lanes::showBox(const Box &box)
{
    const double span = m_to - m_from, length = box.end - box.start;
    if (length > span)
        showRange(box.start - length / 8, box.end + length / 8);
    else
        showRange((box.start + box.end - span) / 2, (box.start + box.end + span) / 2);
}

double Lanes::rowHeight() const
{
    double bands = 0, rows = 0;
    for (const Lane &lane : m_lanes) {
        bands += double(lane.modules.size()) * bandHeight + laneGap;
        rows += double(lane.rows.size());
    }
    return std::clamp((plot().height() - bands) / std::max(rows, 1.0), smallestRow, largestRow);
}

template <class Visit>
void Lanes::visitRows(Visit visit) const
{
    double top = plot().top();
    const double height = rowHeight();
    for (const Lane &lane : m_lanes) {
        top += double(lane.modules.size()) * bandHeight;
        for (const Row &row : lane.rows) {
            visit(row, top);
            top += height;
        }
        top += laneGap;
    }
}

std::optional<std::uint32_t> Lanes::boxAt(QPointF position) const
{
    std::optional<std::uint32_t> found;
    if (position.x() < plot().left())
        return found;
    visitRows([&](const Row &row, double top) {
        if (position.y() < top || position.y() >= top + rowHeight())
            return;
        for (const std::uint32_t i : row.boxes) // what is narrow can be met, too
            if (toPixel(m_boxes[i].start) - 1 <= position.x() && position.x() <= toPixel(m_boxes[i].end) + 1)
                found = i;
    });
    return found;
}

std::optional<std::uint32_t> Lanes::boxOf(ir::NodeId node) const
{
    const auto isPart = [&](const Box &box) { return std::ranges::contains(m_timing->nodes[box.part].nodes, node); };
    const auto found = std::ranges::find_if(m_boxes, isPart);
    return found == m_boxes.end() ? std::nullopt : std::optional(std::uint32_t(found - m_boxes.begin()));
}

std::optional<QRectF> Lanes::placeOf(ir::NodeId node) const
{
    std::optional<QRectF> place;
    const auto box = boxOf(node);
    if (!box || m_boxes[*box].lead != node)
        return place;
    visitRows([&](const Row &row, double top) {
        if (std::ranges::contains(row.boxes, *box))
            place = QRectF(QPointF(toPixel(m_boxes[*box].start), top),
                           QPointF(toPixel(m_boxes[*box].end), top + rowHeight()));
    });
    return place;
}

/// Brings the box of a node that was selected elsewhere into sight.
void Lanes::follow()
{
    update();
    const auto node = m_navigation.selectedNode();
    const auto box = node && m_timing ? boxOf(*node) : std::nullopt;
    if (box && !m_choosing && (m_boxes[*box].end < m_from || m_boxes[*box].start > m_to))
        showBox(m_boxes[*box]);
}

void Lanes::selectNext(int direction)
{
    const auto node = m_navigation.selectedNode();
    const auto box = node && m_timing ? boxOf(*node) : std::nullopt;
    for (std::int64_t i = box ? std::int64_t{*box} + direction : 0; i >= 0 && i < std::int64_t(m_boxes.size());
         i += direction)
        if (const auto lead = m_boxes[std::size_t(i)].lead)
            return m_navigation.reveal(*lead);
}

QString Lanes::nameOf(const Box &box) const
{
    return box.lead ? nodeText({m_analysing.figures()->function().graph, *box.lead})
                    : shown(m_timing->nodes[box.part].measured.name);
}

/// The modules above tell where it stands.
QString Lanes::operatorOf(const Box &box) const
{
    return box.lead ? shown(ir::NodeRef(m_analysing.figures()->function().graph, *box.lead).opName())
                    : shown(m_timing->nodes[box.part].measured.op);
}

/// Returns the colour of a box's category, as in the graph; a muted one for a box that is no node of the graph.
QColor Lanes::colorOf(const Box &box) const
{
    if (!box.lead)
        return separator(palette());
    const ir::NodeRef node(m_analysing.figures()->function().graph, *box.lead);
    return toColor(diagramPalette(palette()).category(ops::categoryOf(node)));
}

QString Lanes::textOf(const Box &box) const
{
    const Figures &figures = *m_analysing.figures();
    const protocol::Profile::NodeTime &measured = m_timing->nodes[box.part].measured;
    QStringList lines{nameOf(box)};
    for (const ir::NodeId node : m_timing->nodes[box.part].nodes)
        if (figures.has(node) && box.lead != node)
            lines << tr("fused with %1").arg(nodeText({figures.function().graph, node}));
    if (!box.lead)
        lines << tr("operation of the backend, not a node of the graph");
    lines << spreadText(measured.time);
    lines << tr("%1 of node time, %2 after the start")
                 .arg(numberText(Quantity::Unit::Share, figures.shareOfTime(measured.time.median).value_or(0)),
                      secondsText(measured.start));
    lines << shown(measured.op + ", " + measured.provider);
    return lines.join('\n');
}

void Lanes::drawRuler(QPainter &painter) const
{
    const QRectF area = plot();
    for (const auto &[second, text] : rulerTicks(m_from, m_to, area.width() / 96)) {
        const double x = std::round(toPixel(second)) + 0.5;
        painter.setPen(QPen(separator(palette()), 1));
        painter.drawLine(QPointF(x, area.top() - 4), QPointF(x, area.bottom()));
        painter.setPen(mutedText(palette()));
        if (x + 4 + painter.fontMetrics().horizontalAdvance(text) < width())
            painter.drawText(QRectF(x + 4, 2, 92, rulerHeight - 6), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
}

void Lanes::drawBands(QPainter &painter, const std::vector<Band> &bands, double top) const
{
    const ir::Context &context = *m_analysing.figures()->model()->context;
    for (const Band &band : bands) {
        const QRectF place(QPointF(toPixel(band.start), top), QPointF(toPixel(band.end), top + bandHeight - 2));
        if (band.end < m_from || band.start > m_to || place.width() < 2)
            continue;
        const QRectF seen = place.intersected(plot());
        painter.fillRect(seen.adjusted(0, 0, -1, 0), palette().color(QPalette::AlternateBase));
        painter.setPen(QPen(separator(palette()), 1));
        painter.drawRect(seen.adjusted(0.5, 0.5, -1.5, -0.5));
        if (seen.width() < leastText)
            continue;
        painter.setPen(palette().color(QPalette::Text));
        const QString name = shown(context.text(context.at(band.scope).name));
        painter.drawText(seen.adjusted(5, 0, -4, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(name, Qt::ElideRight, int(seen.width()) - 9));
    }
}

void Lanes::drawBox(QPainter &painter, std::uint32_t index, const QRectF &place) const
{
    const Box &box = m_boxes[index];
    const QColor color = colorOf(box);
    painter.fillRect(place, color);
    const QRectF seen = place.intersected(plot());
    if (seen.width() >= leastText) {
        painter.setPen(textOn(color));
        const int room = int(seen.width()) - 8;
        const QString name = nameOf(box);
        const bool fits = painter.fontMetrics().horizontalAdvance(name) <= room;
        painter.drawText(seen.adjusted(5, 0, -3, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         fits ? name : painter.fontMetrics().elidedText(operatorOf(box), Qt::ElideRight, room));
    }
}

/// Boxes of less than a pixel are drawn once per pixel.
void Lanes::drawRow(QPainter &painter, const Row &row, double top) const
{
    const auto selected = m_navigation.selectedNode();
    const double height = rowHeight() - 2;
    double drawnTo = 0;
    const auto outline = [&](const QRectF &place, double width) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Text), width));
        painter.drawRect(place.adjusted(-1, -1, 0, 0));
    };
    for (const std::uint32_t i : row.boxes) {
        const Box &box = m_boxes[i];
        if (box.end < m_from || box.start > m_to)
            continue;
        const double left = toPixel(box.start), length = toPixel(box.end) - left;
        const bool isSelected = selected && std::ranges::contains(m_timing->nodes[box.part].nodes, *selected);
        const QRectF place(left, top, std::max(length > 3 ? length - 1 : length, 1.0), height);
        if (place.right() < drawnTo + 1 && !isSelected && m_hovered != i)
            continue;
        drawBox(painter, i, place);
        drawnTo = place.right();
        if (isSelected || m_hovered == i)
            outline(place, isSelected ? 2 : 1);
    }
}

void Lanes::drawLane(QPainter &painter, const Lane &lane, double top) const
{
    const double rowsTop = top + double(lane.modules.size()) * bandHeight;
    painter.setPen(mutedText(palette()));
    painter.drawText(QRectF(12, rowsTop, nameRoom - 20, double(lane.rows.size()) * rowHeight()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(lane.name, Qt::ElideRight, int(nameRoom) - 20));
    painter.save();
    painter.setClipRect(plot());
    for (const std::vector<Band> &bands : lane.modules) {
        drawBands(painter, bands, top);
        top += bandHeight;
    }
    for (const Row &row : lane.rows) {
        drawRow(painter, row, top);
        top += rowHeight();
    }
    painter.restore();
}

void Lanes::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (hasFocus())
        qDrawPlainRect(&painter, rect(), palette().color(QPalette::Highlight));
    painter.setFont(diagramFont(layout::Line::Style::Detail));
    if (!m_timing || !m_analysing.figures())
        return drawNotice(painter, rect(),
                          m_analysing.figures() ? tr("Profile the model (Run) to see the timeline of a run.")
                                                : tr("Analysing…"),
                          palette());
    if (m_boxes.empty())
        return drawNotice(painter, rect(), tr("The backend does not report times of single nodes."), palette());
    drawRuler(painter);
    double top = plot().top();
    for (const Lane &lane : m_lanes) {
        drawLane(painter, lane, top);
        top += double(lane.modules.size()) * bandHeight + double(lane.rows.size()) * rowHeight() + laneGap;
    }
}

bool Lanes::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto box = boxAt(help->pos());
        QToolTip::showText(help->globalPos(), box ? toolTipText(textOf(m_boxes[*box])) : QString(), this);
        return true;
    }
    const auto *gesture = event->type() == QEvent::NativeGesture ? static_cast<QNativeGestureEvent *>(event) : nullptr;
    if (gesture && gesture->gestureType() == Qt::ZoomNativeGesture) {
        zoomAt(gesture->position().x(), 1 + gesture->value());
        return true;
    }
    return QWidget::event(event);
}

void Lanes::wheelEvent(QWheelEvent *event)
{
    const QPoint delta = event->angleDelta();
    const bool sideways = std::abs(delta.x()) > std::abs(delta.y()) || event->modifiers() & Qt::ShiftModifier;
    if (sideways) {
        const double pixels = (delta.x() + delta.y()) / 2.0, by = toSecond(0) - toSecond(pixels);
        showRange(m_from + by, m_to + by);
    } else {
        zoomAt(event->position().x(), std::pow(timeZoomStep, delta.y() / 120.0));
    }
    event->accept();
}

void Lanes::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    m_press = event->position();
    m_lastDrag = event->position().x();
    m_dragging = false;
}

void Lanes::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_press) {
        m_hovered = boxAt(event->position());
        return update();
    }
    const int threshold = QGuiApplication::styleHints()->startDragDistance();
    m_dragging = m_dragging || (event->position() - *m_press).manhattanLength() >= threshold;
    if (!m_dragging)
        return;
    const double by = toSecond(m_lastDrag) - toSecond(event->position().x());
    m_lastDrag = event->position().x();
    showRange(m_from + by, m_to + by);
}

void Lanes::mouseReleaseEvent(QMouseEvent *event)
{
    const auto box = boxAt(event->position());
    if (m_press && !m_dragging && event->button() == Qt::LeftButton && box && m_boxes[*box].lead) {
        m_choosing = true;
        m_navigation.reveal(*m_boxes[*box].lead);
        m_choosing = false;
    }
    m_press.reset();
}

void Lanes::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (const auto box = boxAt(event->position())) {
        const double length = m_boxes[*box].end - m_boxes[*box].start;
        showRange(m_boxes[*box].start - length, m_boxes[*box].end + length);
    }
}

void Lanes::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomAt(plot().center().x(), timeZoomStep);
    case Qt::Key_Minus:
        return zoomAt(plot().center().x(), 1 / timeZoomStep);
    case Qt::Key_0:
        return fit();
    case Qt::Key_Left:
        return selectNext(-1);
    case Qt::Key_Right:
        return selectNext(+1);
    default:
        QWidget::keyPressEvent(event);
    }
}

void Lanes::leaveEvent(QEvent *)
{
    m_hovered.reset();
    update();
}

} // namespace cutaway::views
