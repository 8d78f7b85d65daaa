// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/sweep_chart.h"

#include "views/appearance/theme.h"
#include "views/parts/text.h"
#include "views/sweep/sweep_model.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace cutaway::views {

SweepChart::SweepChart(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("Costs by size"));
    setMinimumSize(260, 120);
}

void SweepChart::show(std::shared_ptr<const analysis::Sweep> sweep, const QString &notice)
{
    m_sweep = std::move(sweep);
    m_notice = notice;
    update();
}

void SweepChart::setMeasure(Measure measure)
{
    m_measure = measure;
    update();
}

std::vector<std::pair<double, double>> SweepChart::points() const
{
    std::vector<std::pair<double, double>> points;
    for (const analysis::SweepPoint &point : m_sweep ? m_sweep->points : std::vector<analysis::SweepPoint>())
        if (const auto number = quantityOf(point, m_measure).number())
            points.emplace_back(double(point.value), *number);
    return points;
}

SweepChart::Axes SweepChart::axesOf(const std::vector<std::pair<double, double>> &points) const
{
    constexpr double decade = 10;
    const auto [first, last] = std::ranges::minmax(points, {}, &std::pair<double, double>::first);
    const auto [least, most] = std::ranges::minmax(points, {}, &std::pair<double, double>::second);
    const Quantity::Unit unit = unitOf(m_measure);
    const bool isWide = first.first > 0 && last.first / first.first > decade && least.second > 0;
    Axes axes{isWide ? Axis::logarithmic(Quantity::Unit::Count, first.first, last.first)
                     : Axis::linear(Quantity::Unit::Count, last.first),
              isWide ? Axis::logarithmic(unit, least.second, most.second) : Axis::linear(unit, most.second)};
    axes.x.named(shown(m_sweep->symbol));
    const QRectF area = plotArea(size());
    axes.x.place(area.left(), area.right());
    axes.y.place(area.bottom(), area.top());
    return axes;
}

void SweepChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), palette().base());
    const QRectF area = plotArea(size());
    const auto points = this->points();
    if (points.empty())
        return drawNotice(painter, area,
                          m_sweep ? tr("This figure depends on other sizes, too; set them in Bindings.") : m_notice,
                          palette());
    auto [x, y] = axesOf(points);
    drawAxes(painter, area, x, y, palette());
    const QColor accent = palette().color(QPalette::Accent);
    QPainterPath line;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const QPointF at(x.toPixel(points[i].first), y.toPixel(points[i].second));
        i == 0 ? line.moveTo(at) : line.lineTo(at);
    }
    painter.setPen(QPen(accent, 1.5));
    painter.drawPath(line);
    painter.setPen(Qt::NoPen);
    painter.setBrush(accent);
    const double apart = area.width() / double(points.size());
    for (const auto &[size, figure] : points)
        if (apart > 6)
            painter.drawEllipse(QPointF(x.toPixel(size), y.toPixel(figure)), 3, 3);
}

bool SweepChart::event(QEvent *event)
{
    const auto points = event->type() == QEvent::ToolTip ? this->points() : std::vector<std::pair<double, double>>();
    if (points.empty())
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const auto [x, y] = axesOf(points);
    const auto nearest = std::ranges::min_element(
        points, {}, [&](const auto &point) { return std::abs(x.toPixel(point.first) - help->pos().x()); });
    QToolTip::showText(help->globalPos(),
                       toolTipText(QStringLiteral("%1 = %2\n%3")
                                       .arg(shown(m_sweep->symbol))
                                       .arg(nearest->first)
                                       .arg(numberText(unitOf(m_measure), nearest->second))),
                       this);
    return true;
}

} // namespace cutaway::views
