// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tensor/heat_map.h"

#include "core/report/tensor/tensor_lines.h"
#include "views/appearance/fonts.h"
#include "views/appearance/heat.h"
#include "views/appearance/theme.h"
#include "views/parts/axis.h"
#include "views/parts/text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <tuple>

namespace cutaway::views {
namespace {

constexpr double scaleWidth = 220, scaleThickness = 8;
constexpr double tickLength = 3;

} // namespace

HeatMap::HeatMap(QWidget *parent) : QWidget(parent)
{
    setMinimumSize(112, 100);
    setAccessibleName(tr("Heat map of the elements"));
}

void HeatMap::show(std::shared_ptr<const TensorPart> part)
{
    m_part = std::move(part);
    m_isEmpty = true;
    for (const double x : m_part ? m_part->picture.numbers : std::vector<double>()) {
        if (!std::isfinite(x))
            continue;
        m_lowest = m_isEmpty ? x : std::min(m_lowest, x);
        m_highest = m_isEmpty ? x : std::max(m_highest, x);
        m_isEmpty = false;
    }
    paintImage();
    update();
}

void HeatMap::paintImage()
{
    m_image = {};
    if (!m_part || m_part->picture.numbers.empty())
        return;
    const TensorPart::Picture &picture = m_part->picture;
    m_image = QImage(int(picture.columns), int(picture.rows), QImage::Format_RGB32);
    // Halves, since the difference of two very large numbers overflows.
    const double span = m_highest / 2 - m_lowest / 2;
    const bool dark = isDark(palette());
    for (std::size_t i = 0; i < picture.numbers.size(); ++i) {
        const double x = picture.numbers[i];
        const double share = span > 0 ? (x / 2 - m_lowest / 2) / span : 0.5;
        const QColor color = std::isfinite(x) ? heatColor(share, dark) : errorColor(palette());
        m_image.setPixelColor(int(i % picture.columns), int(i / picture.columns), color);
    }
}

/// Returns the area of the picture. Elements are square; a single row fills the width, if possible 24 pixels high.
QRectF HeatMap::area() const
{
    const QRectF room = QRectF(rect()).adjusted(12, scaleHeight() + 6, -12, -10);
    const double rows = m_image.height(), columns = m_image.width();
    const double side = std::min(room.width() / columns, room.height() / rows);
    if (rows == 1)
        return {room.left(), room.top(), room.width(), std::min(room.height(), std::max(side, 24.0))};
    return {room.left(), room.top(), std::max(side * columns, 1.0), std::max(side * rows, 1.0)};
}

double HeatMap::scaleHeight() const { return 6 + scaleThickness + tickLength + fontMetrics().height(); }

/// Whether the picture leaves out rows or columns, because the matrix has too many.
bool HeatMap::isThinned() const
{
    for (std::size_t d = 0; d < m_part->part.ranges.size(); ++d)
        if (m_part->picture.matrix.ranges[d].step != m_part->part.ranges[d].step)
            return true;
    return false;
}

void HeatMap::paintScale(QPainter &painter) const
{
    painter.setFont(diagramFont(layout::Line::Style::Detail));
    painter.setPen(mutedText(palette()));
    const QRectF ramp(12, 6, std::min(width() - 24.0, scaleWidth), scaleThickness);
    const QRectF numbers(ramp.left(), ramp.bottom() + tickLength, ramp.width(), painter.fontMetrics().height());
    if (m_isEmpty)
        return painter.drawText(numbers, Qt::AlignLeft, tr("no finite numbers"));
    const bool dark = isDark(palette());
    for (int x = 0; x < int(ramp.width()); ++x)
        painter.fillRect(QRectF(ramp.left() + x, ramp.top(), 1, ramp.height()), heatColor(x / ramp.width(), dark));
    const double middle = m_lowest / 2 + m_highest / 2; // halves, since the sum of two very large numbers overflows
    const std::tuple<double, double, Qt::Alignment> ticks[] = {
        {0, m_lowest, Qt::AlignLeft}, {0.5, middle, Qt::AlignHCenter}, {1, m_highest, Qt::AlignRight}};
    for (const auto &[share, number, alignment] : ticks) {
        const double x = ramp.left() + share * (ramp.width() - 1) + 0.5;
        painter.drawLine(QPointF(x, ramp.bottom()), QPointF(x, ramp.bottom() + tickLength));
        painter.drawText(numbers, int(alignment), shown(report::numberText(number)));
    }
    const double rest = width() - 24 - ramp.right();
    if (isThinned())
        painter.drawText(QRectF(ramp.right() + 12, 4, rest, painter.fontMetrics().height()), Qt::AlignLeft,
                         painter.fontMetrics().elidedText(tr("every nth row and column"), Qt::ElideRight, int(rest)));
}

void HeatMap::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (m_image.isNull())
        return drawNotice(painter, rect(), m_part ? tr("No numbers to draw") : QString(), palette());
    paintScale(painter);
    painter.drawImage(area(), m_image);
    painter.setPen(separator(palette()));
    painter.drawRect(area());
}

void HeatMap::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        paintImage();
}

bool HeatMap::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QRectF picture = area();
    if (m_image.isNull() || !picture.contains(help->pos()))
        return true;
    const auto column = std::min(std::size_t((help->pos().x() - picture.left()) / picture.width() * m_image.width()),
                                 m_part->picture.columns - 1);
    const auto row = std::min(std::size_t((help->pos().y() - picture.top()) / picture.height() * m_image.height()),
                              m_part->picture.rows - 1);
    const double number = m_part->picture.numbers[row * m_part->picture.columns + column];
    QToolTip::showText(
        help->globalPos(),
        toolTipText(QStringLiteral("[%1]: %2")
                        .arg(shown(indexOfCell(*m_part, row, column)), shown(report::numberText(number)))),
        this);
    return true;
}

} // namespace cutaway::views
