// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/timeline.h"

#include "core/ops/category.h"
#include "core/run/timing.h"
#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/running.h"
#include "views/session/running/opened_trace.h"
#include "views/session/session.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <unordered_map>

namespace cutaway::views {

QString stepText(const Figures &figures, std::size_t step)
{
    const auto id = figures.nodeAt(step);
    if (!id)
        return step == 0 ? QObject::tr("inputs") : QObject::tr("outputs");
    const ir::NodeRef node(figures.function().graph, *id);
    const QString name = shownName(node), op = shown(node.opName());
    return name.isEmpty() || name == op ? op : QStringLiteral("%1 (%2)").arg(name, op);
}

namespace {

/// Returns the live bytes by step, formulas at the example sizes; empty if some are unknown. Repeated blocks have equal
/// formulas, each of which is evaluated once.
std::vector<double> aliveBytes(const Figures &figures)
{
    std::vector<double> bytes;
    std::unordered_map<const void *, std::optional<double>> atExample;
    for (const ir::Dim &alive : figures.analysis().memory.alive) {
        const auto *formula = std::get_if<symbolic::Expr>(&alive);
        std::optional<double> number;
        if (formula) {
            const auto [known, isNew] = atExample.try_emplace(formula->identity());
            if (isNew)
                known->second = figures.examples().of(alive);
            number = known->second;
        } else {
            number = figures.examples().of(alive);
        }
        if (!number)
            return {};
        bytes.push_back(*number);
    }
    return bytes;
}

/// Returns the bytes that a trace has measured on a device, by step: the largest amount at any node of the step.
std::map<std::size_t, double> measuredBytes(const Figures &figures, const trace::MemoryUse &use)
{
    std::map<std::size_t, double> bytes;
    for (const auto &[node, taken] : use.byNode)
        if (const auto step = figures.has(node) ? figures.stepOf(node) : std::nullopt; step && taken > 0)
            bytes[*step] = std::max(bytes[*step], static_cast<double>(taken));
    return bytes;
}

/// Returns the bytes that a profile has measured, by step: the largest amount among the parts that run at the step.
std::map<std::size_t, double> measuredBytes(const Figures &figures)
{
    std::map<std::size_t, double> bytes;
    const auto &timing = figures.times().timing();
    for (std::size_t part = 0; timing && part < timing->nodes.size(); ++part) {
        const auto lead = figures.times().leadOf(part);
        const auto step = lead ? figures.stepOf(*lead) : std::nullopt;
        const auto live = static_cast<double>(timing->nodes[part].measured.memory);
        if (step && live > 0)
            bytes[*step] = std::max(bytes[*step], live);
    }
    return bytes;
}

} // namespace

Timeline::Timeline(Session &session, QWidget *parent)
    : QWidget(parent),
      m_running(session.running()),
      m_analysing(session.analysing())
{
    setMouseTracking(true);
    setMinimumSize(200, 120);
    setAccessibleName(tr("Memory over the steps"));
}

void Timeline::fill()
{
    m_figures = m_analysing.figures();
    m_alive = m_figures ? aliveBytes(*m_figures) : std::vector<double>();
    m_hovered.reset();
    m_measured = m_alive.empty() ? std::vector<Measured>() : measured();
    update();
}

std::vector<Timeline::Measured> Timeline::measured() const
{
    std::vector<Measured> all;
    if (const auto opened = m_running.trace()) {
        for (const trace::MemoryUse &use : opened->memory)
            all.push_back({shown(opened->trace.texts.at(use.device)), measuredBytes(*m_figures, use)});
    } else {
        all.push_back({{}, measuredBytes(*m_figures)});
    }
    std::erase_if(all, [](const Measured &each) { return each.bytes.empty(); });
    std::ranges::stable_sort(all, std::greater(),
                             [](const Measured &each) { return std::ranges::max(each.bytes | std::views::values); });
    return all;
}

std::optional<std::size_t> Timeline::highest() const
{
    if (m_alive.empty())
        return std::nullopt;
    return static_cast<std::size_t>(std::ranges::max_element(m_alive) - m_alive.begin());
}

QString Timeline::bytesAt(std::size_t step) const
{
    return m_figures->atExample({Quantity::Unit::Byte, m_figures->analysis().memory.alive[step]}).text();
}

std::optional<double> Timeline::measuredAt(std::size_t step) const
{
    std::optional<double> most;
    for (const Measured &each : m_measured)
        if (const auto found = each.bytes.find(step); found != each.bytes.end())
            most = std::max(most.value_or(0), found->second);
    return most;
}

QString Timeline::measuredText(std::size_t step) const
{
    QStringList texts;
    for (const Measured &each : m_measured)
        if (const auto found = each.bytes.find(step); found != each.bytes.end()) {
            const QString bytes = numberText(Quantity::Unit::Byte, found->second);
            texts << (each.device.isEmpty() ? tr("%1 measured").arg(bytes)
                                            : tr("%1 measured on %2").arg(bytes, each.device));
        }
    return texts.join(QStringLiteral(", "));
}

void Timeline::setStep(std::optional<std::size_t> step)
{
    m_step = step;
    update();
}

double Timeline::pixelOf(std::size_t step) const
{
    const QRectF area = plotArea(size());
    return area.left() + (double(step) + 0.5) / double(std::max<std::size_t>(m_alive.size(), 1)) * area.width();
}

std::size_t Timeline::stepAt(double pixel) const
{
    const QRectF area = plotArea(size());
    const double share = (pixel - area.left()) / area.width();
    return static_cast<std::size_t>(std::clamp(share * double(m_alive.size()), 0.0, double(m_alive.size()) - 1));
}

/// Returns why there is nothing to draw. Precondition: m_alive is empty.
QString Timeline::notice() const
{
    return m_figures ? tr("Some sizes are unknown. See Diagnostics.") : tr("Analysing…");
}

/// Returns the left edge and bytes of each column: a step, or the maximum over the steps of one pixel.
std::vector<std::pair<double, double>> Timeline::columns(const QRectF &area) const
{
    std::vector<std::pair<double, double>> columns;
    const double width = area.width() / double(m_alive.size());
    for (std::size_t i = 0; i < m_alive.size(); ++i) {
        const double left = area.left() + double(i) * width;
        const bool samePixel = width < 1 && !columns.empty() && std::floor(columns.back().first) == std::floor(left);
        if (samePixel)
            columns.back().second = std::max(columns.back().second, m_alive[i]);
        else
            columns.emplace_back(left, m_alive[i]);
    }
    return columns;
}

void Timeline::drawArea(QPainter &painter, const QRectF &area, const Axis &y) const
{
    QPainterPath line;
    line.moveTo(area.bottomLeft());
    const auto steps = columns(area);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double at = y.toPixel(steps[i].second);
        line.lineTo(steps[i].first, at);
        line.lineTo(i + 1 < steps.size() ? steps[i + 1].first : area.right(), at);
    }
    line.lineTo(area.bottomRight());
    const QColor color = palette().color(QPalette::Accent);
    QColor ground = color;
    ground.setAlpha(isDark(palette()) ? 80 : 56);
    painter.fillPath(line, ground);
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(line);
}

/// Returns the pen of the line with this index: five colours and four dash styles make twenty pens.
static QPen penOf(std::size_t line, const QPalette &palette)
{
    using enum ops::Category;
    constexpr std::array styles{Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};
    constexpr std::array categories{MatrixProduct, Normalization, Attention, Activation};
    const std::size_t color = line % (categories.size() + 1);
    return {color == 0 ? palette.color(QPalette::Text)
                       : toColor(diagramPalette(palette).category(categories[color - 1])),
            1.5, styles[line % styles.size()]};
}

void Timeline::drawMeasured(QPainter &painter, const QRectF &area, const Axis &y) const
{
    painter.save();
    painter.setClipRect(area.adjusted(0, -1, 0, 1));
    for (std::size_t i = 0; i < m_measured.size(); ++i) {
        QPolygonF line;
        for (const auto &[step, bytes] : m_measured[i].bytes)
            line << QPointF(pixelOf(step), y.toPixel(bytes));
        painter.setPen(penOf(i, palette()));
        painter.drawPolyline(line);
    }
    painter.restore();
}

/// Returns the entries of the legend in rows above the plot, in the order of the lines.
std::vector<Timeline::Entry> Timeline::legend() const
{
    constexpr double lineRoom = 32, apart = 16;
    const QFontMetricsF metrics(diagramFont(layout::Line::Style::Detail));
    const QRectF whole = plotArea(size());
    std::vector<Entry> entries;
    QPointF at(whole.left(), 4);
    for (const Measured &each : m_measured) {
        const QString text = each.device.isEmpty() ? tr("measured")
            : entries.empty()                      ? tr("measured on %1").arg(each.device)
                                                   : each.device;
        const double width = lineRoom + metrics.horizontalAdvance(text);
        if (at.x() > whole.left() && at.x() + width > whole.right())
            at = {whole.left(), at.y() + metrics.height()};
        entries.push_back({text, QRectF(at.x() + lineRoom, at.y(), width - lineRoom, metrics.height()),
                           penOf(entries.size(), palette())});
        at.rx() += width + apart;
    }
    return entries;
}

/// Returns the area of the plot, below the legend.
QRectF Timeline::area() const
{
    const auto entries = legend();
    const QRectF whole = plotArea(size());
    return entries.empty() ? whole
                           : whole.adjusted(0, std::min(entries.back().place.bottom(), whole.height() / 2), 0, 0);
}

void Timeline::drawLegend(QPainter &painter) const
{
    for (const auto &[text, place, pen] : legend()) {
        painter.setPen(pen);
        painter.drawLine(QPointF(place.left() - 32, place.center().y()), QPointF(place.left() - 8, place.center().y()));
        painter.setPen(mutedText(palette()));
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text);
    }
}

void Timeline::drawMark(QPainter &painter, const QRectF &area, std::size_t step, const QColor &color) const
{
    const double x = pixelOf(step);
    painter.setPen(QPen(color, 1));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
}

void Timeline::drawPeak(QPainter &painter, const QRectF &area, const Axis &y) const
{
    const std::size_t step = *highest();
    const QPointF at(pixelOf(step), y.toPixel(m_alive[step]));
    painter.setPen(QPen(palette().color(QPalette::Base), 1.5));
    painter.setBrush(warningColor(palette()));
    painter.drawEllipse(at, 4.5, 4.5);
    const QString text = tr("peak memory %1").arg(bytesAt(step));
    painter.setPen(palette().color(QPalette::Text));
    const double width = painter.fontMetrics().horizontalAdvance(text);
    const bool right = at.x() + 10 + width < area.right();
    painter.drawText(QPointF(right ? at.x() + 10 : at.x() - 10 - width, area.top() - 5), text);
}

void Timeline::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    const QRectF area = this->area();
    if (m_alive.empty())
        return drawNotice(painter, rect(), notice(), palette());
    painter.setRenderHint(QPainter::Antialiasing);
    Axis x = Axis::linear(Quantity::Unit::Count, double(m_alive.size())).named(tr("step"));
    double most = m_alive[*highest()];
    for (const Measured &each : m_measured)
        most = std::max(most, std::ranges::max(each.bytes | std::views::values));
    Axis y = Axis::linear(Quantity::Unit::Byte, most);
    drawAxes(painter, area, x, y, palette());
    drawArea(painter, area, y);
    if (!m_measured.empty()) {
        drawMeasured(painter, area, y);
        drawLegend(painter);
    }
    if (m_hovered)
        drawMark(painter, area, *m_hovered, mutedText(palette()));
    if (m_step)
        drawMark(painter, area, *m_step, palette().color(QPalette::Text));
    drawPeak(painter, area, y);
}

bool Timeline::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    if (m_alive.empty())
        return true;
    const std::size_t step = stepAt(help->pos().x());
    QString text = tr("%1\nstep %2: %3 live memory").arg(stepText(*m_figures, step)).arg(step).arg(bytesAt(step));
    if (const QString measured = measuredText(step); !measured.isEmpty())
        text += ", " + measured;
    QToolTip::showText(help->globalPos(), toolTipText(text), this);
    return true;
}

void Timeline::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && !m_alive.empty())
        emit stepChosen(stepAt(event->position().x()));
}

void Timeline::mouseMoveEvent(QMouseEvent *event)
{
    m_hovered = m_alive.empty() ? std::nullopt : std::optional(stepAt(event->position().x()));
    update();
}

void Timeline::leaveEvent(QEvent *)
{
    m_hovered.reset();
    update();
}

} // namespace cutaway::views
