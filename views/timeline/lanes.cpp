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

#include <QPainter>
#include <algorithm>
#include <map>

namespace cutaway::views {
namespace {

constexpr double nameRoom = 84, laneGap = 10;
constexpr double bandHeight = 20, smallestRow = 16, largestRow = 34;
constexpr int maxBandDepth = 3;

/// Returns the short name of a provider: "CPU" for "CPUExecutionProvider".
QString laneName(const std::string &provider)
{
    QString name = shown(provider);
    name.remove(QStringLiteral("ExecutionProvider"));
    return name.isEmpty() ? QObject::tr("run") : name;
}

} // namespace

Lanes::Lanes(Session &session, QWidget *parent)
    : TimePlot(nameRoom, parent),
      m_analysing(session.analysing()),
      m_navigation(session.navigation())
{
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
    double last = 0;
    for (std::size_t part = 0; part < timing.nodes.size(); ++part) {
        const protocol::Profile::NodeTime &measured = timing.nodes[part].measured;
        const double end = measured.start + measured.time.median;
        m_boxes.push_back({measured.start, end, part, m_analysing.figures()->times().leadOf(part)});
        last = std::max(last, end);
    }
    setEnd(last);
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

/// Moves boxes so that each starts where the one before ends. Boxes that ran one after the other may overlap, since
/// medians of starts and of durations come from different runs. Nothing is moved if all boxes together take longer than
/// a run, since some then ran at the same time.
void Lanes::separate(const std::vector<std::uint32_t> &boxes)
{
    double sum = 0, end = 0;
    for (const std::uint32_t i : boxes)
        sum += m_boxes[i].end - m_boxes[i].start;
    if (sum > std::max(this->end(), m_timing->instrumented.median))
        return;
    for (const std::uint32_t i : boxes) {
        Box &box = m_boxes[i];
        const double later = std::max(end - box.start, 0.0);
        box.start += later;
        box.end += later;
        end = box.end;
    }
    setEnd(std::max(this->end(), end));
}

/// Distributes the boxes of a lane over rows, so that boxes that ran at the same time are below each other. A box stays
/// in a row if at most half of it overlaps with the box before.
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

/// Makes the bands of modules above the boxes. Consecutive boxes of one module share a band; a depth at which all boxes
/// are in one module gets no bands.
void Lanes::makeBands(Lane &lane, const std::vector<std::uint32_t> &boxes) const
{
    const ir::Graph &graph = m_analysing.figures()->function().graph;
    std::vector<std::vector<Band>> depths(maxBandDepth);
    std::vector<ir::ScopeId> before;
    for (const std::uint32_t i : boxes) {
        const Box &box = m_boxes[i];
        if (!box.lead)
            continue; // a box without a node does not end the bands
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
        // The pointer hits a box a pixel beside it, too, since boxes may be narrow.
        for (const std::uint32_t i : row.boxes)
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

/// Scrolls to the box of the selected node, unless the selection was made here.
void Lanes::follow()
{
    update();
    const auto node = m_navigation.selectedNode();
    const auto box = node && m_timing ? boxOf(*node) : std::nullopt;
    if (box && !m_choosing && !isSeen(m_boxes[*box].start, m_boxes[*box].end))
        bring(m_boxes[*box].start, m_boxes[*box].end);
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

/// Returns the operator of a box without its modules, which the bands above name.
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

void Lanes::drawBands(QPainter &painter, const std::vector<Band> &bands, double top) const
{
    const ir::Context &context = *m_analysing.figures()->model()->context;
    for (const Band &band : bands) {
        const QRectF place(QPointF(toPixel(band.start), top), QPointF(toPixel(band.end), top + bandHeight - 2));
        if (!isSeen(band.start, band.end) || place.width() < 2)
            continue;
        const QRectF seen = place.intersected(plot());
        painter.fillRect(seen.adjusted(0, 0, -1, 0), palette().color(QPalette::AlternateBase));
        painter.setPen(QPen(separator(palette()), 1));
        painter.drawRect(seen.adjusted(0.5, 0.5, -1.5, -0.5));
        painter.setPen(palette().color(QPalette::Text));
        drawLabel(painter, seen, {shown(context.text(context.at(band.scope).name))});
    }
}

void Lanes::drawBox(QPainter &painter, std::uint32_t index, const QRectF &place) const
{
    const Box &box = m_boxes[index];
    const QColor color = colorOf(box);
    painter.fillRect(place, color);
    painter.setPen(textOn(color));
    drawLabel(painter, place.intersected(plot()), {nameOf(box), operatorOf(box)});
}

/// Draws a row. Boxes that are narrower than a pixel are drawn once per pixel.
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
        if (!isSeen(box.start, box.end))
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
    drawFocus(painter);
    painter.setFont(diagramFont(layout::Line::Style::Detail));
    if (!m_timing || !m_analysing.figures())
        return drawNotice(painter, rect(),
                          m_analysing.figures()
                              ? tr("Profile the model (Run), or open a trace of it (File), to see its timeline.")
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

QString Lanes::textAt(QPointF position) const
{
    const auto box = boxAt(position);
    return box ? textOf(m_boxes[*box]) : QString();
}

void Lanes::hover(std::optional<QPointF> position)
{
    m_hovered = position ? boxAt(*position) : std::nullopt;
    update();
}

void Lanes::click(QPointF position)
{
    const auto box = boxAt(position);
    if (!box || !m_boxes[*box].lead)
        return;
    m_choosing = true;
    m_navigation.reveal(*m_boxes[*box].lead);
    m_choosing = false;
}

void Lanes::doubleClick(QPointF position)
{
    if (const auto box = boxAt(position)) {
        const double length = m_boxes[*box].end - m_boxes[*box].start;
        showRange(m_boxes[*box].start - length, m_boxes[*box].end + length);
    }
}

} // namespace cutaway::views
