// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tensor/histogram.h"

#include "core/base/text.h"
#include "core/report/tensor/tensor_lines.h"
#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/parts/axis.h"
#include "views/parts/text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace cutaway::views {

HistogramPlot::HistogramPlot(QWidget *parent) : QWidget(parent)
{
    setMinimumSize(112, 100);
    setAccessibleName(tr("Histogram"));
}

void HistogramPlot::clear(const QString &notice)
{
    m_histogram = {};
    m_notice = notice;
    update();
}

void HistogramPlot::show(const tensor::Histogram &histogram)
{
    m_histogram = histogram;
    m_notice = tr("No finite numbers");
    update();
}

QRectF HistogramPlot::area() const
{
    const double line = fontMetrics().height();
    return QRectF(rect()).adjusted(12, line + 10, -12, -line - 10);
}

/// Returns the number at the left edge of a bar.
double HistogramPlot::edge(std::size_t bar) const
{
    const double share = double(bar) / double(m_histogram.counts.size());
    return m_histogram.first * (1 - share) + m_histogram.last * share;
}

std::optional<std::size_t> HistogramPlot::barAt(QPointF place) const
{
    const QRectF plot = area();
    if (m_histogram.counts.empty() || place.x() < plot.left() || place.x() >= plot.right())
        return std::nullopt;
    return std::size_t((place.x() - plot.left()) / plot.width() * double(m_histogram.counts.size()));
}

std::pair<QString, QString> HistogramPlot::endTexts(double room, const QFontMetricsF &metrics) const
{
    constexpr int mostDigits = 6, fewestDigits = 2;
    QString first, last;
    for (int digits = mostDigits; digits >= fewestDigits; --digits) {
        first = QString::number(m_histogram.first, 'g', digits);
        last = QString::number(m_histogram.last, 'g', digits);
        if (first == last)
            return {first, QString()};
        if (metrics.horizontalAdvance(first + "  " + last) <= room)
            break;
    }
    return {first, last};
}

void HistogramPlot::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (m_histogram.counts.empty())
        return drawNotice(painter, rect(), m_notice, palette());
    const QRectF plot = area();
    const auto highest = double(std::ranges::max(m_histogram.counts));
    const double width = plot.width() / double(m_histogram.counts.size());
    for (std::size_t i = 0; i < m_histogram.counts.size(); ++i) {
        if (m_histogram.counts[i] == 0)
            continue;
        // A bar that is not empty is at least a pixel high, so that even one element of a million is visible.
        const double height = std::max(double(m_histogram.counts[i]) / highest * plot.height(), 1.0);
        const QRectF bar(plot.left() + double(i) * width, plot.bottom() - height, std::max(width - 1, 1.0), height);
        painter.fillRect(bar, palette().color(QPalette::Accent));
    }
    painter.setPen(separator(palette()));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    painter.setFont(diagramFont(layout::Line::Style::Detail));
    painter.setPen(mutedText(palette()));
    const QRectF below(plot.left(), plot.bottom() + 4, plot.width(), painter.fontMetrics().height());
    const auto [first, last] = endTexts(below.width(), painter.fontMetrics());
    painter.drawText(below, last.isEmpty() ? Qt::AlignHCenter : Qt::AlignLeft, first);
    painter.drawText(below, Qt::AlignRight, last);
    painter.drawText(QRectF(plot.left(), 4, plot.width(), painter.fontMetrics().height()), Qt::AlignLeft,
                     tr("peak %1 per bin").arg(shown(grouped(std::int64_t(highest)))));
}

bool HistogramPlot::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    if (const auto bar = barAt(help->pos()))
        QToolTip::showText(
            help->globalPos(),
            toolTipText(tr("%1 to %2\n%3")
                            .arg(shown(report::numberText(edge(*bar))), shown(report::numberText(edge(*bar + 1))),
                                 counted(std::int64_t(m_histogram.counts[*bar]), "element", "elements"))),
            this);
    return true;
}

} // namespace cutaway::views
