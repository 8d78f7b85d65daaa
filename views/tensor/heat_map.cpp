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

namespace cutaway::views {

HeatMap::HeatMap(QWidget *parent) : QWidget(parent)
{
    setMinimumSize(112, 100);
    setAccessibleName(tr("Picture of the elements"));
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
    const double span = m_highest / 2 - m_lowest / 2; // halves: the distance of extremes is none
    const bool dark = isDark(palette());
    for (std::size_t i = 0; i < picture.numbers.size(); ++i) {
        const double x = picture.numbers[i];
        const double share = span > 0 ? (x / 2 - m_lowest / 2) / span : 0.5;
        const QColor color = std::isfinite(x) ? heatColor(share, dark) : errorColor(palette());
        m_image.setPixelColor(int(i % picture.columns), int(i / picture.columns), color);
    }
}

/// Square elements where there is room; a list fills the height.
QRectF HeatMap::area() const
{
    const double line = fontMetrics().height();
    const QRectF room = QRectF(rect()).adjusted(12, line + 10, -12, -10);
    const double rows = m_image.height(), columns = m_image.width();
    const double side = std::min(room.width() / columns, room.height() / rows);
    if (rows == 1)
        return {room.left(), room.top(), room.width(), std::min(room.height(), std::max(side, 24.0))};
    return {room.left(), room.top(), std::max(side * columns, 1.0), std::max(side * rows, 1.0)};
}

QString HeatMap::rangeText() const
{
    QString text = m_isEmpty
        ? tr("no finite numbers")
        : tr("%1 (pale) to %2 (strong)").arg(shown(report::numberText(m_lowest)), shown(report::numberText(m_highest)));
    std::size_t left = 0;
    for (std::size_t d = 0; d < m_part->part.ranges.size(); ++d)
        left += m_part->picture.matrix.ranges[d].step != m_part->part.ranges[d].step ? 1 : 0;
    return left > 0 ? text + tr(", not every row and column") : text;
}

void HeatMap::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (m_image.isNull())
        return drawNotice(painter, rect(), m_part ? tr("No numbers to draw") : QString(), palette());
    painter.setFont(diagramFont(layout::Line::Style::Detail));
    painter.setPen(mutedText(palette()));
    painter.drawText(QRectF(12, 4, width() - 24, painter.fontMetrics().height()), Qt::AlignLeft,
                     painter.fontMetrics().elidedText(rangeText(), Qt::ElideRight, width() - 24));
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
