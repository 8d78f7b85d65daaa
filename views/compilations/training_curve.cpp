// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compilations/training_curve.h"

#include "core/ops/facts/dim_arithmetic.h"
#include "views/appearance/theme.h"
#include "views/parts/quantity.h"
#include "views/parts/text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>

namespace cutaway::views {
namespace {

constexpr int faint = 48, strong = 120; ///< opacities, where 255 is opaque

double numberOf(const ir::Dim &bytes) { return static_cast<double>(ops::number(bytes).value_or(0)); }

} // namespace

TrainingCurve::TrainingCurve(QWidget *parent) : QWidget(parent)
{
    setMinimumSize(200, 140);
    setAccessibleName(tr("Memory of forward and backward"));
    hide();
}

void TrainingCurve::show(std::shared_ptr<const sequence::TrainingMemory> memory)
{
    m_memory = memory && memory->peakStep ? std::move(memory) : nullptr;
    m_alive.clear();
    m_saved.clear();
    setVisible(m_memory != nullptr);
    if (!m_memory)
        return;
    for (const auto &step : m_memory->steps)
        m_alive.push_back(numberOf(step.alive));
    m_saved.resize(m_alive.size());
    for (const auto &storage : m_memory->storages)
        for (std::size_t step = storage.first; storage.isSaved && step <= storage.last; ++step)
            m_saved[step] += numberOf(storage.bytes);
    update();
}

double TrainingCurve::pixelOf(std::size_t step, const QRectF &area) const
{
    return area.left() + double(step) / double(m_alive.size()) * area.width();
}

void TrainingCurve::drawSteps(QPainter &painter, const QRectF &area, const Axis &y, const std::vector<double> &bytes,
                              int strength) const
{
    QPainterPath line;
    line.moveTo(area.bottomLeft());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        line.lineTo(pixelOf(i, area), y.toPixel(bytes[i]));
        line.lineTo(pixelOf(i + 1, area), y.toPixel(bytes[i]));
    }
    line.lineTo(area.bottomRight());
    QColor ground = palette().color(QPalette::Accent);
    ground.setAlpha(strength);
    painter.fillPath(line, ground);
    painter.setPen(QPen(palette().color(QPalette::Accent), 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(line);
}

/// Draws a line between the forward and the backward, the names of both parts, and the key of the area of saved bytes.
void TrainingCurve::drawParts(QPainter &painter, const QRectF &area) const
{
    const auto backward =
        std::ranges::find(m_memory->steps, sequence::Part::Backward, &sequence::TrainingMemory::Step::part);
    const double x = pixelOf(std::size_t(backward - m_memory->steps.begin()), area);
    painter.setPen(QPen(mutedText(palette()), 1, Qt::DashLine));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    painter.setPen(mutedText(palette()));
    const QString before = tr("forward");
    painter.drawText(QPointF(x - 6 - painter.fontMetrics().horizontalAdvance(before), area.top() + 12), before);
    painter.drawText(QPointF(x + 6, area.top() + 12), tr("backward"));
    const QString saved = tr("saved for the backward");
    const QRectF key(area.right() - painter.fontMetrics().horizontalAdvance(saved) - 18, area.top() - 14, 10, 10);
    QColor ground = palette().color(QPalette::Accent);
    ground.setAlpha(strong);
    painter.fillRect(key, ground);
    painter.drawText(QPointF(key.right() + 6, area.top() - 5), saved);
}

void TrainingCurve::drawPeak(QPainter &painter, const QRectF &area, const Axis &y) const
{
    const std::size_t step = *m_memory->peakStep;
    const QPointF at((pixelOf(step, area) + pixelOf(step + 1, area)) / 2, y.toPixel(m_alive[step]));
    painter.setPen(QPen(palette().color(QPalette::Base), 1.5));
    painter.setBrush(warningColor(palette()));
    painter.drawEllipse(at, 4.5, 4.5);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QPointF(area.left(), area.top() - 5),
                     tr("peak memory %1").arg(numberText(Quantity::Unit::Byte, m_alive[step])));
}

void TrainingCurve::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (!m_memory)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plotArea(size());
    Axis x = Axis::linear(Quantity::Unit::Count, double(m_alive.size())).named(tr("step"));
    Axis y = Axis::linear(Quantity::Unit::Byte, m_alive[*m_memory->peakStep]);
    drawAxes(painter, area, x, y, palette());
    drawSteps(painter, area, y, m_alive, faint);
    drawSteps(painter, area, y, m_saved, strong);
    drawParts(painter, area);
    drawPeak(painter, area, y);
}

QString TrainingCurve::stepText(std::size_t step) const
{
    const sequence::TrainingMemory::Step &shownStep = m_memory->steps[step];
    const QString node = shownStep.node.empty() ? tr("inputs or results") : shown(shownStep.node);
    return tr("%1, %2\n%3, %4 of it saved for the backward")
        .arg(QString::fromUtf8(sequence::name(shownStep.part)), node, numberText(Quantity::Unit::Byte, m_alive[step]),
             numberText(Quantity::Unit::Byte, m_saved[step]));
}

bool TrainingCurve::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip || !m_memory)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QRectF area = plotArea(size());
    const double share = (help->pos().x() - area.left()) / area.width();
    const double most = double(m_alive.size()) - 1;
    const auto step = std::size_t(std::clamp(share * double(m_alive.size()), 0.0, most));
    QToolTip::showText(help->globalPos(), toolTipText(stepText(step)), this);
    return true;
}

} // namespace cutaway::views
