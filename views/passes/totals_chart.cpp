// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/passes/totals_chart.h"

#include "views/appearance/theme.h"
#include "views/parts/step_text.h"
#include "views/parts/text.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace cutaway::views {

TotalsChart::TotalsChart(Stepping &stepping, Analysing &analysing, QWidget *parent)
    : QWidget(parent),
      m_stepping(stepping),
      m_analysing(analysing)
{
    setAccessibleName(tr("Totals after each step"));
    setMinimumHeight(110);
    connect(&stepping, &Stepping::stepsChanged, this, [this] { fill(); });
    connect(&stepping, &Stepping::positionChanged, this, qOverload<>(&QWidget::update));
    connect(&analysing, &Analysing::figuresChanged, this, [this] { fill(); });
    fill();
}

void TotalsChart::setTotal(Total total)
{
    m_total = total;
    fill();
}

Quantity TotalsChart::quantity(std::size_t position) const
{
    using Unit = Quantity::Unit;
    const passes::History &history = *m_stepping.history();
    const analysis::Totals &totals = history.totalsAfter(position);
    const auto atExample = [this](const Quantity &total) {
        return m_analysing.figures() ? m_analysing.figures()->atExample(total) : total;
    };
    switch (m_total) {
    case Total::Nodes:
        return {Unit::Count, ir::Dim(totals.nodes)};
    case Total::Flops:
        return atExample({Unit::Flop, totals.cost.flops});
    case Total::Parameters:
        return {Unit::Byte, ir::Dim(history.parameterBytesAfter(position))};
    case Total::Memory:
        break;
    }
    return atExample({Unit::Byte, totals.peakBytes});
}

void TotalsChart::fill()
{
    m_values.clear();
    for (std::size_t i = 0; m_stepping.history() && i <= m_stepping.count(); ++i) {
        const auto number = quantity(i).numberOrExample();
        if (!number) {
            m_values.clear();
            break;
        }
        m_values.push_back(*number);
    }
    update();
}

double TotalsChart::pixelOf(std::size_t position) const
{
    const QRectF area = plotArea(size());
    return area.left() + (double(position) + 0.5) / double(m_values.size()) * area.width();
}

std::size_t TotalsChart::positionAt(double pixel) const
{
    const QRectF area = plotArea(size());
    const double share = (pixel - area.left()) / area.width();
    return static_cast<std::size_t>(std::clamp(share * double(m_values.size()), 0.0, double(m_values.size()) - 1));
}

void TotalsChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), palette().base());
    const QRectF area = plotArea(size());
    if (m_values.empty())
        return drawNotice(painter, area,
                          m_stepping.history() ? tr("The total depends on unknown sizes. See Diagnostics.")
                                               : tr("Run passes to see totals after each step."),
                          palette());
    const double highest = *std::ranges::max_element(m_values);
    Axis x = Axis::linear(Quantity::Unit::Count, double(m_values.size()));
    Axis y = Axis::linear(quantity(0).unit, std::max(highest, 1.0));
    x.place(area.left(), area.right());
    drawAxes(painter, area, x, y, palette());
    QPainterPath line;
    const double width = area.width() / double(m_values.size());
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        const double left = area.left() + double(i) * width, at = y.toPixel(m_values[i]);
        i == 0 ? line.moveTo(left, at) : line.lineTo(left, at);
        line.lineTo(left + width, at);
    }
    const QColor accent = palette().color(QPalette::Accent);
    painter.setPen(QPen(accent, 1.5));
    painter.drawPath(line);
    const std::size_t here = std::min(m_stepping.position(), m_values.size() - 1);
    painter.setPen(Qt::NoPen);
    painter.setBrush(accent);
    painter.drawEllipse(QPointF(pixelOf(here), y.toPixel(m_values[here])), 4, 4);
}

bool TotalsChart::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip && !m_values.empty()) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const std::size_t at = positionAt(help->pos().x());
        const passes::History &history = *m_stepping.history();
        const QString step = at == 0 ? shown(history.startTitle()) : stepName(history.steps()[at - 1]);
        QToolTip::showText(help->globalPos(), toolTipText(step + '\n' + quantity(at).exactText()), this);
        return true;
    }
    return QWidget::event(event);
}

void TotalsChart::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && !m_values.empty())
        m_stepping.goTo(positionAt(event->position().x()));
}

} // namespace cutaway::views
